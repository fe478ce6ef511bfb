package search_test

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"nightjar/crawler/weburl"
	"nightjar/daemon/lab/effort"
	"nightjar/daemon/morning/search"
	"nightjar/daemon/morning/search/words"
	"nightjar/daemon/store"
)

// mixed are words of a made-up corpus: common and rare ones, accents, other scripts, signs, and what FTS5 has a meaning for.
var mixed = strings.Fields(`tidal range barrage barrages Sévérn severn estuary wave waves AND OR NOT NEAR the of 42 c++ x.y
	日本語 日本 語 潮汐 café naïve ÅNGSTRÖM ångström ﬁsh title:x "quote 🦀 * ^ ( ) {a} -minus`)

func sentence(r *rand.Rand, n int) string {
	var all []string
	for range n {
		all = append(all, mixed[min(r.IntN(len(mixed)), r.IntN(len(mixed)))])
	}
	return strings.Join(all, " ")
}

// TestSearchOracle compares the hits of random queries and filters with those of a matcher that reads every page.
func TestSearchOracle(t *testing.T) {
	effort.Long(t)
	r := rand.New(rand.NewPCG(7, 7))
	s := open(t)
	topics := newTopics(t, s, 3)
	docs := map[string]search.Words{}
	for i := range 120 {
		host := []string{"a.test", "www.a.test", "b.test:8080", "nota.test"}[r.IntN(4)]
		d := search.Words{Source: search.Source{
			URL: fmt.Sprintf("http://%s/%s/%d", host, []string{"tidal", "x", "severn"}[r.IntN(3)], i), Title: sentence(r, 3),
			At:     time.Date(2026, time.Month(1+r.IntN(12)), 1+r.IntN(28), 0, 0, 0, 0, time.UTC),
			Topics: []int64{topics[r.IntN(3)]}, PageID: int64(r.IntN(2)), FetchID: int64(1 + r.IntN(2)), FindID: int64(r.IntN(2)),
		}}
		d.TitleWords, d.AddressWords, d.BodyWords = words.Join(d.Title), words.Join(d.URL), words.Join(sentence(r, 12))
		docs[d.URL] = d
	}
	put(t, s, docs)
	hits := 0
	for range 600 {
		f := search.Filter{Limit: 1000, Text: query(r)}
		if r.IntN(3) == 0 {
			f.Topic = topics[r.IntN(3)]
		}
		if r.IntN(3) == 0 {
			f.Site = []string{"a.test", "www.a.test", "b.test", "test", "none.test"}[r.IntN(5)]
		}
		if r.IntN(3) == 0 {
			f.Kind = []string{search.Visited, search.Found, search.Fetched}[r.IntN(3)]
		}
		if r.IntN(3) == 0 {
			f.Since = time.Date(2026, time.Month(1+r.IntN(12)), 15, 0, 0, 0, 0, time.UTC)
		}
		if r.IntN(3) == 0 {
			f.Until = time.Date(2026, time.Month(1+r.IntN(12)), 10, 0, 0, 0, 0, time.UTC)
		}
		got, total, err := search.Hits(t.Context(), s.DB, f)
		if err != nil {
			t.Fatalf("%+v: %v", f, err)
		}
		var urls, want []string
		for _, h := range got {
			urls = append(urls, h.URL)
		}
		for _, longer := range []bool{false, true} {
			if longer && len(want) >= search.Enough {
				break
			}
			want = nil
			for url, d := range docs {
				if fits(d, f, longer) {
					want = append(want, url)
				}
			}
		}
		slices.Sort(urls)
		slices.Sort(want)
		if !slices.Equal(urls, want) || total != len(want) {
			t.Fatalf("%+v:\n got %q (%d)\nwant %q", f, urls, total, want)
		}
		hits += len(want)
	}
	if hits < 500 {
		t.Errorf("%d hits in all: the queries are too narrow to test anything", hits)
	}
}

// query makes a query of words, phrases and exclusions, at times broken.
func query(r *rand.Rand) string {
	var parts []string
	for range r.IntN(4) {
		p := sentence(r, 1)
		switch r.IntN(8) {
		case 0:
			p = `"` + sentence(r, 2) + `"`
		case 1:
			p = "-" + p
		case 2:
			p = `"` + p
		case 3:
			p = []string{"site:a.test", "-site:b.test", "site:test"}[r.IntN(3)]
		case 4:
			p = string([]rune(p)[:min(3, len([]rune(p)))])
		}
		parts = append(parts, p)
	}
	return strings.Join(parts, " ")
}

