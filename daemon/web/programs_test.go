package web

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

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
	for _, n := range page.Find("#programs .lines form[action$=revoke]").EachIter() {
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
