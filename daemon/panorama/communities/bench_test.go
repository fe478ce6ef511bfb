package communities

import (
	"testing"

	"nightjar/daemon/lab/devtool"
	"nightjar/daemon/panorama/maps"
)

// BenchmarkDraw reads a crawl of 5,000 pages and draws its map.
func BenchmarkDraw(b *testing.B) {
	st := benchStore(b)
	pages, positive, negative := themed(5000, 8)
	c := mustCrawl(b, st, bundle(b, positive, negative), pages)
	d := newBare(st)
	devtool.ResetPeakMemory()
	for b.Loop() {
		one, err := maps.Add(b.Context(), st.DB, maps.Map{Source: maps.FromCrawl, Topic: c.TopicID, Crawl: c.ID, Step: maps.StepDrawing, State: maps.Working})
		if err != nil {
			b.Fatal(err)
		}
		if err := d.draw(b.Context(), one); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(devtool.PeakMemory())/(1<<20), "MiB-peak")
}

// BenchmarkView reads a map of 5,000 pages that makes another one again.
func BenchmarkView(b *testing.B) {
	st := benchStore(b)
	pages, positive, negative := themed(5000, 2)
	c := mustCrawl(b, st, bundle(b, positive, negative), pages)
	d := newBare(st)
	var last int64
	for range 2 {
		one, err := maps.Add(b.Context(), st.DB, maps.Map{
			Source: maps.FromCrawl, Topic: c.TopicID, Crawl: c.ID, Earlier: last, Step: maps.StepDrawing, State: maps.Working,
		})
		if err == nil {
			err = d.draw(b.Context(), one)
		}
		if err != nil {
			b.Fatal(err)
		}
		last = one.ID
	}
	for b.Loop() {
		if _, err := d.View(b.Context(), last); err != nil {
			b.Fatal(err)
		}
	}
}
