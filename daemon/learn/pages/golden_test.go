package pages

import (
	"errors"
	"testing"

	"nightjar/daemon/chart"
	"nightjar/daemon/db"
	"nightjar/daemon/db/plans"
	"nightjar/daemon/lab/webtest"
	"nightjar/daemon/store/storetest"
	"nightjar/daemon/web/frame"
)

// TestGoldenPictures draws small pictures of models as in testdata, where a person has looked at them.
func TestGoldenPictures(t *testing.T) {
	concept := conceptOf(
		[]chart.ConceptPage{{Title: "Start", URL: "http://a.test/", Cluster: 2, State: 2}, {Title: "Teams", URL: "http://a.test/t", Cluster: 1, State: 1}, {Title: "News", URL: "http://a.test/n", Cluster: 1, State: 2}, {Title: "Results", URL: "http://a.test/r", Cluster: 0, State: 0}},
		[][2]int{{0, 1}, {1, 3}, {3, 0}, {0, 2}}, 3, []frame.ClusterKey{{N: 1, Class: "c1", Shape: 1, Pages: 2, Words: []string{"ice"}}})
	for range concept.Nodes {
		concept.Hrefs = append(concept.Hrefs, frame.RowHref(len(concept.Hrefs), 0, 0))
	}
	report := webtest.HandReport()
	webtest.GoldenPictures(t, newFixture(t).Server.Templates["model"](), map[string]webtest.Picture{
		"states":      {Part: "states", Data: statesOf([][]float64{{0.2, 0.3, 0.5}, {0.6, 0.4, 0}, {0.005, 0.25, 0.745}})},
		"concept":     {Part: "concept", Data: concept},
		"intervals":   {Part: "intervals", Data: linkCard(report).Plots[0]},
		"guessing":    {Part: "intervals", Data: usefulCard(report).Plots[0]},
		"reliability": {Part: "reliability", Data: trustCard(report).Diagram},
		"confusion":   {Part: "matrix", Data: hopCard(report).Matrix},
	})
}

// TestPictureIsFoundByIndex has SQLite explain how the picture of a model is found.
func TestPictureIsFoundByIndex(t *testing.T) {
	s, all := plans.Record(t, &db.Driver, storetest.Open)
	if _, err := modelPicture(t.Context(), s.DB, 1, ""); !errors.Is(err, db.ErrNotFound) {
		t.Fatal(err)
	}
	storetest.OK(t, keepModelPicture(t.Context(), s.DB, 1, "", nil))
	for text, args := range all {
		for _, step := range plans.FullScans(t, s.Writer, text, args...) {
			t.Errorf("%s\n\tin %s", step, text)
		}
	}
}
