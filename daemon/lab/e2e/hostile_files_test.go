package e2e

import (
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"nightjar/daemon/morning/api"
	"nightjar/daemon/morning/token"
	"nightjar/daemon/store"
)

// hostileFiles are the exports that hold texts of pages, with the ending under which a browser would show them if it could. Their
// addresses are templates as those of screens. Archives (backup, WARC) are shown by no browser.
var hostileFiles = map[string]string{
	"/finds/export?state=all&format=bookmarks":                                                       ".html",
	"/finds/export?state=all&format=csv":                                                             ".csv.txt",
	"/finds/export?state=all&format=json":                                                            ".json",
	"/sessions/$(SELECT uuid FROM sessions)/export":                                                  ".jsonl.txt",
	"/crawls/$(SELECT min(id) FROM crawls)/hosts.csv":                                                ".csv.txt",
	"/communities/$(SELECT min(id) FROM maps WHERE state = 'done')/report":                           ".html",
	"/explore/$(SELECT min(id) FROM groupings WHERE ontology_id IS NOT NULL)/export?format=csv":      ".csv.txt",
	"/explore/$(SELECT min(id) FROM groupings WHERE ontology_id IS NOT NULL)/export?format=json":     ".json",
	"/explore/$(SELECT min(id) FROM groupings WHERE ontology_id IS NOT NULL)/export?format=nt":       ".nt.txt",
	"/explore/ontologies/$(SELECT min(id) FROM ontologies)/export":                                   ".txt",
	"/explore/ontologies/$(SELECT min(id) FROM ontologies)/export?format=ntriples":                   ".nt.txt",
	"/explore/operators/export?format=csv&q=" + url.QueryEscape("crawl([http://linwood.test/], 1)"):  ".csv.txt",
	"/explore/operators/export?format=json&q=" + url.QueryEscape("crawl([http://linwood.test/], 1)"): ".json",
	api.Base + "/finds": ".json", api.Base + "/sessions": ".json", api.Base + "/crawls": ".json", api.Base + "/topics": ".json", api.Base + "/search?q=tidal": ".json",
}

