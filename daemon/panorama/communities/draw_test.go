package communities

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"nightjar/crawler"
	"nightjar/crawler/fetch"
	"nightjar/crawler/page"
	"nightjar/daemon/browse/topics"
	"nightjar/daemon/cli/demo/demoweb"
	"nightjar/daemon/learn/models"
	"nightjar/daemon/learn/startpages"
	"nightjar/daemon/night/crawls"
	"nightjar/daemon/panorama/maps"
	"nightjar/daemon/store"
	"nightjar/model"
	"nightjar/model/community"
	"nightjar/model/naivebayes"
	"nightjar/model/text"
)

// fetched is a page of a crawl that is put into a store.
type fetched struct {
	url, final, html string
	copy, relevant   bool
}

// bundle is a small model. texts, when there are any, are the positive and the negative pages of its classifier.
func bundle(tb testing.TB, texts ...[]string) *model.Bundle {
	tb.Helper()
	set := model.TrainingSet{Topic: "Topic", LastEvent: time.Unix(1, 0)}
	for i, s := range []string{"portal of things", "gardening weather", "shopping cars", "many things and cars", "league results season", "results season"} {
		set.Pages = append(set.Pages, model.Page{URL: fmt.Sprint("http://old.test/", i), Text: s, Target: i > 3})
	}
	set.Edges = [][2]int{{0, 1}, {0, 2}, {1, 2}, {2, 3}, {0, 4}, {0, 5}, {3, 0}}
	b, err := model.Train(tb.Context(), set, model.DefaultSettings(), func(model.Progress) {})
	if err != nil {
		tb.Fatal(err)
	}
	if len(texts) == 0 {
		return b.WithBayes(nil, "fewer than 10 negative pages")
	}
	var counts [2][]text.Counts
	for i := range counts {
		if counts[i], _, err = text.CountAll(tb.Context(), texts[i], nil); err != nil {
			tb.Fatal(err)
		}
	}
	bayes, err := naivebayes.Train(counts[0], counts[1], naivebayes.Options{})
	if err != nil {
		tb.Fatal(err)
	}
	return b.WithBayes(bayes, "")
}

// mustCrawl is mustCrawl in the world's store, before a daemon opens it: its scheduler would end a crawl without links.
func (w *world) mustCrawl(t *testing.T, b *model.Bundle, pages []fetched) crawls.Crawl {
	t.Helper()
	st := must(store.Open(t.Context(), w.path))(t)
	c := mustCrawl(t, st, b, pages)
	if err := st.Close(); err != nil {
		t.Fatal(err)
	}
	return c
}

// mustCrawl stores a crawl that has ended and of which all pages are kept, as of a crawl that a map shows.
func mustCrawl(tb testing.TB, st *store.Store, b *model.Bundle, pages []fetched) crawls.Crawl {
	tb.Helper()
	ctx := context.Background()
	topic, err := topics.Create(ctx, st.DB, "Topic")
	if err != nil {
		tb.Fatal(err)
	}
	saved, err := models.Save(ctx, st.DB, st.Erasures(), topic.ID, b, models.Facts{})
	if err != nil {
		tb.Fatal(err)
	}
	id, err := crawls.Create(ctx, st.DB, crawls.Crawl{TopicID: topic.ID, ModelID: saved.ID, Strategy: "breadth-first"})
	if err != nil {
		tb.Fatal(err)
	}
	c, err := crawls.Get(ctx, st.DB, id)
	if err != nil {
		tb.Fatal(err)
	}
	if _, err := maps.Add(ctx, st.DB, maps.Map{Source: maps.FromCrawl, Topic: topic.ID, Crawl: id, Step: maps.StepDrawing, State: maps.Waiting}); err != nil {
		tb.Fatal(err)
	}
	for batch := range slices.Chunk(slices.Collect(indexes(len(pages))), 100) {
		if err := crawls.NewJournal(st.DB, c).Commit(ctx, &crawler.Batch{Fetches: fetches(tb, pages, batch), Totals: crawler.Totals{Fetched: batch[len(batch)-1] + 1}}); err != nil {
			tb.Fatal(err)
		}
	}
	if err := crawls.End(ctx, st.DB, id, "over"); err != nil {
		tb.Fatal(err)
	}
	return c
}

