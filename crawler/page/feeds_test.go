package page

import (
	"slices"
	"strings"
	"testing"

	"nightjar/crawler/weburl"
)

func TestFeeds(t *testing.T) {
	const rss, atom = `<link rel=alternate type=application/rss+xml href=`, `<link rel=alternate type=application/atom+xml href=`
	for name, c := range map[string]struct{ body, want string }{
		"none":              {`<link rel=stylesheet href=/x><link rel=alternate type=text/html href=/de>`, ""},
		"both kinds":        {rss + `/rss>` + atom + `"news.xml" />`, "http://a.test/rss http://a.test/dir/news.xml"},
		"twice":             {rss + `/rss>` + rss + `http://a.test/rss#x>`, "http://a.test/rss"},
		"spelled otherwise": {`<LINK Type="Application/RSS+xml; charset=utf-8" HREF=/rss REL="Home ALTERNATE">`, "http://a.test/rss"},
		"not an alternate":  {`<link rel=self type=application/rss+xml href=/rss>`, ""},
		"a base":            {`<base href=http://b.test/x/><base href=http://c.test/>` + rss + `y>`, "http://b.test/x/y"},
		"no address":        {rss + `"">` + rss + `javascript:x>` + rss + `"http://[">` + rss + `>` + rss + `#x>`, ""},
		"in the body":       {`<body>` + rss + `/rss>`, ""},
		"inert":             {`<noscript>` + rss + `/1></noscript><template>` + rss + `/2></template><!--` + rss + `/3>--><script>` + rss + `/4></script>` + rss + `/5>`, "http://a.test/5"},
		"many":              {strings.Repeat(rss+`/rss>`, 9) + rss + `/1>` + rss + `/2>` + rss + `/3>` + rss + `/4>` + rss + `/5>`, "http://a.test/rss http://a.test/1 http://a.test/2 http://a.test/3 http://a.test/4"},
		"far down":          {strings.Repeat(" ", maxHead) + rss + `/rss>`, ""},
		"cut":               {rss + `/rss`, ""},
	} {
		got := Feeds(Source{URL: "http://a.test/dir/page"}, []byte(c.body))
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
	if got := Feeds(Source{URL: "::"}, []byte(rss+"/rss>")); got != nil {
		t.Errorf("of a page without an address: %q", got)
	}
}

func FuzzFeeds(f *testing.F) {
	f.Add([]byte(`<base href=x><link rel=alternate type=application/rss+xml href=/rss>`))
	f.Add([]byte(`<template><link rel="a alternate" type="application/atom+xml;" href="http://b.test/?x=y#z"></template><body>`))
	f.Fuzz(func(t *testing.T, body []byte) {
		all := Feeds(Source{URL: "http://a.test/"}, body)
		if len(all) > MaxFeeds {
			t.Fatalf("%d feeds", len(all))
		}
		for i, u := range all {
			if again, err := weburl.Canonical(u); err != nil || again != u || slices.Contains(all[:i], u) {
				t.Errorf("%q of %q: %q, %v", u, all, again, err)
			}
		}
	})
}
