package corpus

import (
	"maps"
	"regexp"
	"slices"
	"testing"
)

// TestRules labels pages by address, besides the labels of a file, and names the rules that match nothing.
func TestRules(t *testing.T) {
	l := labels(t, "/a guide", "/b other")
	pages := []string{host + "/a", host + "/b", host + "/guide/one", host + "/guide/two", host + "/api/one"}
	idle := l.Apply([]Rule{
		{"guide", regexp.MustCompile(`/guide/`)}, {"one", regexp.MustCompile(`^http://wiki\.test/.*/one$`)},
		{"guide", regexp.MustCompile(`/nowhere/`)}, {"two", regexp.MustCompile(`^/guide/two`)},
	}, pages)
	for label, want := range map[string][]string{
		"guide": {host + "/a", host + "/guide/one", host + "/guide/two"},
		"one":   {host + "/api/one", host + "/guide/one"},
		"other": {host + "/b"},
		"two":   nil,
	} {
		if got := slices.Sorted(maps.Keys(l.With(label))); !slices.Equal(got, want) {
			t.Errorf("%s: pages %v, want %v", label, got, want)
		}
	}
	if len(idle) != 2 || idle[0].URL.String() != "/nowhere/" || idle[1].Label != "two" {
		t.Errorf("rules that match nothing: %v", idle)
	}
	if n := l.Unknown(pages); n != 0 || l.Len() != 5 {
		t.Errorf("%d of %d labelled pages are unknown", n, l.Len())
	}
}
