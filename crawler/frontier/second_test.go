package frontier

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
	"time"

	"nightjar/crawler/strategy"
)

// both is the oracle of a frontier with two orders: each entry beside its view as an entry, each raised by itself.
type both struct {
	first, second naive
}

func newBoth(limit int) *both {
	visited := map[string]bool{}
	return &both{
		first:  naive{entries: map[string]Entry{}, visited: visited, limit: limit},
		second: naive{entries: map[string]Entry{}, visited: visited},
	}
}

func (b *both) add(e Entry) Change {
	change := b.first.add(e)
	for url := range b.second.entries { // what the full first order dropped
		if _, ok := b.first.entries[url]; !ok {
			delete(b.second.entries, url)
		}
	}
	if _, ok := b.first.entries[e.URL]; !ok {
		return change
	}
	v := e.Second
	e.Priority, e.Parent, e.Depth, e.Anchor, e.Path, e.Note = v.Priority, v.Parent, v.Depth, v.Anchor, v.Path, v.Note
	if b.second.add(e) == Raised && change == Ignored {
		return Raised
	}
	return change
}

func (b *both) remove(url string) {
	delete(b.first.entries, url)
	delete(b.second.entries, url)
}

// take is the entry of a URL with its view, as a pop returns it.
func (b *both) take(url string) Entry {
	e, v := b.first.entries[url], b.second.entries[url]
	e.Second = &View{Priority: v.Priority, Parent: v.Parent, Depth: v.Depth, Anchor: v.Anchor, Path: v.Path, Note: v.Note}
	b.remove(url)
	b.first.visited[url] = true
	return e
}

// viewed is a random entry with a view of its own.
func viewed(r *rand.Rand, seq int64) Entry {
	e, v := randomEntry(r, seq), randomEntry(r, seq)
	e.Second = &View{Priority: v.Priority, Parent: int(seq) + 1000, Depth: r.IntN(4), Anchor: "second " + v.Anchor, Note: v.Note, Path: []byte{byte(seq)}}
	return e
}

// same compares entries; a priority of no elements and none are the same, and so are empty notes.
func same(a, b Entry) bool {
	clean := func(e Entry) string {
		v := *e.Second
		e.Second = nil
		return fmt.Sprintf("%+v %+v", e, v)
	}
	return clean(a) == clean(b)
}

// TestTwoOrdersAgainstOracle drives a frontier with two orders and the oracle with the same random calls, with and without a
// limit, while hosts are busy. Both must give the same answers in either order, and no URL may be popped twice.
func TestTwoOrdersAgainstOracle(t *testing.T) {
	for seed := range uint64(40) {
		r := rand.New(rand.NewPCG(seed, 3))
		limit := int(seed%4) * 25
		f := New(limit, nil)
		f.AddSecond()
		d := drive{t: t, f: f, want: newBoth(limit), busy: map[string]bool{}, back: map[string]Entry{}}
		for step := range int64(1200) {
			d.step(r, step)
			if t.Failed() {
				t.Fatalf("seed %d step %d", seed, step)
			}
		}
	}
}

type drive struct {
	t    *testing.T
	f    *Frontier
	want *both
	busy map[string]bool
	back map[string]Entry // popped, and not put back
}

func (d *drive) step(r *rand.Rand, step int64) {
	switch k := r.IntN(40); {
	case k == 39:
		value := noted(r.Uint64())
		d.check(d.f.Reorder(value), d.want.first.reorder(value))
	case k == 38:
		value := noted(r.Uint64())
		d.check(d.f.Second().Reorder(value), d.want.second.reorder(value))
	case k < 22:
		e := viewed(r, step+1)
		d.check(d.f.Add(e), d.want.add(e))
	case k < 27:
		got, _, ok := d.f.Pop(time.Now())
		d.popped(got, ok, &d.want.first)
	case k < 31:
		got, _, ok := d.f.PopSecond(time.Now())
		d.popped(got, ok, &d.want.second)
	case k < 35:
		for h := range d.busy {
			d.f.Release(h)
		}
		clear(d.busy)
	case k < 36:
		if len(d.back) == 0 {
			return
		}
		url := slices.Min(slices.Collect(maps.Keys(d.back)))
		e := d.back[url]
		delete(d.back, url)
		d.check(d.f.Return(e), true)
		d.want.first.visited[url] = false
		d.want.first.entries[url], d.want.second.entries[url] = e, *e.beside()
	default:
		u := randomEntry(r, 0).URL
		d.check(d.f.Visit(u), !d.want.first.visited[u])
		d.want.first.visited[u] = true
		d.want.remove(u)
	}
	d.check(d.f.Len(), len(d.want.first.entries))
	d.check(d.f.Second().Len(), len(d.want.second.entries))
}

// popped checks a popped entry against the best one of an order of the oracle.
func (d *drive) popped(got Entry, ok bool, order *naive) {
	d.t.Helper()
	w, wok := order.best(func(h string) bool { return !d.busy[h] })
	if ok != wok {
		d.t.Errorf("popped: %v, want %v", ok, wok)
	}
	if !ok {
		return
	}
	if want := d.want.take(w.URL); !same(got, want) {
		d.t.Errorf("popped %+v %+v, want %+v %+v", got, got.Second, want, want.Second)
	}
	if _, twice := d.back[got.URL]; twice {
		d.t.Errorf("%s popped twice", got.URL)
	}
	d.busy[got.Host], d.back[got.URL] = true, got
}

func (d *drive) check(got, want any) {
	d.t.Helper()
	if !reflect.DeepEqual(got, want) {
		d.t.Errorf("got %v, want %v", got, want)
	}
}

// TestSecondOrderLeavesHostsAlone: neither order gives a link of a host that is busy or must be left alone, and both give up
// the links of a closed one.
func TestSecondOrderLeavesHostsAlone(t *testing.T) {
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	later := map[string]time.Time{}
	f := New(0, func(url string) time.Time { return later[url] })
	f.AddSecond()
	for i, host := range []string{"a.test", "b.test", "c.test"} {
		for n := range 2 {
			e := Entry{URL: fmt.Sprintf("http://%s/%d", host, n), Host: host, Priority: strategy.Priority{int32(10 - i)}}
			e.Second = &View{Priority: strategy.Priority{int32(i)}}
			f.Add(e)
		}
	}
	later["http://c.test/0"] = now.Add(time.Minute)
	first, _, _ := f.Pop(now)
	second, _, _ := f.PopSecond(now)
	_, next, ok := f.PopSecond(now)
	if first.Host != "a.test" || second.Host != "b.test" || ok || !next.Equal(now.Add(time.Minute)) {
		t.Errorf("popped %s, %s, then %v until %v", first.URL, second.URL, ok, next)
	}
	if _, _, ok := f.Pop(now); ok {
		t.Error("a link of a busy host was popped")
	}
	f.Release("b.test")
	if n := f.Close("a.test"); n != 1 || f.Len() != 3 || f.Second().Len() != 3 {
		t.Errorf("closed %d links; %d and %d left", n, f.Len(), f.Second().Len())
	}
	got, ok := f.PopHostSecond(now, func(host string) (int, bool) { return 0, host == "b.test" })
	if !ok || got.URL != "http://b.test/1" || got.Second == nil {
		t.Errorf("popped %+v", got)
	}
}
