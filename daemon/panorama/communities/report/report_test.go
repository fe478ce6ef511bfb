package report

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"testing"
	"time"

	"nightjar/crawler"
	"nightjar/daemon/learn/trainingdata"
	"nightjar/daemon/night/crawls"
	"nightjar/daemon/panorama/communities"
	"nightjar/daemon/panorama/maps"
	"nightjar/model/cluster"
	"nightjar/model/label"
	"nightjar/model/layout"
)

var update = flag.Bool("update", false, "write the golden files anew")

// small is a map of two communities around a bibliography, made again.
func small() *communities.View {
	day := time.Date(2026, 11, 20, 21, 30, 0, 0, time.UTC)
	return &communities.View{
		Map: maps.Map{ID: 7, Source: maps.FromDocument, Title: "Tidal power", Options: maps.Options{
			Search: "searxng=http://localhost:8888", Pages: 60, Clusters: 2, Seed: 3}},
		Document: &maps.Document{Title: "Tidal power", Source: "tides.bib"},
		Topic:    "Tidal power",
		Crawl: crawls.Crawl{ID: 12, Strategy: "naive-bayes", StopReason: "budget of 60 pages used", Totals: crawler.Totals{Fetched: 60},
			StartedAt: day.Add(-time.Hour), EndedAt: day.Add(-time.Minute)},
		Result: communities.Result{
			Made: day,
			Communities: []communities.Community{
				{N: 1, Name: "tidal turbine, lagoon", Size: 31, New: 2, Harvest: .914,
					Labels: []label.Label{{Text: "tidal turbine", Words: []string{"tidal", "turbine"}, Score: 4.5, Pages: 20}, {Text: "lagoon", Words: []string{"lagoon"}, Score: 3, Pages: 18}},
					Words:  []cluster.Scored{{Term: "turbine", Score: 5}, {Term: "lagoon", Score: 3}},
					Examples: []communities.Page{
						{Fetch: 5, URL: "http://tides.test/turbines?page=1&all=yes", Title: "Turbines & tides", Snippet: "A tidal turbine turns in the stream of a tide.", Score: .81, P: .97, New: true},
						{Fetch: 6, URL: "http://lagoon.test/", Title: "The lagoon", Score: .7, P: .9}},
					Hubs:        []communities.Page{{Fetch: 6, URL: "http://lagoon.test/", Title: "The lagoon", Score: .9, P: .9}},
					Authorities: []communities.Page{{Fetch: 5, URL: "http://tides.test/turbines?page=1&all=yes", Title: "Turbines & tides", Score: 1, P: .97, New: true}},
					Circle:      layout.Circle{X: 300, Y: 320, R: 120}},
				{N: 2, Name: "EMEC, test site", Size: 14, Harvest: .5,
					Labels:   []label.Label{{Text: "EMEC", Words: []string{"emec"}, Score: 2, Pages: 9, Expansion: "European Marine Energy Centre"}, {Text: "test site", Words: []string{"test", "site"}, Score: 1.5, Pages: 5}},
					Words:    []cluster.Scored{{Term: "emec", Score: 2}},
					Examples: []communities.Page{{Fetch: 9, URL: "https://emec.test/caf%C3%A9", Title: "EMEC", Snippet: "EMEC tests <devices> at sea.", Score: .6, P: .55}},
					Circle:   layout.Circle{X: 680, Y: 320, R: 80.6}},
			},
			Subject:    "tides, <turbine>, Öre Sound",
			Between:    [][]float64{{1, .42}, {.42, 1}},
			Counts:     communities.Counts{Fetched: 60, Pages: 58, Kept: 45, Wordless: 1, Terms: 321, Links: 17, Positives: 6, Negatives: 12, AllLinks: 200, LinkRule: "folders"},
			Few:        true,
			Warnings:   []string{"Only 45 pages were kept, so that there are fewer communities than you asked for."},
			Silhouette: .21, Objective: 20.5,
		},
		Harvest:  []communities.HarvestPoint{{Pages: 1, Rate: .9}, {Pages: 30, Rate: .8}, {Pages: 60, Rate: .7}},
		Titles:   []string{"How tides turn turbines", "Lagoons of the north"},
		Provider: "http://localhost:8888/",
		Queries:  []string{`"How tides turn turbines"`, `"Lagoons of the north"`},
		Positives: []trainingdata.Positive{
			{URL: "http://lagoon.test/", Title: "The lagoon", Reasons: []trainingdata.PositiveReason{{Title: "Lagoons of the north", Stage: "searxng", Place: 1}, {Title: "How tides turn turbines", Stage: "searxng", Place: 3}}},
			{URL: "http://shop.test/tides", Title: "Tide tables for sale", LeftOut: true, Reasons: []trainingdata.PositiveReason{{Title: "How tides turn turbines", Stage: "searxng", Place: 2}}},
			{URL: "http://named.test/", Reasons: []trainingdata.PositiveReason{{Stage: "list"}}}},
		Earlier: &maps.Map{ID: 4}, Gone: []communities.Page{{Fetch: 2, URL: "http://gone.test/old", Title: "An old page"}}, GoneAll: 3,
	}
}

func mustWrite(t *testing.T, v *communities.View) []byte {
	t.Helper()
	var out bytes.Buffer
	if err := Write(&out, v); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// TestGolden: a small map gives the files of testdata, which can be read and opened.
func TestGolden(t *testing.T) {
	var object bytes.Buffer
	if err := WriteJSON(&object, small()); err != nil {
		t.Fatal(err)
	}
	for name, got := range map[string][]byte{"small.html": mustWrite(t, small()), "small.json": object.Bytes()} {
		path := filepath.Join("testdata", name)
		if *update {
			if err := os.WriteFile(path, got, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, want) {
			t.Errorf("%s is not what is written; look at the difference, and run the test with -update:\n%s", name, got)
		}
	}
}
