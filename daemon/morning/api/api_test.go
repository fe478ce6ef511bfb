package api

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"nightjar/daemon/morning/finds"
	"nightjar/daemon/morning/token"
)

func TestKeysetPaging(t *testing.T) {
	f := newFixture(t)
	var ids []int64
	path := "/finds?limit=3"
	for pages := 0; pages < 10; pages++ {
		list := mustGet[FindList](f, path)
		if list.Total != 7 {
			t.Errorf("total %d", list.Total)
		}
		for _, one := range list.Finds {
			ids = append(ids, one.ID)
		}
		if list.Next == "" {
			break
		}
		if pages == 0 { // a find that comes in between shifts nothing
			f.exec(`INSERT INTO finds (id, topic_id, crawl_id, fetch_id, url, title, snippet, similarity, found_at) VALUES (8, 1, 1, 3, 'http://new.test/', '', '', .5, 1)`)
			defer f.exec(`DELETE FROM finds WHERE id = 8`)
			path = "/finds?limit=3&after=" + list.Next
			list2 := mustGet[FindList](f, path)
			f.exec(`DELETE FROM finds WHERE id = 8`)
			if len(list2.Finds) == 0 || list2.Finds[0].ID != 4 {
				t.Errorf("after a new find: %+v", list2.Finds)
			}
			continue
		}
		path = "/finds?limit=3&after=" + list.Next
	}
	if want := []int64{7, 6, 5, 4, 3, 2, 1}; !slices.Equal(ids, want) {
		t.Errorf("%v, want %v", ids, want)
	}
	sessions := mustGet[SessionList](f, "/sessions?limit=1")
	if len(sessions.Sessions) != 1 || sessions.Total != 2 || sessions.Next == "" {
		t.Fatalf("%+v", sessions)
	}
	rest := mustGet[SessionList](f, "/sessions?after="+sessions.Next)
	if len(rest.Sessions) != 1 || rest.Next != "" || rest.Sessions[0].Topic != "Tides" {
		t.Errorf("%+v", rest)
	}
	crawls := mustGet[CrawlList](f, "/crawls?limit=2")
	if len(crawls.Crawls) != 2 || crawls.Next != "2" || len(mustGet[CrawlList](f, "/crawls?after=2").Crawls) != 1 {
		t.Errorf("%+v", crawls)
	}
	hits := mustGet[HitList](f, "/search?q=barrage&limit=5")
	if len(hits.Hits) != 5 || hits.Total != 7 || hits.Next == "" {
		t.Fatalf("%d of %d hits, next %q", len(hits.Hits), hits.Total, hits.Next)
	}
	more := mustGet[HitList](f, "/search?q=barrage&limit=5&after="+hits.Next)
	if len(more.Hits) != 2 || more.Next != "" || more.Hits[0].FromTheWeb.URL == hits.Hits[4].FromTheWeb.URL {
		t.Errorf("%+v", more)
	}
	if wrong := mustGet[HitList](f, "/search?q=barage"); wrong.Total != 0 || wrong.DidYouMean != "barrage" || hits.DidYouMean != "" {
		t.Errorf("a typing error: %+v", wrong)
	}
}

// TestForecast: a crawl says what was foretold of it beside what came, in the list and by itself; one without a forecast says
// nothing.
func TestForecast(t *testing.T) {
	f := newFixture(t)
	want := Forecast{Pages: 500, Expected: 14.3, Low: 8, High: 24.4}
	for _, c := range mustGet[CrawlList](f, "/crawls").Crawls {
		one := mustGet[Crawl](f, fmt.Sprintf("/crawls/%d", c.ID))
		for _, got := range []*Forecast{c.Forecast, one.Forecast} {
			if (got != nil) != (c.ID == 2) {
				t.Errorf("crawl %d: %+v", c.ID, got)
			}
			if got == nil {
				continue
			}
			if want.Came = got.Came; *got != want || got.Came <= 0 || got.Came > float64(c.Finds) {
				t.Errorf("%+v, want %+v and some of %d finds", *got, want, c.Finds)
			}
		}
	}
}

