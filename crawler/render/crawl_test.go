package render

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"nightjar/crawler"
	"nightjar/crawler/strategy"
)

// hockey finds pages by one word.
type hockey struct{}

func (hockey) Name() string { return "hockey" }

func (hockey) Read(_ context.Context, v strategy.Visit) (strategy.Judgement, error) {
	return strategy.Judgement{
		Relevant: strings.Contains(v.Page.Text, "Hockey"), Priorities: make([]strategy.Priority, len(v.Page.Links)),
	}, nil
}

// TestCrawl crawls a site whose pages are empty without scripts, with and without a browser.
func TestCrawl(t *testing.T) {
	const page = `<!doctype html><title>Shop</title><noscript>Please enable JavaScript.</noscript><div id=app></div><script src=/app.js></script>`
	s := mustSite(t, map[string]file{
		"a.test/": {"text/html", page}, "a.test/two": {"text/html", page},
		"a.test/app.js": {"text/javascript", `const words = "Hockey is played on ice by two teams. ".repeat(10);
			document.getElementById("app").innerHTML = location.pathname === "/" ? "<h1>One</h1><p>" + words + "<a href=/two>on</a>" : "<h1>Two</h1><p>" + words;`},
	})
	r := mustRenderer(t, s, Options{})
	for _, with := range []bool{false, true} {
		var got []string
		o := crawler.Options{Starts: []string{"http://a.test/"}, Budget: crawler.Budget{Pages: 10}}
		o.OnFetch = func(f *crawler.Fetch) {
			got = append(got, fmt.Sprint(f.URL, " ", f.Relevant, " ", f.Rendered))
		}
		if with {
			o.Renderer = r
		}
		if _, err := crawler.Run(t.Context(), r.live, hockey{}, o); err != nil {
			t.Fatal(err)
		}
		want := []string{"http://a.test/ false false"}
		if with {
			want = []string{"http://a.test/ true true", "http://a.test/two true true"}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("with a browser: %v: %s", with, diff)
		}
	}
}
