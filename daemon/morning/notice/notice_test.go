package notice

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"mime"
	"mime/quotedprintable"
	"net"
	netmail "net/mail"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"nightjar/daemon/keep/erasing"
	"nightjar/daemon/morning/finds"
	"nightjar/daemon/night/crawls"
	"nightjar/daemon/store"
	"nightjar/daemon/store/storetest"
)

func TestOf(t *testing.T) {
	for _, tt := range []struct {
		counts []finds.TopicCount
		want   Text
	}{
		{[]finds.TopicCount{{Topic: "Tides", Finds: 1}}, Text{"1 new find", "Tides: 1"}},
		{[]finds.TopicCount{{Topic: "Tides", Finds: 5}, {Topic: "Harbours", Finds: 2}}, Text{"7 new finds", "Tides: 5, Harbours: 2"}},
		{[]finds.TopicCount{{Topic: "a\r\nBcc: x@y", Finds: 2}}, Text{"2 new finds", "a Bcc: x@y: 2"}},
		{[]finds.TopicCount{{Topic: "a", Finds: 1}, {Topic: "b", Finds: 1}, {Topic: "c", Finds: 1}, {Topic: "d", Finds: 1}, {Topic: "e", Finds: 1}, {Topic: "f", Finds: 1}, {Topic: "g", Finds: 1}}, Text{"7 new finds", "a: 1, b: 1, c: 1, d: 1, e: 1, and 2 more topics"}},
	} {
		if got := Of(tt.counts); got != tt.want {
			t.Errorf("%v: %+v, want %+v", tt.counts, got, tt.want)
		}
	}
}

// fakeNotifier puts a notify-send on PATH that writes its arguments to a file, one a line, and ends with a code.
func fakeNotifier(t *testing.T, code int) (written func() []string) {
	t.Helper()
	if runtime.GOOS != "linux" {
		t.Skip("the notifier of Linux")
	}
	dir := t.TempDir()
	file := filepath.Join(dir, "args")
	script := fmt.Sprintf("#!/bin/sh\nfor a in \"$@\"; do printf '%%s\\n' \"$a\"; done >> %q\necho no server >&2\nexit %d\n", file, code)
	if err := os.WriteFile(filepath.Join(dir, "notify-send"), []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir+":/usr/bin:/bin")
	return func() []string {
		text, err := os.ReadFile(file)
		if err != nil {
			return nil
		}
		return strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
	}
}

// TestDesktop: the texts are arguments, whatever a shell or the markup of a notice would read into them.
func TestDesktop(t *testing.T) {
	written := fakeNotifier(t, 0)
	dir := t.TempDir()
	evil := "$(touch " + dir + "/ran) `touch " + dir + "/ran`; <b>x</b> & --urgency=critical"
	if err := Desktop(t.Context(), Text{"--icon=x", evil}); err != nil {
		t.Fatal(err)
	}
	got := written()
	want := []string{"--app-name=Nightjar", "--", "Nightjar: --icon=x", strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;").Replace(evil)}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("%q, want %q", got, want)
	}
	if left, _ := os.ReadDir(dir); len(left) > 0 {
		t.Error("a shell read the text")
	}
}

func TestDesktopFails(t *testing.T) {
	fakeNotifier(t, 3)
	err := Desktop(t.Context(), Text{"a", "b"})
	if f, ok := errors.AsType[*Failure](err); !ok || !strings.Contains(f.Problem, "no server") || !strings.Contains(f.Fix, "libnotify") {
		t.Errorf("%v", err)
	}
	t.Setenv("PATH", t.TempDir())
	err = Desktop(t.Context(), Text{"a", "b"})
	if f, ok := errors.AsType[*Failure](err); !ok || !strings.Contains(f.Problem, "not found") || f.Fix == "" {
		t.Errorf("without notify-send: %v", err)
	}
}

// TestOtherSystems: on each system the texts are data of the command, never part of a program.
func TestOtherSystems(t *testing.T) {
	text := Text{`"; do shell script "x`, `$(x) ' </text>`}
	mac := notifierOf("darwin", text)
	if mac.name != "osascript" || mac.args[len(mac.args)-2] != text.Title || mac.args[len(mac.args)-1] != text.Body || mac.args[len(mac.args)-3] != "--" {
		t.Errorf("%+v", mac)
	}
	windows := notifierOf("windows", text)
	if strings.Contains(strings.Join(windows.args, " "), "shell script") || len(windows.env) != 2 || !strings.HasSuffix(windows.env[0], text.Title) {
		t.Errorf("%+v", windows)
	}
}

