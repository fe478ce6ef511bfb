package web

import "testing"

// TestNavigation: five entries lead everywhere, and the pages about topics have entries of their own.
func TestNavigation(t *testing.T) {
	s := seed(t)
	for path, current := range map[string][2]string{
		"/": {"Finds", ""}, "/search": {"Search", ""}, "/crawls": {"Nights", ""}, "/tonight": {"Nights", ""}, "/settings": {"Settings", ""},
		s.modelPath(): {"Topics", "All topics"}, "/sessions": {"Topics", "Sessions"}, "/communities": {"Topics", "Communities"},
		"/explore": {"Topics", "Explore"}, "/explore/operators": {"Topics", "Explore"},
	} {
		d := s.page(t, path)
		d.Find("nav .count").Remove()
		if got := texts(d.Find("nav[aria-label=Main] a"), ", "); got != "Finds, Search, Topics, Nights, Settings" {
			t.Errorf("%s leads to %s", path, got)
		}
		if got := texts(d.Find("nav[aria-label=Main] a[aria-current]"), ", "); got != current[0] {
			t.Errorf("%s is said to be at %q", path, got)
		}
		if got := texts(d.Find("nav[aria-label=Topics] a[aria-current]"), ", "); got != current[1] {
			t.Errorf("%s is said to be at %q of Topics", path, got)
		}
	}
	if got := texts(s.page(t, "/sessions").Find("nav[aria-label=Topics] a"), ", "); got != "All topics, Sessions, Communities, Explore" {
		t.Errorf("Topics lead to %s", got)
	}
}
