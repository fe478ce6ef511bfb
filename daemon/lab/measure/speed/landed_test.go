package speed

import (
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
