package communities

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"nightjar/daemon/panorama/maps"
	"nightjar/daemon/store"
	"nightjar/daemon/store/storetest"
	"nightjar/daemon/thesus/ontologies"
)

const oldMaps = "map\n  cartography | cartographic\n    portolan chart\n  globe\n"

// From an ontology without a document to a map: the paths of its terms are shown, corrected, asked for as words in any order,
// and the crawl around what they found follows links by the ontology.
func TestOntologyToMap(t *testing.T) {
	w := newWorld(t, 14)
	d := w.open(t)
	in := newInstance(t, func(out http.ResponseWriter, r *http.Request) {
		from := 0
		if strings.Contains(r.URL.Query().Get("q"), "globe") {
			from = 5
		}
		var hits []string
		for _, url := range w.visited[from : from+7] {
			hits = append(hits, fmt.Sprintf(`{"url": %q, "title": "T", "content": "C"}`, url))
		}
		fmt.Fprintf(out, `{"results": [%s]}`, strings.Join(hits, ","))
	})
	must2(t)(d.shelf.Import(t.Context(), "Old maps", []byte(oldMaps), ""))
	one := must(d.NewOntology(t.Context(), "old maps", maps.Options{Search: "searxng=" + in.URL, Pages: 40, Clusters: 2, Hold: true}))(t)
	main, titles, read := titlesOf(t, d, one.ID)
	want := []string{"map", "map cartography", "map globe", "map cartography portolan chart"}
	if one.State != maps.Waiting || one.Step != maps.StepTitles || main != "Old maps" || !slices.Equal(titles, want) || read.Kind != KindOntology {
		t.Fatalf("%+v, %q %q %+v", one, main, titles, read)
	}
	if err := d.SetTitles(t.Context(), one.ID, main, titles[1:3]); err != nil {
		t.Fatal(err)
	}
	plan := must(d.Plan(t.Context(), one.ID))(t)
	if want := []string{"map cartography", "map globe"}; !slices.Equal(plan.Sends(), want) || len(in.asked()) > 0 {
		t.Errorf("%q would be sent, %q were", plan.Sends(), in.asked())
	}
	if err := d.SetOptions(t.Context(), one.ID, func(o *maps.Options) { o.Hold = false }); err != nil {
		t.Fatal(err)
	}
	if err := d.Go(t.Context(), one.ID); err != nil {
		t.Fatal(err)
	}
	if one = d.finish(t, one.ID); one.State != maps.Done || one.Title != "Old maps" {
		t.Fatalf("%+v", one)
	}
	v := must(d.View(t.Context(), one.ID))(t)
	if v.Crawl.Strategy != "thematic:Old maps" || v.Crawl.Totals.Fetched == 0 || len(v.Communities) == 0 || len(v.Positives) != 12 {
		t.Errorf("%s fetched %d pages; %d communities, %d positives", v.Crawl.Strategy, v.Crawl.Totals.Fetched, len(v.Communities), len(v.Positives))
	}
	if want := []string{"map cartography", "map globe"}; !slices.Equal(in.asked(), want) || !slices.Equal(v.Queries, want) {
		t.Errorf("asked %q, told %q", in.asked(), v.Queries)
	}
}

// What cannot be made of an ontology is said before anything is stored; one that is deleted before the crawl fails there.
func TestOntologyWrong(t *testing.T) {
	t.Parallel()
	w := newWorld(t, 14)
	w.withDouble(t, func(*double) {})
	d := w.open(t)
	o := must2(t)(d.shelf.Import(t.Context(), "Old maps", []byte(oldMaps), ""))
	if _, err := d.NewOntology(t.Context(), "New maps", maps.Options{}); !errors.Is(err, store.ErrNotFound) || !strings.Contains(err.Error(), "New maps") {
		t.Errorf("%v", err)
	}
	if _, err := d.NewOntology(t.Context(), "Old maps", maps.Options{Paper: true}); err == nil || !strings.Contains(err.Error(), "do not go together") {
		t.Errorf("%v", err)
	}
	if _, err := newBare(d.st).NewOntology(t.Context(), "Old maps", maps.Options{}); !errors.Is(err, ErrNoOntologies) {
		t.Errorf("%v", err)
	}
	if all := must(maps.All(t.Context(), d.st.DB))(t); len(all) > 0 {
		t.Errorf("%+v", all)
	}
	one := must(d.NewOntology(t.Context(), "Old maps", maps.Options{Search: "list", List: w.visited, Hold: true, Pages: 10}))(t)
	for range 2 { // pages, training
		if err := d.Go(t.Context(), one.ID); err != nil {
			t.Fatal(err)
		}
		if one = d.finish(t, one.ID); one.State != maps.Waiting {
			t.Fatalf("%+v", one)
		}
	}
	if err := d.shelf.Delete(t.Context(), o.ID); err != nil {
		t.Fatal(err)
	}
	if err := d.Go(t.Context(), one.ID); err != nil {
		t.Fatal(err)
	}
	if one = d.finish(t, one.ID); one.State != maps.Failed || one.Step != maps.StepCrawl || !strings.Contains(one.Problem, `there is no ontology "Old maps"`) {
		t.Errorf("%+v", one)
	}
}

// must2 fails the test on an error of an import.
func must2(t *testing.T) func(ontologies.Ontology, []string, error) ontologies.Ontology {
	return func(o ontologies.Ontology, _ []string, err error) ontologies.Ontology {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return o
	}
}

// TestPaths is worked by hand: breadth first, each word once.
func TestPaths(t *testing.T) {
	const music = "music\n  instrument | instruments\n    string instrument\n      guitar\n    flute\n  genre\n    Jazz_Music\n"
	shelf := ontologies.New(storetest.Open(t), nil)
	must2(t)(shelf.Import(t.Context(), "Music", []byte(music), ""))
	_, tree, err := shelf.TreeByName(t.Context(), "Music")
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"music", "music instrument", "music genre", "music instrument string", "music instrument flute", "music genre jazz", "music instrument string guitar"}
	if got := Paths(tree); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
