package frontier

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"nightjar/crawler/strategy"
)

// naive is the oracle: an unordered set of entries that is searched as a whole.
type naive struct {
	entries map[string]Entry
	visited map[string]bool
	limit   int
}

func (n *naive) best(usable func(host string) bool) (best Entry, ok bool) {
	for _, e := range n.entries {
		if usable(e.Host) && (!ok || e.Before(&best)) {
			best, ok = e, true
		}
	}
	return best, ok
}

// lowest is the best entry of the hosts of the lowest rank that have entries and are not busy.
func (n *naive) lowest(rank func(string) (int, bool), busy map[string]bool) (Entry, bool) {
	for r := range 3 {
		e, ok := n.best(func(h string) bool {
			at, counts := rank(h)
			return counts && at == r && !busy[h]
		})
		if ok {
			return e, true
		}
	}
	return Entry{}, false
}

func (n *naive) worst() (worst Entry) {
	first := true
	for _, e := range n.entries {
		if first || worst.Before(&e) {
			worst, first = e, false
		}
	}
	return worst
}

func (n *naive) add(e Entry) Change {
	if n.visited[e.URL] {
		return Ignored
	}
	if old, ok := n.entries[e.URL]; ok {
		if e.Priority.Compare(old.Priority) <= 0 {
			return Ignored
		}
		e.Seq, e.Attempts = old.Seq, old.Attempts
		n.entries[e.URL] = e
		return Raised
	}
	if n.limit > 0 && len(n.entries) >= n.limit {
		worst := n.worst()
		if !e.Before(&worst) {
			return NoRoom
		}
		delete(n.entries, worst.URL)
	}
	n.entries[e.URL] = e
	return Added
}

// reorder gives every entry the priority that value returns, and returns how many changed.
func (n *naive) reorder(value func(*Entry) strategy.Priority) (changed int) {
	for u, e := range n.entries {
		if p := value(&e); p.Compare(e.Priority) != 0 {
			e.Priority = p
			n.entries[u] = e
			changed++
		}
	}
	return changed
}

// noted returns a function that derives a new priority from an entry's note and the seed. Entries without a note keep
// their priority.
func noted(seed uint64) func(*Entry) strategy.Priority {
	return func(e *Entry) strategy.Priority {
		if e.Note == nil {
			return e.Priority
		}
		r := rand.New(rand.NewPCG(seed, uint64(e.Note[0])))
		return strategy.Priority{r.Int32N(6), r.Int32N(3)}
	}
}

func randomEntry(r *rand.Rand, seq int64) Entry {
	u := r.IntN(300)
	p := make(strategy.Priority, r.IntN(4))
	for i := range p {
		p[i] = int32(r.IntN(4))
	}
	var note []byte
	if r.IntN(2) == 0 {
		note = []byte{byte(r.IntN(256))}
	}
	return Entry{
		Note: note,
		URL:  fmt.Sprintf("http://h%d.test/%d", u%7, u), Host: fmt.Sprintf("h%d.test", u%7),
		Priority: p, Seq: seq, Parent: int(seq), Anchor: fmt.Sprint(seq), Attempts: max(0, r.IntN(40)-38),
	}
}

// TestAgainstOracle drives frontier and oracle with the same random additions, pops, visits, releases and reorderings,
// with and without a limit. Both must give the same answers, and no URL may be popped twice.
func TestAgainstOracle(t *testing.T) {
	for seed := range uint64(60) {
		limit := int(seed%4) * 25
		r := rand.New(rand.NewPCG(seed, 1))
		f := New(limit, nil)
		want := &naive{entries: map[string]Entry{}, visited: map[string]bool{}, limit: limit}
		busy, popped := map[string]bool{}, map[string]bool{}
		for step := range int64(1500) {
			switch k := r.IntN(40); {
			case k == 39:
				value := noted(r.Uint64())
				if got, w := f.Reorder(value), want.reorder(value); got != w {
					t.Fatalf("seed %d step %d: Reorder changed %d, want %d", seed, step, got, w)
				}
			case k == 38:
				rank := func(h string) (int, bool) { return int(h[1]) % 3, h != "h0.test" }
				w, wok := want.lowest(rank, busy)
				got, ok := f.PopHost(0, time.Now(), rank)
				if ok != wok || got.URL != w.URL {
					t.Fatalf("seed %d step %d: PopHost = %+v %v, want %+v %v", seed, step, got, ok, w, wok)
				}
				if ok {
					popped[got.URL], busy[got.Host], want.visited[got.URL] = true, true, true
					delete(want.entries, got.URL)
				}
			case k < 24:
				e := randomEntry(r, step+1)
				if got, w := f.Add(e), want.add(e); got != w {
					t.Fatalf("seed %d step %d: Add(%+v) = %d, want %d", seed, step, e, got, w)
				}
			case k < 32:
				w, wok := want.best(func(h string) bool { return !busy[h] })
				got, _, ok := f.Pop(0, time.Now())
				if ok != wok || got.URL != w.URL || got.Anchor != w.Anchor || got.Parent != w.Parent || !bytes.Equal(got.Note, w.Note) {
					t.Fatalf("seed %d step %d: Pop = %+v %v, want %+v %v", seed, step, got, ok, w, wok)
				}
				if !ok {
					continue
				}
				if popped[got.URL] {
					t.Fatalf("seed %d: %s popped twice", seed, got.URL)
				}
				popped[got.URL], busy[got.Host], want.visited[got.URL] = true, true, true
				delete(want.entries, got.URL)
			case k < 36:
				for h := range busy {
					f.Release(h)
				}
				clear(busy)
			default:
				u := randomEntry(r, 0).URL
				if got := f.Visit(u); got == want.visited[u] {
					t.Fatalf("seed %d: Visit(%s) = %v", seed, u, got)
				}
				want.visited[u] = true
				delete(want.entries, u)
			}
			if f.Len() != len(want.entries) {
				t.Fatalf("seed %d step %d: %d entries, want %d", seed, step, f.Len(), len(want.entries))
			}
		}
	}
}

