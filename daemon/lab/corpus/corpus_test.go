package corpus

import (
	"maps"
	"math"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"nightjar/crawler"
	"nightjar/crawler/page"
	"nightjar/crawler/strategy"
)

func TestReadLabels(t *testing.T) {
	l, err := ReadLabels([]string{file(t, "a.tsv", "# made up\nhttp://A.test/x#top\tred\nhttp://a.test/x\tround\n\nhttp://a.test/y\tred\r\n")})
	if err != nil {
		t.Fatal(err)
	}
	if got := slices.Sorted(maps.Keys(l.With("red"))); !slices.Equal(got, []string{"http://a.test/x", "http://a.test/y"}) {
		t.Errorf("red: %v", got)
	}
	if l.With("re") != nil || l.Len() != 2 || !slices.Equal(l.Names(), []string{"red", "round"}) {
		t.Errorf("%d URLs, labels %v", l.Len(), l.Names())
	}
	if n := l.Unknown([]string{"http://a.test/x", "http://a.test/z"}); n != 1 {
		t.Errorf("%d unknown URLs", n)
	}
	for _, bad := range []string{"http://a.test/x", "http://a.test/x\t", "ftp://a.test/\tred", "http://a.test/x\tred\tblue"} {
		if _, err := ReadLabels([]string{file(t, "b.tsv", "# one\n"+bad+"\n")}); err == nil || !strings.Contains(err.Error(), "b.tsv line 2") {
			t.Errorf("%q: error %v", bad, err)
		}
	}
}

func TestList(t *testing.T) {
	path := record(t, wiki, wikiPaths...)
	var entries []Entry
	c, err := List(path, func(e Entry) { entries = append(entries, e) })
	if err != nil {
		t.Fatal(err)
	}
	if c.Records != 8 || c.Pages != 7 || c.Redirects != 1 || c.Hosts != 1 || len(c.Problems) != 0 || len(entries) != 8 {
		t.Errorf("%+v", c)
	}
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	c, err = List(file(t, "cut.warc.gz", string(whole[:len(whole)-20])), nil)
	if err != nil {
		t.Fatal(err)
	}
	if c.Records != 7 || len(c.Problems) != 1 {
		t.Errorf("of a file that is cut short: %d records, problems %v", c.Records, c.Problems)
	}
	if done, err := List(path+".open", nil); err != nil || done.Records == 0 { // it was finished after the folder was listed
		t.Errorf("%+v, %v", done, err)
	}
	if _, err := List(file(t, "no.warc.gz", "nothing of the kind"), nil); err == nil {
		t.Error("a text file is taken for a recording")
	}
}

// TestScore checks the measures against numbers worked out by hand: of six pages a budget of eight fetches, the second,
// third and fifth are relevant, the third was trained on, the sixth is the second again, and the fourth could not be
// fetched.
func TestScore(t *testing.T) {
	s := &Score{
		Relevant: func(url string) bool { return strings.HasPrefix(url, "r") }, Known: map[string]bool{"r2": true}, Total: 4, Budget: 8,
		Oracle: []int{1, 2, 2, 3},
	}
	fetches := []struct {
		url        string
		similarity float64
		fetched    bool
	}{{"a", 0.1, true}, {"r1", 0.9, true}, {"r2", 0.8, true}, {"r9", 0, false}, {"r3", 0.6, true}, {"r1", 0, false}}
	var hits []bool
	for _, f := range fetches {
		one := &crawler.Fetch{FinalURL: f.url, Cost: 1, Judgement: strategy.Judgement{Similarity: f.similarity}}
		if f.fetched {
			one.Page = &page.Page{URL: f.url}
		}
		hits = append(hits, s.Add(one))
	}
	s.Add(&crawler.Fetch{FinalURL: "robots", Cost: 0})
	if !reflect.DeepEqual(hits, []bool{false, true, false, false, true, false}) {
		t.Errorf("hits %v", hits)
	}
	want := [][2]float64{{1, 0}, {2, 1. / 2}, {3, 1. / 3}, {4, 1. / 4}, {5, 2. / 5}, {6, 2. / 6}}
	if got := s.Harvest(); !reflect.DeepEqual(got, want) {
		t.Errorf("harvest %v, want %v", got, want)
	}
	const absTol = 1e-12 // sums of eight small numbers
	for _, m := range []struct {
		name      string
		got, want float64
	}{
		{"recall", s.Recall(), 2. / 4},
		{"area", s.Area(), (0 + 1 + 1 + 1 + 2 + 2 + 2 + 2) / 4. / 8},
		{"area_vs_oracle", s.AreaVsOracle(), (0 + 1 + 1 + 1 + 2 + 2 + 2 + 2) / (1. + 2 + 2 + 3 + 3 + 3 + 3 + 3)},
		{"similarity", s.Similarity(), (0.1 + 0.9 + 0.8 + 0.6) / 4},
	} {
		if math.Abs(m.got-m.want) > absTol {
			t.Errorf("%s is %v, want %v", m.name, m.got, m.want)
		}
	}
	if none := (&Score{Budget: 8}).AreaVsOracle(); none != 0 {
		t.Errorf("without an oracle the area is %v of its", none)
	}
	if s.Found() != 2 {
		t.Errorf("found %d", s.Found())
	}
}

func TestLabelsAny(t *testing.T) {
	l := labels(t, "/a red", "/b red", "/b blue", "/c blue")
	for _, test := range []struct {
		labels  []string
		pages   int
		unknown string
	}{{[]string{"red"}, 2, ""}, {[]string{"blue", "red"}, 3, ""}, {[]string{"red", "green"}, 2, "green"}, {nil, 0, ""}} {
		if pages, unknown := l.Any(test.labels); len(pages) != test.pages || unknown != test.unknown {
			t.Errorf("%v: pages %v, unknown %q", test.labels, pages, unknown)
		}
	}
	if len(l.With("red")) != 2 {
		t.Error("the union changed the labels")
	}
}

func TestStarts(t *testing.T) {
	replay := open(t, record(t, site{"/a": "", "/r": "-> /a"}, "/a", "/r"))
	finals, lacking := Starts(t.Context(), replay, []string{host + "/r", host + "/none", host + "/a"})
	if !slices.Equal(finals, []string{host + "/a", host + "/a"}) || !slices.Equal(lacking, []string{host + "/none"}) {
		t.Errorf("leads to %v, lacking %v", finals, lacking)
	}
}
