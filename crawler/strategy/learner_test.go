package strategy

import (
	"context"
	"reflect"
	"slices"
	"testing"

	"nightjar/model"
)

// contractLearner holds for every strategy that learns.
func contractLearner(t *testing.T, name string) {
	t.Run("notes", func(t *testing.T) { contractNotes(t, name) })
	t.Run("snapshot", func(t *testing.T) { contractSnapshot(t, name) })
	t.Run("hostile snapshot", func(t *testing.T) { contractHostileSnapshot(t, name) })
	t.Run("hostile note", func(t *testing.T) { contractHostileNote(t, name) })
	t.Run("teach", func(t *testing.T) { contractTeach(t, name) })
	t.Run("ask", func(t *testing.T) { contractAsk(t, name) })
}

func mustLearner(tb testing.TB, name string, b *model.Bundle) Learner {
	tb.Helper()
	s, err := New(tb.Context(), name, b)
	if err != nil {
		tb.Fatal(err)
	}
	return s.(Learner)
}

// taught walks on with a strategy for so many pages, says of every eleventh page whether it was of the topic, takes some of
// these words back, and finds some links dead. It returns the judgements.
func (w *walk) taught(s Learner, pages int) []Judgement {
	var all []Judgement
	for range pages {
		v := w.next()
		j := mustRead(s, v)
		w.follow(v, j)
		all = append(all, j)
		if w.n%11 == 0 {
			s.Teach(Mark{URL: v.Page.URL, Useful: w.rng.IntN(2) == 0})
		}
		if m, ok := s.(Misser); ok && w.n%9 == 0 && len(w.queued) > 0 {
			dead := w.queued[w.rng.IntN(len(w.queued))]
			if _, err := m.Missed(context.Background(), dead.URL, dead.Note, w.n%2); err != nil {
				panic(err)
			}
		}
		if w.n%44 == 0 {
			s.Teach(Mark{URL: v.Page.URL, Gone: true})
		}
	}
	return all
}

// reading is what a strategy that learns says of links that wait, and what it would ask.
type reading struct {
	asks   []string
	values []Priority
}

func readingOf(s Learner, queued []Visit) reading {
	r := reading{asks: s.Ask(40)}
	for _, v := range queued {
		r.values = append(r.values, s.Priority(v.URL, v.Note))
	}
	return r
}

// contractNotes: right after its page was judged, the value of a link is that of the judgement.
func contractNotes(t *testing.T, name string) {
	s, w := mustLearner(t, name, bundle()), newWalk(21)
	for i := range 300 {
		v := w.next()
		j := mustRead(s, v)
		if len(j.Notes) != len(v.Page.Links) {
			t.Fatalf("page %d has %d links and %d notes", i, len(v.Page.Links), len(j.Notes))
		}
		for k, l := range v.Page.Links {
			if len(j.Notes[k]) == 0 {
				t.Fatalf("page %d: link %d has an empty note", i, k)
			}
			if p := s.Priority(l.URL, j.Notes[k]); p.Compare(j.Priorities[k]) != 0 {
				t.Fatalf("page %d: link %d has priority %v, by its note %v", i, k, j.Priorities[k], p)
			}
		}
		w.follow(v, j)
		if i%13 == 0 {
			s.Teach(Mark{URL: v.Page.URL, Useful: i%2 == 0})
		}
	}
}

// contractSnapshot: a new strategy that has read the snapshot goes on as the one that made it.
func contractSnapshot(t *testing.T, name string) {
	for _, pages := range []int{0, 1, 60, 177, 203} {
		s, w := mustLearner(t, name, bundle()), newWalk(22)
		w.taught(s, pages)
		again := mustLearner(t, name, bundle())
		if err := again.Restore(s.Snapshot()); err != nil {
			t.Fatalf("after %d pages: %v", pages, err)
		}
		if a, b := readingOf(s, w.queued), readingOf(again, w.queued); !reflect.DeepEqual(a, b) {
			t.Fatalf("after %d pages: the restored one says %v, the original %v", pages, b, a)
		}
		twin := w.fork(23)
		w.rng = newWalk(23).rng
		if a, b := w.taught(s, 180), twin.taught(again, 180); !reflect.DeepEqual(a, b) {
			t.Errorf("after %d pages: goes on differently", pages)
		}
	}
}

// contractHostileSnapshot: what cannot be read is an error and changes nothing.
func contractHostileSnapshot(t *testing.T, name string) {
	s, w := mustLearner(t, name, bundle()), newWalk(24)
	w.taught(s, 70)
	good := s.Snapshot()
	settings := model.DefaultSettings()
	other := mustLearner(t, name, train(settings, 5))
	w.taught(other, 10)
	hostile := map[string][]byte{"nothing": nil, "text": []byte("hockey"), "more": append(slices.Clone(good), 0), "of another model": other.Snapshot()}
	for _, n := range slices.Concat(Names(), Variants()) {
		if l, ok := mustNew(t, n).(Learner); ok && n != name {
			hostile["of "+n] = l.Snapshot()
		}
	}
	victim := mustLearner(t, name, bundle())
	met := newWalk(25)
	met.taught(victim, 40)
	before := readingOf(victim, met.queued)
	for what, b := range hostile {
		if victim.Restore(b) == nil {
			t.Errorf("%s was read as a snapshot", what)
		}
	}
	for cut := 0; cut < len(good); cut += 1 + len(good)/100 {
		if victim.Restore(good[:cut]) == nil {
			t.Fatalf("%d of %d bytes were read as a snapshot", cut, len(good))
		}
	}
	if after := readingOf(victim, met.queued); !reflect.DeepEqual(after, before) {
		t.Error("a bad snapshot changed something")
	}
	for range 60 { // one byte changed may be another good snapshot
		b := slices.Clone(good)
		b[w.rng.IntN(len(b))] ^= byte(1 + w.rng.IntN(255))
		wantRestored(t, name, b)
	}
}

