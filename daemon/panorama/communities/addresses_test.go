package communities

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"nightjar/daemon/panorama/maps"
	"nightjar/daemon/panorama/trainingset"
)

// The addresses and DOIs of references stand behind the titles, where the person sees them before any is requested. What is left of them
// is positive by itself.
func TestAddressesOfReferences(t *testing.T) {
	t.Parallel()
	w := newWorld(t, 14)
	d := w.open(t)
	var bib strings.Builder
	for i, url := range w.web.RelevantPages()[:12] {
		fmt.Fprintf(&bib, "@misc{k%d,\n  title = {Nobody has page %d of this},\n  url = {%s}\n}\n", i, i, url)
	}
	bib.WriteString("@article{d, title = {Nobody has this either}, doi = {10.1000/XYZ}}\n")
	one := must(d.NewDocument(t.Context(), Source{Name: "refs.bib", Body: []byte(bib.String())}, maps.Options{Hold: true}))(t)
	main, titles, _ := titlesOf(t, d, one.ID)
	if len(titles) != 26 || titles[25] != "https://doi.org/10.1000/xyz" || len(w.requests()) > 0 {
		t.Fatalf("%d titles: %q; requested %v", len(titles), titles, w.requests())
	}
	plan := must(d.Plan(t.Context(), one.ID))(t)
	if !slices.Equal(plan.Named, titles[13:]) {
		t.Errorf("planned %q", plan.Named)
	}
	if err := d.SetTitles(t.Context(), one.ID, main, titles[:23]); err != nil {
		t.Fatal(err)
	}
	if err := d.Go(t.Context(), one.ID); err != nil {
		t.Fatal(err)
	}
	if one = d.finish(t, one.ID); one.State != maps.Waiting || one.Step != maps.StepPages {
		t.Fatalf("%+v", one)
	}
	var urls []string
	for _, p := range must(d.Positives(t.Context(), one.ID))(t) {
		urls = append(urls, p.URL)
		if p.Reasons[0].Stage != trainingset.StageNamed || !p.Known {
			t.Errorf("%+v", p)
		}
	}
	if !slices.Equal(urls, titles[13:23]) {
		t.Errorf("%q, want %q", urls, titles[13:23])
	}
	for url := range w.requests() {
		if slices.Contains(titles[23:], url) {
			t.Errorf("requested %s, which was deleted", url)
		}
	}

	// The paper looks for titles only.
	paper := must(d.NewDocument(t.Context(), Source{Name: "refs.bib", Body: []byte(bib.String())}, maps.Options{Hold: true, Paper: true}))(t)
	if plan := must(d.Plan(t.Context(), paper.ID))(t); len(plan.Named) > 0 {
		t.Errorf("%q", plan.Named)
	}
}