// TestHostileFiles opens every feed and export of a database full of hostile texts as a file, where no content security policy helps: no
// dialog opens and nothing is asked for. A page without the escape shows that the test would notice.
func TestHostileFiles(t *testing.T) {
	t.Parallel()
	data := copyDemo(t)
	spoil(t, data)
	read, feeds := makeTokens(t, data)
	d := serveData(t, data, "127.0.0.1:1")
	files := map[string]string{}
	atom, jsonFeed := api.FeedPaths(feeds)
	files[atom], files[jsonFeed] = ".xml", ".json"
	for path, ending := range hostileFiles {
		files[d.fill(path)] = ending
	}
	opened, err := startBoard(t).NewTab()
	if err != nil {
		t.Fatal(err)
	}
	g := &gallery{t: t, d: d, tab: opened.(*chromiumTab), name: "hostile-files"}
	alarms := g.watch("file://")
	dir, hostileOnes := t.TempDir(), 0
	cookie := d.enter(t)
	for path, ending := range files {
		body := d.download(t, path, cookie, read)
		if strings.Contains(body, "alert(1)") {
			hostileOnes++
		}
		name := filepath.Join(dir, "file"+ending)
		if err := os.WriteFile(name, []byte(body), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := g.tab.Address("file://" + name); err != nil {
			t.Errorf("%s: %v", path, err)
		}
		for _, alarm := range alarms() {
			t.Errorf("%s: %s", path, alarm)
		}
	}
	if hostileOnes < len(files)/2 {
		t.Errorf("only %d of %d files hold hostile texts", hostileOnes, len(files))
	}
	t.Logf("%d files, %d of them with scripts in their texts", len(files), hostileOnes)
	g.canary(dir, alarms)
}

// canary opens a page without the escape, and waits for the alarms.
func (g *gallery) canary(dir string, alarms func() []string) {
	g.t.Helper()
	name := filepath.Join(dir, "canary.html")
	page := `<!doctype html><img src="http://elsewhere.example/x.png"><script>setTimeout(() => alert(1), 50)</script>`
	if err := os.WriteFile(name, []byte(page), 0o600); err != nil {
		g.t.Fatal(err)
	}
	if err := g.tab.call("Page.navigate", map[string]any{"url": "file://" + name}, nil); err != nil {
		g.t.Fatal(err)
	}
	var heard []string
	for deadline := time.Now().Add(patience); ; time.Sleep(25 * time.Millisecond) {
		heard = append(heard, alarms()...)
		if slices.Contains(heard, "a dialog: 1") && slices.Contains(heard, "a request for http://elsewhere.example/x.png") {
			break
		}
		if time.Now().After(deadline) {
			g.t.Fatalf("a page with a script and a foreign picture raised %q", heard)
		}
	}
	if err := g.tab.call("Page.handleJavaScriptDialog", map[string]any{"accept": true}, nil); err != nil {
		g.t.Error(err)
	}
}

// makeTokens adds a token for the API and one for feeds to a data folder.
func makeTokens(t *testing.T, data string) (read, feeds string) {
	t.Helper()
	st, err := store.Open(t.Context(), filepath.Join(data, "nightjar.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	k := token.NewKeeper(st, time.Now)
	if read, err = k.Make(t.Context(), "reader", token.ScopeRead, 0); err != nil {
		t.Fatal(err)
	}
	if feeds, err = k.Make(t.Context(), "feeds", token.ScopeFeed, 0); err != nil {
		t.Fatal(err)
	}
	return read, feeds
}

// fill replaces the queries between $( and ) in a path by their answers.
func (d *daemon) fill(path string) string {
	before, rest, found := strings.Cut(path, "$(")
	if !found {
		return path
	}
	depth := 1
	end := strings.IndexFunc(rest, func(r rune) bool {
		switch r {
		case '(':
			depth++
		case ')':
			depth--
		}
		return depth == 0
	})
	return before + d.text(rest[:end]) + rest[end+1:]
}

// enter spends the one-time link and returns the cookie.
func (d *daemon) enter(t *testing.T) *http.Cookie {
	t.Helper()
	res := d.ask(t, d.login, nil, "")
	defer res.Body.Close()
	if len(res.Cookies()) != 1 {
		t.Fatalf("the link gives %s", res.Status)
	}
	return res.Cookies()[0]
}

// ask gets a path, or a link, under the dashboard's name.
func (d *daemon) ask(t *testing.T, path string, cookie *http.Cookie, read string) *http.Response {
	t.Helper()
	own, err := url.Parse(d.login)
	if err != nil {
		t.Fatal(err)
	}
	to, err := own.Parse(path)
	if err != nil {
		t.Fatal(err)
	}
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, to.String(), nil)
	if err != nil {
		t.Fatal(err)
	}
	req.URL.Host, req.Host = d.addr, own.Host // the name may have no address here
	if cookie != nil {
		req.AddCookie(cookie)
		req.Header.Set("Authorization", "Bearer "+read)
	}
	res, err := http.DefaultTransport.RoundTrip(req)
	if err != nil {
		t.Fatal(err)
	}
	return res
}

// download gets a file.
func (d *daemon) download(t *testing.T, path string, cookie *http.Cookie, read string) string {
	t.Helper()
	res := d.ask(t, path, cookie, read)
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil || res.StatusCode != http.StatusOK || len(body) == 0 {
		t.Fatalf("%s: %s, %v\n%.300s", path, res.Status, err, body)
	}
	if csp := res.Header.Get("Content-Security-Policy"); !strings.Contains(csp, "default-src 'none'") || res.Header.Get("X-Content-Type-Options") != "nosniff" {
		t.Errorf("%s: the policy is %q", path, csp)
	}
	return string(body)
}
