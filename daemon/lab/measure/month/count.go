package month

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"

	"nightjar/crawler/fetch"
	"nightjar/daemon/lab/devtool"
	"nightjar/daemon/store"
	"nightjar/model/measure"
)

// count is what a month brought. Its pages are those of the recording, whatever their address is by then.
type count struct {
	web   *web
	label map[string]bool // useful pages

	useful map[string]bool // useful pages that were finds
	each   []int           // of them, new ones of each morning
	shown  int             // finds that the person looked at
	right  int             // of them useful
	looked map[string]bool // useful pages that the person looked at
	listed map[string]bool // pages that were finds
	finds  map[int64]bool
	twice  int // finds whose page was a find before

	mu        sync.Mutex // for what follows
	night     int
	read      map[string]int // address -> how often its page had changed when it was read last
	met       map[string]bool
	requests  int        // that cost budget
	unchanged int        // requests of pages that were read before and have not changed since
	changed   int        // of pages that were read before and have changed
	arrivals  []*arrival // useful pages that appeared on a page that was read before
}

// arrival is a page with the nights when it appeared, was read first, and was a find first; 0 for never.
type arrival struct {
	page                  string
	appeared, read, found int
}

func newCount(w *web) count {
	return count{
		web: w, label: w.useful, useful: map[string]bool{}, looked: map[string]bool{}, listed: map[string]bool{}, finds: map[int64]bool{},
		read: map[string]int{}, met: map[string]bool{},
	}
}

// begins notes which useful pages appear in a night on pages that were read.
func (m *count) begins(night int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.night = night
	wasRead := func(page string) bool { _, ok := m.read[page]; return ok }
	for page, from := range m.web.change.appears {
		if from == night && m.label[page] && slices.ContainsFunc(m.web.change.holders[page], wasRead) {
			m.arrivals = append(m.arrivals, &arrival{page: page, appeared: night})
		}
	}
}

// fetched counts a request.
func (m *count) fetched(r fetch.Response) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if r.Outcome.Free() || r.Outcome == fetch.Missing {
		return
	}
	m.requests++
	if r.Outcome != fetch.OK {
		return
	}
	page, turn := m.web.change.original(r.FinalURL), m.web.change.turn(r.FinalURL, m.night)
	switch before, again := m.read[r.FinalURL]; {
	case again && before == turn:
		m.unchanged++
	case again:
		m.changed++
	case m.label[page]:
		m.met[page] = true
	}
	m.read[r.FinalURL] = turn
	for _, a := range m.arrivals {
		if a.page == page && a.read == 0 {
			a.read = m.night
		}
	}
}

// lists counts the finds of a morning.
func (m *count) lists(finds []store.FindView) {
	fresh := 0
	for _, f := range finds {
		if m.finds[f.ID] {
			continue
		}
		m.finds[f.ID] = true
		page := m.web.change.original(f.URL)
		if m.listed[page] {
			m.twice++
			continue
		}
		m.listed[page] = true
		if !m.label[page] {
			continue
		}
		m.useful[page] = true
		fresh++
		for _, a := range m.arrivals {
			if a.page == page {
				a.found = m.night
			}
		}
	}
	m.each = append(m.each, fresh)
}

// looks counts that the person looks at a find, and returns whether its page is useful.
func (m *count) looks(f store.FindView) bool {
	m.shown++
	page := m.web.change.original(f.URL)
	if m.label[page] {
		m.right++
		m.looked[page] = true
	}
	return m.label[page]
}

// oracle spends the nights as one would who knows the web and the useful pages, and need not read a page again to see its new links.
func (w *web) oracle(o *options) *month {
	m := &month{count: newCount(w)}
	read := map[string]bool{}
	for night := 1; night <= o.Nights; night++ {
		m.begins(night)
		fresh := 0
		there := func(page string) bool { return w.change.isThere(page, night) }
		for _, page := range w.graph.OracleAfter(read, there, func(page string) bool { return w.useful[page] }, o.Pages) {
			read[page] = true
			m.fetched(fetch.Response{Outcome: fetch.OK, FinalURL: page})
			if m.label[page] {
				m.useful[page], m.looked[page] = true, true
				fresh++
			}
		}
		for _, a := range m.arrivals {
			if read[a.page] {
				a.found = a.read
			}
		}
		m.each = append(m.each, fresh)
	}
	return m
}

const soon = 2 // nights