// fits says naively whether a page fits a filter, where longer words may stand for words or not.
func fits(d search.Words, f search.Filter, longer bool) bool {
	q := words.Parse(f.Text)
	has := func(term words.Term) bool {
		for _, text := range []string{d.TitleWords, d.AddressWords, d.BodyWords} {
			if strings.Contains(" "+text+" ", " "+strings.Join(term.Words, " ")+" ") ||
				longer && term.Start != "" && strings.Contains(" "+text, " "+term.Start) {
				return true
			}
		}
		return false
	}
	host, _, _ := strings.Cut(weburl.Host(d.URL), ":")
	on := func(site string) bool { return host == site || strings.HasSuffix(host, "."+site) }
	asked := f.Topic != 0 || f.Site != "" || f.Kind != "" || !f.Since.IsZero()
	if q.Empty() && (strings.TrimSpace(f.Text) != "" || !asked) {
		return false
	}
	for _, term := range q.With {
		if !has(term) {
			return false
		}
	}
	if slices.ContainsFunc(q.Without, has) {
		return false
	}
	if len(q.Sites) > 0 && !slices.ContainsFunc(q.Sites, on) || slices.ContainsFunc(q.WithoutSites, on) {
		return false
	}
	kinds := map[string]bool{"": true, search.Visited: d.PageID != 0, search.Found: d.FindID != 0, search.Fetched: d.FetchID != 0}
	return kinds[f.Kind] && (f.Topic == 0 || slices.Contains(d.Topics, f.Topic)) &&
		(f.Site == "" || on(f.Site)) &&
		(f.Since.IsZero() || !d.At.Before(f.Since)) && (f.Until.IsZero() || d.At.Before(f.Until))
}

// put stores the words of pages as an indexer does.
func put(t *testing.T, s *store.Store, docs map[string]search.Words) {
	t.Helper()
	queue(t, s, docs)
	waiting, err := search.Queue(t.Context(), s.DB, 1000)
	if err != nil {
		t.Fatal(err)
	}
	var all []search.Words
	for _, w := range waiting {
		d, ok := docs[w.URL]
		if !ok {
			t.Fatalf("%s waits, but was not put there", w.URL)
		}
		d.QueueID = w.QueueID
		all = append(all, d)
	}
	slices.SortFunc(all, func(a, b search.Words) int { return cmp.Compare(a.URL, b.URL) })
	if err := search.Put(t.Context(), s.DB, all); err != nil {
		t.Fatal(err)
	}
}

func TestSnippet(t *testing.T) {
	long := strings.Repeat("Nothing to see here, move along please. ", 40)
	text := long + "The tidal  Barrages of the Sévérn\nmake power. " + long
	var marked, all string
	for _, p := range search.Snippet(text, words.Parse(`"tidal barrage" severn absent`).With) {
		all += p.Text
		if p.Hit {
			marked += "[" + p.Text + "]"
		}
	}
	if marked != "[tidal Barrages][Sévérn]" {
		t.Errorf("marked %s in %q", marked, all)
	}
	if !strings.HasPrefix(all, "… ") || !strings.HasSuffix(all, " …") || len(all) > 400 {
		t.Errorf("snippet %q", all)
	}
	if got := search.Snippet("", nil); got != nil {
		t.Errorf("of nothing: %v", got)
	}
}

func TestTermsLeaveOutStopWords(t *testing.T) {
	for query, want := range map[string]string{"the barrage and 42": "barrag 42", "the and": "the and", `"the barrage" of`: "the barrag", "": ""} {
		var all []string
		for _, term := range search.Terms(query) {
			all = append(all, strings.Join(term.Words, " "))
		}
		if got := strings.Join(all, " "); got != want {
			t.Errorf("%s: %q, want %q", query, got, want)
		}
	}
}

// A title finds pages with the passage that has its words.
func TestTitle(t *testing.T) {
	s := open(t)
	const url = "http://a.test/"
	long := strings.Repeat("Nothing to see here. ", 60)
	visit(t, s, 1, "Web", map[string][2]string{url: {"Crawls", long + "A focused <b>crawl</b> of the web. " + long}})
	indexAll(t, s)
	hits, err := search.Title(t.Context(), s, "Focused crawls of the Web", 10)
	if err != nil || len(hits) != 1 || hits[0].URL != url || hits[0].Stage != search.TitlePhrase {
		t.Fatalf("%+v, %v", hits, err)
	}
	var marked []string
	for _, part := range hits[0].Snippet {
		if part.Hit {
			marked = append(marked, part.Text)
		}
	}
	if !slices.Equal(marked, []string{"focused crawl of the web"}) {
		t.Errorf("marked %q", marked)
	}
}
