package speed

import (
	"math"
	"strings"
	"testing"
)

// TestAgainst: only a run of the same pages is compared, and only what is worse by more than the tolerance counts.
func TestAgainst(t *testing.T) {
	was, err := readLanded()
	if err != nil || was.Rate <= 0 || was.CPU <= 0 || was.Pages == 0 {
		t.Fatalf("the landed figures: %+v, %v", was, err)
	}
	for _, c := range []struct {
		rate, cpu   float64 // relative to the landed ones
		slow, dear  bool
		otherSource bool
	}{
		{1, 1, false, false, false}, {2, .5, false, false, false}, {.88, 1.14, false, false, false},
		{.86, 1, true, false, false}, {1, 1.16, false, true, false}, {.1, 9, false, false, true},
	} {
		r := &result{Source: was.Source, Hosts: was.Hosts, Pages: was.Pages, Workers: was.Workers, Cores: was.Cores, Contenders: []*contender{
			{Name: pipeline, OfBare: was.Rate * c.rate, CPUBare: was.CPU * c.cpu},
		}}
		if c.otherSource {
			if r.Source = "generated"; was.Source == r.Source {
				r.Source = "corpora"
			}
		}
		changes := r.against(was)
		if c.otherSource {
			if changes != nil {
				t.Errorf("other pages are compared: %+v", changes)
			}
			continue
		}
		if len(changes) != 2 || changes[0].Worse != c.slow || changes[1].Worse != c.dear {
			t.Errorf("%+v: %+v", c, changes)
		}
		r.Changes = changes
		if text := string(r.markdown()); strings.Contains(text, "| worse |") != (c.slow || c.dear) || !strings.Contains(text, "no worse") {
			t.Errorf("%+v: %s", c, text)
		}
	}
	if changes := new(result).against(was); changes != nil {
		t.Errorf("nothing was measured, but %+v", changes)
	}
}

const traces = `File: lab
Type: cpu
Duration: 15.13s, Total samples = 6.37s (42.10%)
-----------+-------------------------------------------------------
      20ms   nightjar/model/text.(*Counter).read
             nightjar/crawler/strategy.(*linkValue).Read
             nightjar/crawler.Run
-----------+-------------------------------------------------------
      50ms   runtime.memmove
             runtime.gcAssistAlloc
             nightjar/crawler/page.Parse
-----------+-------------------------------------------------------
     1.01s   modernc.org/sqlite/lib.Xsqlite3_step
             nightjar/daemon/store.(*Journal).Commit
             nightjar/crawler.(*recorder).commit.func1
-----------+-------------------------------------------------------
 stream:  NJ_RESULTS
      20ms   runtime.futex
             runtime.mcall
-----------+-------------------------------------------------------
`

// TestShare: each sample counts for one part, and the collector's work for none other.
func TestShare(t *testing.T) {
	all, err := share(traces, 11)
	if err != nil || len(all) != 4 {
		t.Fatalf("%+v, %v", all, err)
	}
	for i, want := range []part{{"journal", 1.01 / 1.1, 10.1}, {"garbage collection", .05 / 1.1, .5}, {"judge", .02 / 1.1, .2}, {rest, .02 / 1.1, .2}} {
		if got := all[i]; got.Part != want.Part || math.Abs(got.Share-want.Share) > 1e-9 || math.Abs(got.CPU-want.CPU) > 1e-9 {
			t.Errorf("%+v, want %+v", got, want)
		}
	}
	if _, err := share(strings.Replace(traces, "20ms", "many", 1), 1); err == nil {
		t.Error("a sample without a time is read")
	}
}
