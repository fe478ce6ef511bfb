package communities

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"nightjar/daemon/lab/effort"
	"nightjar/daemon/morning/finds"
	"nightjar/daemon/panorama/document/pdftext/pdftest"
	"nightjar/daemon/panorama/maps"
)

// From a bibliography to a map, with nothing asked of anyone but the sites.
func TestDocumentToMap(t *testing.T) {
	effort.Long(t)
	w := newWorld(t, 14)
	d := w.open(t)
	src := Source{Name: "C:\\papers\\refs.bib", Body: w.bib(t, w.visited)}
	one := must(d.NewDocument(t.Context(), src, maps.Options{Pages: 60, Clusters: 3, Seed: 1}))(t)
	one = d.finish(t, one.ID)
	if one.State != maps.Done {
		t.Fatalf("%+v", one)
	}
	v := must(d.View(t.Context(), one.ID))(t)
	if v.Document == nil || v.Document.Title != "refs" || v.Topic != "refs" || v.Provider != "local" || len(v.Queries) > 0 {
		t.Errorf("%+v, topic %q, %q %q", v.Document, v.Topic, v.Provider, v.Queries)
	}
	if len(v.Titles) < 5 || len(v.Positives) < 5 || len(v.Communities) != 3 {
		t.Errorf("%d titles, %d positives, %d communities", len(v.Titles), len(v.Positives), len(v.Communities))
	}
	total := 0
	for i, c := range v.Communities {
		total += c.Size
		if c.N != i+1 || c.Name == "" || len(c.Examples) == 0 || c.Harvest < 0 || c.Harvest > 1 {
			t.Errorf("%+v", c)
		}
		for _, p := range c.Examples {
			if p.Title == "" || !strings.HasPrefix(p.URL, "http://") || p.P < 0 || p.P > 1 || p.New {
				t.Errorf("%+v", p)
			}
		}
	}
	if total+v.Counts.Wordless != v.Counts.Kept || v.Counts.Kept != v.Counts.Pages-v.Counts.Pages/4 {
		t.Errorf("%d in communities, %+v", total, v.Counts)
	}
	if last := v.Harvest[len(v.Harvest)-1]; last.Pages != v.Counts.Pages || len(v.Harvest) > mostPoints {
		t.Errorf("%d points, the last %+v", len(v.Harvest), last)
	}
	asked := w.requests()
	for _, p := range v.Positives {
		if asked[p.URL] > 1 {
			t.Errorf("%s was asked for %d times", p.URL, asked[p.URL])
		}
	}
	finds := must(finds.Counts(t.Context(), d.st.DB, finds.Filter{}))(t)["all"]
	if finds != 0 || v.Crawl.Totals.Relevant == 0 {
		t.Errorf("%d of the %d relevant pages are finds, though only the map should show them", finds, v.Crawl.Totals.Relevant)
	}
}

// A paper in PDF on the web: its title and its references are looked for.
func TestPaperToMap(t *testing.T) {
	effort.Long(t)
	t.Parallel()
	w := newWorld(t, 14)
	d := w.open(t)
	lines := []pdftest.Line{{X: 72, Y: 720, Size: 20, Text: "A history of sails"}, {X: 72, Y: 680, Size: 12, Text: "References"}}
	for i, url := range w.visited {
		title := strings.Map(func(r rune) rune {
			if r > 126 {
				return ' '
			}
			return r
		}, w.title(t, url))
		lines = append(lines, pdftest.Line{X: 72, Y: 660 - 20*float64(i), Size: 10, Text: fmt.Sprintf(`[%d] A. Author. "%s". Journal of Sails, 2020.`, i+1, title)})
	}
	w.on("http://papers.test/paper.pdf", func(out http.ResponseWriter, _ *http.Request) {
		out.Header().Set("Content-Type", "application/pdf")
		_, _ = out.Write(pdftest.Write([][]pdftest.Line{lines}, ""))
	})
	one := must(d.NewDocument(t.Context(), Source{URL: "http://papers.test/paper.pdf"}, maps.Options{Pages: 40, Clusters: 2}))(t)
	if one = d.finish(t, one.ID); one.State != maps.Done || one.Title != "A history of sails" {
		t.Fatalf("%+v", one)
	}
	v := must(d.View(t.Context(), one.ID))(t)
	if v.Titles[0] != one.Title || v.Document.Source != "http://papers.test/paper.pdf" || len(v.Communities) != 2 || v.Counts.Positives < 5 {
		t.Errorf("%q %+v %+v", v.Titles, v.Document, v.Counts)
	}
}
