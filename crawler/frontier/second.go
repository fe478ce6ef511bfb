package frontier

import (
	"time"

	"nightjar/crawler/strategy"
)

// View is a link as a second strategy sees it: its value to that strategy, and the path on which its value is highest.
type View struct {
	Priority strategy.Priority `json:"priority,omitempty"`
	Parent   int               `json:"parent,omitempty"` // as in Entry
	Depth    int               `json:"depth,omitempty"`
	Anchor   string            `json:"anchor,omitempty"`
	Path     []byte            `json:"path,omitempty"`
	Note     []byte            `json:"note,omitempty"`
}

// AddSecond gives an empty frontier a second order of the same links. Each link then has a View beside its entry, and each
// order raises a link by itself, so that a link may have another parent in each. Both orders always hold the same links and
// leave the same hosts alone. A full frontier drops the worst link of the first order.
//
// The second order takes as much memory and time as the first. A frontier without one takes no more than before.
func (f *Frontier) AddSecond() {
	f.second = New(0, f.readyAt)
	f.second.seed = f.seed
}

// Second returns the second order, nil without one. Entries there hold what their View holds here. Only Reorder, ReorderSome,
// Sample, Preferred, Entry and Len may be called on it.
func (f *Frontier) Second() *Frontier { return f.second }

// PopSecond is Pop by the second order. Both return the same entry for the same link.
func (f *Frontier) PopSecond(now time.Time) (e Entry, next time.Time, ok bool) {
	v, next, ok := f.second.pop(now)
	if ok {
		e = f.takeBeside(&v)
	}
	return e, next, ok
}

// PopHostSecond is PopHost by the second order.
func (f *Frontier) PopHostSecond(now time.Time, rank func(host string) (r int, ok bool)) (e Entry, ok bool) {
	v, ok := f.second.popHost(now, rank)
	if ok {
		e = f.takeBeside(&v)
	}
	return e, ok
}

// takeBeside takes the entry of a link that the second order popped.
func (f *Frontier) takeBeside(v *Entry) Entry {
	id, _ := f.find(v.URL)
	e := f.claim(id)
	e.Second = v.view()
	return e
}

// withView adds the view of an entry that the first order popped, and takes it from the second order.
func (f *Frontier) withView(e *Entry) {
	if f.second == nil {
		return
	}
	id, _ := f.second.find(e.URL)
	v := f.second.claim(id)
	e.Second = v.view()
}

// addSecond adds an entry to the second order, after the first has changed, and returns what changed in either.
func (f *Frontier) addSecond(e *Entry, change Change) Change {
	if f.second == nil || !f.Has(e.URL) {
		return change
	}
	if f.second.add(e.beside()) == Raised && change == Ignored {
		return Raised
	}
	return change
}

// view is what an entry of the second order holds.
func (e *Entry) view() *View {
	return &View{Priority: e.Priority, Parent: e.Parent, Depth: e.Depth, Anchor: e.Anchor, Path: e.Path, Note: e.Note}
}

// beside is the entry as the second order holds it. An entry without a view has the same priority in both orders, as start
// pages have, and no path and note: those are the first strategy's.
func (e *Entry) beside() *Entry {
	b := &Entry{
		URL: e.URL, Host: e.Host, Seq: e.Seq, Attempts: e.Attempts, Retries: e.Retries,
		Priority: e.Priority, Parent: e.Parent, Depth: e.Depth, Anchor: e.Anchor,
	}
	if v := e.Second; v != nil {
		b.Priority, b.Parent, b.Depth, b.Anchor, b.Path, b.Note = v.Priority, v.Parent, v.Depth, v.Anchor, v.Path, v.Note
	}
	return b
}
