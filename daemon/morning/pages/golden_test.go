package pages

import (
	"testing"

	"nightjar/crawler"
	"nightjar/crawler/strategy"
	"nightjar/daemon/lab/webtest"
	"nightjar/daemon/morning/finds"
)

// TestGoldenPictures draws why links were followed as in testdata, where a person has looked at it.
func TestGoldenPictures(t *testing.T) {
	pictures := map[string]webtest.Picture{}
	for name, c := range map[string]*crawler.Choice{
		"why":          {How: crawler.ByBest, Waiting: 1234, Sample: 200, Lower: 200, Compared: 200, Worth: .25, Typical: -.7},
		"why-unknown":  nil,
		"why-explored": {How: crawler.ByExplorer, Waiting: 40, Preferred: 1, Sample: 39, Lower: 30, Level: 2, Compared: 39, Worth: .25, Typical: -.7},
	} {
		pictures[name] = webtest.Picture{Part: "why", Data: whyStep(finds.Step{Chosen: c, Why: []strategy.Reason{{Name: `its text says “ice" & <rink>`, Value: 1.6},
			{Name: "the page it is on looks more useful", Value: .25}, {Name: "its folder has brought less so far", Value: -.9},
			{Name: "its place on the page", Value: 0}}}, "link-value")}
	}
	pictures["why-page"] = webtest.Picture{Part: "why", Data: whyStep(finds.Step{Chosen: &crawler.Choice{How: crawler.ByReady, Waiting: 900, Preferred: 2, Sample: 200, Lower: 180, Level: 15}}, "hmm")}
	webtest.GoldenPictures(t, seed(t).Server.Templates["find-page"](), pictures)
}
