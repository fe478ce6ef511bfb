package trainingset

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
)

// TestLinkers: each page is asked about once, without cookies, and what the instance answers is taken as addresses only.
func TestLinkers(t *testing.T) {
	in := newInstance(t, func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprintf(w, `{"results": [{"url": "http://up.test/list"}, {"url": "http://a.test/1"}, {"url": "http://up.test/%d"},
			{"url": "javascript:alert(1)"}, {"url": 7}, {"url": "https://www.google.com/search?q=x"}]}`, strings.Count(r.URL.Query().Get("q"), "1"))
	})
	var pages []string
	for i := range MaxLinkers + 2 {
		pages = append(pages, fmt.Sprintf("http://a.test/%d", i))
	}
	urls, err := in.provider(t, nil, 0).Linkers(t.Context(), pages)
	if want := []string{"http://up.test/list", "http://up.test/0", "http://up.test/1"}; err != nil || !slices.Equal(urls, want) {
		t.Errorf("%q, %v", urls, err)
	}
	asked := in.queries()
	if len(asked) != MaxLinkers || asked[1] != "link:http://a.test/1" {
		t.Errorf("asked %q", asked)
	}
	if in.requests[0].Header.Get("Cookie") != "" || in.requests[0].Header.Get("Referer") != "" {
		t.Error("more than the query was sent")
	}
}

// TestLinkersOfRubbish: an instance that answers something else is refused in words, and asked nothing more.
func TestLinkersOfRubbish(t *testing.T) {
	for name, answer := range map[string]string{
		"a page": "<html>hello", "nothing": "", "no results": `{"query": "x"}`, "results of another kind": `{"results": 7}`,
		"too much": `{"results": [{"url": "http://up.test/` + strings.Repeat("x", maxAnswer) + `"}]}`, "half": `{"results": [{"url": "http://u`,
	} {
		in := newInstance(t, text(answer))
		urls, err := in.provider(t, nil, 0).Linkers(t.Context(), []string{"http://a.test/1", "http://a.test/2"})
		if refusal, is := errors.AsType[*Refusal](err); !is || len(urls) > 0 || refusal.Reason == "" {
			t.Errorf("%s: %q, %v", name, urls, err)
		}
		if n := len(in.queries()); n != 1 {
			t.Errorf("%s: asked %d times", name, n)
		}
	}
	in := newInstance(t, text(`{"results": [{"url": ["x"]}, null, 3, {"link": "http://up.test/"}]}`))
	if urls, err := in.provider(t, nil, 0).Linkers(t.Context(), []string{"http://a.test/1"}); err != nil || len(urls) > 0 {
		t.Errorf("results without addresses: %q, %v", urls, err)
	}
}
