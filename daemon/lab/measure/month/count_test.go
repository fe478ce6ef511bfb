package month

import (
	"math"
	"slices"
	"strings"
	"testing"

	"nightjar/daemon/store"
)

// metric is the value of the metric whose name begins so.
func metric(t *testing.T, m *count, name string) float64 {
	t.Helper()
	for _, metric := range metrics {
		if strings.HasPrefix(metric.name, name) {
			return metric.of(m)
		}
	}
	t.Fatalf("no metric %q", name)
	return 0
}

func TestCount(t *testing.T) {
	replay, graph, useful := madeWeb(t)
	w := &web{replay: replay, graph: graph, useful: useful}
	m := &month{count: newCount(useful), web: w}
	id := int64(0)
	next := func(urls ...string) {
		for _, url := range urls {
			m.Fetch(t.Context(), url)
		}
	}
	var finds []store.FindView // none is marked, so all are listed each morning
	found := func(urls ...string) {
		for _, url := range urls {
			id++
			finds = append(finds, store.FindView{ID: id, URL: url})
		}
		m.lists(finds)
	}
	one, five := home+"list2/1.html", home+"list2/5.html"
	next(home, home+"list2/", home+"list2/", home+"none", one) // the last but one costs nothing
	found(home + "list2/0.html")                               // not useful
	next(home+"list2/", one, five)
	found(one, five, five)
	m.looks(finds[0])
	m.looks(finds[1])
	if m.requests != 7 || m.again != 3 || m.twice != 1 || len(m.useful) != 2 || len(m.met) != 2 || m.shown != 2 || m.right != 1 || !slices.Equal(m.each, []int{0, 2}) {
		t.Errorf("%d requests, %d again, %d twice, %d useful, %d met, %d of %d right, each night %v", m.requests, m.again, m.twice, len(m.useful), len(m.met), m.right, m.shown, m.each)
	}
	for name, want := range map[string]float64{"useful pages found": 2, "useful pages looked": 1, "pages read again": 300. / 7, "finds whose": 1} {
		if got := metric(t, &m.count, name); math.Abs(got-want) > 1e-9 {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
	if got := metric(t, &count{}, "pages read again"); !math.IsNaN(got) {
		t.Errorf("pages read again, of none: %v", got)
	}
}

// TestOracleNights: the oracle finds every useful page, and reads none again.
func TestOracleNights(t *testing.T) {
	replay, graph, useful := madeWeb(t)
	m := (&web{replay: replay, graph: graph, useful: useful}).oracle(&options{Nights: madeDays, Pages: 40})
	n := 0
	for _, fresh := range m.each {
		n += fresh
	}
	if len(m.useful) != madeLists*madeItems/4 || n != len(m.useful) || len(m.each) != madeDays || m.again > 0 {
		t.Errorf("%d useful pages, each night %v, %d read again", len(m.useful), m.each, m.again)
	}
}