// TestWaitingHosts checks that a host is left alone until the time that readyAt returns, however good its links are.
func TestWaitingHosts(t *testing.T) {
	t0 := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	free := map[string]time.Time{"http://slow.test/1": t0.Add(5 * time.Second), "http://slower.test/1": t0.Add(9 * time.Second)}
	f := New(0, func(u string) time.Time { return free[u] })
	f.Add(Entry{URL: "http://slower.test/1", Host: "slower.test", Priority: strategy.Priority{9}})
	f.Add(Entry{URL: "http://slow.test/1", Host: "slow.test", Priority: strategy.Priority{5}})
	f.Add(Entry{URL: "http://now.test/1", Host: "now.test", Priority: strategy.Priority{1}})
	steps := []struct {
		after time.Duration
		want  string
		next  time.Duration
	}{
		{0, "http://now.test/1", 0},
		{0, "", 5 * time.Second},
		{4999 * time.Millisecond, "", 5 * time.Second},
		{5 * time.Second, "http://slow.test/1", 0},
		{6 * time.Second, "", 9 * time.Second},
		{10 * time.Second, "http://slower.test/1", 0},
		{20 * time.Second, "", 0},
	}
	for _, s := range steps {
		e, next, ok := f.Pop(0, t0.Add(s.after))
		if e.URL != s.want || ok != (s.want != "") {
			t.Fatalf("after %v: Pop = %q %v, want %q", s.after, e.URL, ok, s.want)
		}
		if s.next != 0 && !next.Equal(t0.Add(s.next)) || s.next == 0 && !next.IsZero() {
			t.Fatalf("after %v: next = %v, want %v", s.after, next, t0.Add(s.next))
		}
	}
}

// TestPopHostWaits: a host that may not be contacted yet is passed over, however low its rank, and comes later.
func TestPopHostWaits(t *testing.T) {
	t0 := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	f := New(0, func(u string) time.Time {
		if strings.HasPrefix(u, "http://slow.test/") {
			return t0.Add(time.Second)
		}
		return time.Time{}
	})
	for _, h := range []string{"slow.test", "now.test", "other.test"} {
		f.Add(Entry{URL: "http://" + h + "/", Host: h})
	}
	rank := func(h string) (int, bool) { return len(h), h != "other.test" }
	if e, ok := f.PopHost(0, t0, func(h string) (int, bool) { return -len(h), h != "other.test" }); !ok || e.Host != "now.test" {
		t.Errorf("PopHost = %q %v", e.Host, ok)
	}
	if e, ok := f.PopHost(0, t0, rank); ok {
		t.Errorf("PopHost = %q before its time", e.Host)
	}
	if e, ok := f.PopHost(0, t0.Add(time.Second), rank); !ok || e.Host != "slow.test" {
		t.Errorf("PopHost = %q %v once it may be contacted", e.Host, ok)
	}
}

// TestReorderWaitingHosts checks that Reorder does not change how long a host must wait, and that the host then gives
// its links in the new order.
func TestReorderWaitingHosts(t *testing.T) {
	t0 := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	f := New(0, func(u string) time.Time {
		if strings.HasPrefix(u, "http://slow.test/") {
			return t0.Add(time.Second)
		}
		return time.Time{}
	})
	f.Add(Entry{URL: "http://slow.test/last", Host: "slow.test", Priority: strategy.Priority{9}})
	f.Add(Entry{URL: "http://slow.test/first", Host: "slow.test", Priority: strategy.Priority{8}})
	f.Add(Entry{URL: "http://now.test/", Host: "now.test", Priority: strategy.Priority{1}})
	if e, _, _ := f.Pop(0, t0); e.URL != "http://now.test/" {
		t.Fatalf("Pop = %q, want the host that need not wait", e.URL)
	}
	if n := f.Reorder(func(e *Entry) strategy.Priority { return strategy.Priority{-e.Priority[0]} }); n != 2 {
		t.Errorf("Reorder changed %d, want 2", n)
	}
	if e, next, ok := f.Pop(0, t0); ok || !next.Equal(t0.Add(time.Second)) {
		t.Fatalf("Pop = %q %v before the host's time", e.URL, next)
	}
	for _, want := range []string{"http://slow.test/first", "http://slow.test/last"} {
		e, _, _ := f.Pop(0, t0.Add(time.Second))
		if e.URL != want {
			t.Errorf("Pop = %q, want %q", e.URL, want)
		}
		f.Release("slow.test")
	}
}

