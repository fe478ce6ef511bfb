package pages

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"nightjar/crawler/fetch"
	"nightjar/daemon/chart"
	"nightjar/daemon/lab/webtest"
	"nightjar/daemon/learn/trainer"
	"nightjar/daemon/panorama/bookmarks"
)

const someBookmarks = `<!DOCTYPE NETSCAPE-Bookmark-file-1><DL><DT><H3>Birds</H3><DL><DT><A HREF="http://a.test/owl">&lt;b&gt;Owl</A>
<DT><A HREF="http://b.test/gull">Gull</A><DT><A HREF="http://192.168.1.1/">Router</A></DL><DT><H3>Food</H3><DL>
<DT><A HREF="http://c.test/soup">Soup</A><DT><A HREF="http://c.test/stew">Stew</A></DL></DL>`

// withBookmarks keeps a list with a text in every place, of two folders.
func (f *fixture) withBookmarks(t testing.TB, text string) {
	t.Helper()
	link := func(n int) map[string]string {
		return map[string]string{"url": fmt.Sprint("http://h.example/", n, "?q=", url.QueryEscape(chart.Shorten(90, text))), "title": "x" + text, "folder": fmt.Sprint(n, text)}
	}
	file, err := json.Marshal([]any{link(1), link(2)})
	if err != nil {
		t.Fatal(err)
	}
	list, err := bookmarks.Read(t.Context(), file)
	if err != nil {
		t.Fatal(err)
	}
	f.bookmarks.Keep(list)
}

// TestBookmarks goes the way of a person: a file, a folder, the pages, and the work.
func TestBookmarks(t *testing.T) {
	f := newFixture(t)
	if href, _ := f.Page(t, "/sessions").Find(".page-head a.button").Attr("href"); href != "/bookmarks" {
		t.Errorf("the page of sessions leads to %q", href)
	}
	if w := f.SendFile(t, "/bookmarks", nil, "bookmarks.html", []byte(someBookmarks)); w.Code != http.StatusSeeOther {
		t.Fatalf("%d %s", w.Code, w.Body)
	}
	d := f.Page(t, "/bookmarks")
	if got := webtest.Texts(d.Find(".folders li"), ", "); got != "Birds 3, Food 2, All of them 5" || d.Find("#bookmarks-choose").Length() != 0 {
		t.Errorf("folders %q", got)
	}
	d = f.Page(t, d.Find(".folders a").First().AttrOr("href", ""))
	if got := webtest.Text(d.Find(".folders [aria-current]")); got != "Birds" {
		t.Errorf("the folder %q is the current one", got)
	}
	if n := d.Find("input[name=useful][checked]").Length(); n != 2 || d.Find("input[name=useful][disabled]").Length() != 1 {
		t.Errorf("%d pages can be ticked", n)
	}
	if got := webtest.Text(d.Find("input[name=useful]").First().Closest("li")); got != "<b>Owl newhttp://a.test/owl" {
		t.Errorf("the first page says %q", got)
	}
	if d.Find("input[name=rest]").Length() != 2 || d.Find("#bookmarks-topic").AttrOr("value", "") != "Birds" {
		t.Error("nothing to compare with, or no topic")
	}
	form := url.Values{"folder": {"Birds"}, "topic": {"Seabirds"}, "useful": {"http://a.test/owl"}, "rest": {"http://c.test/stew"}}
	if to := f.MustPost(t, "/bookmarks/start", form); to != "/bookmarks" {
		t.Errorf("leads to %s", to)
	}
	d = f.Page(t, "/bookmarks")
	if got := webtest.Text(d.Find("#bookmarks-state [role=status]")); !strings.Contains(got, "Seabirds 0 of 4") || d.Find("#bookmarks-file").Length() != 1 {
		t.Errorf("the work says %q", got)
	}
	if n := f.Count(t, `SELECT value FROM settings WHERE key = 'bookmarks'`); n != 4 {
		t.Errorf("%d pages are noted as being fetched", n)
	}
	if n := f.Count(t, `SELECT count(*) FROM settings WHERE value LIKE '%test%'`); n != 0 {
		t.Error("an address of the file is kept")
	}
}

