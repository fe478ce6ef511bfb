package web

import (
	"testing"

	"nightjar/daemon/lab/webtest"
)

func TestNavigation(t *testing.T) {
	s := seed(t)
	webtest.Navigation(t, s.Site, map[string][2]string{
		"/": {"Finds", ""}, "/crawls": {"Nights", ""}, "/tonight": {"Nights", ""}, "/settings": {"Settings", ""},
		s.ModelPath(): {"Topics", "All topics"}, "/sessions": {"Topics", "Sessions"},
	})
	if got := webtest.Texts(s.Page(t, "/sessions").Find("nav[aria-label=Topics] a"), ", "); got != "All topics, Sessions, Communities, Explore" {
		t.Errorf("Topics lead to %s", got)
	}
}
