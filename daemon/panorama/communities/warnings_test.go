package communities

import (
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"nightjar/daemon/night/crawls"
	"nightjar/daemon/panorama/maps"
	"nightjar/daemon/thesus/links"
)

// A crawl that no map has shown keeps only some of its pages; the person is told, and a crawl without any gives no map.
func TestCrawlWithoutPages(t *testing.T) {
	t.Parallel()
	for _, relevant := range []int{0, 60} {
		t.Run(fmt.Sprint(relevant, " relevant"), func(t *testing.T) {
			pages, positive, negative := themed(100, 2)
			for i := range relevant {
				pages[i].relevant = true
			}
			w := newWorld(t, 0)
			c := w.mustCrawl(t, bundle(t, positive, negative), pages)
			d := w.open(t)
			for _, one := range must(maps.OfCrawl(t.Context(), d.st.DB, c.ID))(t) {
				if err := d.Delete(t.Context(), one.ID); err != nil {
					t.Fatal(err)
				}
			}
			reader := links.NewIndexer(d.st, links.Options{Log: slog.New(slog.DiscardHandler)})
			for n := 1; n > 0; n = must(reader.Step(t.Context()))(t) {
			}
			if err := crawls.DropRead(t.Context(), d.st.DB); err != nil {
				t.Fatal(err)
			}
			one := must(d.NewCrawl(t.Context(), c.ID, maps.Options{}))(t)
			one = d.finish(t, one.ID)
			if relevant == 0 {
				if one.State != maps.Failed || one.Problem != ErrNoPages.Error() {
					t.Errorf("%+v", one)
				}
				return
			}
			v := must(d.View(t.Context(), one.ID))(t)
			if v.Counts.Pages != relevant || v.Counts.Fetched != 100 || !v.Few || len(v.Warnings) != 2 || !strings.Contains(v.Warnings[0], "Only 45 pages") ||
				!strings.Contains(v.Warnings[1], "40 pages were not kept") {
				t.Errorf("%+v %q", v.Counts, v.Warnings)
			}
		})
	}
}

// Hubs that are missing, and a classifier that is missing, have their reasons.
func TestWarnings(t *testing.T) {
	t.Parallel()
	w := newWorld(t, 0)
	pages, _, _ := themed(60, 2)
	for i := range pages { // all on one site
		from := fmt.Sprintf("http://site%d.test/", i%97)
		pages[i].url = strings.Replace(pages[i].url, from, "http://one.test/", 1)
		pages[i].final = pages[i].url
		for k := range 97 {
			pages[i].html = strings.ReplaceAll(pages[i].html, fmt.Sprintf("http://site%d.test/", k), "/")
		}
	}
	c := w.mustCrawl(t, bundle(t), pages)
	d := w.open(t)
	for _, o := range []maps.Options{{Clusters: 2}, {Clusters: 2, Paper: true}, {Clusters: 2, Links: "sites"}} {
		one := must(d.NewCrawl(t.Context(), c.ID, o))(t)
		if one = d.finish(t, one.ID); one.State != maps.Done {
			t.Fatalf("%+v", one)
		}
		v := must(d.View(t.Context(), one.ID))(t)
		said := strings.Join(v.Warnings, "\n")
		none := o.Links == "sites" // between which there is no link
		if strings.Contains(said, "There are no hubs") != none || (v.Counts.Links == 0) != none || v.Counts.AllLinks == 0 ||
			!strings.Contains(said, "There was no classifier (fewer than 10 negative pages)") || v.Counts.Kept != 60 || len(v.Harvest) > 0 {
			t.Errorf("%+v: %q, %+v", o, said, v.Counts)
		}
		if said := v.Counts.LinksCounted(); !none && said != fmt.Sprintf("of %d links count: each one", v.Counts.AllLinks) {
			t.Errorf("%+v: %q", o, said)
		}
	}
}
