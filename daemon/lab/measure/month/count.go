package month

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"

	"nightjar/crawler/fetch"
	"nightjar/daemon/lab/devtool"
	"nightjar/daemon/morning/finds"
	"nightjar/daemon/night/forecast"
	"nightjar/model/measure"
)

// count is what a month brought. Its pages are those of the recording, whatever their address is by then.
type count struct {
	change *changing
	label  map[string]bool // useful pages

	useful map[string]int  // useful pages that were finds, with the night
	each   []int           // of them, new ones of each morning
	shown  int             // finds that the person looked at
	right  int             // of them useful
	looked map[string]bool // useful pages that the person looked at
	listed map[string]bool // pages that were finds
	finds  map[int64]bool
	twice  int // finds whose page was a find before

	mu        sync.Mutex // for what follows
	night     int
	read      map[string]uint64 // address -> its content when it was read last
	seen      map[string]int    // useful pages that appeared and to which a page that was read linked, with the night
	met       map[string]int    // useful pages that were read, with the night
	requests  int               // that cost budget
	unchanged int               // requests of pages that were read before and have not changed since
	led       int               // requests of other addresses, which led to such pages
	changed   int               // requests of pages that were read before and have changed
	awaited   map[string]bool   // useful pages that will appear on pages that were read
	arrived   map[string]bool   // those that did
}

func newCount(change *changing, label map[string]bool) count {
	return count{
		change: change, label: label, useful: map[string]int{}, looked: map[string]bool{}, listed: map[string]bool{}, finds: map[int64]bool{},
		read: map[string]uint64{}, seen: map[string]int{}, met: map[string]int{}, awaited: map[string]bool{}, arrived: map[string]bool{},
	}
}

// begins notes which useful pages appear in a night on pages that were read.
func (m *count) begins(night int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.night = night
	for page := range m.awaited {
		if m.change.fates[page].appears == night {
			m.arrived[page] = true
		}
	}
}

// fetched counts a request.
func (m *count) fetched(r answer) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if r.Outcome.Free() || r.Outcome == fetch.Missing {
		return
	}
	m.requests++
	if r.Outcome != fetch.OK {
		return
	}
	for _, page := range r.hidden {
		if m.label[page] {
			m.awaited[page] = true
		}
	}
	for _, page := range r.fresh {
		if m.label[page] && m.seen[page] == 0 {
			m.seen[page] = m.night
		}
	}
	before, again := m.read[r.FinalURL]
	m.read[r.FinalURL] = r.content
	page := m.change.original(r.FinalURL)
	switch {
	case again && before == r.content && r.URL != r.FinalURL:
		m.led++
	case again && before == r.content:
		m.unchanged++
	case again:
		m.changed++
	case m.label[page] && m.met[page] == 0:
		m.met[page] = m.night
	}
}

// lists counts the finds of a morning.
func (m *month) lists(finds []finds.View) {
	fresh := 0
	for _, f := range finds {
		if m.finds[f.ID] {
			continue
		}
		m.finds[f.ID] = true
		page := m.change.original(f.URL)
		if m.listed[page] {
			m.twice++
			continue
		}
		m.listed[page] = true
		if m.label[page] {
			m.useful[page] = m.night
			fresh++
		}
	}
	m.each = append(m.each, fresh)
}

// looks counts that the person looks at a find, and returns whether its page is useful.
func (m *count) looks(f finds.View) bool {
	m.shown++
	page := m.change.original(f.URL)
	if m.label[page] {
		m.right++
		m.looked[page] = true
	}
	return m.label[page]
}

// waits returns how many nights after it appeared each page was seen on a list, read or shown, as when says, counting the one in which
// it appeared; infinity for never.
func (m *count) waits(when map[string]int) (nights []float64) {
	for page := range m.arrived {
		if night := when[page]; night > 0 {
			nights = append(nights, float64(night-m.change.fates[page].appears+1))
		} else {
			nights = append(nights, math.Inf(1))
		}
	}
	slices.Sort(nights)
	return nights
}

