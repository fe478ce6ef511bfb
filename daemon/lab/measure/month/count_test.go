package month

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
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
	list, fresh, late := home+"list2/", home+"list2/1.html", home+"list3/1.html"
	c := unchanging(replay, graph)
	c.appears[fresh], c.appears[late] = 2, 2 // nothing that was read links to late
	c.clone(home+"list2/5.html", clone{night: 3})
	c.noteTurns()
	m := newCount(&web{replay: replay, graph: graph, change: c, useful: useful})
	night, id := 0, int64(0)
	next := func(urls ...string) {
		night++
		m.begins(night)
		for _, url := range urls {
			m.fetched(c.Fetch(t.Context(), url, night))
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
	second := c.copies[home+"list2/5.html"].url
	next(home, list, list, home+"none", fresh)                     // unchanged; costs nothing; 404
	found(home + "list2/0.html")                                   // not useful
	next(list)                                                     // changed: it links to fresh
	found()                                                        //
	next(list, fresh, home+"list2/5.html", second, home)           // changed: it links to a copy; unchanged
	found(fresh, home+"list2/5.html", second, home+"list2/5.html") // the same page three times
	if m.requests != 10 || m.unchanged != 2 || m.changed != 2 || m.twice != 2 || len(m.useful) != 2 || len(m.met) != 2 || !slices.Equal(m.each, []int{0, 0, 2}) {
		t.Errorf("%d requests, %d unchanged, %d changed, %d twice, %d useful, %d met, each night %v", m.requests, m.unchanged, m.changed, m.twice, len(m.useful), len(m.met), m.each)
	}
	if len(m.arrivals) != 1 || *m.arrivals[0] != (arrival{fresh, 2, 3, 3}) {
		t.Errorf("arrivals %+v", m.arrivals)
	}
	for name, want := range map[string]float64{"useful pages found": 2, "unchanged": 20, "changed": 20, "finds whose": 2, "useful arrivals found": 100, "useful arrivals never": 0} {
		if got := metric(t, &m, name); math.Abs(got-want) > 1e-9 {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
	if got := metric(t, &count{}, "useful arrivals found"); !math.IsNaN(got) {
		t.Errorf("arrivals found, of none: %v", got)
	}
}

func TestDelays(t *testing.T) {
	for want, all := range map[string][]*arrival{
		"none appeared": nil,
		"read 1 (0 of 1 never), found 2 (0 of 1 never)":         {{"a", 2, 3, 4}},
		"read 0 (1 of 3 never), found never (2 of 3 never)":     {{"a", 2, 2, 4}, {"b", 3, 3, 0}, {"c", 3, 0, 0}},
		"read 1 (1 of 4 never), found 3 (2 of 4 never)":         {{"a", 2, 3, 5}, {"b", 3, 4, 3}, {"c", 3, 0, 0}, {"d", 2, 2, 0}},
		"read never (1 of 1 never), found never (1 of 1 never)": {{"a", 2, 0, 0}},
	} {
		if got := delays(all); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

// TestOracleNights: the oracle finds every useful page of a web on which all pages appear, and an arrival in its night.
func TestOracleNights(t *testing.T) {
	replay, graph, useful := madeWeb(t)
	for seed := range uint64(5) {
		w := &web{replay: replay, graph: graph, change: drawn(replay, graph, useful, seed), useful: useful}
		m := w.oracle(&options{Nights: madeDays, Pages: 40})
		lost := 0
		for page := range w.change.goes {
			if useful[page] && !m.useful[page] {
				lost++
			}
		}
		n := 0
		for _, fresh := range m.each {
			n += fresh
		}
		if len(m.useful) != madeLists*madeItems/4-lost || n != len(m.useful) || len(m.each) != madeDays || m.unchanged+m.changed > 0 || len(m.arrivals) == 0 || m.never() > 0 {
			t.Errorf("seed %d: %d useful pages, %d lost, each night %v, %d and %d read again, %d arrivals, %d never found", seed, len(m.useful), lost, m.each, m.unchanged, m.changed, len(m.arrivals), m.never())
		}
	}
}

func TestPicture(t *testing.T) {
	names := []string{"go on <1>", "are one"}
	lived := [][]*month{{{count: count{each: []int{3, 0, 1}}}, {count: count{each: []int{1, 2, 0}}}}, {{count: count{each: []int{5}}}, {count: count{each: []int{6}}}}}
	var out, words strings.Builder
	if err := draw(&out, &options{Nights: 3, Pages: 7, Changes: true}, names, lived); err != nil {
		t.Fatal(err)
	}
	for d := xml.NewDecoder(strings.NewReader(out.String())); ; {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatalf("%v\n%s", err, out.String())
		}
		if s, ok := token.(xml.CharData); ok {
			words.Write(s)
		}
	}
	for _, want := range []string{"3 nights of 7 pages on a web that changes; mean of months: 2", "go on <1>", "are one", "3.50", "5.50"} {
		if !strings.Contains(words.String(), want) {
			t.Errorf("%q is missing in %s", want, words.String())
		}
	}
	if got, want := fmt.Sprint(curve(3, lived[0]), curve(3, lived[1])), "[{0 0} {1 2} {2 3} {3 3.5}] [{0 5.5} {1 5.5} {2 5.5} {3 5.5}]"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
