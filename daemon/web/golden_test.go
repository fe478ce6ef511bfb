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

	"nightjar/crawler/strategy"
	"nightjar/daemon/web/chart"
)

var update = flag.Bool("update", false, "write the golden files anew")

// TestGoldenPictures draws small pictures and compares them with those in testdata, which a person has looked at.
func TestGoldenPictures(t *testing.T) {
	f := newFixture(t)
	concept, _ := chart.Concept(
		[]chart.ConceptPage{{Title: "Start", URL: "http://a.test/", Cluster: 2, State: 2}, {Title: "Teams", URL: "http://a.test/t", Cluster: 1, State: 1}, {Title: "News", URL: "http://a.test/n", Cluster: 1, State: 2}, {Title: "Results", URL: "http://a.test/r", Cluster: 0, State: 0}},
		[][2]int{{0, 1}, {1, 3}, {3, 0}, {0, 2}}, 3)
	type picture struct {
		part string
		data any
	}
	pictures := map[string]picture{
		"web": {"graph", graphView{ID: "web", Class: "web", Title: "Web graph", Picture: chart.Web(
			[]chart.WebPage{{Title: "Start", URL: "http://a.test/", Href: "#page-1"}, {Title: "Teams & <players>", URL: "http://a.test/t"},
				{Title: "A detour", URL: "http://a.test/d"}, {Title: "Results", URL: "http://a.test/r", Target: true}},
			[][2]int{{0, 1}, {0, 2}, {0, 3}, {1, 3}, {3, 0}},
			[]chart.Move{{From: 0, To: 2}, {From: 2, To: 0, Back: true}, {From: 0, To: 1}, {From: 1, To: 3}})}},
		"states": {"graph", graphView{ID: "states", Class: "states", Title: "States", Picture: chart.States(
			[][]float64{{0.2, 0.3, 0.5}, {0.6, 0.4, 0}, {0.005, 0.25, 0.745}})}},
		"concept": {"graph", graphView{ID: "concept", Class: "concept", Title: "Concept graph", Picture: concept}},
		"plot":    {"plot", chart.Curves(chart.Course{Fetched: []int{1, 10, 20, 40}, Relevant: []float64{0, 0.1, 0.25, 0.2}, Similarity: []float64{0.05, 0.2, 0.41, 0.33}})},
	}
	report := handReport()
	pictures["intervals"] = picture{"intervals", linkCard(report).Plots[0]}
	pictures["guessing"] = picture{"intervals", usefulCard(report).Plots[0]}
	pictures["reliability"] = picture{"reliability", trustCard(report).Diagram}
	pictures["confusion"] = picture{"matrix", hopCard(report).Matrix}
	pictures["labels"] = picture{"graph", labelsPicture(handWays())}
	pictures["why"] = picture{"why", why([]strategy.Reason{{Name: `words of the link: "ice" & <rink>`, Value: 1.6}, {Name: "the page it stands on", Value: .25},
		{Name: "other links of this folder", Value: -.9}, {Name: "its place on the page", Value: 0}}, true)}
	for name, p := range pictures {
		var out bytes.Buffer
		if err := f.pages["session"].ExecuteTemplate(&out, p.part, p.data); err != nil {
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