// TestOneFetchPerHost checks that a host gives its second entry only after Release.
func TestOneFetchPerHost(t *testing.T) {
	f := New(0, nil)
	for i := range 3 {
		f.Add(Entry{URL: fmt.Sprintf("http://a.test/%d", i), Host: "a.test"})
	}
	for i := range 3 {
		e, _, ok := f.Pop(0, time.Now())
		if want := fmt.Sprintf("http://a.test/%d", i); !ok || e.URL != want {
			t.Fatalf("Pop = %q %v, want %q", e.URL, ok, want)
		}
		if e, _, ok := f.Pop(0, time.Now()); ok {
			t.Fatalf("popped %s while its host was busy", e.URL)
		}
		f.Release("a.test")
	}
}

func TestRaiseReplacesThePath(t *testing.T) {
	f := New(0, nil)
	f.Add(Entry{URL: "http://a.test/x", Host: "a.test", Priority: strategy.Priority{1}, Parent: 1, Depth: 1, Anchor: "old", Path: []byte{1, 0}})
	f.Add(Entry{URL: "http://a.test/y", Host: "a.test", Priority: strategy.Priority{2}})
	better := Entry{URL: "http://a.test/x", Host: "a.test", Priority: strategy.Priority{3}, Parent: 7, Depth: 4, Anchor: "new", Path: []byte{0, 1}}
	if got := f.Add(better); got != Raised {
		t.Fatalf("Add = %d, want Raised", got)
	}
	worse := better
	worse.Priority, worse.Anchor = strategy.Priority{2, 9}, "worse"
	if got := f.Add(worse); got != Ignored {
		t.Fatalf("Add = %d, want Ignored", got)
	}
	e, _, _ := f.Pop(0, time.Now())
	if e.URL != better.URL || e.Parent != 7 || e.Depth != 4 || e.Anchor != "new" || e.Path[1] != 1 || e.Seq != 1 {
		t.Fatalf("Pop = %+v", e)
	}
}

func TestFullFrontierDropsTheWorst(t *testing.T) {
	f := New(2, nil)
	add := func(name string, p int32) Change {
		return f.Add(Entry{URL: "http://" + name + ".test/", Host: name + ".test", Priority: strategy.Priority{p}})
	}
	add("a", 5)
	add("b", 3)
	if got := add("c", 1); got != NoRoom {
		t.Errorf("adding an entry worse than all others = %d, want NoRoom", got)
	}
	if got := add("d", 4); got != Added {
		t.Errorf("adding an entry better than the worst = %d, want Added", got)
	}
	if d := f.Dropped(); len(d) != 1 || d[0] != "http://b.test/" {
		t.Errorf("Dropped = %v", d)
	}
	if got := add("b", 6); got != Added {
		t.Errorf("adding a dropped URL with a higher priority = %d, want Added", got)
	}
	if f.Len() != 2 {
		t.Errorf("Len = %d, want 2", f.Len())
	}
}

func TestClosedHost(t *testing.T) {
	f := New(0, nil)
	for i := range 4 {
		f.Add(Entry{URL: fmt.Sprintf("http://a.test/%d", i), Host: "a.test"})
	}
	f.Add(Entry{URL: "http://b.test/", Host: "b.test"})
	f.Pop(0, time.Now())
	if n := f.Close("a.test"); n != 3 {
		t.Errorf("Close = %d, want 3", n)
	}
	f.Release("a.test")
	if got := f.Add(Entry{URL: "http://a.test/9", Host: "a.test"}); got != Closed {
		t.Errorf("Add to a closed host = %d, want Closed", got)
	}
	if e, _, ok := f.Pop(0, time.Now()); !ok || e.Host != "b.test" {
		t.Errorf("Pop = %+v %v, want b.test", e, ok)
	}
}

// TestClaim: a host without entries is busy until it is released, and one with entries is not claimed.
func TestClaim(t *testing.T) {
	f := New(0, nil)
	f.Add(Entry{URL: "http://a.test/1", Host: "a.test"})
	if f.Claim("a.test") || !f.Claim("b.test") || f.Claim("b.test") {
		t.Error("claimed wrongly")
	}
	f.Add(Entry{URL: "http://b.test/1", Host: "b.test"})
	if e, _, ok := f.Pop(0, time.Time{}); !ok || e.Host != "a.test" {
		t.Errorf("popped %+v", e)
	}
	if e, _, ok := f.Pop(0, time.Time{}); ok {
		t.Errorf("popped %+v of a busy host", e)
	}
	f.Release("b.test")
	if e, _, ok := f.Pop(0, time.Time{}); !ok || e.Host != "b.test" {
		t.Errorf("popped %+v", e)
	}
	f.Release("b.test")
	if !f.Claim("b.test") {
		t.Error("not claimed")
	}
	f.Release("b.test")
	if f.Holds("b.test") {
		t.Error("held after its release")
	}
}
