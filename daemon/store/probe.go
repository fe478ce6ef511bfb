package store

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"nightjar/migrations"
)

// goldenSchema is the schema after all migrations, as TestGoldenSchema holds it.
//
//go:embed testdata/schema.sql
var goldenSchema string

// dumpSchema lists the statements of a schema in the order of goldenSchema.
const dumpSchema = "SELECT sql || ';' FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY type DESC, name"

// Probe looks for damage in the database file at path before anything opens it for writing, and returns the first faults
// that it found twice, none when the file is sound, missing or empty. It changes neither the file nor its write-ahead log.
//
// It checks the fixed fields of the header ([FILEFORMAT] §1.3), the checksums of the write-ahead log (§4), the schema, and
// the structure of all tables by quick_check, which reads the whole file. When ctx ends before that, the error is that of
// ctx: no fault was found so far. SQLite has no checksum of what is in a row: see Verify.
//
// [FILEFORMAT]: https://www.sqlite.org/fileformat2.html
func Probe(ctx context.Context, path string) (faults []string, err error) {
	return confirmed(ctx, func() ([]string, error) { return probe(ctx, path) })
}

func probe(ctx context.Context, path string) (faults []string, err error) {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, err
	case info.IsDir():
		return []string{"it is a folder, not a file"}, nil
	case !info.Mode().IsRegular():
		return []string{"it is not a plain file"}, nil
	case info.Size() == 0:
		return nil, nil
	}
	if faults, err := headerFaults(path); err != nil || len(faults) > 0 {
		return faults, err
	}
	if faults, err := logFaults(path + "-wal"); err != nil || len(faults) > 0 {
		return faults, err
	}
	s, err := Look(ctx, path)
	if err != nil {
		return orFault(err)
	}
	defer s.Close()
	if faults, err = s.structureFaults(ctx); err != nil {
		return orFault(err)
	}
	return faults, nil
}

// structureFaults compares the schema with that of this program and checks the structure of the file.
func (s *Store) structureFaults(ctx context.Context) ([]string, error) {
	var version int
	if err := s.r.QueryRowContext(ctx, "PRAGMA user_version").Scan(&version); err != nil {
		return nil, err
	}
	steps, err := migrationNames(migrations.Files)
	if err != nil {
		return nil, err
	}
	text, err := query(ctx, s.r, scanText, dumpSchema)
	if err != nil {
		return nil, err
	}
	if version == len(steps) && strings.Join(text, "\n\n")+"\n" != goldenSchema {
		return []string{"its tables are not those of this version of Nightjar"}, nil
	}
	if version < 0 || version > maxVersion {
		return []string{fmt.Sprintf("it says that its schema has version %d", version)}, nil
	}
	return faultsOf(ctx, s.r, quickCheck)
}

// maxVersion is a version of the schema that no Nightjar will reach.
const maxVersion = 100_000

// Sizes and places in SQLite's files.
const (
	headerSize    = 100
	logHeaderSize = 32
	frameHeader   = 24
)

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

// logFaults checks the checksums of a write-ahead log. After a power cut, the last transaction may be incomplete: SQLite
// ignores it, and nobody was told that it is stored. A wrong frame before other complete transactions is damage: SQLite
// would ignore all of these without a word.
func logFaults(path string) ([]string, error) {
	f, err := os.Open(path)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }() // only read from
	info, err := f.Stat()
	if err != nil || info.Size() == 0 {
		return nil, err
	}
	h := make([]byte, logHeaderSize)
	if _, err := io.ReadFull(f, h); err != nil {
		return nil, nil //nolint:nilerr // cut while its first bytes were written: it holds nothing
	}
	size := int64(binary.BigEndian.Uint32(h[8:]))
	magic := binary.BigEndian.Uint32(h)
	var order binary.ByteOrder = binary.LittleEndian
	if magic&1 != 0 {
		order = binary.BigEndian
	}
	sum := logSum{order: order}
	sum.add(h[:24])
	good := magic&^1 == 0x377f0682 && size >= 512 && size <= 65536 && size&(size-1) == 0 && sum.is(h[24:])
	if !good {
		if info.Size() > logHeaderSize {
			return []string{"the header of its write-ahead log is damaged, so that the newest data cannot be read"}, nil
		}
		return nil, nil
	}
	return frameFaults(f, &sum, h[16:24], size)
}

// frameFaults reads the frames of a log up to the first that is wrong, and then looks for complete transactions behind it.
func frameFaults(f io.Reader, sum *logSum, salt []byte, size int64) ([]string, error) {
	frame := make([]byte, frameHeader+size)
	wrong, lost := 0, 0 // the number of the first wrong frame; of transactions that end with or behind it
	behind := false     // a frame of this log comes after the last such end
	for n := 1; ; n++ {
		if _, err := io.ReadFull(f, frame); err != nil {
			if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
				break
			}
			return nil, err
		}
		ours := bytes.Equal(frame[8:16], salt)
		if wrong == 0 {
			sum.add(frame[:8])
			sum.add(frame[frameHeader:])
			if ours && sum.is(frame[16:24]) {
				continue
			}
			wrong = n
		}
		if ours {
			behind = lost > 0
			if binary.BigEndian.Uint32(frame[4:]) != 0 {
				lost, behind = lost+1, false
			}
		}
	}
	if lost > 1 || behind {
		return []string{fmt.Sprintf("its write-ahead log is damaged at frame %d, so that what was stored after it cannot be read", wrong)}, nil
	}
	return nil, nil
}

// logSum is the checksum of a write-ahead log ([FILEFORMAT] §4.2), which runs over all frames.
type logSum struct {
	order binary.ByteOrder
	a, b  uint32
}

func (s *logSum) add(data []byte) {
	for i := 0; i+8 <= len(data); i += 8 {
		s.a += s.order.Uint32(data[i:]) + s.b
		s.b += s.order.Uint32(data[i+4:]) + s.a
	}
}

// is reports whether the checksum is the stored one, which is big-endian.
func (s *logSum) is(stored []byte) bool {
	return binary.BigEndian.Uint32(stored) == s.a && binary.BigEndian.Uint32(stored[4:]) == s.b
}
