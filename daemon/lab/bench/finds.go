package bench

import (
	"math"

	"nightjar/crawler"
	"nightjar/model"
)

// Finds says how far to trust what a strategy shows the person: the pages that become finds (crawler.Fetch.Find), each with
// the probability of being useful that is shown with it. Pages of the sessions are left out: they are no finds. All others with
// the task's label count as useful, with games those of both halves.
//
// The probability is the one of the moment of the fetch. That is what the person sees: the store keeps it with the find, lists
// are sorted by it, and nothing judges a find again later.
type Finds struct {
	Crawls    int     `json:"crawls"`
	Shown     Judged  `json:"shown"`     // the finds
	Read      Judged  `json:"read"`      // all pages that the crawls read
	Precision float64 `json:"precision"` // share of the shown pages that have the task's label
	Recall    float64 `json:"recall"`    // share of the relevant pages in reach that were shown
	InReach   int     `json:"in_reach"`  // relevant pages in reach, summed over the crawls
}

// Judged compares the probabilities given to pages with the share of them that have the task's label.
type Judged struct {
	Pages  int          `json:"pages"`
	Useful int          `json:"useful"`            // with the label
	Error  float64      `json:"calibration_error"` // expected: mean over the bands of |said - useful|, weighted by their pages
	Brier  float64      `json:"brier"`             // mean squared difference between the probability and 1 or 0
	Bands  []model.Band `json:"bands"`             // five of equal width, those without pages left out
}

// tally counts judged pages; tallies of several crawls can be added.
type tally struct {
	Bands   [5]counted `json:"bands"`
	Squares float64    `json:"squares"` // sum of squared differences
}

// counted is a band's pages, those with the label, and the sum of their probabilities.
type counted struct {
	Pages  int     `json:"pages"`
	Useful int     `json:"useful"`
	Said   float64 `json:"said"`
}

// see counts a page judged useful with probability p.
func (t *tally) see(p float64, useful bool) {
	b := &t.Bands[min(int(p*float64(len(t.Bands))), len(t.Bands)-1)]
	b.Pages++
	b.Said += p
	truth := 0.0
	if useful {
		b.Useful++
		truth = 1
	}
	t.Squares += (p - truth) * (p - truth)
}

func (t *tally) add(o tally) {
	for i, b := range o.Bands {
		t.Bands[i].Pages += b.Pages
		t.Bands[i].Useful += b.Useful
		t.Bands[i].Said += b.Said
	}
	t.Squares += o.Squares
}

// judged computes the shares.
func (t *tally) judged() Judged {
	j := Judged{Bands: []model.Band{}}
	off := 0.0
	for i, b := range t.Bands {
		if b.Pages == 0 {
			continue
		}
		n, bands := float64(b.Pages), float64(len(t.Bands))
		j.Bands = append(j.Bands, model.Band{
			Low: float64(i) / bands, High: float64(i+1) / bands, Said: b.Said / n, Useful: float64(b.Useful) / n, N: b.Pages,
		})
		j.Pages += b.Pages
		j.Useful += b.Useful
		off += math.Abs(b.Said - float64(b.Useful))
	}
	if j.Pages > 0 {
		j.Error, j.Brier = off/float64(j.Pages), t.Squares/float64(j.Pages)
	}
	return j
}

// tally is what judged was computed from.
func (j *Judged) tally() tally {
	t := tally{Squares: j.Brier * float64(j.Pages)}
	for _, b := range j.Bands {
		n := float64(b.N)
		t.Bands[min(int((b.Low+b.High)/2*float64(len(t.Bands))), len(t.Bands)-1)] = counted{b.N, int(math.Round(b.Useful * n)), b.Said * n}
	}
	return t
}

// shown is what a crawl shows and how it judges the pages it reads.
type shown struct {
	Finds tally `json:"finds"`
	Read  tally `json:"read"`
	Found int   `json:"found"` // relevant pages in reach among the finds
}

// see counts a fetch; hit says that it is a relevant page in reach, found for the first time.
func (s *shown) see(f *crawler.Fetch, useful, hit bool) {
	s.Read.see(f.Judgement.Useful, useful)
	if !f.Find() {
		return
	}
	s.Finds.see(f.Judgement.Useful, useful)
	if hit {
		s.Found++
	}
}

// finds sums up the crawls of a strategy; nil for the oracle, which judges nothing.
func finds(trials []*trial, runs []*run) *Finds {
	f := &Finds{Crawls: len(runs)}
	var show, read tally
	found := 0
	for i, run := range runs {
		if run.Shown == nil {
			return nil
		}
		show.add(run.Shown.Finds)
		read.add(run.Shown.Read)
		found += run.Shown.Found
		f.InReach += trials[i].total
	}
	f.Shown, f.Read = show.judged(), read.judged()
	f.shares(found)
	return f
}

func (f *Finds) shares(found int) {
	f.Precision, f.Recall = ratio(f.Shown.Useful, f.Shown.Pages), ratio(found, f.InReach)
}

// together adds up the finds of a strategy in several tasks; nil unless all have them.
func together(all []*Finds) *Finds {
	sum := &Finds{}
	var show, read tally
	found := 0.0
	for _, f := range all {
		if f == nil {
			return nil
		}
		sum.Crawls += f.Crawls
		sum.InReach += f.InReach
		show.add(f.Shown.tally())
		read.add(f.Read.tally())
		found += f.Recall * float64(f.InReach)
	}
	sum.Shown, sum.Read = show.judged(), read.judged()
	sum.shares(int(math.Round(found)))
	return sum
}