// TestSameCounts: finds are counted in the same way everywhere.
func TestSameCounts(t *testing.T) {
	f := newFixture(t)
	want, err := finds.Counts(t.Context(), f.Reader.Store.DB, finds.Filter{})
	if err != nil {
		t.Fatal(err)
	}
	status := mustGet[Status](f, "/status")
	if status.Finds != countsOf(want) || status.Finds.All != 7 || status.Finds.Useful != 1 || status.Topics != 2 || status.Sessions != 2 || !status.Running {
		t.Errorf("%+v, want %+v", status, want)
	}
	var sum Counts
	for _, topic := range mustGet[TopicList](f, "/topics").Topics {
		sum.New, sum.Open, sum.All = sum.New+topic.Finds.New, sum.Open+topic.Finds.Open, sum.All+topic.Finds.All
		if got := mustGet[FindList](f, fmt.Sprintf("/finds?topic=%d&state=open", topic.ID)); got.Total != topic.Finds.Open || len(got.Finds) != topic.Finds.Open {
			t.Errorf("%s: %d and %d open finds, not %d", topic.Name, got.Total, len(got.Finds), topic.Finds.Open)
		}
	}
	if sum.New != status.Finds.New || sum.Open != status.Finds.Open || sum.All != status.Finds.All {
		t.Errorf("the topics' finds add up to %+v, not %+v", sum, status.Finds)
	}
}

func TestWhy(t *testing.T) {
	f := newFixture(t)
	why := mustGet[Why](f, "/finds/3/why")
	if why.Strategy != "link-value" || len(why.Trail) != 2 || why.Trail[0].FromTheWeb.URL != "http://start.test/3" || why.Trail[1].FromTheWeb.Anchor != "more" {
		t.Errorf("%+v", why)
	}
	page := why.Find.FromTheWeb
	if want := "Shares “tidal range” and “barrage” with “The Severn” (marked Useful 3 May)."; page.Reason != want {
		t.Errorf("reason %q, want %q", page.Reason, want)
	}
	if page.Snippet != "a barrage needs a tidal range" || !slices.Equal(page.Words, []string{"tidal range", "barrage"}) ||
		why.Like == nil || why.Like.FromTheWeb.URL != "http://like.test/" {
		t.Errorf("%+v, %+v", page, why.Like)
	}
}

func TestWrongRequests(t *testing.T) {
	f := newFixture(t)
	for path, part := range map[string]string{
		"/finds?state=old": "state must be one of", "/finds?topic=x": "topic must be", "/finds?topic=-1": "topic must be",
		"/finds?limit=201": "from 1 to 200", "/finds?after=x": "next", "/finds?colour=red": "colour", "/finds?limit=1&limit=2": "once",
		"/status?x=1": "none", "/search": "what to look for", "/search?q=+": "what to look for", "/search?q=a&since=yesterday": "2026-11-22",
		"/search?q=a&kind=all": "kind must be one of", "/finds?q=" + strings.Repeat("a", 201): "200 characters", "/finds?q=%ff": "UTF-8",
		"/sessions?limit=-1": "limit must be", "/crawls?after=-1": "next",
	} {
		w := f.get(Base+path, f.read)
		var p Problem
		if err := json.Unmarshal(w.Body.Bytes(), &p); err != nil || w.Code != 400 || p.Status != 400 || !strings.Contains(p.Detail, part) {
			t.Errorf("%s: %d %s, want %q", path, w.Code, w.Body, part)
		}
	}
	for _, path := range []string{"/", "/nothing", "/finds/", "/finds/x", "/finds/0", "/finds/-1", "/finds/1/2/3", "/finds/99999999999999999999", "/finds//why"} {
		if w := f.get(Base+path, f.read); w.Code != 404 || w.Header().Get("Content-Type") != "application/problem+json" {
			t.Errorf("%s: %d %s", path, w.Code, w.Header())
		}
	}
	for _, method := range []string{http.MethodPost, http.MethodPut, http.MethodDelete, http.MethodPatch, http.MethodOptions} {
		w := f.ask(method, Base+"/finds", func(r *http.Request) { r.Header.Set("Authorization", "Bearer "+f.read) })
		if w.Code != http.StatusMethodNotAllowed || w.Header().Get("Allow") != "GET, HEAD" || w.Header().Get("Access-Control-Allow-Origin") != "" {
			t.Errorf("%s: %d %v", method, w.Code, w.Header())
		}
	}
}

