package crawler_test

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"nightjar/crawler"
	"nightjar/crawler/frontier"
	"nightjar/crawler/strategy"
	"nightjar/model"
	"nightjar/model/naivebayes"
	"nightjar/model/text"
)

// parentsWeb is a web in which pages about hockey and about gardens link to the same page.
//
//	/ -> a, b;  a (gardens) -> x, y;  b (hockey) -> z, x;  z (gardens) -> w, v;  x (hockey) -> w
func parentsWeb() *web {
	link := func(names ...string) (all string) {
		for _, n := range names {
			all += fmt.Sprintf(`<a href="/%s">page</a> `, n)
		}
		return all
	}
	body := map[string]string{
		"": "<p>welcome</p>" + link("a", "b"), "a": "<p>garden soil</p>" + link("x", "y"), "b": "<p>hockey puck</p>" + link("z", "x"),
		"x": "<p>hockey rink</p>" + link("w"), "y": "<p>tulips</p>", "z": "<p>garden seeds</p>" + link("w", "v"), "w": "<p>rose</p>", "v": "<p>rose</p>",
	}
	w := &web{pages: map[string]string{}, asked: map[string]int{}}
	for name, text := range body {
		w.pages["parents.test/"+name] = "<html><body>" + text + "</body></html>"
	}
	return w
}

// hockeyModel tells pages about hockey from those about gardens.
func hockeyModel(t *testing.T, gaussian bool) *model.Bundle {
	t.Helper()
	set := model.TrainingSet{Topic: "Hockey"}
	var positives, negatives []text.Counts
	for i := range 12 {
		p := model.Page{URL: fmt.Sprint("https://m.test/", i), Text: "garden soil seeds tulips rose", Target: i%2 == 0}
		if p.Target {
			p.Text = "hockey puck rink"
		}
		p.Text += fmt.Sprintf(" page%c", 'a'+i)
		set.Pages = append(set.Pages, p)
		if i > 0 {
			set.Edges = append(set.Edges, [2]int{i - 1, i})
		}
	}
	b, err := model.Train(t.Context(), set, model.DefaultSettings(), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range set.Pages {
		if p.Target {
			positives = append(positives, b.Stems(p.Text))
		} else {
			negatives = append(negatives, b.Stems(p.Text))
		}
	}
	c, err := naivebayes.Train(positives, negatives, naivebayes.Options{Gaussian: gaussian, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	return b.WithBayes(c, "")
}

// TestBestParent: a link has the priority of the best page that holds it, whichever comes first; for strategies by the first
// page, it keeps that one's.
func TestBestParent(t *testing.T) {
	for name, want := range map[string]string{
		// a and b have the priority of the start page. Then x, which a put last, is raised by b, and comes before z, since it
		// was found earlier. z gives w little, but x has raised it before. y and v are worth the same.
		"naive-bayes": "/ /a /b /x<b /z<b /w<x /y<a /v<z",
		// Here x waits behind z, and for w the page z came first.
		"naive-bayes-paper": "/ /a /b /z<b /x<a /y<a /w<z /v<z",
	} {
		t.Run(name, func(t *testing.T) {
			got := parentsOrder(t, name)
			if got != want {
				t.Errorf("order %s, want %s", got, want)
			}
		})
	}
}

// TestBestParentResumes: a crawl that was interrupted after any page goes on in the same order.
func TestBestParentResumes(t *testing.T) {
	for _, name := range []string{"naive-bayes", "naive-bayes-paper"} {
		whole := parentsOrder(t, name)
		for n := 1; n < 8; n++ {
			queued := map[string]frontier.Entry{}
			r := &crawler.Resume{}
			order := crawlParents(t, name, crawler.Options{Starts: []string{"http://parents.test/"}, Budget: crawler.Budget{Pages: n}}, func(f *crawler.Fetch) {
				for _, e := range f.Queued {
					queued[e.URL] = e
					r.LastSeq = max(r.LastSeq, e.Seq)
				}
				for _, url := range f.Done {
					delete(queued, url)
				}
				r.Done, r.LastN, r.Totals = append(r.Done, f.Done...), f.N, f.Totals
				r.Steps = append(r.Steps, crawler.PastStep{N: f.N, Parent: f.ParentN, URL: f.FinalURL})
			})
			r.Queued = slices.Collect(maps.Values(queued))
			order = append(order, crawlParents(t, name, crawler.Options{Resume: r}, func(*crawler.Fetch) {})...)
			if got := strings.Join(order, " "); got != whole {
				t.Errorf("%s, interrupted after %d pages: order %s, want %s", name, n, got, whole)
			}
		}
	}
}

// parentsOrder is the order in which a strategy visits parentsWeb, with the parents of pages.
func parentsOrder(t *testing.T, name string) string {
	t.Helper()
	return strings.Join(crawlParents(t, name, crawler.Options{Starts: []string{"http://parents.test/"}}, func(*crawler.Fetch) {}), " ")
}

// crawlParents crawls parentsWeb, and lists the pages.
func crawlParents(t *testing.T, name string, o crawler.Options, told func(*crawler.Fetch)) (order []string) {
	t.Helper()
	s, err := strategy.New(context.Background(), name, hockeyModel(t, strategy.Needs(name) == strategy.Gaussian))
	if err != nil {
		t.Fatal(err)
	}
	short := func(url string) string { return strings.TrimPrefix(url, "http://parents.test") }
	o.MaxQueued = strategy.PaperQueued
	o.OnFetch = func(f *crawler.Fetch) {
		p := short(f.URL)
		if f.Depth > 1 {
			p += "<" + strings.TrimPrefix(short(f.Parent), "/")
		}
		order = append(order, p)
		told(f)
	}
	if _, err = crawler.Run(t.Context(), mustClient(t, parentsWeb()), s, o); err != nil {
		t.Fatal(err)
	}
	return order
}
