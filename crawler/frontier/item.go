package frontier

import (
	"encoding/binary"
	"strings"

	"nightjar/crawler/strategy"
)

// item is the compact form of an entry: it has no pointers and refers to what many entries share.
type item struct {
	hash     uint64   // of the URL
	seq      int64    // 0: the item is free
	first    [2]int32 // first elements of the priority; the others are in the block
	block    uint32   // in the arena: URL after its host, anchor, other elements of the priority, note
	origin   uint32   // index in Frontier.origins
	host     uint32   // index in Frontier.byID
	inFirst  int32    // place in its host's queue in the first order
	inWorst  int32    // place in Frontier.worst
	url      uint16   // length in the block
	anchor   uint16   // length in the block
	note     uint16   // length in the block
	prio     uint8    // elements of the priority
	attempts uint8
	retries  uint8
	scheme   uint8 // index in schemes
}

// Largest parts of an entry that an item can hold.
const (
	maxURL      = 1<<16 - 1 // bytes; also of an anchor and of a note
	maxPriority = 1<<8 - 1  // elements
)

// origin is what the links of one page share.
type origin struct {
	parent, depth int
	path          []byte
	links         int // number of items that refer to it
}

// schemes are the prefixes that are cut off a URL together with its host. The first one is for all other URLs, which
// are stored whole.
var schemes = [...]string{"", "http://", "https://"}

// splitURL cuts scheme and host off a URL.
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

func (f *Frontier) url(it *item) string {
	rest := f.text.bytes(it.block, it.size())[:it.url]
	if it.scheme == 0 {
		return string(rest)
	}
	return schemes[it.scheme] + f.byID[it.host].name + string(rest)
}

// restSize returns how many bytes of a block hold the elements of a priority after its first two.
func restSize(elements int) int { return 4 * max(0, elements-2) }

func (it *item) size() int {
	return int(it.url) + int(it.anchor) + restSize(int(it.prio)) + int(it.note)
}

// element returns the i-th element of an item's priority, or 0 after its end.
func (f *Frontier) element(it *item, i int) int32 {
	switch {
	case i >= int(it.prio):
		return 0
	case i < 2:
		return it.first[i]
	}
	rest := f.text.bytes(it.block, it.size())[int(it.url)+int(it.anchor):]
	return int32(binary.LittleEndian.Uint32(rest[restSize(i):]))
}

// inHost is where an item's place in its host's queue in an order is stored.
func (f *Frontier) inHost(order int, id uint32) *int32 {
	if order == 0 {
		return &f.item(id).inFirst
	}
	return &f.inSecond[id]
}

// span says which of the n elements of a priority count in an order.
func (f *Frontier) span(order, n int) (from, to int) {
	switch {
	case f.orders == 1 || n <= strategy.OrderLen:
		return 0, n
	case order == 0:
		return 0, strategy.OrderLen
	}
	return strategy.OrderLen, n
}

// Compare is strategy.Priority.Compare in an order.
func (f *Frontier) Compare(order int, p, q strategy.Priority) int {
	if f.orders == 1 {
		return p.Compare(q)
	}
	return p.Of(order).Compare(q.Of(order))
}

// before is Entry.Before for items in an order.
func (f *Frontier) before(order int, a, b uint32) bool {
	x, y := f.item(a), f.item(b)
	if x.attempts != y.attempts {
		return x.attempts > y.attempts
	}
	xFrom, xTo := f.span(order, int(x.prio))
	yFrom, yTo := f.span(order, int(y.prio))
	for i := range max(xTo-xFrom, yTo-yFrom) {
		var p, q int32
		if xFrom+i < xTo {
			p = f.element(x, xFrom+i)
		}
		if yFrom+i < yTo {
			q = f.element(y, yFrom+i)
		}
		if p != q {
			return p > q
		}
	}
	return x.seq < y.seq
}

// precedes is Entry.Before for an item and an entry in an order.
func (f *Frontier) precedes(order int, it *item, e *Entry) bool {
	if int(it.attempts) != e.Attempts {
		return int(it.attempts) > e.Attempts
	}
	var room [strategy.OrderLen]int32
	if c := f.Compare(order, f.appendPriority(room[:0], it), e.Priority); c != 0 {
		return c > 0
	}
	return it.seq < e.Seq
}

func (f *Frontier) priority(it *item) strategy.Priority {
	if it.prio == 0 {
		return nil
	}
	return f.appendPriority(make(strategy.Priority, 0, it.prio), it)
}

// appendPriority appends the elements of an item's priority.
func (f *Frontier) appendPriority(p strategy.Priority, it *item) strategy.Priority {
	for i := range int(it.prio) {
		p = append(p, f.element(it, i))
	}
	return p
}

// write replaces an item's URL, anchor, priority and note by those of an entry, cut to what an item can hold.
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

func (f *Frontier) setPriority(it *item, p strategy.Priority) {
	if len(p) <= 2 && it.prio <= 2 {
		it.prio, it.first = uint8(len(p)), [2]int32{}
		copy(it.first[:], p)
		return
	}
	e := f.entry(it)
	e.Priority = p
	f.write(it, &e)
}

// entry returns an item as an Entry. Except for the path, the Entry shares no memory with the frontier.
func (f *Frontier) entry(it *item) Entry {
	b := f.text.bytes(it.block, it.size())
	o := &f.origins[it.origin]
	e := Entry{
		URL: f.url(it), Host: f.byID[it.host].name, Priority: f.priority(it), Seq: it.seq,
		Parent: o.parent, Depth: o.depth, Path: o.path,
		Anchor:   string(b[it.url:][:it.anchor]),
		Attempts: int(it.attempts), Retries: int(it.retries),
	}
	if it.note > 0 {
		e.Note = append([]byte(nil), b[len(b)-int(it.note):]...)
	}
	return e
}

// originOf returns the origin of an entry. Links of a page that were added with the same depth and path share one.
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

// leaveOrigin notes that an item no longer refers to its origin, and frees an origin without items.
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

// samePath reports whether two path states are the same slice, as those of one page's links are.
func samePath(a, b []byte) bool {
	return len(a) == len(b) && (len(a) == 0 || &a[0] == &b[0])
}

const itemChunk = 1 << 12

// item returns the item with a number. The pointer is valid until the item is removed.
func (f *Frontier) item(id uint32) *item { return &f.items[id/itemChunk][id%itemChunk] }

// newItem returns the number of a free item.
func (f *Frontier) newItem() uint32 {
	if n := len(f.freeItems); n > 0 {
		id := f.freeItems[n-1]
		f.freeItems = f.freeItems[:n-1]
		return id
	}
	if f.made%itemChunk == 0 {
		f.items = append(f.items, make([]item, itemChunk))
		if f.orders > 1 {
			f.inSecond = append(f.inSecond, make([]int32, itemChunk)...)
		}
	}
	f.made++
	return f.made - 1
}
