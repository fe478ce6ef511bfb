package pages

import (
	"testing"

	"nightjar/daemon/chart"
	"nightjar/daemon/lab/webtest"
	"nightjar/daemon/web/frame"
)

// TestGoldenPictures draws a web graph as in testdata, where a person has looked at it.
func TestGoldenPictures(t *testing.T) {
	webtest.GoldenPictures(t, newFixture(t).Server.Templates["session"](), map[string]webtest.Picture{"web": {Part: "web", Data: handWeb(t)}})
}

// handWeb is the picture of a small web graph, made by hand.
func handWeb(t *testing.T) *webView {
	t.Helper()
	w := &keptWeb{
		Pages: []keptPage{{URL: "http://a.test/", Title: "Start", Visits: 2}, {URL: "http://a.test/t", Title: "Teams & <players>", Visits: 1},
			{URL: "http://a.test/d", Title: "A detour that has a very long title, too long to be shown", Visits: 1}, {URL: "http://a.test/r", Title: "Results", Target: true, Visits: 1}},
		Links: [][2]int{{0, 1}, {0, 2}, {0, 3}, {1, 3}, {3, 0}},
		Moves: []chart.Move{{From: 0, To: 2}, {From: 2, To: 0, Back: true}, {From: 0, To: 1}, {From: 1, To: 3}},
	}
	w.layOut()
	v := viewOfPart(w, 0, []int{1, 2, 2, 0})
	v.Path = "/sessions/x"
	v.Legend = []frame.ClusterKey{{N: 1, Class: "c1", Shape: 1, Pages: 1, Words: []string{"ice", "rink"}}, {N: 2, Class: "c2", Shape: 2, Pages: 2}}
	v.hrefs(w, 0)
	v.Step = webStepOf(w, 2)
	return v
}
