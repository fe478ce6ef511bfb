package report

import (
	"fmt"
	"slices"

	strategies "nightjar/crawler/strategy"
	"nightjar/daemon/chart"
	"nightjar/daemon/lab/bench"
	"nightjar/model"
)

// Trust says how far to trust the finds shown over a group of tasks.
type Trust struct {
	Mode, Title string
	Table       table  // a row a strategy
	Strategy    string // of Bands
	Bands       table  // a row a band of probability
	Sentence    string
}

// Trusts are the tables of finds shown over all tasks, for each way of counting of which something says what was shown.
func (v *view) Trusts() []Trust {
	var all []Trust
	for _, mode := range v.modes {
		groups := v.groups(mode)
		g := groups[len(groups)-1]
		t := Trust{Mode: mode, Title: g.title(), Table: g.trust()}
		if len(t.Table.Rows) == 0 {
			continue
		}
		if s, ok := g.of(strategies.Best); ok && s.Finds != nil {
			t.Strategy, t.Bands, t.Sentence = strategies.Best, bands(s.Finds), g.kept(mode, s.Finds)
		}
		all = append(all, t)
	}
	return all
}

// trust is the table of the finds that each strategy showed over a group.
func (g *group) trust() table {
	t := table{Head: []string{"strategy", "finds shown a crawl", "precision", "recall", "calibration error", "Brier score", "of all pages read: calibration error", "Brier score"}}
	for _, s := range g.Strategies {
		if f := s.Finds; f != nil {
			t.Rows = append(t.Rows, []string{code(s.Name), decimal(float64(f.Shown.Pages)/float64(max(1, f.Crawls)), 1), shownShare(f, f.Precision),
				percent(f.Recall), shownShare(f, f.Shown.Error), brier(&f.Shown), percent(f.Read.Error), brier(&f.Read)})
		}
	}
	return t
}

// shownShare formats a share of the finds shown, of which there may be none.
func shownShare(f *bench.Finds, v float64) string {
	if f.Shown.Pages == 0 {
		return none
	}
	return percent(v)
}

func brier(j *bench.Judged) string {
	if j.Pages == 0 {
		return none
	}
	return decimal(j.Brier, 3)
}

// bands is the reliability table of a strategy.
func bands(f *bench.Finds) table {
	t := table{Head: []string{"probability", "finds shown", "said on average", "truly relevant", "pages read", "said on average", "truly relevant"}}
	for k := range 5 {
		row := []string{fmt.Sprintf("%d to %d %%", 20*k, 20*k+20)}
		for _, j := range []*bench.Judged{&f.Shown, &f.Read} {
			b := band(j, k)
			cells := []string{chart.Thousands(b.N), none, none}
			if b.N > 0 {
				cells[1], cells[2] = percent(b.Said), percent(b.Useful)
			}
			row = append(row, cells...)
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// band is the k-th of five bands, without pages if it is left out.
func band(j *bench.Judged, k int) model.Band {
	at := slices.IndexFunc(j.Bands, func(b model.Band) bool { return int((b.Low+b.High)/2*5) == k })
	if at < 0 {
		return model.Band{}
	}
	return j.Bands[at]
}

// kept says what became of the finds shown as 80 % likely or more.
func (g *group) kept(mode string, f *bench.Finds) string {
	over := "Over " + g.called() + ", " + missingShort(mode) + ": "
	b := band(&f.Shown, 4)
	if b.N == 0 {
		return over + code(strategies.Best) + " showed no find as 80 % likely or more."
	}
	return over + fmt.Sprintf("of the finds that %s showed as 80 %% likely or more (%s), %s were relevant; the probability shown with them was %s on average.",
		code(strategies.Best), chart.Thousands(b.N), percent(b.Useful), percent(b.Said))
}
