package e2e

import (
	"bytes"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"nightjar/daemon/browse/protocol"
	"nightjar/daemon/browse/session"
	"nightjar/daemon/lab/effort"
)

// shadowHost shows pages with shadow roots, with forms that are not shown, and with words that come late, by path.
const shadowHost = "shadow.test"

// attached is a page whose script gives an element a shadow root of that mode with that content.
func attached(element, mode, html string) string {
	return fmt.Sprintf("<%s id=h>own words</%s><script>h.attachShadow({mode: %q}).innerHTML = %q</script>", element, element, mode, html)
}

// secretive are pages that ask for something secret where only the browser sees it.
var secretive = map[string]string{
	"/open":     attached("div", "open", "<input type=password>"),
	"/closed":   attached("my-login", "closed", "<form><input type=password></form>"),
	"/closed-p": attached("p", "closed", "<input autocomplete=cc-number>"),
	"/declared": "<my-login><template shadowrootmode=closed><input autocomplete=one-time-code></template></my-login>",
}

// late is what shows its words after two seconds.
const late = "<p id=p>loading</p><script>setTimeout(() => p.textContent = 'late words and own words', 2000)</script>"

// readable are pages to record, with what is to be in the text of each. That of framed is in its frame, which shows late.
var readable = map[string]struct{ html, says string }{
	"/text-open":   {attached("div", "open", "<p>open words <a href=/to-open>x</a><slot></slot>"), "open words"},
	"/text-closed": {attached("my-card", "closed", "<p>closed words <a href=/to-closed>x</a><slot></slot>"), "closed words"},
	"/late":        {late, "late words"},
	"/left":        {"<a href=/next>next</a>" + late, "late words"},
	"/framed":      {"<p>own words</p><iframe src=/inside></iframe>", "own words"},
	"/hidden":      {"<p>own words</p><dialog><form><input type=password></form></dialog><div hidden><input type=password></div>", "own words"},
}

func serveShadow(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	html := secretive[r.URL.Path] + readable[r.URL.Path].html
	if r.URL.Path == "/inside" {
		html = late
	}
	fmt.Fprintf(w, "<!DOCTYPE html><title>%s</title><h1>A page</h1>%s", r.URL.Path, html)
}

func TestShadowChromium(t *testing.T) {
	t.Parallel()
	newJob(t, "shadow-chromium", startChromium, 2).shadow()
}

func TestShadowFirefox(t *testing.T) {
	t.Parallel()
	effort.AtNight(t)
	newJob(t, "shadow-firefox", startFirefox, 2).shadow()
}

// shadow records what is read in shadow roots, and nothing of pages that ask for something secret there. A form that is not
// shown keeps no page from being recorded. What comes late is read once the page is still.
func (j *job) shadow() {
	j.t.Helper()
	j.connect()
	j.begin()
	for path := range secretive {
		j.reader.front().address("http://" + shadowHost + path)
		j.reader.seesBar("not recorded")
	}
	for path, page := range readable {
		j.reader.front().address("http://" + shadowHost + path)
		j.visited("http://"+shadowHost+path, 1)
		if strings.Contains(page.html, "loading") {
			j.reader.sees("#p", "late words")
			if path == "/left" { // at once, by a click
				j.reader.follow("http://" + shadowHost + "/next")
			}
			j.readAgain(path)
		}
		if path == "/framed" {
			j.readAgain("/inside")
		}
	}
	for path := range secretive {
		if n := j.d.number("SELECT count(*) FROM events WHERE body LIKE ?", "%"+shadowHost+path+`"%`); n != 0 {
			j.t.Errorf("%d events tell of %s", n, path)
		}
	}
	events, err := session.Read(bytes.NewReader(j.d.export(j.topic)))
	if err != nil {
		j.t.Fatal(err)
	}
	urls, last := make(map[string]string), make(map[string]protocol.Event) // by load
	for _, e := range events {
		switch e.Type {
		case protocol.Visit, protocol.Frame:
			urls[e.Page] = e.URL
		case protocol.Snapshot:
			last[e.Page] = e
		}
	}
	for load, e := range last {
		path := strings.TrimPrefix(urls[load], "http://"+shadowHost)
		page, ok := readable[path]
		if path == "/inside" {
			page, ok = readable["/late"], true
		}
		if !ok {
			continue
		}
		html, err := e.Unpack()
		if err != nil {
			j.t.Fatal(err)
		}
		for _, want := range []string{page.says, "own words"} {
			if !strings.Contains(string(html), want) {
				j.t.Errorf("%s: %q is not in %s", urls[load], want, html)
			}
		}
		if strings.Contains(page.html, "href=") != strings.Contains(string(html), "href=") {
			j.t.Errorf("%s: the link is missing in %s", urls[load], html)
		}
	}
}

// readAgain waits for the second snapshot of the page at a path.
func (j *job) readAgain(path string) {
	j.t.Helper()
	j.d.holds("the page is read again", "2", `SELECT count(*) FROM events e JOIN visits v ON v.load = e.page JOIN pages p ON p.id = v.page_id
		WHERE e.type = 'snapshot' AND p.url = ?`, "http://"+shadowHost+path)
}