func indexes(n int) func(func(int) bool) {
	return func(yield func(int) bool) {
		for i := range n {
			if !yield(i) {
				return
			}
		}
	}
}

func fetches(tb testing.TB, pages []fetched, which []int) (all []*crawler.Fetch) {
	tb.Helper()
	for _, i := range which {
		p := pages[i]
		parsed, err := page.Parse(p.final, page.ContentUTF8, []byte(p.html))
		if err != nil {
			tb.Fatal(err)
		}
		hash := fnv.New64()
		hash.Write([]byte(parsed.Text))
		all = append(all, &crawler.Fetch{
			N: i + 1, URL: p.url, FinalURL: p.final, Title: parsed.Title, At: time.UnixMilli(int64(i)), Cost: 1, Credit: !p.copy, Relevant: p.relevant, NoFind: "a test", Page: parsed,
			TextHash: int64(hash.Sum64()), Done: []string{p.url, p.final}, Response: fetch.Response{Outcome: fetch.OK, Status: 200, Body: []byte(p.html)},
		})
	}
	return all
}

// Links lead to pages also by redirects and copies. Copies, the document itself and pages without text are left out.
func TestDrawingReads(t *testing.T) {
	w := newWorld(t, 0)
	says := func(title, links string) string {
		return "<title>" + title + "</title><p>words of " + title + "</p>" + links
	}
	c := w.mustCrawl(t, bundle(t), []fetched{
		{url: "http://a.test/", final: "http://a.test/", html: says("one", `<a href=/old>2</a> <a href=/moved>2</a> <a href=http://b.test/copy>3</a> <a href=/#x>self</a> <a href=/unknown>-</a>`)},
		{url: "http://a.test/old", final: "http://a.test/two", html: says("two", `<a href="/">1</a> <a href=/empty>e</a>`)},
		{url: "http://a.test/moved", final: "http://a.test/two", html: says("two", "")},
		{url: "http://b.test/", final: "http://b.test/", html: says("three", `<a href=http://paper.test/>p</a> <a href=http://a.test/two>2</a>`)},
		{url: "http://b.test/copy", final: "http://b.test/copy", html: says("three", `<a href=http://paper.test/>p</a> <a href=http://a.test/two>2</a>`), copy: true},
		{url: "http://a.test/empty", final: "http://a.test/empty", html: " "},
		{url: "http://paper.test/", final: "http://paper.test/", html: says("paper", "")},
		{url: "http://c.test/alone", final: "http://c.test/alone", html: says("placeholder", ""), copy: true},
	})
	d := w.open(t)
	doc, err := maps.AddDocument(t.Context(), d.st.DB, maps.Document{Key: "k", Title: "paper", Source: "http://paper.test/"}, nil, maps.ReadDocument{})
	if err != nil {
		t.Fatal(err)
	}
	got := must(d.read(t.Context(), maps.Map{Crawl: c.ID, Document: doc.ID}))(t)
	var urls []string
	for i, p := range got.pages {
		urls = append(urls, p.Final)
		if first, _, _ := strings.Cut(got.texts[i].Text, "\n"); first != p.Title || got.texts[i].Host != strings.Split(p.Final, "/")[2] {
			t.Errorf("%+v", got.texts[i])
		}
	}
	if want := []string{"http://a.test/", "http://a.test/two", "http://b.test/"}; !slices.Equal(urls, want) {
		t.Errorf("pages %q, want %q", urls, want)
	}
	if want := [][2]int{{0, 1}, {0, 2}, {1, 0}, {2, 1}}; !reflect.DeepEqual(got.links, want) {
		t.Errorf("links %v, want %v", got.links, want)
	}
}

// The text of a page is bounded, and cut where a person would.
func TestCut(t *testing.T) {
	for _, c := range []struct {
		text string
		most int
		want string
	}{
		{"short", 10, "short"}, {"one line\ntwo", 10, "one line"}, {"a\nlong line without end", 10, "a\nlong lin"}, {"ééééé", 5, "éé"}, {"", 0, ""},
	} {
		if got := cut(c.text, c.most); got != c.want {
			t.Errorf("%q at %d: %q, want %q", c.text, c.most, got, c.want)
		}
	}
}

