package month

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"

	"nightjar/crawler/fetch"
	"nightjar/daemon/lab/devtool"
	"nightjar/daemon/night/forecast"
	"nightjar/daemon/store"
	"nightjar/model/measure"
)

// count is what a month brought.
type count struct {
	label map[string]bool // useful pages

	useful map[string]bool // useful pages that were finds
	each   []int           // of them, new ones of each morning
	shown  int             // finds that the person looked at
	right  int             // of them useful
	looked map[string]bool // useful pages that the person looked at
	listed map[string]bool // pages that were finds
	finds  map[int64]bool
	twice  int // finds whose page was a find before

	mu       sync.Mutex // for what follows
	read     map[string]bool
	met      map[string]bool // useful pages that were read
	requests int             // that cost budget
	again    int             // requests of pages that were read before
}

func newCount(label map[string]bool) count {
	return count{
		label: label, useful: map[string]bool{}, looked: map[string]bool{}, listed: map[string]bool{}, finds: map[int64]bool{},
		read: map[string]bool{}, met: map[string]bool{},
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
	if m.read[r.FinalURL] {
		m.again++
	} else if m.label[r.FinalURL] {
		m.met[r.FinalURL] = true
	}
	m.read[r.FinalURL] = true
}

// lists counts the finds of a morning.
func (m *count) lists(finds []store.FindView) {
	fresh := 0
	for _, f := range finds {
		if m.finds[f.ID] {
			continue
		}
		m.finds[f.ID] = true
		if m.listed[f.URL] {
			m.twice++
			continue
		}
		m.listed[f.URL] = true
		if m.label[f.URL] {
			m.useful[f.URL] = true
			fresh++
		}
	}
	m.each = append(m.each, fresh)
}

// looks counts that the person looks at a find, and returns whether its page is useful.
func (m *count) looks(f store.FindView) bool {
	m.shown++
	if m.label[f.URL] {
		m.right++
		m.looked[f.URL] = true
	}
	return m.label[f.URL]
}

// oracle spends the nights as one would who knows the web and the useful pages.
func (w *web) oracle(o *options) *month {
	m := &month{count: newCount(w.useful)}
	way := w.graph.OracleWay(func(page string) bool { return w.useful[page] }, o.Nights*o.Pages)
	for night := range o.Nights {
		fresh := 0
		for _, page := range way[min(night*o.Pages, len(way)):min((night+1)*o.Pages, len(way))] {
			m.fetched(fetch.Response{Outcome: fetch.OK, FinalURL: page})
			if m.label[page] {
				m.useful[page], m.looked[page] = true, true
				fresh++
			}
		}
		m.each = append(m.each, fresh)
	}
	return m
}

// metrics are what is compared.
var metrics = []struct {
	name string
	of   func(m *count) float64
}{
	{"useful pages found", func(m *count) float64 { return float64(len(m.useful)) }},
	{"useful pages looked at", func(m *count) float64 { return float64(len(m.looked)) }},
	{"useful pages read", func(m *count) float64 { return float64(len(m.met)) }},
	{"pages read again, % of requests", func(m *count) float64 { return 100 * ratio(m.again, m.requests) }},
	{"finds whose page was a find before", func(m *count) float64 { return float64(m.twice) }},
}

// ratio is NaN, which is no value, of nothing.
func ratio(n, of int) float64 {
	if of == 0 {
		return math.NaN()
	}
	return float64(n) / float64(of)
}

// compare has the metrics of each way with 95 % intervals over webs and seeds, beside the first way and one night of the same budget.
func compare(lived [][]*month) devtool.Table {
	one := slices.IndexFunc(ways, func(w way) bool { return w.one })
	t := devtool.Table{Title: "Means of the months, with 95 % intervals"}
	t.Add("a month", "nights that", "mean", "more than nights that "+ways[0].name, "ratio to one night")
	for _, metric := range metrics {
		for i, way := range ways {
			mean, more, times := "none", "", ""
			if all, than := pairs(metric.of, lived[i], lived[one]); len(all) > 0 {
				whole, base := measure.Mean(all, nil), measure.Mean(than, nil).Value
				if mean = figure("%.1f", whole); base > 0 {
					times = fmt.Sprintf("%.2f", whole.Value/base)
				}
			}
			if all, than := pairs(metric.of, lived[i], lived[0]); i > 0 && len(all) > 0 {
				more = figure("%+.1f", measure.Difference(all, than, nil))
			}
			t.Add(metric.name, way.name, mean, more, times)
		}
	}
	return t
}

// foretold has what was foreseen each morning beside what came, and how many of the intervals held.
func foretold(months []*month) devtool.Table {
	t := devtool.Table{Title: "Useful pages foreseen each morning by nights that " + ways[0].name}
	t.Add("task", "seed", "night", "brought", "the next night", "came", fmt.Sprintf("the next %d nights", forecast.Coming), "came")
	var held, of [2]int
	for _, m := range months {
		for i, in := range m.known {
			row := []any{m.web.Name, m.seed, i + 1, m.each[i]}
			next, _ := forecast.Make(in)
			left, _ := forecast.Left(in)
			for k, f := range []forecast.Forecast{next, left} {
				came := ""
				if rest, nights := m.each[i+1:], []int{1, forecast.Coming}[k]; len(rest) >= nights {
					n := 0.
					for _, fresh := range rest[:nights] {
						n += float64(fresh)
					}
					if came, of[k] = fmt.Sprint(n), of[k]+1; f.Holds(n) {
						held[k]++
					}
				}
				row = append(row, fmt.Sprintf("%.0f (%.0f to %.0f)", f.Expected, f.Low, f.High), came)
			}
			t.Add(row...)
		}
	}
	t.Add("held", "", "", "", "", fmt.Sprintf("%d of %d", held[0], of[0]), "", fmt.Sprintf("%d of %d", held[1], of[1]))
	return t
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
