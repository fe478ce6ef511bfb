package pages

import (
	"testing"

	"nightjar/daemon/chart"
	"nightjar/daemon/lab/webtest"
)

// TestGoldenPictures draws the course of a crawl as in testdata, where a person has looked at it.
func TestGoldenPictures(t *testing.T) {
	course := courseOf(chart.Course{Fetched: []int{1, 10, 20, 40}, Relevant: []float64{0, 0.1, 0.25, 0.2}, Similarity: []float64{0.05, 0.2, 0.41, 0.33}})
	webtest.GoldenPictures(t, newFixture(t).Server.Templates["crawl"](), map[string]webtest.Picture{"plot": {Part: "plot", Data: course}})
}
