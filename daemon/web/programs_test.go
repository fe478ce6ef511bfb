package web

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"nightjar/crawler/warc"
	"nightjar/daemon/chart"
	"nightjar/daemon/lab/webtest"
	"nightjar/daemon/morning/api"
	"nightjar/daemon/morning/finds"
	"nightjar/daemon/morning/notice"
	"nightjar/daemon/morning/token"
)

// makeToken makes a token by the form and returns its text, or for a feed the path of its Atom address.
func makeToken(t *testing.T, f *fixture, form url.Values) string {
	t.Helper()
	w := f.Post("/settings/tokens", form)
	if w.Code != http.StatusOK {
		t.Fatalf("%d %s", w.Code, w.Body)
	}
	value, _ := webtest.Tree(t, w).Find("input.secret").First().Attr("value")
	if form.Get("scope") == token.ScopeRead {
		return value
	}
	u, err := url.Parse(value)
	if err != nil || u.Host != "127.0.0.1:4774" {
		t.Fatalf("address %q", value)
	}
	return u.Path
}

func TestTokensInSettings(t *testing.T) {
	s := seed(t)
	feed := makeToken(t, s.fixture, url.Values{"name": {"Reader <b>"}, "scope": {"feed"}, "topic": {fmt.Sprint(s.Topic)}})
	read := makeToken(t, s.fixture, url.Values{"name": {"script"}, "scope": {"read"}})
	for _, host := range []string{"127.0.0.1:4774", "localhost:4774", s.host} {
		if w := s.Program(host, feed, ""); w.Code != 200 || !strings.Contains(w.Body.String(), "<entry>") {
			t.Errorf("feed under %s: %d", host, w.Code)
		}
		if w := s.Program(host, "/api/v1/status", read); w.Code != 200 {
			t.Errorf("API under %s: %d", host, w.Code)
		}
	}
	for _, host := range webtest.WrongHosts(s.host) {
		if a, b := s.Program(host, feed, "").Code, s.Program(host, "/api/v1/status", read).Code; a != 421 || b != 421 {
			t.Errorf("under %q: %d, %d", host, a, b)
		}
	}
	if w := s.Program("127.0.0.1:4774", "/api/v1/finds", strings.Split(feed, "/")[2]); w.Code != 403 {
		t.Errorf("a token of a feed reads the API: %d", w.Code)
	}
	if w := s.Program("127.0.0.1:4774", "/settings", read); w.Code != 404 {
		t.Errorf("a token opens the dashboard: %d", w.Code)
	}
	if w := s.Program(s.host, "/settings", read); w.Code != 401 {
		t.Errorf("a token opens the dashboard under its own name: %d", w.Code)
	}
	page := s.Page(t, "/settings")
	if html, _ := page.Html(); strings.Contains(html, read) || strings.Contains(html, feed) {
		t.Error("a token is shown again")
	}
	part := page.Find("#programs .lines").Text()
	if !strings.Contains(part, "Reader <b>") || !strings.Contains(part, "feed of "+s.Web.Topic) || !strings.Contains(part, "reads everything") || strings.Contains(part, "never used") {
		t.Errorf("section: %s", part)
	}
	for _, n := range page.Find("#programs .lines form").EachIter() {
		action, _ := n.Attr("action")
		if where := s.MustPost(t, action, nil); where != "/settings?done=token-revoked#programs" {
			t.Errorf("to %s", where)
		}
	}
	if a, b := s.Program("127.0.0.1:4774", feed, "").Code, s.Program("127.0.0.1:4774", "/api/v1/status", read).Code; a != 401 || b != 401 {
		t.Errorf("revoked: %d, %d", a, b)
	}
	if w := s.Post("/settings/tokens/99/revoke", nil); w.Code != 404 {
		t.Errorf("no such token: %d", w.Code)
	}
	for _, form := range []url.Values{{}, {"name": {"x"}}, {"name": {""}, "scope": {"read"}}, {"name": {"x"}, "scope": {"feed"}, "topic": {"-1"}}} {
		if w := s.Post("/settings/tokens", form); w.Code != 422 {
			t.Errorf("%v: %d", form, w.Code)
		}
	}
	if w := s.Post("/settings/tokens", url.Values{"name": {"x"}, "scope": {"feed"}, "topic": {"999"}}); w.Code != 404 {
		t.Errorf("no such topic: %d", w.Code)
	}
}