func TestTokensOfTheAPI(t *testing.T) {
	f := newFixture(t)
	for name, tt := range map[string]struct {
		header string
		status int
	}{
		"right": {"Bearer " + f.read, 200}, "scheme in lower case": {"bearer " + f.read, 200}, "none": {"", 401}, "basic": {"Basic " + f.read, 401},
		"bare": {f.read, 401}, "wrong": {"Bearer nightjar_0123456789abcdef_x", 401}, "of a feed": {"Bearer " + f.one, 403},
	} {
		w := f.ask(http.MethodGet, Base+"/status", func(r *http.Request) { r.Header.Set("Authorization", tt.header) })
		if w.Code != tt.status || (tt.status == 401) != (w.Header().Get("WWW-Authenticate") != "") {
			t.Errorf("%s: %d %v", name, w.Code, w.Header())
		}
	}
	if w := f.get(Base+"/status?token="+f.read, ""); w.Code != 401 {
		t.Errorf("a token in the address: %d", w.Code)
	}
	// A page of the web gets nothing, and uses up no guesses.
	for _, site := range []string{"cross-site", "same-site"} {
		for range 100 {
			w := f.ask(http.MethodGet, Base+"/status", func(r *http.Request) { r.Header.Set("Sec-Fetch-Site", site) })
			if w.Code != 403 {
				t.Fatalf("%s: %d", site, w.Code)
			}
		}
	}
	all, err := token.All(t.Context(), f.Reader.Store.DB)
	if err != nil {
		t.Fatal(err)
	}
	if err := token.Revoke(t.Context(), f.Reader.Store.DB, all[0].ID); err != nil {
		t.Fatal(err)
	}
	if w := f.get(Base+"/status", f.read); w.Code != 401 {
		t.Errorf("revoked: %d", w.Code)
	}
	last := 0
	for range 100 {
		last = f.get(Base+"/status", "nightjar_0123456789abcdef_x").Code
	}
	if last != http.StatusTooManyRequests {
		t.Errorf("after a hundred guesses: %d", last)
	}
	if w := f.get("/feeds/"+f.feeds+"/atom.xml", ""); w.Code != 200 {
		t.Errorf("another token meanwhile: %d", w.Code)
	}
}

func TestErrorsStayPrivate(t *testing.T) {
	f := newFixture(t)
	f.exec(`UPDATE fetches SET states = 'no json: /home/someone' WHERE id = 7`)
	w := f.get(Base+"/finds/3/why", f.read)
	if w.Code != 500 || strings.Contains(w.Body.String(), "someone") || strings.Contains(w.Body.String(), "json:") {
		t.Errorf("%d %s", w.Code, w.Body)
	}
}

func TestPlain(t *testing.T) {
	for in, want := range map[string]string{
		"a\n\tb\r\nc": "a b c", "x\x00\x1b[31my": "x[31my", "right\u202eto left": "rightto left", "hid\U000E0041\U000E0042den": "hidden",
		"zero\u200bwidth": "zerowidth", "\ufeffbom": "bom", "👩\u200d🚀 astronaut": "👩\u200d🚀 astronaut", "\xff\xfe": "", "می\u200cخواهم": "می\u200cخواهم",
		"<script>": "<script>", "x\ufffey": "xy",
	} {
		if got := Plain(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

// TestNextOpening: times are in UTC.
func TestNextOpening(t *testing.T) {
	f := newFixture(t)
	s, err := f.Reader.Store.Settings(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	s.Night.Enabled, s.Night.Start, s.Night.End, s.Night.Zone = true, "01:00", "06:00", "Asia/Tokyo"
	if err := f.Reader.Store.SaveSettings(t.Context(), s); err != nil {
		t.Fatal(err)
	}
	night := mustGet[Status](f, "/status").Night
	if want := time.Date(2026, 11, 22, 16, 0, 0, 0, time.UTC); !night.On || night.Open || !night.Opens.Equal(want) || !night.Closes.IsZero() {
		t.Errorf("%+v", night)
	}
}