// TestBookmarksRefused: what is wrong is said beside the field.
func TestBookmarksRefused(t *testing.T) {
	f := newFixture(t)
	form := url.Values{"folder": {"Birds"}, "topic": {"Birds"}, "useful": {"http://a.test/owl"}}
	if w := f.Post("/bookmarks/start", form); w.Code != http.StatusUnprocessableEntity || !strings.Contains(w.Body.String(), "hoose the file again") {
		t.Errorf("without a list: %d", w.Code)
	}
	if w := f.SendFile(t, "/bookmarks", nil, "bookmarks.html", []byte("no address")); w.Code != http.StatusUnprocessableEntity || !strings.Contains(w.Body.String(), "o address of a web page was found") {
		t.Errorf("a file without links: %d", w.Code)
	}
	f.MustPost(t, "/bookmarks", url.Values{"links": {"http://a.test/owl\nhttp://a.test/gull"}})
	for field, wrong := range map[string]url.Values{"useful": {"topic": {"Birds"}}, "topic": {"topic": {" "}, "useful": {"http://a.test/owl"}}} {
		if w := f.Post("/bookmarks/start", wrong); w.Code != http.StatusUnprocessableEntity {
			t.Errorf("without %s: %d", field, w.Code)
		}
	}
	f.MustPost(t, "/bookmarks/forget", url.Values{})
	if f.bookmarks.List() != nil {
		t.Error("the list was not forgotten")
	}
}

// TestManyBookmarks: a folder that is too large for a session is shown in part, and says so.
func TestManyBookmarks(t *testing.T) {
	f := newFixture(t)
	var all strings.Builder
	for i := range bookmarks.MaxChosen + 7 {
		fmt.Fprintf(&all, "http://a.test/%d\n", i)
	}
	f.MustPost(t, "/bookmarks", url.Values{"links": {all.String()}})
	d := f.Page(t, "/bookmarks?folder=")
	if n := d.Find("input[name=useful]").Length(); n != bookmarks.MaxChosen || !strings.Contains(webtest.Text(d.Find("main")), "7 more links are not shown") {
		t.Errorf("%d pages", n)
	}
}

// pageWeb has a page at each address.
type pageWeb struct{}

func (pageWeb) ReadyAt(string) time.Time { return time.Time{} }
func (pageWeb) Fetch(_ context.Context, url string) fetch.Response {
	return fetch.Response{URL: url, FinalURL: url, Outcome: fetch.OK, Body: []byte("<p>Owl")}
}

// TestBookmarksLeadOn: once the topic of the bookmarks has a model, and not before, the page leads to where crawls begin.
func TestBookmarksLeadOn(t *testing.T) {
	f := newFixture(t)
	f.fetcher = pageWeb{}
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- f.bookmarks.Run(ctx) }()
	defer func() { cancel(); <-done }()
	f.MustPost(t, "/bookmarks", url.Values{"links": {"http://a.test/owl\nhttp://b.test/1\nhttp://b.test/2\nhttp://b.test/3"}})
	f.MustPost(t, "/bookmarks/start", url.Values{"topic": {"Owls"}, "useful": {"http://a.test/owl"}})
	for f.bookmarks.Status().Running {
		time.Sleep(time.Millisecond)
	}
	shows := func(when, says string, leads bool) {
		t.Helper()
		d := f.Page(t, "/bookmarks")
		if got := webtest.Text(d.Find("#bookmarks-state")); !strings.Contains(got, says) || (d.Find("#start-next[data-goto='/tonight']").Length() == 1) != leads {
			t.Errorf("%s: the page leads on: %t; it says %q", when, !leads, got)
		}
	}
	shows("stored", "Nightjar learns from it now", false)
	f.Exec(t, `INSERT INTO topics (id, name, created_at) VALUES (1, 'Owls', 1)`)
	f.Training[1] = trainer.Status{Running: true, Stage: "judge", Done: 1, Total: 2}
	shows("training", "50 %", false)
	f.Training[1] = trainer.Status{Problem: "the text is too short"}
	shows("failed", "text is too short", false)
	delete(f.Training, 1)
	f.Exec(t, `INSERT INTO models (topic_id, version, bundle, facts, created_at) VALUES (1, 1, x'00', '{}', 1)`)
	shows("learned", "Choose where to begin", true)
}
