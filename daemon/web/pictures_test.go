package web

import (
	"fmt"
	"testing"

	"nightjar/daemon/lab/webtest"
)

func TestPicturesSpeak(t *testing.T) {
	s := seed(t)
	b := s.Assessed(t, webtest.HandReport())
	b.Ways = webtest.HandWays()
	s.StoreBundle(t, s.Model, b)
	webtest.PicturesSpeak(t, s.Site, map[string]int{s.ModelPath(): 2, s.ModelPart("sure"): 8, s.ModelPart("graph"): 1, s.ModelPart("ways"): 1,
		s.ModelPart("words"): 0, s.ModelPart("versions"): 0, "/crawls": 0, fmt.Sprintf("/crawls/%d", s.Crawl): 3, "/sessions": 0, "/sessions/" + s.Session: 1, "/": 0})
}
