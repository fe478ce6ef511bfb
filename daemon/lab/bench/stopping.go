package bench

import (
	"math"
	"slices"

	"nightjar/crawler/promise"
)

// keep is the share of the relevant pages that Stopping.Best keeps.
const keep = .97

// Stopping says what ending crawls early would have saved and lost (crawler.Options.StopBelow). All crawls go on to their
// budget, and their estimates are noted: since an estimate changes nothing, a crawl that ends is the same until then.
type Stopping struct {
	Crawls   []StoppedCrawl `json:"crawls"` // one for each of Result.Seeds
	Best     float64        `json:"best"`   // share of the pages saved by who knows when 97 of 100 relevant pages are found; mean
	At       []StopAt       `json:"at"`     // by threshold
	Foretold *Foretold      `json:"told"`   // nil without an estimate that could be compared
}

// StoppedCrawl is a crawl that went on to its budget.
type StoppedCrawl struct {
	Pages int `json:"pages"` // of budget
	Found int `json:"found"` // relevant pages
}

// StopAt is what a threshold brings, as the mean over the crawls.
type StopAt struct {
	Below   float64 `json:"below"`   // useful pages per 100
	Stopped float64 `json:"stopped"` // share of the crawls that end
	Saved   float64 `json:"saved"`   // share of the pages
	Lost    float64 `json:"lost"`    // share of the relevant pages that the crawl finds without it
}

// Foretold compares the estimates with what the next 100 pages brought, as the mean over the crawls.
type Foretold struct {
	Said float64 `json:"said"` // relevant pages
	Came float64 `json:"came"`
	Held float64 `json:"held"` // share of the intervals that hold the number
}

// stopping sums up the crawls of a strategy; nil when no threshold was asked for or nothing was estimated.
func stopping(below []float64, runs []*run) *Stopping {
	if len(below) == 0 || slices.ContainsFunc(runs, func(r *run) bool { return r.Estimates == nil }) {
		return nil
	}
	s := &Stopping{Foretold: foretold(runs)}
	share := 1 / float64(len(runs))
	for _, r := range runs {
		s.Crawls = append(s.Crawls, StoppedCrawl{Pages: len(r.Found), Found: found(r.Found, len(r.Found))})
		s.Best += share * saved(r, r.nearlyAll())
	}
	for _, least := range below {
		at := StopAt{Below: least}
		for _, r := range runs {
			pages, stopped := r.stop(least)
			if stopped {
				at.Stopped += share
			}
			at.Saved += share * saved(r, pages)
			if all := found(r.Found, len(r.Found)); all > 0 {
				at.Lost += share * float64(all-found(r.Found, pages)) / float64(all)
			}
		}
		s.At = append(s.At, at)
	}
	return s
}

// found is how many relevant pages a crawl has found after n pages.
func found(curve []int, n int) int {
	if n == 0 || len(curve) == 0 {
		return 0
	}
	return curve[min(n, len(curve))-1]
}

// saved is the share of a crawl's pages after some.
func saved(r *run, pages int) float64 {
	if len(r.Found) == 0 {
		return 0
	}
	return float64(len(r.Found)-pages) / float64(len(r.Found))
}

// stop returns the pages after which a crawl would have ended with a threshold, and whether it would have.
func (r *run) stop(least float64) (pages int, stopped bool) {
	for _, e := range r.Estimates {
		if e.Below(least) && e.Pages < len(r.Found) {
			return e.Pages, true
		}
	}
	return len(r.Found), false
}

// nearlyAll is the number of pages after which nearly all relevant pages were found, but no fewer than any crawl reads.
func (r *run) nearlyAll() int {
	enough := int(math.Ceil(keep * last(r.Found)))
	for i, n := range r.Found {
		if n >= enough {
			return min(max(i+1, promise.Early), len(r.Found))
		}
	}
	return len(r.Found)
}

// foretold compares estimates 100 pages apart, so that no page counts for two of them.
func foretold(runs []*run) *Foretold {
	var t Foretold
	crawls := 0.0
	for _, r := range runs {
		var one Foretold
		n := 0.0
		for _, e := range r.Estimates {
			if e.Pages < promise.Early || e.Pages%promise.Ahead != 0 || e.Pages+promise.Ahead > len(r.Found) {
				continue
			}
			came := float64(found(r.Found, e.Pages+promise.Ahead) - found(r.Found, e.Pages))
			n++
			one.Said += e.Next
			one.Came += came
			if e.Low <= came && came <= e.High {
				one.Held++
			}
		}
		if n > 0 {
			crawls++
			t.Said, t.Came, t.Held = t.Said+one.Said/n, t.Came+one.Came/n, t.Held+one.Held/n
		}
	}
	if crawls == 0 {
		return nil
	}
	return &Foretold{t.Said / crawls, t.Came / crawls, t.Held / crawls}
}

// StopMean is the mean of Stopping over tasks: those that were looked at, or the others.
type StopMean struct {
	Strategy string   `json:"strategy"`
	LookedAt bool     `json:"looked_at"`
	Tasks    int      `json:"tasks"`
	Best     float64  `json:"best"`
	At       []StopAt `json:"at"`
	Foretold Foretold `json:"told"` // of the tasks that have one
	compared int
}

// stopMeans averages what was measured of each strategy, without feedback. All tasks of a run have the same thresholds.
func stopMeans(results []Result) (means []StopMean) {
	for _, r := range withoutFeedback(results) {
		for _, s := range r.Strategies {
			if s.Stopping == nil {
				continue
			}
			i := slices.IndexFunc(means, func(m StopMean) bool { return m.Strategy == s.Name && m.LookedAt == r.LookedAt })
			if i < 0 {
				i = len(means)
				means = append(means, StopMean{Strategy: s.Name, LookedAt: r.LookedAt, At: make([]StopAt, len(s.Stopping.At))})
			}
			means[i].add(s.Stopping)
		}
	}
	return means
}

// add adds a task to the means of those before it.
func (m *StopMean) add(s *Stopping) {
	m.Tasks++
	mean := func(sum *float64, x float64) { *sum += (x - *sum) / float64(m.Tasks) }
	mean(&m.Best, s.Best)
	for i, at := range s.At {
		if i >= len(m.At) {
			break
		}
		m.At[i].Below = at.Below
		mean(&m.At[i].Stopped, at.Stopped)
		mean(&m.At[i].Saved, at.Saved)
		mean(&m.At[i].Lost, at.Lost)
	}
	if t := s.Foretold; t != nil {
		m.compared++
		n := float64(m.compared)
		m.Foretold = Foretold{m.Foretold.Said + (t.Said-m.Foretold.Said)/n, m.Foretold.Came + (t.Came-m.Foretold.Came)/n, m.Foretold.Held + (t.Held-m.Foretold.Held)/n}
	}
}
