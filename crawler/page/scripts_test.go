package page

import (
	"strings"
	"testing"
)

// TestNeedsScripts recognises the empty pages of common frameworks, and pages that only look like one.
func TestNeedsScripts(t *testing.T) {
	words := strings.Repeat("Hockey is played on ice by two teams. ", 10)
	links := strings.Repeat(`<a href="/a%d">picture</a> `, 1)
	var many strings.Builder
	for i := range 12 {
		many.WriteString(strings.ReplaceAll(links, "%d", string(rune('a'+i))))
	}
	for _, c := range []struct {
		name, html string
		want       bool
	}{
		{"create-react-app", `<title>React App</title><noscript>You need to enable JavaScript to run this app.</noscript><div id="root"></div><script defer src="/static/js/main.8f2.js"></script>`, true},
		{"vite", `<title>Vite</title><script type="module" src="/assets/index-4f.js"></script><div id="app"></div>`, true},
		{"nuxt with a spinner", `<div id="__nuxt"><div class="spinner"><style>.a{}</style>Loading…</div></div><script>window.__NUXT__={}</script><script src="/_nuxt/a.js"></script>`, true},
		{"angular", `<app-root>Loading...</app-root><script src="main.js" type="module"></script>`, true},
		{"gatsby", `<meta name=description content="` + words + `"><div id="___gatsby"></div><script src=/app.js></script>`, true},
		{"note with some furniture", `<nav><a href=/a>Home</a></nav><noscript><p>JavaScript is not available.</p></noscript><div id=x></div><script src=/x.js></script><footer>Terms</footer>`, true},
		{"nothing but a script", `<body><script>document.write("hello")</script>`, true},
		{"rendered on the server", `<div id="__next"><main><p>` + words + `</p></main></div><script src=/x.js></script>`, false},
		{"a text with analytics", `<p>It works! The server is set up, but no page was put here yet.</p><script src="/ga.js"></script>`, false},
		{"no script", `<div id=root></div>`, false},
		{"data only", `<div id=root></div><script type="application/ld+json">{"@type":"Thing"}</script><script type="text/template">x</script>`, false},
		{"an empty script", `<div id=root></div><script></script>`, false},
		{"a page of links", many.String() + `<div id=root></div><script src=/x.js></script>`, false},
		{"a frameset", `<html><script src=x.js></script><frameset><frame src=/a></frameset>`, false},
		{"a noscript picture", `<p>` + words[:190] + `</p><noscript><img src=/pixel></noscript><script src=/x.js></script>`, false},
		{"empty", ``, false},
	} {
		p, err := Parse("http://example.com/", ContentUTF8, []byte(c.html))
		if err != nil {
			t.Fatal(err)
		}
		if got := NeedsScripts(p); got != c.want {
			t.Errorf("%s: %v; %d letters, %d scripts, shell %v, %d links", c.name, got, p.Letters, p.Scripts, p.Shell, len(p.Links))
		}
	}
}
