package frontier

import (
	"encoding/binary"
	"strings"

	"nightjar/crawler/strategy"
)

// item is an entry as the frontier keeps it: without pointers, and with what many share told once.
type item struct {
	hash    uint64   // of the URL
	seq     int64    //
	first   [2]int32 // of the priority; the rest is in the block
	block   uint32   // in the arena: URL after its host, anchor, rest of the priority, note
	origin  uint32   // of the page that holds the link
	host    uint32
	inHost  int32 // place in its host's queue
	inWorst int32 // place in the frontier's heap of worst entries
	url     uint16
	anchor  uint16 // lengths in the block
	note    uint16
	prio    uint8 // elements of the priority
	begun   uint8 // Entry.Attempts
	retries uint8
	scheme  uint8 // of the URL, of schemes
}

// Longest parts of an entry that can be kept, in bytes.
const (
	maxURL      = 1<<16 - 1
	maxPriority = 1<<8 - 1 // elements
)

// origin is what the links of one page share.
type origin struct {
	parent, depth int
	path          []byte
	links         int // how many have it
}

// schemes are what URLs begin with, before their host; a URL that does not begin so is kept as a whole, as that of the
// first.
var schemes = [...]string{"", "http://", "https://"}

// splitURL takes scheme and host off a URL.
func splitURL(url, host string) (scheme uint8, rest string) {
	for i, s := range schemes {
		if rest, ok := strings.CutPrefix(url, s); i > 0 && ok {
			if rest, ok = strings.CutPrefix(rest, host); ok {
				return uint8(i), rest
			}
		}
	}
	return 0, url
}

// url is the URL of an item.
func (f *Frontier) url(it *item) string {
	rest := f.text.bytes(it.block, it.size())[:it.url]
	if it.scheme == 0 {
		return string(rest)
	}
	s, host := schemes[it.scheme], f.byID[it.host].name
	b := make([]byte, 0, len(s)+len(host)+len(rest))
	return string(append(append(append(b, s...), host...), rest...))
}

// restOf is how many bytes of a block hold the priority after its first elements.
func restOf(elements int) int { return 4 * max(0, elements-2) }

func (it *item) size() int { return int(it.url) + int(it.anchor) + restOf(int(it.prio)) + int(it.note) }

// element is the i-th element of an item's priority, 0 after its end.
func (f *Frontier) element(it *item, i int) int32 {
	switch {
	case i >= int(it.prio):
		return 0
	case i < 2:
		return it.first[i]
	}
	rest := f.text.bytes(it.block, it.size())[int(it.url)+int(it.anchor):]
	return int32(binary.LittleEndian.Uint32(rest[restOf(i):]))
}

// before reports whether one item is popped before another when both hosts are ready; it is Entry.Before.
func (f *Frontier) before(a, b uint32) bool {
	x, y := f.item(a), f.item(b)
	if x.begun != y.begun {
		return x.begun > y.begun
	}
	for i := range max(x.prio, y.prio) {
		if p, q := f.element(x, int(i)), f.element(y, int(i)); p != q {
			return p > q
		}
	}
	return x.seq < y.seq
}

// priority is an item's priority.
func (f *Frontier) priority(it *item) strategy.Priority {
	if it.prio == 0 {
		return nil
	}
	p := make(strategy.Priority, it.prio)
	for i := range p {
		p[i] = f.element(it, i)
	}
	return p
}

// write puts what an entry says into an item, which gives up what it held before.
func (f *Frontier) write(it *item, e *Entry) {
	f.text.release(it.block, it.size())
	p := e.Priority[:min(len(e.Priority), maxPriority)]
	anchor := e.Anchor[:min(len(e.Anchor), maxURL)]
	note := e.Note[:min(len(e.Note), maxURL)]
	scheme, url := splitURL(e.URL, e.Host)
	it.scheme, it.url = scheme, uint16(len(url))
	it.anchor, it.note, it.prio = uint16(len(anchor)), uint16(len(note)), uint8(len(p))
	it.first = [2]int32{}
	copy(it.first[:], p)
	it.block = f.text.alloc(it.size())
	b := f.text.bytes(it.block, it.size())
	b = b[copy(b, url):]
	b = b[copy(b, anchor):]
	for _, x := range p[min(2, len(p)):] {
		binary.LittleEndian.PutUint32(b, uint32(x))
		b = b[4:]
	}
	copy(b, note)
}

// value gives an item another priority.
func (f *Frontier) value(it *item, p strategy.Priority) {
	if restOf(len(p)) == restOf(int(it.prio)) && len(p) <= 2 {
		it.prio, it.first = uint8(len(p)), [2]int32{}
		copy(it.first[:], p)
		return
	}
	e := f.entry(it)
	e.Priority = p
	f.write(it, &e)
}

// entry is an item as an Entry; what it holds is its own.
func (f *Frontier) entry(it *item) Entry {
	b := f.text.bytes(it.block, it.size())
	o := &f.origins[it.origin]
	e := Entry{
		URL: f.url(it), Host: f.byID[it.host].name, Priority: f.priority(it), Seq: it.seq,
		Parent: o.parent, Depth: o.depth, Path: o.path,
		Anchor:   string(b[it.url:][:it.anchor]),
		Attempts: int(it.begun), Retries: int(it.retries),
	}
	if it.note > 0 {
		e.Note = append([]byte(nil), b[len(b)-int(it.note):]...)
	}
	return e
}

// originOf is the origin of an entry; the links of a page that were queued alike share one.
func (f *Frontier) originOf(e *Entry) uint32 {
	if id, ok := f.pages[e.Parent]; ok {
		if o := &f.origins[id]; o.depth == e.Depth && samePath(o.path, e.Path) {
			o.links++
			return id
		}
	}
	id := uint32(len(f.origins))
	if n := len(f.freeOrigins); n > 0 {
		id, f.freeOrigins = f.freeOrigins[n-1], f.freeOrigins[:n-1]
	} else {
		f.origins = append(f.origins, origin{})
	}
	f.origins[id] = origin{parent: e.Parent, depth: e.Depth, path: e.Path, links: 1}
	f.pages[e.Parent] = id
	return id
}

// leaveOrigin says that an item no longer has its origin.
func (f *Frontier) leaveOrigin(it *item) {
	o := &f.origins[it.origin]
	if o.links--; o.links > 0 {
		return
	}
	if f.pages[o.parent] == it.origin {
		delete(f.pages, o.parent)
	}
	*o = origin{}
	f.freeOrigins = append(f.freeOrigins, it.origin)
}

// samePath reports whether two states of a path are one: the links of a page are queued with the same slice.
func samePath(a, b []byte) bool {
	return len(a) == len(b) && (len(a) == 0 || &a[0] == &b[0])
}

const itemChunk = 1 << 12

// item is the item with a number; the pointer holds until the item is gone.
func (f *Frontier) item(id uint32) *item { return &f.items[id/itemChunk][id%itemChunk] }

// newItem is the number of an item that is not used.
func (f *Frontier) newItem() uint32 {
	if n := len(f.freeItems); n > 0 {
		id := f.freeItems[n-1]
		f.freeItems = f.freeItems[:n-1]
		return id
	}
	if f.made%itemChunk == 0 {
		f.items = append(f.items, make([]item, itemChunk))
	}
	f.made++
	return f.made - 1
}
