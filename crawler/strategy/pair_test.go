package strategy_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"nightjar/crawler/strategy"
	"nightjar/model/arms"
	"nightjar/model/online"
)

// alone is a strategy of a name for a pair.
func alone(t *testing.T, name string) strategy.Strategy {
	t.Helper()
	s, err := strategy.NewWith(t.Context(), name, strategy.BundleFor(name), strategy.ThemesFor(name))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestPairIsBoth: in a pair, each strategy gives the links of pages along its own paths the priorities that it gives when it is
// alone, also after it has learned, and after what both have learned was stored and restored. The judgement is the first's.
func TestPairIsBoth(t *testing.T) {
	for _, names := range [][2]string{{"link-value", "hmm-soft"}, {"hmm", "link-value"}, {"hmm", "crf"}, {"naive-bayes", "ache"}} {
		design := arms.Design{Share: 30, Seed: 5}
		pair := strategy.NewPair(alone(t, names[0]), alone(t, names[1]), design)
		alone := [2]strategy.Strategy{alone(t, names[0]), alone(t, names[1])}
		var path []byte
		var paths, notes [2][]byte
		var note []byte
		rng := rand.New(rand.NewPCG(7, 7))
		for n := range 40 {
			p := randomPage(rng, "http://site.test/page")
			v := strategy.Visit{Page: p, URL: p.URL, Start: n == 0, Parent: path, Note: note}
			got, err := pair.Read(t.Context(), v)
			if err != nil {
				t.Fatal(err)
			}
			var want [2]strategy.Judgement
			for k, s := range alone {
				v.Parent, v.Note = paths[k], notes[k]
				if want[k], err = s.Read(t.Context(), v); err != nil {
					t.Fatal(err)
				}
				paths[k] = want[k].Path
			}
			if got.Useful != want[0].Useful || got.Relevant != want[0].Relevant || !reflect.DeepEqual(got.States, want[0].States) {
				t.Fatalf("%s: judged %+v, want %+v", pair.Name(), got, want[0])
			}
			path = got.Path
			if len(p.Links) == 0 {
				continue
			}
			link := rng.IntN(len(p.Links))
			note = got.Notes[link]
			now := pair.(strategy.Learner).Priority(p.Links[link].URL, note)
			for k := range want {
				if g, w := got.Priorities[link].Of(k), want[k].Priorities[link]; g.Compare(w) != 0 {
					t.Fatalf("%s: priority %v in order %d, want %v", pair.Name(), g, k, w)
				}
				if notes[k] = nil; want[k].Notes != nil {
					notes[k] = want[k].Notes[link]
				}
				w := want[k].Priorities[link]
				if l, ok := alone[k].(strategy.Learner); ok && notes[k] != nil {
					w = l.Priority(p.Links[link].URL, notes[k])
				}
				if now.Of(k).Compare(w) != 0 {
					t.Fatalf("%s: by now %v in order %d, want %v", pair.Name(), now.Of(k), k, w)
				}
			}
		}
	}
}

// TestPairRestores: a pair restores what both strategies learned; anything else is an error.
func TestPairRestores(t *testing.T) {
	made := func() strategy.Learner {
		return strategy.NewPair(alone(t, "link-value"), alone(t, "hmm"), arms.Design{Share: 10}).(strategy.Learner)
	}
	a, b := made(), made()
	rng := rand.New(rand.NewPCG(8, 8))
	for range 30 {
		p := randomPage(rng, "http://site.test/page")
		if _, err := a.Read(t.Context(), strategy.Visit{Page: p, URL: p.URL, Start: true}); err != nil {
			t.Fatal(err)
		}
	}
	if err := b.Restore(a.Snapshot()); err != nil || !slices.Equal(a.Snapshot(), b.Snapshot()) {
		t.Errorf("restored otherwise (%v)", err)
	}
	first := alone(t, "link-value").(strategy.Learner)
	for _, bad := range [][]byte{nil, {1}, first.Snapshot(), {3, 1, 2, 3, 0}} {
		if err := made().Restore(bad); !errors.Is(err, online.ErrSnapshot) {
			t.Errorf("%d bytes: %v", len(bad), err)
		}
	}
}

// TestPairMerges: a waiting link keeps, for each strategy, what the page said that is best for it, and is a link of the page that is
// best for the first.
func TestPairMerges(t *testing.T) {
	s := strategy.NewPair(alone(t, "hmm-soft"), alone(t, "hmm"), arms.Design{Share: 10}).(strategy.Picker)
	held := func(path string, first, second int32) strategy.Held {
		p := make(strategy.Priority, strategy.OrderLen+1)
		p[0], p[strategy.OrderLen] = first, second
		return strategy.Held{Priority: p, Path: []byte("\x02" + path + "1\x02" + path + "2")}
	}
	for _, tt := range []struct {
		first, second  int32
		want           [2]int32
		moved, changed bool
	}{
		{5, 5, [2]int32{5, 5}, false, false},
		{4, 4, [2]int32{5, 5}, false, false},
		{6, 7, [2]int32{6, 7}, true, true},
		{6, 1, [2]int32{6, 5}, true, true},
		{1, 6, [2]int32{5, 6}, false, true},
		{math.MinInt32, 6, [2]int32{5, 6}, false, true},
	} {
		now, moved, changed := s.Merge(held("a", 5, 5), held("b", tt.first, tt.second))
		got := [2]int32{now.Priority.Of(0)[0], now.Priority.Of(1)[0]}
		if got != tt.want || moved != tt.moved || changed != tt.changed {
			t.Errorf("%d, %d: %v, %v, %v", tt.first, tt.second, got, moved, changed)
		}
		again, moved, changed := s.Merge(now, held("c", 0, 0))
		if moved || changed || !reflect.DeepEqual(again, now) {
			t.Errorf("a worse page changes %+v to %+v", now, again)
		}
		last := strategy.Held{Priority: strategy.LastPriority()}
		if copied, _, changed := s.Merge(now, last); changed || !reflect.DeepEqual(copied, now) {
			t.Errorf("a copy of a page changes %+v to %+v", now, copied)
		}
	}
}

// TestPairPicks: recalled picks go on where they stopped: links that wait keep theirs, and those that used no budget are made again.
func TestPairPicks(t *testing.T) {
	made := func() strategy.Picker {
		return strategy.NewPair(alone(t, "hmm-soft"), alone(t, "hmm"), arms.Design{Share: 25, Seed: 3}).(strategy.Picker)
	}
	whole := made()
	waiting, picked := map[string]int{}, []strategy.PickCost{}
	rng := rand.New(rand.NewPCG(9, 9))
	var urls []string
	for i := range 300 {
		if i%10 == 0 {
			after := made()
			after.RecallPicks(waiting, picked)
			for _, u := range urls {
				if a, made := after.Pick(u); made || a.N != waiting[u] {
					t.Fatalf("after %d: %s has pick %d, want %d", i, u, a.N, waiting[u])
				}
			}
			a, _ := after.Pick("next")
			b, _ := whole.Pick("next")
			if a != b {
				t.Fatalf("after %d: pick %+v, want %+v", i, a, b)
			}
			urls, waiting["next"] = append(urls, "next"), b.N
		} else {
			u := string(rune('A' + i))
			p, _ := whole.Pick(u)
			urls, waiting[u] = append(urls, u), p.N
		}
		for len(urls) > 3 || len(urls) > 0 && urls[len(urls)-1] == "next" {
			u, cost := urls[len(urls)-1], rng.IntN(2)
			urls = urls[:len(urls)-1]
			picked = append(picked, strategy.PickCost{N: whole.Picked(u, cost), Cost: cost})
			delete(waiting, u)
		}
	}
}