func TestMail(t *testing.T) {
	for name, change := range map[string]func(*smtpServer){
		"starttls": nil, "tls": func(s *smtpServer) { s.direct = true }, "on this computer": func(s *smtpServer) { s.plain = true },
		"with a login":          func(s *smtpServer) { s.password = "p4ss" },
		"login, this computer":  func(s *smtpServer) { s.password, s.plain = "p4ss", true },
		"login, tls throughout": func(s *smtpServer) { s.password, s.direct = "p4ss", true },
	} {
		s := newSMTP(t, change)
		if err := mailWith(t.Context(), s.config(), s.password, Text{"7 new finds", "Tiden–Übersicht: 7"}, s.trusted); err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		all := s.got()
		if len(all) != 1 || all[0].encrypted == s.plain || (s.password != "") != (all[0].user == "me") ||
			!strings.Contains(all[0].from, "<me@example.org>") || !strings.Contains(all[0].to, "<you@example.org>") {
			t.Errorf("%s: %+v", name, all)
			continue
		}
		m, err := netmail.ReadMessage(strings.NewReader(all[0].data))
		if err != nil {
			t.Fatal(err)
		}
		subject, err := new(mime.WordDecoder).DecodeHeader(m.Header.Get("Subject"))
		if err != nil || subject != "Nightjar: 7 new finds" || m.Header.Get("Date") == "" || m.Header.Get("Message-Id") == "" {
			t.Errorf("%s: header %v", name, m.Header)
		}
		body, err := io.ReadAll(quotedprintable.NewReader(m.Body))
		if err != nil || !strings.Contains(string(body), "Tiden–Übersicht: 7") || !strings.Contains(string(body), "nightjar open") {
			t.Errorf("%s: %s %v", name, body, err)
		}
	}
}

// TestMailFails: each failure has its fix, and no answer names the password.
func TestMailFails(t *testing.T) {
	login := newSMTP(t, func(s *smtpServer) { s.password = "p4ss" })
	plain := newSMTP(t, func(s *smtpServer) { s.plain = true })
	closed, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	closed.Close()
	with := func(c SMTP, change func(*SMTP)) SMTP { change(&c); return c }
	for name, tt := range map[string]struct {
		config SMTP
		fix    string
	}{
		"wrong password":     {login.config(), "user and password"},
		"no login":           {with(login.config(), func(c *SMTP) { c.User = "" }), "user and password"},
		"nobody listens":     {with(login.config(), func(c *SMTP) { c.Port = closed.Addr().(*net.TCPAddr).Port }), "587"},
		"no such name":       {with(login.config(), func(c *SMTP) { c.Host = "nothing.invalid" }), "name of the mail server"},
		"another name":       {with(login.config(), func(c *SMTP) { c.Host = "localhost" }), "certificate"},
		"no TLS is offered":  {with(plain.config(), func(c *SMTP) { c.TLS = StartTLS }), "encryption"},
		"not a mail address": {with(login.config(), func(c *SMTP) { c.To = "x\r\nBcc: y@z" }), "addresses"},
	} {
		err := mailWith(t.Context(), tt.config, "s3cret", Text{"a", "b"}, login.trusted)
		f, ok := errors.AsType[*Failure](err)
		if !ok || !strings.Contains(f.Fix, tt.fix) || strings.Contains(f.Error(), "s3cret") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if len(login.got())+len(plain.got()) > 0 {
		t.Error("mails were taken")
	}
}

func TestValidate(t *testing.T) {
	good := Config{Mail: true, SMTP: SMTP{Host: "smtp.example.org", Port: 587, TLS: StartTLS, From: "me@example.org", To: "me@example.org"}}
	if wrong := good.Validate(); len(wrong) > 0 {
		t.Errorf("%v", wrong)
	}
	for field, change := range map[string]func(*SMTP){
		"smtp_host": func(s *SMTP) { s.Host = "http://x/" }, "smtp_port": func(s *SMTP) { s.Port = 0 }, "smtp_tls": func(s *SMTP) { s.TLS = NoTLS },
		"smtp_from": func(s *SMTP) { s.From = "Me <me@example.org>" }, "smtp_to": func(s *SMTP) { s.To = "a@b\nBcc: c@d" },
	} {
		bad := good
		change(&bad.SMTP)
		if wrong := bad.Validate(); len(wrong) != 1 || wrong[0].Field != field {
			t.Errorf("%s: %v", field, wrong)
		}
		bad.Mail = false
		if wrong := bad.Validate(); len(wrong) > 0 {
			t.Errorf("%s without mail: %v", field, wrong)
		}
	}
}

// world is a store with a topic, and a runner that writes down what it sends.
type world struct {
	*Runner
	t    *testing.T
	now  time.Time
	sent []string
	fail error
	db   *sql.DB
	n    int // finds so far
}

func newWorld(t *testing.T) *world {
	t.Helper()
	path := storetest.Path(t)
	st, err := store.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { st.Close() })
	db, err := sql.Open("sqlite", store.FileURL(path)+"?_pragma=busy_timeout(5000)")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	w := &world{t: t, db: db, now: time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)}
	clock := func() time.Time { return w.now }
	st.Now = clock
	w.Runner = &Runner{Store: st, Log: slog.New(slog.DiscardHandler), Now: clock,
		Desktop: func(_ context.Context, t Text) error { return w.note("desktop", t) },
		Mail:    func(_ context.Context, _ SMTP, password string, t Text) error { return w.note("mail "+password, t) }}
	return w
}

