package safekeeping

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"nightjar/crawler/durable"
	"nightjar/daemon/base/leftovers"
	"nightjar/daemon/keep/backup"
	"nightjar/daemon/keep/rescue"
	"nightjar/daemon/store"
)

// Save writes what can be read of the damaged database at path to a new one in the folder of the backups, where List then has
// it, and returns the tables that lack rows. It changes nothing at path.
func Save(ctx context.Context, path, dir string, now time.Time) ([]rescue.Lost, error) {
	if err := durable.MkdirAll(Folder(dir)); err != nil {
		return nil, fmt.Errorf("save what can be read: %w", err)
	}
	name := filepath.Join(Folder(dir), savedPrefix+now.UTC().Format(nameTime)+".db")
	part := name + leftovers.Part
	if err := removeMissing(part); err != nil {
		return nil, fmt.Errorf("save what can be read: %w", err)
	}
	lost, err := rescue.Save(ctx, path, part)
	if store.Damaged(err) {
		lost, err = savePadded(ctx, path, dir, part)
	}
	if err == nil {
		_, err = backup.Inspect(ctx, part)
	}
	if err == nil {
		err = durable.Rename(part, name)
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("save what can be read: %w", err), removeMissing(part))
	}
	return lost, nil
}

// savePadded is Rescue for a file that was cut: SQLite opens none that is shorter than its header says. It works on a copy that
// is filled up with zeros, and the rows of the missing pages are lost.
func savePadded(ctx context.Context, path, dir, part string) (lost []rescue.Lost, err error) {
	folder, err := os.MkdirTemp(dir, leftovers.Backup)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()
	copied := filepath.Join(folder, "cut.db")
	for _, end := range []string{"", "-wal"} {
		if err := copyFile(path+end, copied+end); err != nil && !(end != "" && errors.Is(err, os.ErrNotExist)) {
			return nil, err
		}
	}
	if err := pad(copied); err != nil {
		return nil, err
	}
	if err := removeMissing(part); err != nil {
		return nil, err
	}
	return rescue.Save(ctx, copied, part)
}

func copyFile(from, to string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return errors.Join(err, in.Close())
	}
	_, err = io.Copy(out, in)
	return errors.Join(err, out.Close(), in.Close())
}

// pad fills a database file up to the size in its header ([FILEFORMAT] §1.3: bytes 16 and 28), which must be less than ten times
// its own: a larger number is itself damaged.
func pad(path string) error {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }() // Truncate has told of errors
	head := make([]byte, 32)
	if _, err := f.ReadAt(head, 0); err != nil {
		return err
	}
	info, err := f.Stat()
	if err != nil {
		return err
	}
	want := int64(binary.BigEndian.Uint16(head[16:])) * int64(binary.BigEndian.Uint32(head[28:]))
	if want <= info.Size() || want > 10*info.Size() {
		return nil
	}
	return f.Truncate(want)
}

func removeMissing(name string) error {
	if err := os.Remove(name); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	return nil
}
