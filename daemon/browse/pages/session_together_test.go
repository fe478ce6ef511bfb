package pages

import (
	"fmt"
	"net/url"
	"strings"
	"testing"
	"time"

	"nightjar/daemon/browse/ingest"
	"nightjar/daemon/browse/protocol"
	"nightjar/daemon/browse/session"
	"nightjar/daemon/browse/session/sessiontest"
	"nightjar/daemon/browse/sessions"
	"nightjar/daemon/lab/webtest"
)

// What two browsers recorded together is one line of the list and one page, with the pages of both and the search with which
// it began; deleting it deletes both.
func TestSessionOfTwoBrowsers(t *testing.T) {
	f := newFixture(t)
	before := len(f.sessions(t))
	makers := []*sessiontest.Maker{sessiontest.NewMaker(1, f.Now().Add(-time.Hour)), sessiontest.NewMaker(2, f.Now().Add(-time.Hour))}
	var events []protocol.Event
	for i, m := range makers {
		name := []string{"Chromium on <i>Linux</i>", "Firefox on Linux"}[i]
		if err := ingest.PairBrowser(t.Context(), f.Store.DB, ingest.Browser{Client: m.Client, Name: name, Origin: "x://" + m.Client, Key: make([]byte, 32)}); err != nil {
			t.Fatal(err)
		}
		start := m.Start("Owls")
		if i == 1 {
			start.Joins = makers[0].Session
		}
		events = append(events, start)
		from := ""
		if i == 0 {
			v := m.Visit("https://www.google.com/search?q=%3Cb%3Eowl+box&hl=en", "Search", protocol.HowTyped, "")
			events, from = append(events, v), v.Page
		}
		for n := range 3 {
			events = append(events, m.Visit(fmt.Sprintf("http://owls.test/%d/%d", i, n), fmt.Sprintf("Owl %d of browser %d", n, i), protocol.HowLink, from))
		}
	}
	admitted, refused := session.AdmitAll(events)
	if in, err := sessions.Ingest(t.Context(), f.Store, admitted); err != nil || len(refused)+len(in.Refused) > 0 {
		t.Fatal(refused, in.Refused, err)
	}
	rows := f.Page(t, "/sessions").Find("#sessions tbody tr")
	if got := webtest.Text(rows.First()); rows.Length() != before+1 || !strings.Contains(got, "Chromium on <i>Linux</i>, Firefox on Linux") || !strings.Contains(got, "7") {
		t.Errorf("%d rows where %d were; the first says %q", rows.Length(), before, got)
	}
	for _, m := range makers {
		page := f.Page(t, "/sessions/"+m.Session+"?draw=1")
		if got := webtest.Text(page.Find("#browsers")); got != "Recorded together by Chromium on <i>Linux</i>, Firefox on Linux." {
			t.Errorf("the page says of the browsers %q", got)
		}
		if got := webtest.Text(page.Find("#began")); got != "Began with the search “<b>owl box” (Google)." {
			t.Errorf("the page says of the beginning %q", got)
		}
		if n := page.Find("#pages ~ .table tbody tr").Length(); n != 7 {
			t.Errorf("%d pages, want 7", n)
		}
		if file := f.Get("/sessions/" + m.Session + "/export").Body.String(); strings.Count(file, "\n") != len(events) {
			t.Errorf("the file has %d events, want %d", strings.Count(file, "\n"), len(events))
		}
	}
	path := "/sessions/" + makers[1].Session + "/delete"
	if got := webtest.Text(f.Page(t, path).Find("main")); !strings.Contains(got, "what all of them recorded") {
		t.Errorf("before deleting it says %q", got)
	}
	f.MustPost(t, path, url.Values{})
	if n := len(f.sessions(t)); n != before {
		t.Errorf("%d sessions are left, want %d", n, before)
	}
	if n := f.Count(t, "SELECT count(*) FROM pages WHERE url LIKE '%owls.test%'"); n != 0 {
		t.Errorf("%d pages are left", n)
	}
}
