package e2e

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"io"
	"log/slog"
	"net"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"nightjar/daemon/store"
	"nightjar/daemon/web"
)

// rebindScript asks for every path in every way that a page can, and tells what it got.
//
//go:embed testdata/rebind.js
var rebindScript string

// rebinder is the server of a hostile site whose name is made to lead to the daemon once its page was loaded: it serves the page
// itself and passes everything else on to the daemon, byte for byte, as the browser would reach the daemon by the
// same name after a second look at the DNS.
type rebinder struct {
	net.Listener
	to string

	mu       sync.Mutex
	asked    []string // first lines of requests that were passed on
	answered []string // first lines of the daemon's answers
}

func startRebinder(t *testing.T, to string) *rebinder {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	r := &rebinder{Listener: l, to: to}
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			go r.serve(conn)
		}
	}()
	return r
}

func (r *rebinder) serve(conn net.Conn) {
	defer conn.Close()
	var head []byte
	for buf := make([]byte, 4096); !bytes.Contains(head, []byte("\r\n\r\n")); {
		n, err := conn.Read(buf)
		if head = append(head, buf[:n]...); err != nil {
			return
		}
	}
	first, _, _ := strings.Cut(string(head), "\r\n")
	if strings.Contains(first, " /attack ") {
		page := "<!doctype html><title>A hostile site</title><body>"
		_, _ = io.WriteString(conn, "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nConnection: close\r\n\r\n"+page)
		return
	}
	daemon, err := net.Dial("tcp", r.to)
	if err != nil {
		return
	}
	defer daemon.Close()
	go func() {
		_, _ = io.Copy(daemon, io.MultiReader(bytes.NewReader(head), conn)) // ends with the connections
	}()
	var answer bytes.Buffer
	_, _ = io.Copy(io.MultiWriter(conn, &answer), daemon) // until the daemon closes
	r.mu.Lock()
	defer r.mu.Unlock()
	r.asked = append(r.asked, first)
	for _, line := range regexp.MustCompile(`(?m)^HTTP/1\.[01] .*$`).FindAllString(answer.String(), -1) {
		r.answered = append(r.answered, strings.TrimSpace(line))
	}
}

// TestRebinding: a page whose name was made to lead to the daemon gets nothing from any route, in whatever way it asks.
func TestRebinding(t *testing.T) {
	t.Parallel()
	d := startDaemon(t, "127.0.0.1:1")
	r := startRebinder(t, d.addr)
	profile := profileDir(t)
	cmd := chromiumCommand(needChromium(t), profile, "--host-resolver-rules=MAP evil.example "+r.Addr().String())
	startProcess(t, cmd)
	w, err := dialChromium(profile)
	if err != nil {
		t.Fatal(err)
	}
	opened, err := (&chromium{wire: w}).NewTab()
	if err != nil {
		t.Fatal(err)
	}
	tab := opened.(*chromiumTab)
	_, port, _ := net.SplitHostPort(d.addr)
	if err := tab.Address("http://evil.example:" + port + "/attack"); err != nil {
		t.Fatal(err)
	}
	spellings, routes := everyRoute(t)
	read := 0
	for len(routes) > 0 {
		n := min(20, len(routes)) // in parts, so that each ends in time on a busy machine
		more := min(8, len(spellings))
		read += attack(t, tab, append(routes[:n:n], spellings[:more]...), append(spellings[:more:more], routes[0]))
		routes, spellings = routes[n:], spellings[more:]
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	for i, line := range r.answered {
		if line != "HTTP/1.1 421 Misdirected Request" {
			t.Errorf("answer %d: %s; asked: %q", i, line, r.asked)
			break
		}
	}
	if read == 0 || len(r.answered) < read || len(r.answered) < len(r.asked) || len(spellings) > 0 {
		t.Errorf("%d requests were passed on, %d answered, %d read; never tried %q", len(r.asked), len(r.answered), read, spellings)
	}
	for _, want := range []string{"GET /ws ", "GET //ws ", "POST /login ", "GET /control/login ", "GET /api/v1/finds ", "GET /feeds/x/atom.xml ", "GET /events "} {
		if !strings.Contains(strings.Join(r.asked, "\n"), want) {
			t.Errorf("never asked: %s", want)
		}
	}
	t.Logf("%d requests, all answered 421", len(r.asked))
}

// attack has the page ask for all paths by script, and for some in every way, and returns how many answers the script could read.
func attack(t *testing.T, tab *chromiumTab, all, some []string) (read int) {
	t.Helper()
	paths, err := json.Marshal([][]string{all, some})
	if err != nil {
		t.Fatal(err)
	}
	var got struct {
		Own      int            // status of the site's own page: the script can ask and read
		Statuses map[string]int // how often each status was read, by fetch
		Opened   []string       // what was opened or run though it should not
	}
	if err := tab.Run("("+rebindScript+")(..."+string(paths)+")", &got); err != nil {
		t.Fatal(err)
	}
	if got.Own != 200 {
		t.Errorf("the site's own page: %d; the test shows nothing", got.Own)
	}
	if len(got.Opened) > 0 || len(got.Statuses) != 1 {
		t.Errorf("a page of another name opened %q and read %v", got.Opened, got.Statuses)
	}
	return got.Statuses["421"]
}

// everyRoute has a path for each page of the daemon, and others, also in other spellings.
func everyRoute(t *testing.T) (spellings, routes []string) {
	t.Helper()
	st, err := store.Open(t.Context(), filepath.Join(t.TempDir(), "nightjar.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	s, err := web.New(t.Context(), web.Deps{Store: st, Log: slog.New(slog.DiscardHandler), Listen: "127.0.0.1:0", Wings: wings, Now: time.Now})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	spellings = []string{"/ws", "//ws", "/./ws", "/%2e/ws", "/ws/", "/%77s", "//", "/control/login", "/control/open", "//control/login", "/control/read?path=/finds",
		"/api/v1/status", "/api/v1/finds", "//api/v1/finds", "/api/v1/openapi.json", "/feeds/x/atom.xml", "/feeds/x/feed.json", "/login", "/events", "/logout", "/nowhere"}
	for _, pattern := range s.Pages() {
		routes = append(routes, regexp.MustCompile(`\{[a-z]+\}`).ReplaceAllString(pattern, "1"))
	}
	return spellings, routes
}