// metrics are what is compared; NaN is no value.
var metrics = []struct {
	name string
	of   func(m *count) float64
}{
	{"useful pages found", func(m *count) float64 { return float64(len(m.useful)) }},
	{"useful pages found, per morning", func(m *count) float64 { return ratio(len(m.useful), len(m.each)) }},
	{"useful pages looked at", func(m *count) float64 { return float64(len(m.looked)) }},
	{"useful pages read", func(m *count) float64 { return float64(len(m.met)) }},
	{"unchanged re-reads, % of requests", func(m *count) float64 { return 100 * ratio(m.unchanged, m.requests) }},
	{"changed pages read again, % of requests", func(m *count) float64 { return 100 * ratio(m.changed, m.requests) }},
	{"finds whose page was a find before", func(m *count) float64 { return float64(m.twice) }},
	{fmt.Sprintf("useful arrivals found within %d nights, %%", soon), func(m *count) float64 {
		n := 0
		for _, a := range m.arrivals {
			if a.found > 0 && a.found-a.appeared <= soon {
				n++
			}
		}
		return 100 * ratio(n, len(m.arrivals))
	}},
	{"useful arrivals never found, %", func(m *count) float64 { return 100 * ratio(m.never(), len(m.arrivals)) }},
}

func ratio(n, of int) float64 {
	if of == 0 {
		return math.NaN()
	}
	return float64(n) / float64(of)
}

// never is how many arrivals were not found.
func (m *count) never() (n int) {
	for _, a := range m.arrivals {
		if a.found == 0 {
			n++
		}
	}
	return n
}

// compare has the metrics of each way with 95 % intervals over webs and seeds, and how they differ from those of the first way.
func compare(names []string, lived [][]*month) devtool.Table {
	t := devtool.Table{Title: "Means of the months, with 95 % intervals"}
	t.Add("a month", "nights that", "mean", "more than nights that "+names[0])
	for _, metric := range metrics {
		for i, name := range names {
			mean, more := "none", ""
			if all, _ := pairs(metric.of, lived[i], lived[i]); len(all) > 0 {
				mean = figure("%.1f", measure.Mean(all, nil))
			}
			if all, than := pairs(metric.of, lived[i], lived[0]); i > 0 && len(all) > 0 {
				more = figure("%+.1f", measure.Difference(all, than, nil))
			}
			t.Add(metric.name, name, mean, more)
		}
	}
	return t
}

// waits has how long useful pages that appeared waited to be read and found.
func waits(names []string, lived [][]*month) devtool.Table {
	t := devtool.Table{Title: "Useful pages that appeared on a page that was read before"}
	t.Add("nights that", "nights until they were read and found, median")
	for i, name := range names {
		var all []*arrival
		for _, m := range lived[i] {
			all = append(all, m.arrivals...)
		}
		t.Add(name, delays(all))
	}
	return t
}

// ratios has how many useful pages each way found in sum, as a ratio to one night of the same budget, and how many more that is
// a month.
func ratios(names []string, lived [][]*month, one int) devtool.Table {
	t := devtool.Table{Title: "Useful pages found, beside one night of the same budget"}
	t.Add("nights that", "in sum", "ratio", "more a month")
	for i, name := range names {
		all, than := pairs(metrics[0].of, lived[i], lived[one])
		t.Add(name, sum(all), fmt.Sprintf("%.2f", sum(all)/max(1, sum(than))), figure("%+.1f", measure.Difference(all, than, nil)))
	}
	return t
}

func sum(all []float64) (s float64) {
	for _, x := range all {
		s += x
	}
	return s
}

// pairs returns a metric of the months for which both ways have one.
func pairs(of func(*count) float64, a, b []*month) (as, bs []float64) {
	for i := range a {
		x, y := of(&a[i].count), of(&b[i].count)
		if !math.IsNaN(x + y) {
			as, bs = append(as, x), append(bs, y)
		}
	}
	return as, bs
}

// figure writes a value with its interval.
func figure(format string, f measure.Figure) string {
	return fmt.Sprintf(strings.ReplaceAll("% (% to %)", "%", format), f.Value, f.Low, f.High)
}

// delays writes the median number of nights until pages were read and until they were found. Never is later than any night.
func delays(all []*arrival) string {
	if len(all) == 0 {
		return "none appeared"
	}
	median := func(at func(*arrival) int) string {
		nights, never := make([]int, len(all)), 0
		for i, a := range all {
			nights[i] = at(a) - a.appeared
			if at(a) == 0 {
				nights[i] = math.MaxInt
				never++
			}
		}
		slices.Sort(nights)
		m := fmt.Sprint(nights[(len(nights)-1)/2])
		if nights[(len(nights)-1)/2] == math.MaxInt {
			m = "never"
		}
		return fmt.Sprintf("%s (%d of %d never)", m, never, len(all))
	}
	return "read " + median(func(a *arrival) int { return a.read }) + ", found " + median(func(a *arrival) int { return a.found })
}
