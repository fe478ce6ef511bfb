package rescue

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
)

// What a power cut does to the write-ahead log, and what it cannot have done.
//
// Each frame has a checksum over itself and the checksum of the frame before it ([FILEFORMAT] §4). SQLite reads the log up to the
// first frame that does not fit, and leaves out what follows its last complete transaction. Derived rows do not wait for the
// disk (see db.DB.WriteDerived): after a power cut, any part of what was written since the last wait may be missing, in any order.
// That is no damage. Only what had reached the disk before is damaged when it is wrong.
//
// The log shows the waits, since the connection that writes is opened with psow=0: SQLite then repeats the last frame of a
// transaction that waits, up to the end of the sector, so that later writes cannot tear it. What comes behind that repetition
// was written after the wait, and proves that all before it had reached the disk. Logs of earlier versions show no waits, and
// nothing in them is called damage.

// Sizes in a write-ahead log, for Nightjar's page size.
const (
	logHeaderSize = 32
	frameHeader   = 24
	pageSize      = 4096
)

// frame is a frame of a log, without its page.
type frame struct {
	page   uint32   // its number
	commit uint32   // not 0 in the last frame of a transaction
	sum    [32]byte // SHA-256 of the page
	fits   bool     // it belongs to the log, and its checksum follows from the frame before it
	ours   bool     // it belongs to the log
}

// repeats reports whether a frame is that before it once more.
func (f *frame) repeats(before *frame) bool {
	return f.commit != 0 && f.commit == before.commit && f.page == before.page && f.sum == before.sum
}

// writeLog is a write-ahead log as it is on the disk.
type writeLog struct {
	frames []frame
	used   int // frames that SQLite reads: up to the last commit before the first frame that does not fit
	wrong  int // the first frame that does not fit; len(frames) when all do
	header bool
}

// logFindings compares the write-ahead log of a database with the part that SQLite reads.
func logFindings(path string) (faults []string, note string, err error) {
	log, err := readLog(path + "-wal")
	if err != nil || log == nil {
		return nil, "", err
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, "", err
	}
	defer func() { _ = file.Close() }() // only read from
	if lost, err := log.lost(file, log.synced()); err != nil {
		return nil, "", err
	} else if lost {
		what := fmt.Sprintf("its write-ahead log is damaged at frame %d", log.wrong+1)
		if !log.header {
			what = "the header of its write-ahead log is damaged"
		}
		return []string{what + ", so that what was stored after it cannot be read"}, "", nil
	}
	n := log.commits()
	if lost, err := log.lost(file, len(log.frames)); n == 0 || err != nil || !lost {
		return nil, "", err
	}
	changes := "changes"
	if n == 1 {
		changes = "change"
	}
	return nil, fmt.Sprintf("the last %d %s had not wholly reached the disk when Nightjar was cut off, as in a power cut. "+
		"They are left out; what browsers sent before is there, and what was worked out is worked out again", n, changes), nil
}

// readLog reads a write-ahead log. It returns nil if there is none or it has no frames.
func readLog(path string) (*writeLog, error) {
	f, err := os.Open(path)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }() // only read from
	h, text := make([]byte, logHeaderSize), make([]byte, frameHeader+pageSize)
	if err := readWhole(f, h); err != nil {
		return nil, noEnd(err)
	}
	sum, good := logStart(h)
	log, salt := &writeLog{header: good}, bytes.Clone(h[16:24])
	for {
		if err := readWhole(f, text); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return nil, err
		}
		if !good && len(log.frames) == 0 { // the header cannot be trusted: the log is that of the first frame
			copy(salt, text[8:16])
		}
		log.add(text, salt, sum)
	}
	if len(log.frames) == 0 {
		return nil, nil
	}
	if !good {
		log.used, log.wrong = 0, 0
	}
	return log, nil
}

// readWhole fills b; the error is io.EOF when the file ends before.
func readWhole(f io.Reader, b []byte) error {
	if _, err := io.ReadFull(f, b); !errors.Is(err, io.ErrUnexpectedEOF) {
		return err
	}
	return io.EOF
}

// noEnd is nil for the end of a file.
func noEnd(err error) error {
	if errors.Is(err, io.EOF) {
		return nil
	}
	return err
}

// logStart reads the header of a log, from which the checksums of frames start.
func logStart(h []byte) (sum *logSum, good bool) {
	sum = &logSum{order: binary.NativeEndian}
	if magic := binary.BigEndian.Uint32(h); magic&^1 == 0x377f0682 {
		sum.order = binary.LittleEndian
		if magic&1 != 0 {
			sum.order = binary.BigEndian
		}
		good = binary.BigEndian.Uint32(h[8:]) == pageSize
	}
	sum.add(h[:24])
	return sum, good && sum.is(h[24:])
}

// add adds a frame. sum is the checksum that the frame before it has, and becomes that of this one.
func (l *writeLog) add(text, salt []byte, sum *logSum) {
	f := frame{page: binary.BigEndian.Uint32(text), commit: binary.BigEndian.Uint32(text[4:]), sum: sha256.Sum256(text[frameHeader:]),
		ours: bytes.Equal(text[8:16], salt)}
	sum.add(text[:8])
	sum.add(text[frameHeader:])
	f.fits = f.ours && sum.is(text[16:24])
	sum.a, sum.b = binary.BigEndian.Uint32(text[16:]), binary.BigEndian.Uint32(text[20:])
	if l.wrong == len(l.frames) && f.fits {
		l.wrong++
		if f.commit != 0 {
			l.used = l.wrong
		}
	}
	l.frames = append(l.frames, f)
}

// synced returns how many frames had certainly reached the disk, of those behind the first wrong one; 0 when that is not known.
func (l *writeLog) synced() int {
	for at := len(l.frames) - 1; at >= 2 && at > l.wrong; at-- {
		f, repeated, last := &l.frames[at], &l.frames[at-1], &l.frames[at-2]
		if f.fits && repeated.fits && last.ours && repeated.repeats(last) && !f.repeats(repeated) {
			return at
		}
	}
	return 0
}

// commits counts the transactions that SQLite leaves out, of which the end is there.
func (l *writeLog) commits() (n int) {
	for at := l.used; at < len(l.frames); at++ {
		if f := &l.frames[at]; f.ours && f.commit != 0 && (at == 0 || !f.repeats(&l.frames[at-1])) {
			n++
		}
	}
	return n
}

// lost reports whether the first frames hold pages that SQLite reads in an older state, from the frames that it uses and, for the
// others, from the file. A frame that does not fit says nothing of its page.
func (l *writeLog) lost(file io.ReaderAt, first int) (bool, error) {
	reads, good := map[uint32][32]byte{}, map[uint32][][32]byte{} // sums by page: what SQLite reads; what is new enough
	for at, f := range l.frames {
		switch _, known := good[f.page]; {
		case at < l.used:
			reads[f.page] = f.sum
		case f.ours && !f.fits:
			delete(good, f.page)
		case f.fits && at < first:
			good[f.page] = [][32]byte{f.sum}
		case f.fits && known:
			good[f.page] = append(good[f.page], f.sum)
		}
	}
	page := make([]byte, pageSize)
	for n, sums := range good {
		sum, ok := reads[n]
		if !ok {
			clear(page) // behind the end of the file
			if _, err := file.ReadAt(page, int64(n-1)*pageSize); err != nil && !errors.Is(err, io.EOF) {
				return false, err
			}
			sum = sha256.Sum256(page)
		}
		if !slices.Contains(sums, sum) {
			return true, nil
		}
	}
	return false, nil
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
