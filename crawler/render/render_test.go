package render

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"go.uber.org/goleak"
	"time"

	"github.com/google/go-cmp/cmp"

	"nightjar/crawler"
	"nightjar/crawler/fetch"
)

var _ crawler.Renderer = (*Renderer)(nil)

func TestMain(m *testing.M) {
	sandboxed = os.Getenv("CI") == "" // runners are thrown away, and many allow no sandbox
	goleak.VerifyTestMain(m)          // no goroutine is left when the tests have ended
}

// site is a real server for *.test that remembers what it was asked for.
type site struct {
	*httptest.Server
	mu    sync.Mutex
	asked []string
}

// file is what a site answers with.
type file struct{ contentType, body string }

func mustSite(t *testing.T, files map[string]file) *site {
	t.Helper()
	s := &site{}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		s.asked = append(s.asked, r.Method+" "+r.Host+r.RequestURI)
		s.mu.Unlock()
		for _, name := range []string{"Cookie", "Referer", "Authorization", "Origin"} {
			if v := r.Header.Get(name); v != "" {
				t.Errorf("%s %s: %s", r.URL, name, v)
			}
		}
		f, ok := files[r.Host+r.URL.Path]
		switch {
		case !ok:
			http.NotFound(w, r)
		case f.contentType == "stall":
			<-r.Context().Done()
		case f.contentType == "to":
			http.Redirect(w, r, f.body, http.StatusFound)
		default:
			w.Header().Set("Content-Type", f.contentType)
			w.Header().Set("Set-Cookie", "id=1")
			io.WriteString(w, f.body)
		}
	}))
	t.Cleanup(s.Close)
	return s
}

// mustRenderer renders pages of the site. Without a browser the test is left out, or fails when CI is set.
func mustRenderer(t *testing.T, s *site, o Options) *Renderer {
	t.Helper()
	if testing.Short() {
		t.Skip("left out by -short")
	}
	live := fetch.NewLive(fetch.LiveOptions{UserAgent: "Nightjar/1.0", Resolve: []fetch.Resolve{
		{Pattern: "*.test", Addr: s.Listener.Addr().String()}, {Pattern: "*.a.example", Addr: s.Listener.Addr().String()},
	}})
	t.Cleanup(func() { live.Close() })
	r, err := New(live, o)
	if err != nil {
		message := fmt.Sprintf("!!! %v: the test of rendering is left out", err)
		if os.Getenv("CI") != "" {
			t.Fatal(message)
		}
		fmt.Fprintln(os.Stderr, message)
		t.Skip(message)
	}
	t.Cleanup(func() { r.Close() })
	return r
}

// empty is a page that shows nothing until its scripts have run: inline, from a file, from another host, as a module,
// and with data that they fetch, by a redirect too.
const emptyPage = `<!doctype html><title>T</title><link rel=stylesheet href=/style.css onload="window.styled = 'style loaded'">
<div id=root></div><img src=/picture.png><iframe src=/frame></iframe><video src=/film.mp4></video>
<script>function add(text) { document.getElementById("root").appendChild(document.createElement("p")).textContent = text; }
add("inline"); document.cookie = "a=b"; localStorage.x = "1"; setTimeout(() => { add("later"); add(window.styled); }, 200);</script>
<script src=/app.js></script><script src=http://cdn.test/lib.js crossorigin></script><script type=module src=/module.mjs></script>`