// themed are pages about two themes on many sites; those of a theme link to each other.
func themed(n, paragraphs int) (pages []fetched, positive, negative []string) {
	words := demoweb.NewText(rand.New(rand.NewPCG(1, 2)))
	themes := demoweb.Themes()
	for i := range n {
		theme := themes[i%5]
		var b strings.Builder
		fmt.Fprintf(&b, "<title>%s</title>", words.Headline(theme))
		var body string
		for range paragraphs {
			p := words.Paragraph(theme, themes[(i+1)%5], 6)
			fmt.Fprintf(&b, "<p>%s</p>", p)
			body += p + "\n"
		}
		for k := range 10 {
			to := (i%5 + 5*((i*7+k*13)%(max(n/5, 1)))) % n
			fmt.Fprintf(&b, `<a href="http://site%d.test/%d">page %d</a> `, to%97, to, to)
		}
		url := fmt.Sprintf("http://site%d.test/%d", i%97, i)
		pages = append(pages, fetched{url: url, final: url, html: b.String()})
		if i%5 == 0 && len(positive) < 20 {
			positive = append(positive, body)
		} else if i%5 != 0 && len(negative) < 40 {
			negative = append(negative, body)
		}
	}
	return pages, positive, negative
}

// A map of a crawl, drawn again with other options, and made again.
func TestCrawlToMap(t *testing.T) {
	w := newWorld(t, 0)
	pages, positive, negative := themed(200, 3)
	c := w.mustCrawl(t, bundle(t, positive, negative), pages)
	d := w.open(t)
	one := must(d.NewCrawl(t.Context(), c.ID, maps.Options{Clusters: 4, Seed: 3}))(t)
	if one = d.finish(t, one.ID); one.State != maps.Done {
		t.Fatalf("%+v", one)
	}
	v := must(d.View(t.Context(), one.ID))(t)
	if v.Counts.Fetched != 200 || v.Counts.Pages != 200 || v.Counts.Kept != 150 || len(v.Communities) != 4 || len(v.Harvest) != 200 || v.Document != nil {
		t.Errorf("%+v, %d communities, %d points", v.Counts, len(v.Communities), len(v.Harvest))
	}
	hubs := 0
	for _, c := range v.Communities {
		hubs += len(c.Hubs)
	}
	if hubs == 0 || v.Counts.Links == 0 {
		t.Errorf("%d hubs of %d links", hubs, v.Counts.Links)
	}
	if v.Counts.Positives+v.Counts.Negatives != 60 {
		t.Errorf("%+v", v.Counts)
	}

	first := v.Communities[0].Examples[0]
	acted, err := d.Mark(t.Context(), one.ID, first.Fetch, store.MarkUseful)
	if err != nil || acted.Action == 0 {
		t.Fatalf("%+v, %v", acted, err)
	}
	if v = must(d.View(t.Context(), one.ID))(t); v.Communities[0].Examples[0].Mark != store.MarkUseful || v.Communities[0].Examples[0].Find == 0 {
		t.Errorf("%+v", v.Communities[0].Examples[0])
	}
	if _, err := d.Mark(t.Context(), one.ID, 99999, store.MarkUseful); !errors.Is(err, ErrNotOnMap) {
		t.Errorf("marked what is not on the map: %v", err)
	}

	if err := d.SetOptions(t.Context(), one.ID, func(o *maps.Options) { o.Clusters, o.Words = 2, true }); err != nil {
		t.Fatal(err)
	}
	if err := d.Go(t.Context(), one.ID); err != nil {
		t.Fatal(err)
	}
	if one = d.finish(t, one.ID); one.State != maps.Done {
		t.Fatalf("%+v", one)
	}
	if v = must(d.View(t.Context(), one.ID))(t); len(v.Communities) != 2 {
		t.Errorf("%d communities", len(v.Communities))
	}
	if err := d.SetOptions(t.Context(), one.ID, func(o *maps.Options) { o.Pages = 9 }); !errors.Is(err, ErrUsed) {
		t.Errorf("changed what was used: %v", err)
	}

	again := must(d.Again(t.Context(), one.ID))(t)
	if again = d.finish(t, again.ID); again.State != maps.Done || again.Earlier != one.ID {
		t.Fatalf("%+v", again)
	}
	v = must(d.View(t.Context(), again.ID))(t)
	if v.Earlier == nil || v.GoneAll != 0 || v.Communities[0].New != 0 || v.Communities[0].Examples[0].New {
		t.Errorf("%+v gone %d", v.Earlier, v.GoneAll)
	}

	topic, err := d.MoreLikeThis(t.Context(), again.ID, 1)
	if err != nil {
		t.Fatal(err)
	}
	if same, err := d.MoreLikeThis(t.Context(), again.ID, 1); err != nil || same != topic {
		t.Errorf("topic %d, then %d, %v", topic, same, err)
	}
	if starts, err := startpages.Ticked(t.Context(), d.st.DB, topic); err != nil || len(starts) != 10 {
		t.Errorf("%q, %v", starts, err)
	}
	if err := d.Delete(t.Context(), one.ID); err != nil {
		t.Fatal(err)
	}
	if v = must(d.View(t.Context(), again.ID))(t); v.Earlier != nil {
		t.Error("compared with a map that was deleted")
	}
}

