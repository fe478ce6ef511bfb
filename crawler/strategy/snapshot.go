package strategy

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"

	"nightjar/model"
)

// errSnapshot says that bytes are no snapshot of the strategy and its model.
var errSnapshot = errors.New("no snapshot that this strategy can read")

// snapshotVersion is the first number of a snapshot. A program reads its own version only.
const snapshotVersion = 1

// writer makes a snapshot.
type writer []byte

func (w *writer) int(n int)       { *w = binary.AppendUvarint(*w, uint64(n)) }
func (w *writer) word(x uint64)   { *w = binary.LittleEndian.AppendUint64(*w, x) }
func (w *writer) float(x float64) { w.word(math.Float64bits(x)) }
func (w *writer) string(s string) { w.int(len(s)); *w = append(*w, s...) }
func (w *writer) bytes(b []byte)  { w.string(string(b)) }

func (w *writer) bool(b bool) {
	n := 0
	if b {
		n = 1
	}
	w.int(n)
}

// reader reads a snapshot. After the first thing that is not as it should be all it reads is zero.
type reader struct {
	rest []byte
	bad  bool
}

func (r *reader) fail() { r.rest, r.bad = nil, true }

// check fails unless what was read makes sense.
func (r *reader) check(ok bool) {
	if !ok {
		r.fail()
	}
}

func (r *reader) int() int {
	x, n := binary.Uvarint(r.rest)
	if n <= 0 || x > math.MaxInt32 {
		r.fail()
		return 0
	}
	r.rest = r.rest[n:]
	return int(x)
}

func (r *reader) bool() bool {
	n := r.int()
	r.check(n <= 1)
	return n == 1
}

// count reads how many things follow, each of at least one byte, so that no more is set aside than the snapshot can hold.
func (r *reader) count() int {
	n := r.int()
	r.check(n <= len(r.rest))
	if r.bad {
		return 0
	}
	return n
}

func (r *reader) word() uint64 {
	if len(r.rest) < 8 {
		r.fail()
		return 0
	}
	x := binary.LittleEndian.Uint64(r.rest)
	r.rest = r.rest[8:]
	return x
}

// float reads a finite number.
func (r *reader) float() float64 {
	x := math.Float64frombits(r.word())
	if math.IsNaN(x) || math.IsInf(x, 0) {
		r.fail()
		return 0
	}
	return x
}

func (r *reader) string() string {
	n := r.count()
	s := string(r.rest[:n])
	r.rest = r.rest[n:]
	return s
}

// end is nil when all was read and made sense.
func (r *reader) end() error {
	if r.bad || len(r.rest) > 0 {
		return errSnapshot
	}
	return nil
}

// save writes the memory of the strategy of that name.
func (m *memory) save(w *writer, name string) {
	w.int(snapshotVersion)
	w.string(name)
	w.word(m.of)
	w.int(m.judged)
	w.int(len(m.pages))
	for _, p := range m.pages {
		w.int(p.number)
		w.string(p.url)
		w.word(p.alias)
		w.int(len(p.words.Index))
		last := int32(-1)
		for k, i := range p.words.Index {
			w.int(int(i - last))
			w.int(int(p.words.Count[k]))
			last = i
		}
		w.bytes(p.note)
		w.int(len(p.links))
		for _, l := range p.links {
			w.word(l)
		}
		w.float(p.useful)
		w.int(int(p.mark))
	}
}

// restoreMemory reads a memory of the same strategy and model.
func restoreMemory(r *reader, name string, b *model.Bundle) (memory, error) {
	m := newMemory(b)
	if v := r.int(); !r.bad && v != snapshotVersion {
		return m, fmt.Errorf("%w: it has version %d, this program reads %d", errSnapshot, v, snapshotVersion)
	}
	if is := r.string(); !r.bad && is != name {
		return m, fmt.Errorf("%w: it is of another strategy", errSnapshot)
	}
	if is := r.word(); !r.bad && is != m.of {
		return m, fmt.Errorf("%w: it is of another model", errSnapshot)
	}
	m.judged = r.int()
	last := -1
	for range r.count() {
		p := r.page(len(b.Features.Terms))
		r.check(p.number > last && p.number < m.judged)
		if r.bad {
			return m, errSnapshot
		}
		last = p.number
		m.latest[hash(p.url)] = p.number
		m.pages = append(m.pages, p)
	}
	r.check(len(m.pages) <= maxRemembered+forgottenAtOnce)
	if r.bad {
		return m, errSnapshot
	}
	return m, nil
}

func (r *reader) page(terms int) remembered {
	p := remembered{number: r.int(), url: r.string(), alias: r.word()}
	last := int32(-1)
	for range r.count() {
		step, n := r.int(), r.int()
		if r.check(step > 0 && n > 0 && int(last)+step < terms); r.bad {
			return p
		}
		last += int32(step)
		p.words.Index, p.words.Count = append(p.words.Index, last), append(p.words.Count, int32(n))
	}
	p.note = []byte(r.string())
	for range r.count() {
		l := r.word()
		r.check(len(p.links) == 0 || l > p.links[len(p.links)-1])
		p.links = append(p.links, l)
	}
	p.useful = r.float()
	mark := r.int()
	r.check(p.useful >= 0 && p.useful <= 1 && mark <= int(markedNot) && len(p.words.Index) <= maxWords && len(p.links) <= maxLinks)
	p.mark = verdict(mark)
	return p
}