func emptyFiles() map[string]file {
	return map[string]file{
		"www.a.example/app.js": {"text/javascript", `add("file");
			fetch("/data.json").then((r) => r.json()).then((d) => add(d.text));
			fetch("http://api.a.example/more", {credentials: "include"}).then((r) => r.text()).then(add);
			fetch("http://other.test/spy").catch(() => add("no other site"));
			fetch("/post", {method: "POST", body: "x"}).catch(() => add("no post"));
			const x = new XMLHttpRequest(); x.open("GET", "/moved"); x.onload = () => add(x.responseText); x.send();`},
		"www.a.example/data.json":  {"application/json", `{"text": "déjà vu"}`},
		"api.a.example/more":       {"text/plain", "from the interface"},
		"www.a.example/moved":      {"to", "/here"},
		"www.a.example/here":       {"text/plain", "by a redirect"},
		"cdn.test/lib.js":          {"text/javascript", `add("from another host");`},
		"www.a.example/module.mjs": {"text/javascript", `import {word} from "./word.mjs"; add(word);`},
		"www.a.example/word.mjs":   {"text/javascript", `export const word = "module";`},
		"www.a.example/robots.txt": {"text/plain", "User-agent: *\nDisallow: /secret.js"},
	}
}

// TestRender renders a page twice: the second one sees nothing of the first.
func TestRender(t *testing.T) {
	t.Parallel()
	s := mustSite(t, emptyFiles())
	r := mustRenderer(t, s, Options{})
	for range 2 {
		s.asked = nil
		body := emptyPage + `<script>add(document.cookie.includes("c=") || localStorage.y ? "remembered" : "new"); document.cookie = "c=d"; localStorage.y = 1</script>`
		html, exchanges, err := r.Render(t.Context(), "http://www.a.example/page", []byte(body))
		if err != nil {
			t.Fatal(err)
		}
		for _, want := range []string{"inline", "later", "style loaded", "file", "déjà vu", "from the interface", "no other site", "no post",
			"by a redirect", "from another host", "module", "new"} {
			if !strings.Contains(string(html), "<p>"+want+"</p>") {
				t.Errorf("%q is not in\n%s", want, html)
			}
		}
		var told []string
		for _, x := range exchanges {
			told = append(told, "GET "+strings.TrimPrefix(x.URL, "http://"))
		}
		slices.Sort(told)
		slices.Sort(s.asked)
		if diff := cmp.Diff(s.asked, told); diff != "" {
			t.Errorf("asked (-), told (+): %s", diff)
		}
		for _, ask := range s.asked {
			for _, never := range []string{"POST", "style.css", "picture", "frame", "film", "spy", "/page", "favicon"} {
				if strings.Contains(ask, never) {
					t.Errorf("asked: %s", ask)
				}
			}
		}
	}
}

