package page

import (
	"strings"
	"testing"
)

func TestSnippet(t *testing.T) {
	story := "The harbour was rebuilt after the storm, and since then ships of every size come in at all tides."
	for name, test := range map[string]struct{ text, title, want string }{
		"navigation before the story": {"Harbours\nHome\nAbout us\nContact\nThe new quay\n" + story, "Harbours", story},
		"no running text":             {"Harbours\nHome\nQuay", "Harbours", "Home Quay"},
		"only a title":                {"Harbours", "Harbours", ""},
		"nothing":                     {"", "", ""},
		"title that is not repeated":  {"Quay\nCrane", "Harbours", "Quay Crane"},
	} {
		if got := snippet(test.text, test.title); got != test.want {
			t.Errorf("%s: got %q, want %q", name, got, test.want)
		}
	}
	long := snippet(strings.Repeat("wörter ", 200), "")
	if n := len([]rune(long)); n > snippetLength+2 || !strings.HasSuffix(long, "wörter …") {
		t.Errorf("%d characters, ends %q", n, long[len(long)-20:])
	}
}
