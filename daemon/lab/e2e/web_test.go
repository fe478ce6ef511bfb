package e2e

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"nightjar/daemon/browse/protocol"
	"nightjar/daemon/browse/session"
	"nightjar/daemon/cli/demo/demoweb"
	"nightjar/daemon/cli/demo/surfer"
	"nightjar/model/webgraph"
)

// secretHost shows a page that asks for a password.
const secretHost = "members.test"

// serveWeb serves the made-up web, and a page that asks for a password, on a port of their own.
func serveWeb(t *testing.T, web *demoweb.Web) (addr string) {
	t.Helper()
	sites := web.Handler()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch host, _, _ := strings.Cut(r.Host, ":"); host {
		case secretHost:
		case layoutHost:
			serveLayout(w, r)
			return
		case shadowHost:
			serveShadow(w, r)
			return
		case papersHost:
			servePapers(w, r)
			return
		default:
			sites.ServeHTTP(w, r)
			return
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, `<!DOCTYPE html><title>Members only</title><h1>Sign in</h1><form>`+
			`<label>Name <input name="name"></label><label>Password <input type="password" name="password"></label></form>`)
	}))
	t.Cleanup(server.Close)
	return server.Listener.Addr().String()
}

// final is where a URL of the made-up web leads after its redirects.
func final(web *demoweb.Web, url string) string {
	for {
		answer := httptest.NewRecorder()
		web.Handler().ServeHTTP(answer, httptest.NewRequest(http.MethodHead, url, nil))
		to := answer.Header().Get("Location")
		if to == "" {
			return url
		}
		url = to
	}
}

// get is the page that a URL of the made-up web shows, redirects followed.
func get(web *demoweb.Web, url string) surfer.Document {
	answer := httptest.NewRecorder()
	url = final(web, url)
	web.Handler().ServeHTTP(answer, httptest.NewRequest(http.MethodGet, url, nil))
	return surfer.Document{URL: url, HTML: answer.Body.Bytes()}
}

// simulate is what the web's script records when no browser is involved.
func simulate(t *testing.T, web *demoweb.Web) (events []protocol.Event) {
	t.Helper()
	rng := rand.New(rand.NewPCG(web.Seed, 1))
	s := surfer.New(surfer.Options{
		Client: surfer.NewClient(rng), Topic: web.Topic, Start: time.Unix(1_800_000_000, 0), Rand: rng,
		Load: func(_ context.Context, url string) (surfer.Document, error) { return get(web, url), nil },
		Emit: func(e protocol.Event) error { events = append(events, e); return nil },
	})
	if err := demoweb.Play(t.Context(), s, web.Script(), nil); err != nil {
		t.Fatal(err)
	}
	return events
}

// graphOf is the web graph of a recorded session, a line a page and a line a link.
func graphOf(t *testing.T, events []protocol.Event) (lines []string) {
	t.Helper()
	sessions, err := session.Fold(events)
	if err != nil || len(sessions) != 1 {
		t.Fatalf("%d sessions, want 1: %v", len(sessions), err)
	}
	g := webgraph.Build(sessions[0].Loads())
	for _, p := range g.Pages {
		lines = append(lines, fmt.Sprintf("%s, %d bytes of text, useful: %t", p.URL, len(p.Text), p.Target))
	}
	for _, e := range g.Edges {
		lines = append(lines, g.Pages[e[0]].URL+" -> "+g.Pages[e[1]].URL)
	}
	slices.Sort(lines)
	return lines
}
