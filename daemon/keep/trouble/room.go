package trouble

import (
	"context"

	"nightjar/daemon/db"
)

// room is how many bytes TryWrite writes: enough for a batch of events or the rows of a fetch.
const room = 1 << 20

// TryWrite stores something that needs about 1 MB and deletes it again. It returns nil when there is room and nothing else
// keeps the store from writing. It tells Wrote nothing.
func TryWrite(ctx context.Context, d *db.DB) error {
	if err := d.MakeSure(ctx); err != nil {
		return err
	}
	for _, text := range []string{
		`INSERT OR REPLACE INTO settings (key, value) VALUES ('room', printf('%.*c', ?, 'x'))`,
		`DELETE FROM settings WHERE key = 'room' AND length(value) <= ?`,
	} {
		if _, err := d.Writer.ExecContext(ctx, text, room); err != nil {
			return err
		}
	}
	return nil
}