// TestEraseAllEndsTokens: what everything is erased with, programs can read nothing any more.
func TestEraseAllEndsTokens(t *testing.T) {
	s := seed(t)
	read := makeToken(t, s.fixture, url.Values{"name": {"script"}, "scope": {"read"}})
	password := "correct-horse"
	if err := s.Notices.Save(t.Context(), notice.Config{}, &password); err != nil {
		t.Fatal(err)
	}
	s.MustPost(t, "/settings/erase-all", url.Values{"confirm": {"erase everything"}})
	if w := s.Program("127.0.0.1:4774", "/api/v1/status", read); w.Code != 401 {
		t.Errorf("%d", w.Code)
	}
	if strings.Contains(s.Everything(t), password) {
		t.Error("the files still hold the password")
	}
}

// TestSameNumbers: the API counts finds as the tabs of Finds do.
func TestSameNumbers(t *testing.T) {
	s := seed(t)
	read := makeToken(t, s.fixture, url.Values{"name": {"script"}, "scope": {"read"}})
	var status api.Status
	if err := json.Unmarshal(s.Program("127.0.0.1:4774", "/api/v1/status", read).Body.Bytes(), &status); err != nil {
		t.Fatal(err)
	}
	counts, err := finds.Counts(t.Context(), s.Store.DB, finds.Filter{})
	if err != nil || status.Finds.All != counts["all"] || status.Finds.Open != counts["open"] || status.Finds.All == 0 {
		t.Errorf("%+v, %v, %v", status.Finds, counts, err)
	}
	if got := s.Page(t, "/?state=all").Find("#finds-tabs [aria-current] .count").Text(); got != chart.Number(status.Finds.All) {
		t.Errorf("the tab says %s, the API %d", got, status.Finds.All)
	}
}

func TestExports(t *testing.T) {
	s := seed(t)
	page := s.Page(t, "/?state=all")
	links := page.Find("details.export a")
	if links.Length() != len(exportForms) {
		t.Fatalf("%d links", links.Length())
	}
	counts, err := finds.Counts(t.Context(), s.Store.DB, finds.Filter{})
	if err != nil {
		t.Fatal(err)
	}
	all := counts["all"]
	for _, tt := range []struct{ format, name, mark string }{
		{"bookmarks", "nightjar-finds-2026-11-21.html", "<DT><A HREF="}, {"csv", "nightjar-finds-2026-11-21.csv", "\r\n2026-"},
		{"json", "nightjar-finds-2026-11-21.json", `{"id":`},
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

func TestNoticesInSettings(t *testing.T) {
	f := newFixture(t)
	if f.Page(t, "/settings").Find(`#notices input[type=checkbox][checked]`).Length() != 0 {
		t.Error("a notice is on at first")
	}
	form := url.Values{"mail": {"on"}, "smtp_host": {"smtp.example.org"}, "smtp_port": {"587"}, "smtp_tls": {"starttls"}, "smtp_user": {"me"},
		"smtp_password": {"correct-horse"}, "smtp_from": {"me@example.org"}, "smtp_to": {"me@example.org"}}
	if where := f.MustPost(t, "/settings/notices", form); where != "/settings?done=notices-saved#notices" {
		t.Errorf("to %s", where)
	}
	page := f.Page(t, "/settings")
	if html, _ := page.Html(); strings.Contains(html, "correct-horse") {
		t.Error("the password is shown")
	}
	if host, _ := page.Find("#smtp_host").Attr("value"); host != "smtp.example.org" {
		t.Errorf("host %q", host)
	}
	form.Del("smtp_password")
	f.MustPost(t, "/settings/notices", form)
	if _, kept, err := notice.Load(t.Context(), f.Store); !kept || err != nil {
		t.Errorf("an empty field deleted the password: %v", err)
	}
	form.Set("smtp_host", "a b")
	w := f.Post("/settings/notices", form)
	if host, _ := webtest.Tree(t, w).Find("#smtp_host[aria-invalid]").Attr("value"); w.Code != 422 || host != "a b" {
		t.Errorf("a wrong host: %d, %q", w.Code, host)
	}
	form.Set("smtp_host", "smtp.example.org")
	form.Set("smtp_forget", "on")
	f.MustPost(t, "/settings/notices", form)
	if _, kept, _ := notice.Load(t.Context(), f.Store); kept {
		t.Error("the password was not forgotten")
	}
	if w := f.Post("/settings/notices", nil); w.Code != http.StatusSeeOther {
		t.Errorf("all off: %d", w.Code)
	}
	if w := f.Post("/settings/notices/test", nil); w.Code != 422 || !strings.Contains(w.Body.String(), "switched on") {
		t.Errorf("a test of nothing: %d", w.Code)
	}
}
