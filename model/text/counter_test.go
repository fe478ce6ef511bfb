package text

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
)

// plain counts texts the slow way: each word stemmed, each written form counted.
func plain(texts ...string) (counts []Counts, surface map[string]string) {
	forms := map[string]map[string]int{} // stem -> word as written -> occurrences
	for _, s := range texts {
		c := Counts{}
		l := LanguageOf("", s)
		for w := range WordsIn(l, s) {
			stem := StemIn(l, string(w))
			c[stem]++
			if forms[stem] == nil {
				forms[stem] = map[string]int{}
			}
			forms[stem][string(w)]++
		}
		counts = append(counts, c)
	}
	surface = map[string]string{}
	for stem, of := range forms {
		best := ""
		for w, n := range of {
			if best == "" || n > of[best] || n == of[best] && w < best {
				best = w
			}
		}
		surface[stem] = best
	}
	return counts, surface
}

func articles(seed uint64, n int) []string {
	rng := rand.New(rand.NewPCG(seed, 1))
	texts := make([]string, n)
	for i := range texts {
		texts[i] = article(rng, rng.IntN(4000))
	}
	return append(texts, "", "the of and", "Äpfel äpfel Хоккей 冰球 \xff e\u0301")
}

// The words are chosen so that the form most written on most pages is not the form most written.
func TestSurfaceCountsEachForm(t *testing.T) {
	texts := []string{"player player players", "player player players", "players players players players", "score"}
	_, surface, err := CountAll(t.Context(), texts, nil)
	if want := (map[string]string{"player": "players", "score": "score"}); err != nil || !maps.Equal(surface, want) {
		t.Errorf("surface %v, %v, want %v", surface, err, want)
	}
}

func TestCountAllIsThePlainCountOnAnyNumberOfCores(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	texts := articles(1, 60)
	counts, surface := plain(texts...)
	for _, cores := range []int{1, 2, 8} {
		runtime.GOMAXPROCS(cores)
		reported := 0
		got, gotSurface, err := CountAll(t.Context(), texts, func(done int) { reported = done })
		if err != nil || len(got) != len(texts) || reported != len(texts) {
			t.Fatalf("%d of %d texts, %d reported, error %v", len(got), len(texts), reported, err)
		}
		for i := range texts {
			if !maps.Equal(got[i], counts[i]) {
				t.Errorf("%d cores, text %d: %v, want %v", cores, i, got[i], counts[i])
			}
		}
		if !maps.Equal(gotSurface, surface) {
			t.Errorf("%d cores: surface %v, want %v", cores, gotSurface, surface)
		}
	}
}

// endsWhenAsked is a context that ends when it has been asked a number of times whether it has: before the last text is counted,
// however the processor's time is shared out.
type endsWhenAsked struct {
	context.Context
	left atomic.Int64
}

func (c *endsWhenAsked) Err() error {
	if c.left.Add(-1) < 0 {
		return context.Canceled
	}
	return nil
}

func TestCountAllEnds(t *testing.T) {
	texts := articles(2, 200)
	for _, asked := range []int64{0, 1, 100, 199} {
		ctx := &endsWhenAsked{Context: t.Context()}
		ctx.left.Store(asked)
		last := 0
		counts, _, err := CountAll(ctx, texts, func(done int) { last = done })
		if !errors.Is(err, context.Canceled) || counts != nil || last != int(asked) {
			t.Errorf("ended before text %d: %d reported, counts %v, error %v", asked, last, counts, err)
		}
	}
}

func TestCounterMayForget(t *testing.T) {
	texts := articles(3, 40)
	for _, limit := range []int{1, 2, 50, remembered} {
		c := newCounter(limit)
		for round := range 2 {
			for i, s := range texts {
				want, _ := plain(s)
				if got := c.Count(s); !maps.Equal(got, want[0]) {
					t.Fatalf("limit %d, round %d, text %d: %v, want %v", limit, round, i, got, want[0])
				}
				for _, kept := range c.idle {
					if len(kept.words) > limit {
						t.Fatalf("%d words known, limit %d", len(kept.words), limit)
					}
				}
			}
		}
	}
}

func TestCounterIsSafeForConcurrentUse(t *testing.T) {
	texts := articles(4, 30)
	want, _ := plain(texts...)
	for _, limit := range []int{20, remembered} {
		c := newCounter(limit)
		var group sync.WaitGroup
		for worker := range 4 {
			group.Go(func() {
				for i := range texts {
					i = (i + worker*7) % len(texts)
					if got := c.Count(texts[i]); !maps.Equal(got, want[i]) {
						t.Errorf("limit %d, text %d: %v, want %v", limit, i, got, want[i])
					}
				}
			})
		}
		group.Wait()
	}
}

func TestCounterKeepsNoRoomForHugeTexts(t *testing.T) {
	c := NewCounter()
	var huge strings.Builder
	for i := range 3 * remembered {
		fmt.Fprintf(&huge, " %c%c%c", 'a'+i%26, 'a'+i/26%26, 'α'+i/676)
	}
	for range 3 {
		want, _ := plain(huge.String())
		if got := c.Count(huge.String()); !maps.Equal(got, want[0]) {
			t.Fatalf("%d stems, want %d", len(got), len(want[0]))
		}
		for _, kept := range c.idle {
			t.Errorf("%d words are at hand, room for %d", len(kept.words), cap(kept.words))
		}
	}
}

// The totals of words must outlive the tallies that counted them.
func TestSurfaceOfManyWords(t *testing.T) {
	texts := make([]string, 12)
	for i := range texts {
		var s strings.Builder
		for j := range 3000 {
			n := i*2000 + j
			form := "s"
			if (n+i)%2 == 0 {
				form = "ed"
			}
			fmt.Fprintf(&s, "b%c%c%cnt%s ", 'a'+n%26, 'a'+n/26%26, 'a'+n/676%26, form)
		}
		texts[i] = s.String()
	}
	_, want := plain(texts...)
	_, surface, err := CountAll(t.Context(), texts, nil)
	if err != nil || len(want) < remembered || !maps.Equal(surface, want) {
		t.Errorf("%d stems, %v, want %d with the words most often written", len(surface), err, len(want))
	}
}

// More words than are kept at hand, each text with some that the one before has and some that it has not.
func TestCounterOfManyWords(t *testing.T) {
	c := NewCounter()
	for i := range 12 {
		var s strings.Builder
		for j := range 2000 {
			n := i*1000 + j
			fmt.Fprintf(&s, "w%c%c%c ", 'a'+n%26, 'a'+n/26%26, 'a'+n/676)
			if n%3 == 0 {
				fmt.Fprintf(&s, "w%c%c%c ", 'a'+n%26, 'a'+n/26%26, 'a'+n/676)
			}
		}
		want, _ := plain(s.String())
		if got := c.Count(s.String()); !maps.Equal(got, want[0]) {
			t.Fatalf("text %d: %v, want %v", i, got, want[0])
		}
	}
}
