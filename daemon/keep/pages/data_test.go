package pages

import (
	"archive/zip"
	"bytes"
	"database/sql"
	"io/fs"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"nightjar/daemon/lab/webtest"
)

func TestEraseSite(t *testing.T) {
	s := seed(t)
	const host = "museum-of-calder.test"
	if !strings.Contains(s.Everything(t), "://"+host) {
		t.Fatal("the session knows nothing of " + host)
	}
	others := s.Count(t, `SELECT count(*) FROM pages WHERE url NOT LIKE '%://`+host+`/%'`)
	d := s.Page(t, "/settings/erase?count=1&host="+url.QueryEscape("https://www."+host+"/x"))
	plan := webtest.Text(d.Find("main"))
	for _, want := range []string{"visited pages", "pages that crawls fetched", "start page", "the models of " + s.Web.Topic, "cannot be undone"} {
		if !strings.Contains(plan, want) {
			t.Errorf("the plan lacks %q: %s", want, plan)
		}
	}
	quick := s.Page(t, "/settings/erase?host="+host)
	if quick.Find("#plan[data-load] a").AttrOr("href", "") != "/settings/erase?count=1&host="+host || quick.Find("form button.danger").Length() != 1 {
		t.Error("the page that does not count offers no way to count, or none to erase")
	}
	s.MustPost(t, "/settings/erase", url.Values{"host": {host}, "never": {"on"}})
	for table, column := range map[string]string{"pages": "url", "fetches": "final_url", "finds": "url", "starts": "url", "frontier": "url", "events": "body"} {
		if n := s.Count(t, `SELECT count(*) FROM `+table+` WHERE `+column+` LIKE '%://`+host+`/%'`); n != 0 {
			t.Errorf("%d rows of %s left", n, table)
		}
	}
	if n := s.Count(t, `SELECT count(*) FROM models WHERE length(bundle) > 0`); n != 0 {
		t.Error("a model still knows the site")
	}
	if got := s.Count(t, `SELECT count(*) FROM pages`); got != others {
		t.Errorf("%d pages of other sites left of %d", got, others)
	}
	if len(s.Submitted) != 1 || s.Submitted[0] != s.Topic {
		t.Errorf("trained again: %v", s.Submitted)
	}
	settings, err := s.Store.Settings(t.Context())
	if err != nil || !strings.Contains(strings.Join(settings.NeverRecord, " "), host) {
		t.Errorf("never recorded: %v, %v", settings.NeverRecord, err)
	}
	if d := s.Page(t, "/settings/erase?count=1&host="+host); !strings.Contains(webtest.Text(d.Find("main")), "has no data") {
		t.Error("something is left to erase")
	}
	for _, path := range []string{"/", "/?state=all", "/sessions/" + s.Session, "/crawls/1"} {
		s.Page(t, path)
	}
}

func TestSiteHost(t *testing.T) {
	for typed, want := range map[string]string{"Example.org": "example.org", " https://www.example.org:8443/a?b#c ": "example.org",
		"sub.example.org": "sub.example.org", "http://127.0.0.1:80/": "127.0.0.1", "bücher.example": "xn--bcher-kva.example"} {
		if got, err := siteHost(typed); got != want || err != nil {
			t.Errorf("siteHost(%q) = %q, %v; want %q", typed, got, err, want)
		}
	}
	for _, bad := range []string{"", " ", "https://", "a b"} {
		if got, err := siteHost(bad); err == nil {
			t.Errorf("siteHost(%q) = %q", bad, got)
		}
	}
}

func TestEraseAll(t *testing.T) {
	s := seed(t)
	s.Exec(t, `INSERT INTO browsers (client, name, origin, key, paired_at) VALUES ('c1', 'Chromium', 'chrome-extension://a', x'00', 1)`)
	s.Exec(t, `UPDATE crawls SET status = 'running'`)
	if code := s.Post("/settings/erase-all", url.Values{"confirm": {"yes"}}).Code; code != http.StatusUnprocessableEntity {
		t.Errorf("without the words: %d", code)
	}
	s.MustPost(t, "/settings/erase-all", url.Values{"confirm": {" Erase everything "}})
	for _, table := range []string{"browsers", "topics", "sessions", "events", "contents", "pages", "visits", "marks", "models", "starts", "crawls", "fetches", "frontier", "finds", "feedback", "reasons"} {
		if n := s.Count(t, `SELECT count(*) FROM `+table); n != 0 {
			t.Errorf("%d rows of %s left", n, table)
		}
	}
	if rest := s.Everything(t); strings.Contains(rest, s.Web.Topic) || strings.Contains(rest, "compass-directory") {
		t.Error("the files still hold what was erased")
	}
	if len(s.Revoked) != 1 || len(s.Stopped) != 1 {
		t.Errorf("revoked %v, stopped %v", s.Revoked, s.Stopped)
	}
	s.Page(t, "/") // still logged in
}

func TestBackup(t *testing.T) {
	s := seed(t)
	w := s.Get("/settings/backup")
	if w.Code != http.StatusOK || w.Header().Get("Content-Disposition") != `attachment; filename="nightjar-2026-11-21.nightjar.zip"` {
		t.Fatalf("%d %v", w.Code, w.Header())
	}
	name := filepath.Join(t.TempDir(), "copy.db")
	z, err := zip.NewReader(bytes.NewReader(w.Body.Bytes()), int64(w.Body.Len()))
	if err != nil {
		t.Fatal(err)
	}
	text, err := fs.ReadFile(z, "nightjar.db")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, text, 0o600); err != nil {
		t.Fatal(err)
	}
	db, err := sql.Open("sqlite", name)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	var state string
	var events int
	if err := db.QueryRow(`PRAGMA integrity_check`).Scan(&state); err != nil || state != "ok" {
		t.Errorf("the copy is %s, %v", state, err)
	}
	if err := db.QueryRow(`SELECT count(*) FROM events`).Scan(&events); err != nil || events != s.Count(t, `SELECT count(*) FROM events`) {
		t.Errorf("%d events in the copy, %v", events, err)
	}
	left, _ := filepath.Glob(filepath.Join(filepath.Dir(s.Store.Path()), "backup-*"))
	if len(left) != 0 {
		t.Errorf("left behind: %v", left)
	}
}
