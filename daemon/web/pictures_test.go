package web

import (
	"fmt"
	"testing"

	"nightjar/daemon/lab/webtest"
)

func TestPicturesSpeak(t *testing.T) {
	s := seed(t)
	b := s.assessedBundle(t, handReport())
	b.Ways = handWays()
	s.showing(b)
	webtest.PicturesSpeak(t, s.Site, map[string]int{s.modelPath(): 2, s.modelPart("sure"): 8, s.modelPart("graph"): 1, s.modelPart("ways"): 1,
		s.modelPart("words"): 0, s.modelPart("versions"): 0, "/crawls": 0, fmt.Sprintf("/crawls/%d", s.Crawl): 3, "/sessions": 0, "/sessions/" + s.Session: 1, "/": 0})
}