// wantRestored fails unless a strategy restored from b, if it takes it, is sound, and is unchanged if not.
func wantRestored(t *testing.T, name string, b []byte) {
	t.Helper()
	s := mustLearner(t, name, bundle())
	if err := s.Restore(b); err != nil {
		if asks := s.Ask(3); len(asks) > 0 {
			t.Errorf("%v, yet it now asks about %v", err, asks)
		}
		return
	}
	w := newWalk(26)
	for range 3 {
		v := w.next()
		wantSound(t, s, v, mustRead(s, v))
	}
	s.Ask(3)
	s.Snapshot()
}

func FuzzRestore(f *testing.F) {
	for _, name := range slices.Concat(Names(), Variants()) {
		if l, ok := mustNew(f, name).(Learner); ok {
			newWalk(27).taught(l, 12)
			f.Add(name, l.Snapshot())
		}
	}
	f.Fuzz(func(t *testing.T, name string, b []byte) {
		if !Known(name) || !learner(mustNew(t, name)) {
			return
		}
		wantRestored(t, name, b)
	})
}

// contractHostileNote: notes come from a store and may be of anything.
func contractHostileNote(t *testing.T, name string) {
	s, w := mustLearner(t, name, bundle()), newWalk(28)
	w.taught(s, 30)
	for range 3000 {
		note := make([]byte, w.rng.IntN(40))
		for i := range note {
			note[i] = byte(w.rng.IntN(256))
		}
		if q := w.queued[w.rng.IntN(len(w.queued))].Note; w.rng.IntN(2) == 0 {
			note = slices.Clone(q)
			note[w.rng.IntN(len(note))] ^= byte(1 + w.rng.IntN(255))
			note = note[:w.rng.IntN(len(note)+1)]
		}
		s.Priority("https://a.test/", note)
	}
	v := w.next()
	v.Note = []byte("hockey")
	wantSound(t, s, v, mustRead(s, v))
}

// contractTeach: a word on a page that was not judged teaches nothing, nor does the same word again; after one that was
// taken back the page may be asked about as before.
func contractTeach(t *testing.T, name string) {
	s, never, once := mustLearner(t, name, bundle()), mustLearner(t, name, bundle()), mustLearner(t, name, bundle())
	w, twin, third := newWalk(29), newWalk(29), newWalk(29)
	w.taught(s, 43)
	twin.taught(never, 43)
	third.taught(once, 43)
	s.Teach(Mark{URL: "https://nowhere.test/", Useful: true})
	s.Teach(Mark{URL: "https://nowhere.test/", Gone: true})
	if a, b := w.taught(s, 160), twin.taught(never, 160); !reflect.DeepEqual(a, b) {
		t.Error("a page that was not judged taught something")
	}
	third.taught(once, 160)
	asked := s.Ask(1)[0]
	s.Teach(Mark{URL: asked, Useful: true})
	s.Teach(Mark{URL: asked, Useful: true})
	once.Teach(Mark{URL: asked, Useful: true})
	if slices.Contains(s.Ask(1000), asked) {
		t.Errorf("asks about %s, which is marked", asked)
	}
	a, b := w.taught(s, 160), third.taught(once, 160)
	if !reflect.DeepEqual(a, b) {
		t.Error("the same word again changed something")
	}
	changed := false
	for i, j := range twin.taught(never, 160) {
		changed = changed || !reflect.DeepEqual(j.Priorities, a[i].Priorities)
	}
	if !changed {
		t.Error("the word taught nothing")
	}
	s.Teach(Mark{URL: asked, Gone: true})
	if !slices.Contains(s.Ask(1000), asked) {
		t.Errorf("does not ask about %s, whose mark was taken back", asked)
	}
}

// contractAsk: only pages that were judged and not marked, each once, as many as wanted and as there are.
func contractAsk(t *testing.T, name string) {
	s, w := mustLearner(t, name, bundle()), newWalk(30)
	if got := s.Ask(5); len(got) > 0 {
		t.Errorf("before the first page it asks about %v", got)
	}
	judged := map[string]bool{}
	for range 120 {
		v := w.next()
		w.follow(v, mustRead(s, v))
		judged[v.Page.URL] = true
	}
	if got := len(s.Ask(1000)); got != len(judged) {
		t.Errorf("of %d pages it asks about %d", len(judged), got)
	}
	for range 30 {
		n := w.rng.IntN(12) - 1
		got := s.Ask(n)
		if len(got) != max(0, min(n, len(s.Ask(1000)))) {
			t.Fatalf("asked for %d pages, it names %d", n, len(got))
		}
		for i, u := range got {
			if !judged[u] || slices.Contains(got[:i], u) {
				t.Fatalf("asks %v", got)
			}
		}
		if len(got) > 0 {
			s.Teach(Mark{URL: got[0], Useful: n%2 == 0})
			if slices.Contains(s.Ask(1000), got[0]) {
				t.Fatalf("asks again about %s", got[0])
			}
		}
	}
}
