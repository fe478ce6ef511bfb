package e2e

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// movesWeb is the made-up web of the tests of moves: a page for each host and path, each with text of its own. ad.test is
// another site's part of a page; nothing answers at dead.test.
var movesWeb = map[string]string{
	"a.test/": `<h1>Hub</h1><p>The hub of the web, with a link for each way of moving.</p>
		<a href="/one">One</a> <a href="/two">Two</a> <a href="/blank" target="_blank">In a new tab</a>
		<button onclick="window.open('/opened')">Open a window</button>
		<a href="/moved">Moved for good</a> <a href="/found">Found elsewhere</a> <a href="/away">Found on another site</a>
		<a href="/soon">Refreshed</a> <a href="/script">Moved by a script</a> <a href="http://b.test/">To b</a>
		<a href="/fresh">Never stored</a> <a href="/holder">With frames inside</a> <a href="http://frames.test/">A frameset</a>
		<a href="http://app.test/">App</a> <a href="http://app.test/routes">App with routes</a>
		<a href="/file.bin">A file</a> <a href="http://dead.test/">Nobody there</a>
		<form action="/find"><input name="q" id="q"></form>
		<form action="/posted" method="post"><input name="text" id="text"></form>`,
	"a.test/one":    `<h1>One</h1><p>The first page of all.</p> <a href="/two">Two</a>`,
	"a.test/two":    `<h1>Two</h1><p>The second page, after the first.</p> <button onclick="history.go(-2)">Two steps back</button>`,
	"a.test/three":  `<h1>Three</h1><p>A page that was kept as a bookmark.</p> <a href="/one">One</a>`,
	"a.test/blank":  `<h1>Blank</h1><p>A page made for a tab of its own.</p> <a href="/three">Three</a>`,
	"a.test/opened": `<h1>Opened</h1><p>A page that a script opened.</p>`,
	"a.test/find":   `<h1>Found</h1><p>What was found for some words.</p> <a href="/one">One</a>`,
	"a.test/posted": `<h1>Posted</h1><p>Thank you for writing to us.</p>`,
	"a.test/target": `<h1>Target</h1><p>Where redirects lead in the end.</p>`,
	"a.test/soon":   `<meta http-equiv="refresh" content="0;url=/target"><p>One moment please.</p>`,
	"a.test/script": `<p>Going elsewhere.</p><script>location.replace("/target")</script>`,
	"a.test/fresh":  `<h1>Fresh</h1><p>A page that no browser may keep.</p> <a href="/one">One</a>`,
	"a.test/holder": `<h1>Holder</h1><p>A page that shows others inside.</p>
		<iframe src="/inner" width="400" height="200"></iframe> <iframe src="http://ad.test/" width="400" height="200"></iframe>`,
	"a.test/inner":  `<h1>Inner</h1><p>Shown inside another page.</p> <a href="/deeper">Deeper</a>`,
	"a.test/deeper": `<h1>Deeper</h1><p>Shown inside after a click, with some words of its own to read.</p>`,
	"ad.test/":      `<h1>Buy</h1><p>An advertisement of another site.</p>`,
	"b.test/":       `<h1>Site b</h1><p>The first page of the other site.</p> <a href="/next">Next</a> <a href="http://a.test/">Hub</a>`,
	"b.test/next":   `<h1>Next</h1><p>Another page of the other site.</p>`,
	"b.test/landed": `<h1>Landed</h1><p>The end of a redirect to another site.</p>`,

	"frames.test/": `<frameset cols="30%,70%"><frame src="/menu" name="menu"><frame src="/first" name="main"></frameset>`,
	"frames.test/menu": `<h1>Menu</h1><p>What the frames show.</p> <a href="/second" target="main">Second</a>
		<a href="/whole" target="_top">Whole</a>`,
	"frames.test/first":  `<h1>First</h1><p>What the frame shows at first.</p>`,
	"frames.test/second": `<h1>Second</h1><p>What the frame shows after a click.</p>`,
	"frames.test/whole":  `<h1>Whole</h1><p>A page without frames.</p>`,

	"app.test/": app(`
		addEventListener("popstate", show);
		document.addEventListener("click", (event) => {
			const link = event.target.closest("a[data-to]");
			if (!link) return;
			event.preventDefault();
			history[link.dataset.by ?? "pushState"](null, "", link.dataset.to);
			show();
		});
		function show() {
			const at = location.pathname;
			document.querySelector("#shown").textContent = at === "/" ? "The start of the app." : at === "/teams" ? "All teams of the league." :
				at === "/teams/7" ? "The seventh team and its players." : at === "/teams/8" ? "The eighth team came instead of the seventh." : "?";
		}`, `<a href="/teams" data-to="/teams">Teams</a> <a href="/teams/7" data-to="/teams/7">Team 7</a>
		<a href="/teams/8" data-to="/teams/8" data-by="replaceState">Team 8 instead</a> <a href="/teams" data-to="?sort=name">Sorted</a>
		<button onclick="document.querySelector('#shown').textContent += ' And more of it, which is read without moving on.'">More</button>
		<a href="#shown">Down</a>`),
	"app.test/routes": app(`
		addEventListener("hashchange", show);
		function show() {
			const at = location.hash;
			document.querySelector("#shown").textContent = at === "#/rinks" ? "All rinks of the town." : at.startsWith("#/rinks/3") ?
				"The third rink and its ice." : at === "#!/news" ? "News of all rinks." : "Where the routes begin.";
		}`, `<a href="#/rinks">Rinks</a> <a href="#/rinks/3?access_token=abc">Rink 3</a> <a href="#!/news">News</a> <a href="#shown">Down</a>
		<button onclick="history.go(-2)">Two steps back</button>`),
}

// app is a page whose script shows what belongs to its address.
func app(script, links string) string {
	return `<h1>App</h1>` + links + `<p id="shown"></p><script>` + script + `
		show();</script>`
}

// redirects of the made-up web: status and target.
var movesRedirects = map[string]struct {
	status int
	to     string
}{
	"a.test/moved": {http.StatusMovedPermanently, "/target"},
	"a.test/found": {http.StatusFound, "/target"},
	"a.test/away":  {http.StatusFound, "http://b.test/landed"},
}

// serveMoves serves the web on a port of its own.
func serveMoves(t *testing.T) (addr string) {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		host, _, _ := strings.Cut(r.Host, ":")
		at := host + r.URL.Path
		if to, ok := movesRedirects[at]; ok {
			http.Redirect(w, r, to.to, to.status)
			return
		}
		switch {
		case host == "dead.test":
			panic(http.ErrAbortHandler) // closes the connection without an answer
		case at == "a.test/file.bin":
			w.Header().Set("Content-Type", "application/octet-stream")
			w.Header().Set("Content-Disposition", "attachment")
			fmt.Fprint(w, "a file")
			return
		case at == "a.test/fresh":
			w.Header().Set("Cache-Control", "no-store")
		case host == "app.test" && strings.HasPrefix(r.URL.Path, "/teams"):
			at = "app.test/" // the server answers all of the app's addresses
		}
		body, ok := movesWeb[at]
		if !ok {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprintf(w, "<!DOCTYPE html><title>%s</title>%s", at, body)
	}))
	t.Cleanup(server.Close)
	return server.Listener.Addr().String()
}