func (w *world) note(how string, t Text) error {
	w.sent = append(w.sent, how+": "+t.Title+" ("+t.Body+")")
	return w.fail
}

// look looks once and returns what was sent meanwhile.
func (w *world) look() string {
	w.t.Helper()
	w.sent = nil
	if err := w.Look(w.t.Context()); err != nil {
		w.t.Fatal(err)
	}
	return strings.Join(w.sent, "; ")
}

func (w *world) exec(text string, args ...any) {
	w.t.Helper()
	if _, err := w.db.Exec(text, args...); err != nil {
		w.t.Fatalf("%s: %v", text, err)
	}
}

// crawl adds a crawl by hand with some finds; a status but "ended" leaves it open.
func (w *world) crawl(status string, finds int) {
	w.t.Helper()
	w.exec(`INSERT OR IGNORE INTO topics (id, name, created_at) VALUES (1, 'Tides', 0)`)
	w.exec(`INSERT OR IGNORE INTO models (id, topic_id, version, bundle, facts, created_at) VALUES (1, 1, 1, x'', '{}', 0)`)
	w.exec(`INSERT INTO crawls (topic_id, model_id, strategy, options, status, created_at) VALUES (1, 1, 'hmm', '{}', ?, ?)`, status, w.now.UnixMilli())
	for range finds {
		w.n++
		url := fmt.Sprintf("http://a.test/%d", w.n)
		w.exec(`INSERT INTO fetches (id, crawl_id, n, url, final_url, host, outcome, at)
			VALUES (?1, (SELECT max(id) FROM crawls), ?1, ?2, ?2, 'a.test', 'ok', 0)`, w.n, url)
		w.exec(`INSERT INTO finds (topic_id, crawl_id, fetch_id, url, title, snippet, similarity, found_at)
			VALUES (1, (SELECT max(id) FROM crawls), ?1, ?2, 'T', '', .9, 0)`, w.n, url)
	}
}

func (w *world) save(c Config) {
	w.t.Helper()
	password := "pw"
	if err := w.Save(w.t.Context(), c, &password); err != nil {
		w.t.Fatal(err)
	}
}

var both = Config{Desktop: true, Mail: true}

func TestOffAtFirst(t *testing.T) {
	w := newWorld(t)
	w.crawl("ended", 3)
	if got := w.look(); got != "" {
		t.Errorf("sent %s", got)
	}
}

