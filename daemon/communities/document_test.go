package communities

import (
	"strings"
	"testing"

	"nightjar/daemon/store"
)

// From a bibliography to a map, with nothing asked of anyone but the sites.
func TestDocumentToMap(t *testing.T) {
	w := newWorld(t, 14)
	d := w.open(t)
	src := Source{Name: "C:\\papers\\refs.bib", Body: w.bib(t, w.visited)}
	one := must(d.NewDocument(t.Context(), src, store.MapOptions{Pages: 80, Clusters: 3, Seed: 1}))(t)
	one = d.finish(t, one.ID)
	if one.State != store.MapDone {
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
}