// The paper's way holds for the map, too: the head of each page, all links, vectors of any length, names of single words.
func TestPaperMap(t *testing.T) {
	w := newWorld(t, 0)
	pages, _, _ := themed(100, 40)
	c := w.mustCrawl(t, bundle(t), pages)
	d := w.open(t)
	for _, paper := range []bool{false, true} {
		got := must(d.read(t.Context(), maps.Map{Crawl: c.ID, Options: maps.Options{Paper: paper}}))(t)
		if err := got.find(t.Context(), nil); err != nil {
			t.Fatal(err)
		}
		longest, phrases := 0, 0
		for _, p := range got.texts {
			longest = max(longest, len(p.Text))
		}
		for _, c := range got.found.Communities {
			for _, l := range c.Labels {
				if len(l.Words) > 1 || l.Text != strings.ToLower(l.Text) {
					phrases++
				}
			}
		}
		m := got.found
		if (longest <= naivebayes.PaperBytes) != paper || (m.Rule == community.EveryLink) != paper ||
			(m.Objective > float64(m.Kept)) != paper || (phrases == 0) != paper {
			t.Errorf("paper %v: %d bytes, links of rule %q, objective %v of %d pages, %d phrases", paper, longest, m.Rule, m.Objective, m.Kept, phrases)
		}
	}
}

// What is erased, or what other maps lack, is not mistaken for news.
func TestNewAndGone(t *testing.T) {
	w := newWorld(t, 0)
	pages, positive, negative := themed(120, 2)
	c, later := w.mustCrawl(t, bundle(t, positive, negative), pages[:80]), w.mustCrawl(t, bundle(t, positive, negative), pages[20:])
	d := w.open(t)
	one := must(d.NewCrawl(t.Context(), c.ID, maps.Options{Clusters: 2}))(t)
	d.finish(t, one.ID)
	two := must(maps.Add(t.Context(), d.st.DB, maps.Map{
		Source: maps.FromCrawl, Topic: later.TopicID, Crawl: later.ID, Earlier: one.ID, Step: maps.StepDrawing, State: maps.Working,
	}))(t)
	d.loop.Wake()
	d.finish(t, two.ID)
	before, now := must(maps.PagesOf(t.Context(), d.st.DB, one.ID))(t), must(maps.PagesOf(t.Context(), d.st.DB, two.ID))(t)
	has := func(pages []maps.MappedPage, url string) bool {
		return slices.ContainsFunc(pages, func(p maps.MappedPage) bool { return p.URL == url })
	}
	gone, fresh := 0, 0
	for _, p := range before {
		if p.Community >= 0 && !has(now, p.URL) {
			gone++
		}
	}
	for _, p := range now {
		if p.Community > 0 && !has(before, p.URL) {
			fresh++
		}
	}
	v := must(d.View(t.Context(), two.ID))(t)
	got := 0
	for _, c := range v.Communities {
		got += c.New
		for _, p := range c.Examples {
			if p.New == has(before, p.URL) {
				t.Errorf("new: %+v", p)
			}
		}
	}
	if v.GoneAll != gone || len(v.Gone) != gone || got != fresh || gone == 0 || fresh == 0 {
		t.Errorf("%d gone, %d new; want %d, %d", v.GoneAll, got, gone, fresh)
	}
}