// TestRenderHostile renders pages that exceed their limits.
func TestRenderHostile(t *testing.T) {
	t.Parallel()
	s := mustSite(t, map[string]file{
		"a.test/n.js":       {"text/javascript", `document.body.append("n")`},
		"a.test/robots.txt": {"text/plain", "User-agent: *\nDisallow: /no.js"}, "a.test/no.js": {"text/javascript", `document.body.append("disallowed")`},
	})
	r := mustRenderer(t, s, Options{Compute: time.Second, Memory: 600 << 20, Files: 4})
	for _, c := range []struct {
		name, html string
		want, err  string
	}{
		{name: "endless loop", html: `<script>for (;;);</script>`, err: errScripts.Error()},
		{name: "heap", html: `<script>const a = []; for (;;) a.push(new Array(1e5).fill(Math.random()))</script>`, err: "render: "},
		{name: "buffers", html: `<script>const a = []; for (;;) a.push(new Uint8Array(5e7).fill(1))</script>`, err: "render: "},
		{name: "elements", html: `<body><script>for (let i = 0; i < 6e4; i++) document.body.append(document.createElement("p"))</script>`, err: "grew to"},
		{name: "many files", html: `<script src=/no.js></script><script>for (let i = 0; i < 50; i++) document.head.append(Object.assign(document.createElement("script"), {src: "/n.js?" + i}))</script>`, want: "nnn</body>"},
		{name: "talk, forgery and going elsewhere", html: `<p>text</p><script>for (let i = 0; i < 100; i++) { alert(1); confirm(2); prompt(3); open("http://b.test/popup"); }
			for (let i = 0; i < 10000; i++) console.log("x".repeat(1000));
			Object.defineProperty(Element.prototype, "outerHTML", {get: () => "forged"}); document.getElementsByTagName = () => [];
			setInterval(() => document.title = Math.random(), 1); onbeforeunload = () => "no"; location = "http://b.test/elsewhere"</script>`, want: "<p>text</p>"},
		{name: "a form and a download", html: `<p>text</p><a download href="data:application/zip,x">x</a><form method=post action=http://b.test/form></form>
			<script>document.querySelector("a").click(); document.forms[0].submit()</script>`, want: "<p>text</p>"},
		{name: "shadow trees", html: `<x-a><b>light</b></x-a><script>customElements.define("x-a", class extends HTMLElement { constructor() {
			super(); this.attachShadow({mode: "open"}).innerHTML = "<p>in the shadow</p><i><slot></slot></i>"; } })</script>`, want: "<p>in the shadow</p><i><slot><b>light</b></slot></i></x-a>"},
		{name: "all is well", html: `<script>document.write("<p>written")</script>`, want: "<p>written"},
	} {
		start := time.Now()
		html, _, err := r.Render(t.Context(), "http://a.test/", []byte(c.html))
		if c.err != "" && (err == nil || !strings.Contains(err.Error(), c.err)) || c.err == "" && err != nil || !strings.Contains(string(html), c.want) {
			t.Errorf("%s: %.300s, %v", c.name, html, err)
		}
		t.Logf("%s: %v, %v", c.name, time.Since(start).Round(time.Millisecond), err)
	}
	for _, ask := range s.asked {
		if strings.Contains(ask, "b.test") || strings.Contains(ask, "no.js") || !strings.HasPrefix(ask, "GET ") {
			t.Errorf("asked: %s", ask)
		}
	}
}

// TestRenderStalled: a file that never comes is waited for until the limit, or until the context ends.
func TestRenderStalled(t *testing.T) {
	s := mustSite(t, map[string]file{"a.test/stall.js": {"stall", ""}})
	r := mustRenderer(t, s, Options{Time: 2 * time.Second})
	const body = `<p>text</p><script async src=/stall.js></script>`
	html, exchanges, err := r.Render(t.Context(), "http://a.test/", []byte(body))
	if err != nil || !strings.Contains(string(html), "<p>text</p>") || len(exchanges) != 2 || exchanges[1].Reason == "" {
		t.Errorf("%s, %+v, %v", html, exchanges, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(200*time.Millisecond, cancel)
	if html, _, err := r.Render(ctx, "http://a.test/", []byte(body)); !errors.Is(err, context.Canceled) || html != nil {
		t.Errorf("%s, %v", html, err)
	}
}

// TestNew: without a suitable browser the error says what to do, and one that fails to start is given up.
func TestNew(t *testing.T) {
	dir := t.TempDir()
	program := func(name string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("#!/bin/sh\nexit 1\n"), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if runtime.GOOS == "windows" {
		t.Skip("left out: programs are found by other names")
	}
	defer func(before map[string][]string) { names = before }(names)
	names = map[string][]string{"": {"chromium"}}
	t.Setenv("PATH", dir)
	live := fetch.NewLive(fetch.LiveOptions{})
	defer live.Close()
	for _, want := range []string{"none was found: install Chromium", "Firefox is here, but"} {
		if _, err := New(live, Options{}); !errors.Is(err, ErrNoBrowser) || !strings.Contains(err.Error(), want) {
			t.Errorf("%v; want %q", err, want)
		}
		program("firefox")
	}
	program("chromium")
	r, err := New(live, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	for n := range maxStarts + 1 {
		if _, _, err := r.Render(t.Context(), "http://a.test/", nil); err == nil || strings.Contains(err.Error(), "in a row") != (n == maxStarts) {
			t.Errorf("start %d: %v", n, err)
		}
	}
}
