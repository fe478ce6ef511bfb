package traps_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"nightjar/crawler"
	"nightjar/crawler/fetch"
	"nightjar/crawler/page"
	"nightjar/crawler/strategy"
	"nightjar/crawler/trap"
	"nightjar/crawler/weburl"
	"nightjar/daemon/browse/session"
	"nightjar/daemon/cli/demo/demoweb"
	"nightjar/daemon/lab/effort"
	"nightjar/daemon/lab/traps"
	"nightjar/model"
	"nightjar/model/webgraph"
)

// mustShow is a page as a handler serves it, behind redirects.
func mustShow(t *testing.T, web http.Handler, url string) *page.Page {
	t.Helper()
	for range 5 {
		w := httptest.NewRecorder()
		web.ServeHTTP(w, httptest.NewRequest(http.MethodGet, url, nil))
		if to := w.Header().Get("Location"); to != "" {
			url = to
			continue
		}
		p, err := page.Parse(url, page.ContentUTF8, w.Body.Bytes())
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	t.Fatalf("%s: redirects without end", url)
	return nil
}

// mustTrain learns from the evening of a person on a made-up web.
func mustTrain(t *testing.T, web *demoweb.Web) (b *model.Bundle, start string) {
	t.Helper()
	var loads []webgraph.Load
	var at []int // the pages shown, the last one now
	for _, step := range web.Script() {
		switch step.Do {
		case demoweb.Open, demoweb.Follow:
			p := mustShow(t, web.Handler(), step.URL)
			l := webgraph.Load{ID: string(rune('A' + len(loads))), URL: p.URL, Site: weburl.Site(p.URL), Title: p.Title, Text: p.Text}
			for _, link := range p.Links {
				l.Links = append(l.Links, session.LinkOf(link))
			}
			if step.Do == demoweb.Follow {
				l.From = loads[at[len(at)-1]].ID
			} else {
				at = nil
			}
			at, loads = append(at, len(loads)), append(loads, l)
		case demoweb.Back:
			at = at[:len(at)-1]
		case demoweb.Useful:
			loads[at[len(at)-1]].Target = true
		}
	}
	b, err := model.Train(context.Background(), model.FromGraph(web.Topic, webgraph.Build(loads), time.Unix(1, 0)), model.DefaultSettings(), nil)
	if err != nil {
		t.Fatal(err)
	}
	return b, loads[0].URL
}

// harvest is a crawl by link-value of which the truth is known.
type harvest struct {
	model    *model.Bundle
	start    string
	budget   int
	relevant func(url string) bool
}

// mustCrawl returns how many pages about the topic and how many of spam came.
func (h harvest) mustCrawl(t *testing.T, web http.Handler, guard *trap.Guard) (good, spam int) {
	t.Helper()
	server := httptest.NewServer(web)
	defer server.Close()
	live := fetch.NewLive(fetch.LiveOptions{UserAgent: "Nightjar/test", Resolve: []fetch.Resolve{{Pattern: "*.test", Addr: server.Listener.Addr().String()}}})
	defer live.Close()
	s, err := strategy.New(t.Context(), "link-value", h.model)
	if err != nil {
		t.Fatal(err)
	}
	_, err = crawler.Run(t.Context(), live, s, crawler.Options{
		Starts: []string{h.start}, Budget: crawler.Budget{Pages: h.budget}, Trap: guard,
		OnFetch: func(f *crawler.Fetch) {
			if f.Response.Outcome != fetch.OK {
				return
			}
			if h.relevant(f.FinalURL) {
				good++
			}
			if traps.IsSpam(weburl.Host(f.FinalURL)) {
				spam++
			}
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	return good, spam
}

// TestSpam: a guard costs nothing where there is no spam, and with 20 % of pages that pretend to be about the topic the
// harvest is at most 10 % less. One web says little, so several count together.
func TestSpam(t *testing.T) {
	effort.Long(t)
	leaveOutRaced(t)
	var clean, guarded, spammed int
	for seed := range uint64(effort.Seeds()) {
		web := demoweb.Generate(seed + 1)
		h := harvest{budget: len(web.Pages()) * 2 / 5, relevant: web.Relevant}
		h.model, h.start = mustTrain(t, web)
		var topical []string
		for _, url := range web.RelevantPages() {
			topical = append(topical, mustShow(t, web.Handler(), url).Text)
		}
		spam := traps.NewSpam(web.Handler(), len(web.Pages()), 0.2, topical)
		guard := func() *trap.Guard { return trap.New(trap.Options{Pages: h.budget, Starts: []string{h.start}}) }
		a, _ := h.mustCrawl(t, web.Handler(), nil)
		b, _ := h.mustCrawl(t, web.Handler(), guard())
		c, taken := h.mustCrawl(t, spam, guard())
		clean, guarded, spammed = clean+a, guarded+b, spammed+c
		t.Logf("seed %d: in %d pages %d about the topic, %d with a guard; with spam %d and %d of spam", seed+1, h.budget, a, b, c, taken)
	}
	t.Logf("together: %d, %d with a guard; with spam %d", clean, guarded, spammed)
	if guarded*100 < clean*95 {
		t.Errorf("a guard costs %d of %d pages where there is no spam", clean-guarded, clean)
	}
	if spammed*10 < guarded*9 {
		t.Errorf("the harvest fell from %d to %d pages", guarded, spammed)
	}
}