// oracle spends the budget of all nights as one would who knows the web and the useful pages, on what is there in the end.
func (w *web) oracle(o *options) *month {
	m := &month{count: newCount(w.change, w.useful), web: w}
	stays := func(page string) bool { return w.useful[page] && w.change.fates[page].goes == 0 }
	way := w.graph.OracleWay(stays, o.Nights*o.Pages)
	for night := range o.Nights {
		m.begins(night + 1)
		fresh := 0
		for _, page := range way[min(night*o.Pages, len(way)):min((night+1)*o.Pages, len(way))] {
			m.fetched(answer{Response: fetch.Response{Outcome: fetch.OK, FinalURL: page}})
			if stays(page) {
				m.useful[page], m.looked[page] = m.night, true
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
	sum  bool // ratios say something
	of   func(m *count) float64
}{
	{"useful pages shown", true, func(m *count) float64 { return float64(len(m.useful)) }},
	{"useful of the pages shown, %", false, func(m *count) float64 { return 100 * ratio(len(m.useful), len(m.listed)) }},
	{"useful pages looked at", true, func(m *count) float64 { return float64(len(m.looked)) }},
	{"useful pages read", true, func(m *count) float64 { return float64(len(m.met)) }},
	{"pages fetched again that had not changed, % of requests", false, func(m *count) float64 { return 100 * ratio(m.unchanged, m.requests) }},
	{"requests of other addresses that led to such pages, %", false, func(m *count) float64 { return 100 * ratio(m.led, m.requests) }},
	{"pages fetched again that had changed, % of requests", false, func(m *count) float64 { return 100 * ratio(m.changed, m.requests) }},
	{"duplicates shown", false, func(m *count) float64 { return float64(m.twice) }},
}

// ratio is NaN, which is no value, of nothing.
func ratio(n, of int) float64 {
	if of == 0 {
		return math.NaN()
	}
	return float64(n) / float64(of)
}

// compare has the metrics of each way with 95 % intervals over webs and seeds, beside the first way, and the sums beside one crawl of
// the same budget and nights that begin anew.
func compare(lived [][]*month) devtool.Table {
	one, anew := slices.IndexFunc(ways, func(w way) bool { return w.one }), slices.IndexFunc(ways, func(w way) bool { return w.anew })
	t := devtool.Table{Title: "Means of the months, with 95 % intervals"}
	t.Add("a month", "nights that", "mean", "more than nights that "+ways[0].name, "times one crawl", "times nights that "+ways[anew].name)
	for _, metric := range metrics {
		for i, way := range ways {
			mean, more := "none", ""
			if all, _ := pairs(metric.of, lived[i], lived[i]); len(all) > 0 {
				mean = figure("%.1f", measure.Mean(all, nil))
			}
			if all, than := pairs(metric.of, lived[i], lived[0]); i > 0 && len(all) > 0 {
				more = figure("%+.1f", measure.Difference(all, than, nil))
			}
			row := []any{metric.name, way.name, mean, more, "", ""}
			if metric.sum {
				row[4], row[5] = times(pairs(metric.of, lived[i], lived[one])), times(pairs(metric.of, lived[i], lived[anew]))
			}
			t.Add(row...)
		}
	}
	return t
}

// times is the ratio of two sums over the same months. Its interval is that of the ratio estimator: the mean of r + (a - r·b)/mean(b).
func times(a, b []float64) string {
	if len(a) == 0 || measure.Mean(b, nil).Value == 0 {
		return ""
	}
	base := measure.Mean(b, nil).Value
	r := measure.Mean(a, nil).Value / base
	each := make([]float64, len(a))
	for i := range a {
		each[i] = r + (a[i]-r*b[i])/base
	}
	return figure("%.2f", measure.Mean(each, nil))
}

// stages are what happens to a useful page that appears on a page that was read before, with the night of each.
var stages = []struct {
	name string
	when func(m *count) map[string]int
}{
	{"seen on a list", func(m *count) map[string]int { return m.seen }},
	{"read", func(m *count) map[string]int { return m.met }},
	{"shown", func(m *count) map[string]int { return m.useful }},
}

// arrivals has how soon useful pages were seen, read and shown that appeared on pages that were known.
func arrivals(lived [][]*month) devtool.Table {
	t := devtool.Table{Title: "Useful pages that appear on a page that was read before"}
	t.Add("nights that", "pages", "are", "within 2 nights, %", "median nights", "never")
	for i, way := range ways {
		for _, stage := range stages {
			var all, within, pages []float64
			for _, m := range lived[i] {
				waits := m.waits(stage.when(&m.count))
				all, within, pages = append(all, waits...), append(within, soon(waits)), append(pages, float64(len(waits)))
			}
			if len(all) == 0 {
				continue
			}
			slices.Sort(all)
			f := measure.Ratio(within, pages, nil)
			share := figure("%.0f", measure.Figure{Value: 100 * f.Value, Low: 100 * f.Low, High: 100 * f.High})
			t.Add(way.name, len(all), stage.name, share, all[(len(all)-1)/2], never(all))
		}
	}
	return t
}

// soon counts waits of at most two nights, never those without end.
func soon(waits []float64) (n float64) {
	for _, w := range waits {
		if w <= 2 {
			n++
		}
	}
	return n
}

func never(waits []float64) (n int) {
	for _, w := range waits {
		if math.IsInf(w, 1) {
			n++
		}
	}
	return n
}

// foretold has what was foreseen each morning beside what came, and how many of the intervals held.
func foretold(months []*month) devtool.Table {
	t := devtool.Table{Title: "Useful pages foreseen each morning by nights that " + ways[0].name}
	t.Add("task", "seed", "night", "brought", "the next night", "came", fmt.Sprintf("the next %d nights", forecast.Coming), "came")
	var held, of [2]int
	for _, m := range months {
		for i, in := range m.known {
			row := []any{m.web.Name, m.web.seed, i + 1, m.each[i]}
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
