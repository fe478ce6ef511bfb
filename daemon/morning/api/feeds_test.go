package api

import (
	"encoding/json"
	"encoding/xml"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"nightjar/daemon/morning/token"
)

// feedOf reads the titles and ids of a feed.
func feedOf(t *testing.T, f *fixture, token string) (titles, ids []string) {
	t.Helper()
	w := f.get("/feeds/"+token+"/atom.xml", "")
	if w.Code != http.StatusOK || w.Header().Get("Content-Type") != "application/atom+xml; charset=utf-8" {
		t.Fatalf("%d %s", w.Code, w.Body)
	}
	var atom struct {
		Title string `xml:"title"`
		Entry []struct {
			ID    string `xml:"id"`
			Title string `xml:"title"`
		} `xml:"entry"`
	}
	if err := xml.Unmarshal(w.Body.Bytes(), &atom); err != nil {
		t.Fatal(err)
	}
	for _, e := range atom.Entry {
		titles, ids = append(titles, e.Title), append(ids, e.ID)
	}
	w = f.get("/feeds/"+token+"/feed.json", "")
	var js struct {
		Items []struct{ ID, Title string }
	}
	if err := json.Unmarshal(w.Body.Bytes(), &js); err != nil || w.Header().Get("Content-Type") != "application/feed+json; charset=utf-8" {
		t.Fatalf("%d %s", w.Code, w.Body)
	}
	for i, item := range js.Items {
		if len(js.Items) != len(ids) || item.ID != ids[i] || item.Title != titles[i] {
			t.Errorf("JSON Feed and Atom differ: %v, %v", js.Items, titles)
		}
	}
	return titles, ids
}

func TestFeeds(t *testing.T) {
	f := newFixture(t)
	titles, ids := feedOf(t, f, f.feeds)
	// Number 2 was marked Not useful.
	if want := []string{"Barrage 7", "Barrage 6", "Barrage 5", "Barrage 4", "Barrage 3", "Barrage 1"}; !slices.Equal(titles, want) {
		t.Errorf("%v", titles)
	}
	if one, _ := feedOf(t, f, f.one); !slices.Equal(one, []string{"Barrage 6", "Barrage 5", "Barrage 3"}) {
		t.Errorf("topic 1: %v", one)
	}
	if _, again := feedOf(t, f, f.feeds); !slices.Equal(ids, again) {
		t.Error("ids change")
	}
	f.Identity = "nightjar-other"
	if _, other := feedOf(t, f, f.feeds); slices.Contains(other, ids[0]) {
		t.Error("another installation has the same ids")
	}
}

func TestFeedIsConditional(t *testing.T) {
	f := newFixture(t)
	path := "/feeds/" + f.feeds + "/atom.xml"
	first := f.get(path, "")
	tag, at := first.Header().Get("ETag"), first.Header().Get("Last-Modified")
	if tag == "" || at == "" || !strings.Contains(first.Header().Get("Cache-Control"), "private") {
		t.Fatalf("%v", first.Header())
	}
	ask := func(name, value string) int {
		w := f.ask(http.MethodGet, path, func(r *http.Request) { r.Header.Set(name, value) })
		if w.Code == http.StatusNotModified && w.Body.Len() > 0 {
			t.Error("304 with a body")
		}
		return w.Code
	}
	if a, b, c := ask("If-None-Match", tag), ask("If-Modified-Since", at), ask("If-None-Match", `"other"`); a != 304 || b != 304 || c != 200 {
		t.Errorf("%d %d %d", a, b, c)
	}
	f.exec(`INSERT INTO finds (topic_id, crawl_id, fetch_id, url, title, snippet, similarity, found_at) VALUES (1, 1, 3, 'http://new.test/', 'New', '', .5, ?)`,
		f.now.Add(time.Hour).UnixMilli())
	if a, b := ask("If-None-Match", tag), ask("If-Modified-Since", at); a != 200 || b != 200 {
		t.Errorf("with a new find: %d %d", a, b)
	}
	if w := f.ask(http.MethodHead, path, nil); w.Code != 200 || w.Body.Len() > 0 || w.Header().Get("ETag") == tag {
		t.Errorf("HEAD: %d %v", w.Code, w.Header())
	}
}

func TestFeedTokens(t *testing.T) {
	f := newFixture(t)
	for path, want := range map[string]int{
		"/feeds/" + f.read + "/atom.xml": 403, "/feeds/" + f.one + "x/atom.xml": 401, "/feeds/x/feed.json": 401, "/feeds//atom.xml": 401,
		"/feeds/" + f.one: 404, "/feeds/" + f.one + "/": 404, "/feeds/" + f.one + "/rss.xml": 404, "/feeds/": 404,
		"/feeds/" + f.one + "/atom.xml/more": 404,
	} {
		if w := f.get(path, ""); w.Code != want || w.Header().Get("Content-Type") != "application/problem+json" {
			t.Errorf("%s: %d, want %d", path, w.Code, want)
		}
	}
	f.exec(`INSERT INTO topics (id, name, created_at) VALUES (3, '<b>"Empty"</b>', 1)`)
	empty := f.token(token.ScopeFeed, 3)
	if titles, _ := feedOf(t, f, empty); len(titles) > 0 {
		t.Errorf("an empty topic: %v", titles)
	}
	f.exec(`DELETE FROM topics WHERE id = 3`)
	if w := f.get("/feeds/"+empty+"/atom.xml", ""); w.Code != 401 {
		t.Errorf("after its topic: %d", w.Code)
	}
	f.exec(`DELETE FROM tokens`)
	if w := f.get("/feeds/"+f.feeds+"/atom.xml", ""); w.Code != 401 {
		t.Errorf("revoked: %d", w.Code)
	}
}

// TestHostileFinds sends hostile texts through every answer.
func TestHostileFinds(t *testing.T) {
	f := newFixture(t)
	for _, evil := range []string{`<script>alert(1)</script>`, `]]></content>`, "\x00\x1b[2J\u202e", `{"a":1}`, `=HYPERLINK("x")`, "\U000E0049gnore", `\u0000`} {
		f.exec(`UPDATE finds SET title = ?1, snippet = ?1`, evil)
		f.exec(`UPDATE fetches SET title = ?1, anchor = ?1`, evil)
		f.exec(`UPDATE reasons SET words = json_array(?1), passage = ?1, like_title = ?1`, evil)
		feedOf(t, f, f.feeds)
		for _, path := range []string{"/finds", "/finds/3/why", "/topics", "/search?q=barrage", "/crawls"} {
			w := f.get(Base+path, f.read)
			var answer any
			if err := json.Unmarshal(w.Body.Bytes(), &answer); err != nil || w.Code != 200 {
				t.Errorf("%s with %q: %d, %v", path, evil, w.Code, err)
			}
			if strings.ContainsAny(w.Body.String(), "<\x00\x1b\u202e\U000E0049") {
				t.Errorf("%s with %q: raw", path, evil)
			}
		}
	}
}
