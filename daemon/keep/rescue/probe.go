package rescue

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"

	"nightjar/daemon/db"
	"nightjar/daemon/store"
	"nightjar/migrations"
)

// Probed is what Probe found.
type Probed struct {
	Faults []string // the first ones; none when the file is sound, missing or empty
	Note   string   // what SQLite leaves out by itself, as after a power cut; "" for nothing
}

// Probe looks for damage in the database file at path before anything opens it for writing. A fault was found twice. It changes
// neither the file nor its write-ahead log.
//
// It checks the fixed fields of the header ([FILEFORMAT] §1.3), the checksums of the write-ahead log (§4), the schema, and
// the structure of all tables by quick_check, which reads the whole file. When ctx ends before that, the error is that of
// ctx: no fault was found so far. SQLite has no checksum of what is in a row: see safekeeping.VerifySome.
//
// [FILEFORMAT]: https://www.sqlite.org/fileformat2.html
func Probe(ctx context.Context, path string) (p Probed, err error) {
	p.Faults, err = db.Confirmed(ctx, func() (faults []string, err error) {
		faults, p.Note, err = probe(ctx, path)
		return faults, err
	})
	return p, err
}

func probe(ctx context.Context, path string) (faults []string, note string, err error) {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return nil, "", nil
	case err != nil:
		return nil, "", err
	case info.IsDir():
		return []string{"it is a folder, not a file"}, "", nil
	case !info.Mode().IsRegular():
		return []string{"it is not a plain file"}, "", nil
	case info.Size() == 0:
		return nil, "", nil
	}
	if faults, err := headerFaults(path); err != nil || len(faults) > 0 {
		return faults, "", err
	}
	if faults, note, err = logFindings(path); err != nil || len(faults) > 0 {
		return faults, "", err
	}
	s, err := store.Look(ctx, path)
	if err == nil {
		defer s.Close()
		faults, err = structureFaults(ctx, s.DB)
	}
	if err != nil {
		faults, err = db.OrFault(err)
	}
	return faults, note, err
}

// structureFaults compares the schema with that of this program and checks the structure of the file.
func structureFaults(ctx context.Context, d *db.DB) ([]string, error) {
	var version int
	if err := d.Readers.QueryRowContext(ctx, "PRAGMA user_version").Scan(&version); err != nil {
		return nil, err
	}
	steps, err := db.MigrationNames(migrations.Files)
	if err != nil {
		return nil, err
	}
	if version == len(steps) {
		if err := db.CheckSchema(ctx, d.Readers); errors.Is(err, db.ErrNotNightjar) {
			return []string{"its tables are not those of this version of Nightjar"}, nil
		} else if err != nil {
			return nil, err
		}
	}
	if version < 0 || version > maxVersion {
		return []string{fmt.Sprintf("it says that its schema has version %d", version)}, nil
	}
	return db.FaultsOf(ctx, d.Readers, db.Quick)
}

// maxVersion is a version of the schema that no Nightjar will reach.
const maxVersion = 100_000

// headerSize is the size of the header of a database file.
const headerSize = 100

// headerFaults checks those fields of the file's header that are the same in every database of Nightjar. SQLite accepts
// several other values, and then reads texts or tables wrongly.
func headerFaults(path string) ([]string, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }() // only read from
	h := make([]byte, headerSize)
	if _, err := io.ReadFull(f, h); err != nil {
		if errors.Is(err, io.ErrUnexpectedEOF) {
			return []string{"it is too short to be a database"}, nil
		}
		return nil, err
	}
	if !bytes.Equal(h[:16], []byte("SQLite format 3\x00")) {
		return []string{"it is not a database: its first bytes are of something else"}, nil
	}
	for _, field := range []struct {
		at, size int
		wants    []uint32
		name     string
	}{
		{18, 1, []uint32{1, 2}, "the version for writing"}, {19, 1, []uint32{1, 2}, "the version for reading"},
		{20, 1, []uint32{0}, "the reserved space"}, {44, 4, []uint32{0, 4}, "the format of the schema"},
		{52, 4, []uint32{0}, "the vacuum setting"}, {56, 4, []uint32{0, 1}, "the encoding of texts"}, {64, 4, []uint32{0}, "the vacuum mode"},
		{72, 4, []uint32{0}, "the unused space"}, {76, 4, []uint32{0}, "the unused space"}, {80, 4, []uint32{0}, "the unused space"},
		{84, 4, []uint32{0}, "the unused space"}, {88, 4, []uint32{0}, "the unused space"},
	} {
		got := uint32(h[field.at])
		if field.size == 4 {
			got = binary.BigEndian.Uint32(h[field.at:])
		}
		known := false
		for _, w := range field.wants {
			known = known || w == got
		}
		if !known {
			return []string{fmt.Sprintf("%s in its header has an impossible value", field.name)}, nil
		}
	}
	return sizeFaults(f, int64(binary.BigEndian.Uint16(h[16:])))
}

// sizeFaults reports a file that ends within a page, of which SQLite takes the rest for zeros. With a log beside it, it may
// have been left so while pages of the log were moved into it, which is then done again.
func sizeFaults(f *os.File, page int64) ([]string, error) {
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if log, err := os.Stat(f.Name() + "-wal"); err == nil && log.Size() > 0 || page < 512 || info.Size()%page == 0 {
		return nil, nil // a page below 512 stands for 64 KiB, which Nightjar does not use, or is a fault that SQLite finds
	}
	return []string{"it was cut: it ends within a page"}, nil
}
