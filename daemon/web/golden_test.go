package web

import (
	"bytes"
	"encoding/xml"
	"errors"
	"flag"
	"io"
	"os"
	"path/filepath"
	"testing"

	"nightjar/crawler"
	"nightjar/crawler/strategy"
	"nightjar/daemon/chart"
	"nightjar/daemon/morning/finds"
	"nightjar/daemon/web/frame"
)

var update = flag.Bool("update", false, "write the golden files anew")

// TestGoldenPictures draws small pictures and compares them with those in testdata, which a person has looked at.
func TestGoldenPictures(t *testing.T) {
	f := newFixture(t)
	concept := conceptOf(
		[]chart.ConceptPage{{Title: "Start", URL: "http://a.test/", Cluster: 2, State: 2}, {Title: "Teams", URL: "http://a.test/t", Cluster: 1, State: 1}, {Title: "News", URL: "http://a.test/n", Cluster: 1, State: 2}, {Title: "Results", URL: "http://a.test/r", Cluster: 0, State: 0}},
		[][2]int{{0, 1}, {1, 3}, {3, 0}, {0, 2}}, 3, []clusterKey{{N: 1, Class: "c1", Shape: 1, Pages: 2, Words: []string{"ice"}}})
	for range concept.Nodes {
		concept.Hrefs = append(concept.Hrefs, frame.RowHref(len(concept.Hrefs), 0, 0))
	}
	type picture struct {
		part string
		data any
	}
	pictures := map[string]picture{
		"web":     {"web", handWeb(t)},
		"states":  {"states", statesOf([][]float64{{0.2, 0.3, 0.5}, {0.6, 0.4, 0}, {0.005, 0.25, 0.745}})},
		"concept": {"concept", concept},
		"plot":    {"plot", courseOf(chart.Course{Fetched: []int{1, 10, 20, 40}, Relevant: []float64{0, 0.1, 0.25, 0.2}, Similarity: []float64{0.05, 0.2, 0.41, 0.33}})},
	}
	report := handReport()
	pictures["intervals"] = picture{"intervals", linkCard(report).Plots[0]}
	pictures["guessing"] = picture{"intervals", usefulCard(report).Plots[0]}
	pictures["reliability"] = picture{"reliability", trustCard(report).Diagram}
	pictures["confusion"] = picture{"matrix", hopCard(report).Matrix}
	for name, c := range map[string]*crawler.Choice{
		"why":          {How: crawler.ByBest, Waiting: 1234, Sample: 200, Lower: 200, Compared: 200, Worth: .25, Typical: -.7},
		"why-unknown":  nil,
		"why-explored": {How: crawler.ByExplorer, Waiting: 40, Preferred: 1, Sample: 39, Lower: 30, Level: 2, Compared: 39, Worth: .25, Typical: -.7},
	} {
		pictures[name] = picture{"why", whyStep(finds.Step{Chosen: c, Why: []strategy.Reason{{Name: `its text says “ice" & <rink>`, Value: 1.6},
			{Name: "the page it is on looks more useful", Value: .25}, {Name: "its folder has brought less so far", Value: -.9},
			{Name: "its place on the page", Value: 0}}}, "link-value")}
	}
	pictures["why-page"] = picture{"why", whyStep(finds.Step{Chosen: &crawler.Choice{How: crawler.ByReady, Waiting: 900, Preferred: 2, Sample: 200, Lower: 180, Level: 15}}, "hmm")}
	for name, p := range pictures {
		var out bytes.Buffer
		if err := f.Templates["session"]().ExecuteTemplate(&out, p.part, p.data); err != nil {
			t.Fatal(err)
		}
		wellFormed(t, name, out.Bytes())
		file := filepath.Join("testdata", name+".svg.html")
		if *update {
			if err := os.WriteFile(file, out.Bytes(), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(out.Bytes(), want) {
			t.Errorf("%s is drawn in another way; look at it, then run with -update", name)
		}
	}
}

// wellFormed checks that a picture could stand in an SVG file of its own.
func wellFormed(t *testing.T, name string, picture []byte) {
	t.Helper()
	d := xml.NewDecoder(bytes.NewReader(picture))
	for {
		if _, err := d.Token(); errors.Is(err, io.EOF) {
			return
		} else if err != nil {
			t.Errorf("%s: %v", name, err)
			return
		}
	}
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
	v.Legend = []clusterKey{{N: 1, Class: "c1", Shape: 1, Pages: 1, Words: []string{"ice", "rink"}}, {N: 2, Class: "c2", Shape: 2, Pages: 2}}
	v.hrefs(w, 0)
	v.Step = webStepOf(w, 2)
	return v
}
