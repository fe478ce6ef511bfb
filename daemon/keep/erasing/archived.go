package erasing

import (
	"context"

	"nightjar/daemon/db"
)

// MoveArchived updates the offsets of responses in an archive file: to maps old offsets to new ones, in bytes.
// Responses without a new offset are no longer archived.
func MoveArchived(ctx context.Context, d *db.DB, file string, to map[int64]int64) error {
	err := d.Commit(ctx, func(w *db.Work) {
		type place struct{ id, offset int64 }
		all := db.List(w, func(row db.Scanner) (place, error) {
			var p place
			return p, row.Scan(&p.id, &p.offset)
		}, `SELECT id, archive_offset FROM fetches WHERE archive_file = ?`, file)
		for _, p := range all {
			offset, ok := to[p.offset]
			name := file
			if !ok {
				name = ""
			}
			if ok && offset == p.offset {
				continue
			}
			w.Exec(`UPDATE fetches SET archive_file = ?, archive_offset = ? WHERE id = ?`, name, offset, p.id)
		}
	})
	return db.Wrap(err, "move archived pages of %s", file)
}
