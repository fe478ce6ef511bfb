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

// twoOrders is the oracle of a frontier with two orders.
type twoOrders struct{ naive }

// in is an entry as it counts in an order.
func in(order int, e Entry) *Entry {
	e.Priority = e.Priority.Of(order)
	return &e
}

func (n *twoOrders) best(order int, usable func(host string) bool) (best Entry, ok bool) {
	for _, e := range n.entries {
		if usable(e.Host) && (!ok || in(order, e).Before(in(order, best))) {
			best, ok = e, true
		}
	}
	return best, ok
}

func (n *twoOrders) add(e Entry) Change {
	_, known := n.entries[e.URL]
	if n.visited[e.URL] || known || n.limit == 0 || len(n.entries) < n.limit {
		return n.naive.add(e)
	}
	worst := e
	for _, o := range n.entries {
		if in(0, worst).Before(in(0, o)) {
			worst = o
		}
	}
	if worst.URL == e.URL {
		return NoRoom
	}
	delete(n.entries, worst.URL)
	n.entries[e.URL] = e
	return Added
}

// twoPriorities is a random priority, mostly of two orders.
func twoPriorities(r *rand.Rand) strategy.Priority {
	p := make(strategy.Priority, r.IntN(strategy.OrderLen+3))
	if len(p) > 3 && len(p) <= strategy.OrderLen {
		p = make(strategy.Priority, strategy.OrderLen+1+r.IntN(3))
	}
	for i := range p {
		if i < 2 || i >= strategy.OrderLen {
			p[i] = r.Int32N(4)
		}
	}
	return p
}

// TestTwoOrdersAgainstOracle drives a frontier with two orders and the oracle with the same random calls, with and without a
// limit, while hosts are busy. Both must give the same answers in either order, and no URL may be popped twice.
func TestTwoOrdersAgainstOracle(t *testing.T) {
	for seed := range uint64(40) {
		r := rand.New(rand.NewPCG(seed, 3))
		limit := int(seed%4) * 25
		f := New(limit, nil)
		f.AddSecond()
		d := drive{t: t, f: f, busy: map[string]bool{}, back: map[string]Entry{},
			want: &twoOrders{naive{entries: map[string]Entry{}, visited: map[string]bool{}, limit: limit}}}
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
	want *twoOrders
	busy map[string]bool
	back map[string]Entry // popped, and not put back
}

func (d *drive) step(r *rand.Rand, step int64) {
	switch k := r.IntN(40); {
	case k >= 38:
		seed := r.Uint64()
		value := func(e *Entry) strategy.Priority {
			if e.Note == nil {
				return e.Priority
			}
			return twoPriorities(rand.New(rand.NewPCG(seed, uint64(e.Note[0]))))
		}
		d.check(d.f.Reorder(value), d.want.reorder(value))
	case k < 22:
		e := randomEntry(r, step+1)
		e.Priority = twoPriorities(r)
		d.check(d.f.Add(e), d.want.add(e))
	case k < 31:
		d.pop(r.IntN(2))
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
		d.want.visited[url] = false
		d.want.entries[url] = e
	default:
		u := randomEntry(r, 0).URL
		d.check(d.f.Visit(u), !d.want.visited[u])
		d.want.visited[u] = true
		delete(d.want.entries, u)
	}
	d.check(d.f.Len(), len(d.want.entries))
}

// pop checks a popped entry against the best one of the oracle.
func (d *drive) pop(order int) {
	d.t.Helper()
	want, usable := d.want.best(order, func(h string) bool { return !d.busy[h] })
	got, _, ok := d.f.Pop(order, time.Now())
	if ok != usable || fmt.Sprintf("%+v", got) != fmt.Sprintf("%+v", want) {
		d.t.Errorf("order %d: popped %+v, %v, want %+v, %v", order, got, ok, want, usable)
	}
	if !ok {
		return
	}
	if _, twice := d.back[got.URL]; twice {
		d.t.Errorf("%s popped twice", got.URL)
	}
	if n := d.f.Preferred(order, &got); n > len(d.busy) {
		d.t.Errorf("%d hosts have a better link, %d are busy", n, len(d.busy))
	}
	delete(d.want.entries, got.URL)
	d.want.visited[got.URL] = true
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
			p := make(strategy.Priority, strategy.OrderLen+1)
			p[0], p[strategy.OrderLen] = int32(10-i), int32(i)
			f.Add(Entry{URL: fmt.Sprintf("http://%s/%d", host, n), Host: host, Priority: p})
		}
	}
	later["http://c.test/0"] = now.Add(time.Minute)
	first, _, _ := f.Pop(0, now)
	second, _, _ := f.Pop(1, now)
	_, next, ok := f.Pop(1, now)
	if first.Host != "a.test" || second.Host != "b.test" || ok || !next.Equal(now.Add(time.Minute)) {
		t.Errorf("popped %s, %s, then %v until %v", first.URL, second.URL, ok, next)
	}
	if _, _, ok := f.Pop(0, now); ok {
		t.Error("a link of a busy host was popped")
	}
	f.Release("b.test")
	if n := f.Close("a.test"); n != 1 || f.Len() != 3 {
		t.Errorf("closed %d links; %d left", n, f.Len())
	}
	got, ok := f.PopHost(1, now, func(host string) (int, bool) { return 0, host == "b.test" })
	if !ok || got.URL != "http://b.test/1" {
		t.Errorf("popped %+v", got)
	}
}
