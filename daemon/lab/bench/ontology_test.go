package bench

import (
	"slices"
	"strings"
	"testing"

	"nightjar/model"
	"nightjar/model/ontology"
)

// TestThematicIsCompared: it crawls by an ontology of the words of the sessions, and is not among the strategies of a task
// that names none.
func TestThematicIsCompared(t *testing.T) {
	task := evenings(1)
	task.Strategies, task.Budget = []string{"thematic", "breadth-first"}, 40
	r, err := runner(t, madeUp(t)).Run(t.Context(), task, Free)
	if err != nil {
		t.Fatal(err)
	}
	if s := r.named(t, "thematic"); len(s.PerSeed) != 1 {
		t.Errorf("%+v", s)
	}
	task = evenings(1)
	if err := task.complete(); err != nil || slices.Contains(task.Strategies, "thematic") {
		t.Errorf("all strategies are %v, %v", task.Strategies, err)
	}
	task.Strategies = []string{"thematic:Music"}
	if err := task.Check(); err == nil || !strings.Contains(err.Error(), "leave out its name") {
		t.Errorf("%v", err)
	}
}

// TestTopicOntology: the words of useful pages come first, those of all pages and of a single useful page are none.
func TestTopicOntology(t *testing.T) {
	page := func(terms ...int32) model.Words { return model.Words{Index: terms} }
	b := &model.Bundle{Topic: "Ice", Facts: model.Facts{Targets: 3}}
	b.Features.Terms = []string{"common", "hockei", "once", "puck", "us", "weather"}
	b.Features.Written = []string{"common", "hockey", "once", "pucks", "us", "weather"}
	b.Lessons.Pages = []model.Words{page(0, 1, 3, 4), page(0, 1, 2, 4), page(0, 1, 3, 5), page(0, 5), page(0, 1, 5)}
	for i := range b.Lessons.Pages {
		b.Pages = append(b.Pages, model.PageFact{Target: i < 3})
	}
	tree, faults, err := ontology.Build(topicOntology(b))
	if err != nil || len(faults) > 0 {
		t.Fatal(err, faults)
	}
	var labels []string
	for i := range tree.Len() {
		labels = append(labels, tree.Label(i))
	}
	// pucks: 2 of 3 useful pages against none; hockey: 3 of 3 against 1 of 2.
	if want := []string{"Ice", "pucks", "hockey"}; !slices.Equal(labels, want) {
		t.Errorf("%q, want %q", labels, want)
	}
	b.Lessons.Pages = nil
	if items := topicOntology(b); items != nil {
		t.Errorf("without pages: %+v", items)
	}
}