// TestOnceWhenItEnded: a crawl that ended is told once, and nothing when it found nothing.
func TestOnceWhenItEnded(t *testing.T) {
	w := newWorld(t)
	w.crawl("ended", 3)
	w.save(both)
	if got := w.look(); got != "" {
		t.Errorf("finds of before were told: %s", got)
	}
	w.crawl("running", 2)
	if got := w.look(); got != "" {
		t.Errorf("told while a crawl runs: %s", got)
	}
	w.exec(`UPDATE crawls SET status = 'ended'`)
	if got, want := w.look(), "desktop: 2 new finds (Tides: 2); mail pw: 2 new finds (Tides: 2)"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	w.crawl("ended", 0)
	if got := w.look(); got != "" {
		t.Errorf("told again: %s", got)
	}
	// What the person has marked meanwhile is not new.
	w.crawl("ended", 2)
	w.exec(`INSERT INTO feedback (find_id, mark, at) SELECT max(id), 'useful', 0 FROM finds`)
	w.save(Config{Desktop: true})
	if got, want := w.look(), "desktop: 1 new find (Tides: 1)"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestNotBeforeTheMorning: while the window is open the night is not over, even if all its crawls have ended. A crawl that
// the person paused keeps nothing back, nor does one that waits for the next night.
func TestNotBeforeTheMorning(t *testing.T) {
	w := newWorld(t)
	s, err := w.Store.Settings(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	s.Night.Enabled, s.Night.Start, s.Night.End, s.Night.Zone = true, "01:00", "06:00", "UTC"
	if err := w.Store.SaveSettings(t.Context(), s); err != nil {
		t.Fatal(err)
	}
	w.save(Config{Desktop: true})
	w.now = time.Date(2026, 11, 23, 3, 0, 0, 0, time.UTC)
	w.crawl("ended", 1)
	w.crawl("waiting", 0)
	w.exec(`UPDATE crawls SET paused = ? WHERE status = 'waiting'`, crawls.PausedByYou)
	w.crawl("waiting", 0)
	w.exec(`UPDATE crawls SET paused = ?, options = '{"nightly": true}' WHERE status = 'waiting' AND paused = ''`, crawls.OpensAt("01:00"))
	if got := w.look(); got != "" {
		t.Errorf("at three: %s", got)
	}
	w.now = time.Date(2026, 11, 23, 6, 0, 0, 0, time.UTC)
	if got, want := w.look(), "desktop: 1 new find (Tides: 1)"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestTriesAgain: a failure is kept with its fix and tried again a few times.
func TestTriesAgain(t *testing.T) {
	w := newWorld(t)
	w.save(Config{Mail: true})
	w.crawl("ended", 1)
	w.fail = &Failure{"no route", "go online"}
	tries := 0
	for range 200 {
		if w.look() != "" {
			tries++
		}
		w.now = w.now.Add(time.Minute)
	}
	if tries != len(waits)+1 {
		t.Errorf("%d tries", tries)
	}
	sent, err := LoadSent(t.Context(), w.Store)
	if err != nil || sent.Mail.Problem != "no route" || sent.Mail.Fix != "go online" {
		t.Errorf("%+v, %v", sent, err)
	}
	w.fail = nil
	w.crawl("ended", 1)
	if got, want := w.look(), "mail pw: 1 new find (Tides: 1)"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if sent, err = LoadSent(t.Context(), w.Store); err != nil || sent.Mail.Problem != "" || !sent.Mail.At.Equal(w.now) {
		t.Errorf("%+v, %v", sent, err)
	}
}

func TestTest(t *testing.T) {
	w := newWorld(t)
	if err := w.Test(t.Context()); err == nil {
		t.Error("a test of nothing")
	}
	w.save(both)
	if err := w.Test(t.Context()); err != nil || len(w.sent) != 2 {
		t.Errorf("%v, %v", w.sent, err)
	}
	w.fail = &Failure{"p", "f"}
	if err := w.Test(t.Context()); err == nil {
		t.Error("the failure is not passed on")
	}
	if sent, _ := LoadSent(t.Context(), w.Store); sent.Desktop.Problem != "p" || sent.Mail.Fix != "f" {
		t.Errorf("%+v", sent)
	}
}

func TestPassword(t *testing.T) {
	w := newWorld(t)
	w.save(both)
	if err := w.Save(t.Context(), both, nil); err != nil {
		t.Fatal(err)
	}
	if _, has, err := Load(t.Context(), w.Store); !has || err != nil {
		t.Errorf("the password was not kept: %v", err)
	}
	if err := erasing.All(t.Context(), w.Store); err != nil {
		t.Fatal(err)
	}
	if c, has, err := Load(t.Context(), w.Store); has || c.Mail || c.Desktop || err != nil {
		t.Errorf("after erasing everything: %+v, %v", c, err)
	}
}
