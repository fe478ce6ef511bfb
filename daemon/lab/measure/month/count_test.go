package month

import (
	"math"
	"slices"
	"strings"
	"testing"

	"nightjar/daemon/morning/finds"
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
	w := madeWeb(t)
	m := &month{count: newCount(w.change, w.useful), web: w}
	m.begins(1)
	id := int64(0)
	next := func(urls ...string) {
		for _, url := range urls {
			m.Fetch(t.Context(), url)
		}
	}
	var listed []finds.View // none is marked, so all are listed each morning
	found := func(urls ...string) {
		for _, url := range urls {
			id++
			listed = append(listed, finds.View{ID: id, URL: url})
		}
		m.lists(listed)
	}
	one, five := home+"list2/1.html", home+"list2/5.html"
	next(home, home+"list2/", home+"list2/", home+"none", one) // the last but one costs nothing
	found(home + "list2/0.html")                               // not useful
	next(home+"list2/", one, five)
	found(one, five, five)
	m.looks(listed[0])
	m.looks(listed[1])
	if m.requests != 7 || m.unchanged != 3 || m.changed != 0 || m.twice != 1 || len(m.useful) != 2 || len(m.met) != 2 || m.shown != 2 || m.right != 1 || !slices.Equal(m.each, []int{0, 2}) {
		t.Errorf("%d requests, %d again, %d twice, %d useful, %d met, %d of %d right, each night %v", m.requests, m.unchanged, m.twice, len(m.useful), len(m.met), m.right, m.shown, m.each)
	}
	for name, want := range map[string]float64{"useful pages shown": 2, "useful of the pages shown": 200. / 3, "useful pages looked": 1, "pages fetched again that had not": 300. / 7, "duplicates": 1} {
		if got := metric(t, &m.count, name); math.Abs(got-want) > 1e-9 {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
	if got := metric(t, &count{}, "pages fetched again"); !math.IsNaN(got) {
		t.Errorf("pages fetched again, of none: %v", got)
	}
}

// TestOracleNights: the oracle finds every useful page, and reads none again.
func TestOracleNights(t *testing.T) {
	m := madeWeb(t).oracle(&options{Nights: madeDays, Pages: 40})
	n := 0
	for _, fresh := range m.each {
		n += fresh
	}
	if len(m.useful) != madeLists*madeItems/4 || n != len(m.useful) || len(m.each) != madeDays || m.unchanged > 0 {
		t.Errorf("%d useful pages, each night %v, %d read again", len(m.useful), m.each, m.unchanged)
	}
}

// TestWaits: a page counts as arrived only on a page that was read before, and waits until the morning after which it is shown.
func TestWaits(t *testing.T) {
	w := madeWeb(t)
	m := &month{count: newCount(w.change, w.useful), web: w}
	seen, missed, unknown := home+"list2/1.html", home+"list2/5.html", home+"list3/1.html"
	for _, url := range []string{seen, missed, unknown} {
		w.change.fates[url] = fate{appears: 3}
	}
	for night := 1; night <= 4; night++ {
		m.begins(night)
		m.Fetch(t.Context(), home+"list2/")
		if night == 4 {
			m.Fetch(t.Context(), seen)
			m.lists([]finds.View{{ID: 1, URL: seen}, {ID: 2, URL: unknown}})
		}
	}
	if got := m.waits(m.useful); !slices.Equal(got, []float64{2, math.Inf(1)}) || soon(got) != 1 || never(got) != 1 {
		t.Errorf("waits %v", got)
	}
	if m.unchanged != 2 || m.changed != 1 || m.seen[missed] != 3 || m.met[seen] != 4 || m.met[missed] != 0 {
		t.Errorf("%d unchanged, %d changed, seen %v, read %v", m.unchanged, m.changed, m.seen, m.met)
	}
}

// TestTimes: the interval holds the ratio of the sums, and narrows to it when all months agree.
func TestTimes(t *testing.T) {
	if got := times([]float64{2, 4, 6}, []float64{1, 2, 3}); got != "2.00 (2.00 to 2.00)" {
		t.Error(got)
	}
	if got := times([]float64{1, 2}, []float64{0, 0}); got != "" {
		t.Error(got)
	}
}
