package frontier

import "nightjar/crawler/strategy"

// Reorder gives every entry the priority that value returns for it, and returns how many priorities changed. Entries
// that a crash interrupted stay first. value must not keep the entry or anything in it, which has no anchor text.
func (f *Frontier) Reorder(value func(*Entry) strategy.Priority) int {
	changed := 0
	for id := range f.made {
		if f.revalue(id, value) {
			changed++
		}
	}
	if changed == 0 {
		return 0
	}
	for order := range f.orders {
		for _, h := range f.hosts {
			h.queue[order].heapify()
		}
		f.ready[order].heapify()
	}
	f.worst.heapify()
	return changed
}

// ReorderSome does Reorder's work for at most n entries and continues where the last call stopped. It reports whether
// it reached the end of the entries; the next call then starts over.
func (f *Frontier) ReorderSome(n int, value func(*Entry) strategy.Priority) (end bool) {
	for range n {
		if f.cursor >= f.made {
			f.cursor = 0
			return true
		}
		if f.revalue(f.cursor, value) {
			f.fix(f.cursor)
		}
		f.cursor++
	}
	return false
}

// revalue gives an item the priority that value returns for it, and reports whether it changed.
func (f *Frontier) revalue(id uint32, value func(*Entry) strategy.Priority) bool {
	it := f.item(id)
	if it.seq == 0 {
		return false // free
	}
	f.revalued = f.appendPriority(f.revalued[:0], it)
	o, b := &f.origins[it.origin], f.text.bytes(it.block, it.size())
	e := &f.shown
	*e = Entry{
		URL: f.url(it), Host: f.byID[it.host].name, Priority: f.revalued, Seq: it.seq, Parent: o.parent, Depth: o.depth, Path: o.path,
		Attempts: int(it.attempts), Retries: int(it.retries),
	}
	if it.note > 0 {
		e.Note = b[len(b)-int(it.note):]
	}
	p := value(e)
	*e = Entry{}
	if p.Compare(f.revalued) == 0 {
		return false
	}
	f.setPriority(it, p)
	return true
}
