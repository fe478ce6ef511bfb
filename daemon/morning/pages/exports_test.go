package pages

import (
	"fmt"
	"net/url"
	"strings"
	"testing"

	"nightjar/crawler/fetch"
	"nightjar/crawler/warc"
	"nightjar/crawler/weburl"
	"nightjar/daemon/lab/webtest"
	"nightjar/daemon/morning/finds"
	"nightjar/daemon/night/crawls"
	"nightjar/daemon/store/storetest"
)

func TestExports(t *testing.T) {
	s := seed(t)
	page := s.Page(t, "/?state=all")
	if n := page.Find("details.export option").Length(); n != len(exportForms) {
		t.Fatalf("%d formats", n)
	}
	for _, n := range page.Find("details.export :is(input, select, button)").EachIter() {
		if n.AttrOr("form", "") != "bulk" { // which has the boxes of the finds
			t.Errorf("%s is in no form", n.AttrOr("name", "the button"))
		}
	}
	counts, err := finds.Counts(t.Context(), s.Store.DB, finds.Filter{})
	if err != nil {
		t.Fatal(err)
	}
	all := counts["all"]
	for _, tt := range []struct{ format, name, mark string }{
		{"bookmarks", "nightjar-finds-2026-11-21.html", "<DT><A HREF="}, {"csv", "nightjar-finds-2026-11-21.csv", "\r\n2026-"},
		{"json", "nightjar-finds-2026-11-21.json", `{"id":`}, {"markdown", "nightjar-finds-2026-11-21.md", "\n- ["},
		{"ris", "nightjar-finds-2026-11-21.ris", "TY  - ELEC"}, {"bibtex", "nightjar-finds-2026-11-21.bib", "@online{"},
	} {
		w := s.Get("/finds/export?state=all&format=" + tt.format)
		if got := strings.Count(w.Body.String(), tt.mark); w.Code != 200 || got != all || w.Header().Get("Content-Disposition") != `attachment; filename="`+tt.name+`"` {
			t.Errorf("%s: %d, %d of %d finds, %v", tt.format, w.Code, got, all, w.Header())
		}
		w = s.Get("/finds/export?state=all&format=" + tt.format + "&id=1&id=3&id=77")
		if got := strings.Count(w.Body.String(), tt.mark); got != 2 {
			t.Errorf("%s of two: %d", tt.format, got)
		}
		if w := s.Post("/finds/export", url.Values{"format": {tt.format}, "id": {"2"}}); w.Code != 200 || strings.Count(w.Body.String(), tt.mark) != 1 {
			t.Errorf("%s of a sent form: %d", tt.format, w.Code)
		}
	}
	for _, query := range []string{"format=csv&state=all&q=zzzzz", "format=pdf&state=all", "state=all", "format=csv&id=x", "format=json&id=99999", "format=csv&topic=99",
		"format=csv&id=" + strings.Repeat("1&id=", maxTicked+1) + "1"} {
		w := s.Get("/finds/export?" + query)
		if w.Code != 422 || w.Header().Get("Content-Disposition") != "" {
			t.Errorf("%.60s: %d", query, w.Code)
		}
	}
	if w := s.Post("/finds/export", url.Values{"format": {"csv"}}); w.Code != 422 || !strings.Contains(w.Body.String(), "tick at least one") {
		t.Errorf("nothing ticked: %d", w.Code)
	}
}

// TestExportStreams: more finds than are read at once all come, once each.
func TestExportStreams(t *testing.T) {
	s := seed(t)
	s.Exec(t, `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 450)
		INSERT INTO finds (topic_id, crawl_id, fetch_id, url, title, snippet, similarity, found_at)
		SELECT ?, ?, (SELECT min(id) FROM fetches), 'http://many.test/' || i, 'Many', '', .5, 1 FROM n`, s.Topic, s.Crawl)
	w := s.Get("/finds/export?state=all&format=json")
	for i := 1; i <= 450; i += 37 {
		if n := strings.Count(w.Body.String(), fmt.Sprintf(`"http://many.test/%d"`, i)); n != 1 {
			t.Errorf("number %d is there %d times", i, n)
		}
	}
}

// TestExportFeeds: the feeds that crawls saw on the sites of the finds, each once.
func TestExportFeeds(t *testing.T) {
	s := seed(t)
	if w := s.Get("/finds/export?state=all&format=opml"); w.Code != 422 || !strings.Contains(w.Body.String(), "no feed is known") {
		t.Errorf("without feeds: %d", w.Code)
	}
	find, _, address := s.AnyFind(t)
	host := weburl.Host(address)
	known := crawls.NewHostMemory(s.Store.DB)
	storetest.OK(t, known.Open(t.Context(), host))
	storetest.OK(t, known.PutList(t.Context(), fetch.HostList{Host: host, At: s.Now(), Files: []fetch.ListFile{{URL: "http://" + host + "/sitemap.xml"}, {URL: "http://" + host + "/feed?a&b", Site: true, Feed: true}}}))
	for _, query := range []string{"&id=" + fmt.Sprint(find), ""} {
		w := s.Get("/finds/export?state=all&format=opml" + query)
		if text := w.Body.String(); w.Code != 200 || strings.Count(text, "xmlUrl=") != 1 || !strings.Contains(text, "/feed?a&amp;b") {
			t.Errorf("%s: %d %s", query, w.Code, text)
		}
	}
}

func TestExportPages(t *testing.T) {
	s := seed(t)
	if w := s.Get("/finds/export?state=all&format=warc"); w.Code != 422 || !strings.Contains(w.Body.String(), "not archived") {
		t.Errorf("without an archive: %d", w.Code)
	}
	_, fetchID, address := s.AnyFind(t)
	at := s.MustArchive(t, webtest.Sent(t, address, "<p>kept"))
	s.Exec(t, `UPDATE fetches SET archive_file = ?, archive_offset = ? WHERE id = ?`, at.File, at.Offset, fetchID)
	w := s.Get("/finds/export?state=all&format=warc")
	if w.Code != 200 || !strings.Contains(w.Body.String(), "not archived") || !strings.Contains(w.Body.String(), "Save 1 page") {
		t.Errorf("the missing pages are not named: %d %v", w.Code, w.Header())
	}
	next := url.Values{}
	for _, n := range webtest.Tree(t, w).Find("main form input").EachIter() {
		name, _ := n.Attr("name")
		value, _ := n.Attr("value")
		next.Add(name, value)
	}
	w = s.Get("/finds/export?" + next.Encode())
	if w.Code != 200 || w.Header().Get("Content-Type") != "application/warc" {
		t.Fatalf("%d %v", w.Code, w.Header())
	}
	kinds := map[string]int{}
	for rec, err := range warc.NewReader(strings.NewReader(w.Body.String()), int64(w.Body.Len())).All() {
		if err != nil {
			t.Fatal(err)
		}
		kinds[rec.Type()]++
	}
	if kinds["response"] != 1 || kinds["warcinfo"] != 1 || kinds["metadata"] != 1 {
		t.Errorf("records %v", kinds)
	}
}
