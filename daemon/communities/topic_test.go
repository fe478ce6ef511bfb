package communities

import (
	"slices"
	"strings"
	"testing"

	"nightjar/daemon/lab/effort"
	"nightjar/daemon/store"
)

// A topic's map begins with its training; its useful pages are the positive ones. One as printed has the paper's classifier.
func TestTopicToMap(t *testing.T) {
	t.Parallel()
	effort.Long(t)
	w := newWorld(t, 8)
	d := w.open(t)
	useful := w.visited
	w.visit(t, d.st, "Own", append(slices.Clone(useful), w.web.Pages()[:4]...), useful)
	topic := must(d.st.TopicByName(t.Context(), "Own"))(t)
	const all = 1000 // of a smaller budget, other hosts may leave nothing for one that is slow to answer
	one := must(d.NewTopic(t.Context(), topic.ID, store.MapOptions{Pages: all, Clusters: 2}))(t)
	if one = d.finish(t, one.ID); one.State != store.MapDone {
		t.Fatalf("%+v", one)
	}
	v := must(d.View(t.Context(), one.ID))(t)
	if v.Topic != "Own" || v.Document != nil || v.Crawl.Strategy != naiveBayes || v.Counts.Positives != len(useful) || v.Counts.Negatives < 10 ||
		len(v.Communities) != 2 || len(v.Harvest) == 0 {
		t.Errorf("%+v, %d communities, strategy %s", v.Counts, len(v.Communities), v.Crawl.Strategy)
	}
	for _, url := range useful {
		if n := w.requests()[url]; n != 1 {
			t.Errorf("start page %s was asked for %d times", url, n)
		}
	}
	like, err := d.MoreLikeThis(t.Context(), one.ID, 1)
	if err != nil {
		t.Fatal(err)
	}
	made, err := d.Trainer.Train(t.Context(), like)
	if err != nil {
		t.Fatal(err)
	}
	if b, err := made.Bundle(); err != nil || b.Bayes == nil || b.Facts.Targets != len(v.Communities[0].Examples) {
		t.Errorf("%+v, %v", made.Facts, err)
	}

	printed := must(d.NewTopic(t.Context(), topic.ID, store.MapOptions{Pages: 30, Clusters: 2, Paper: true, Words: true}))(t)
	if printed = d.finish(t, printed.ID); printed.State != store.MapDone {
		t.Fatalf("%+v", printed)
	}
	if v = must(d.View(t.Context(), printed.ID))(t); v.Crawl.Strategy != asPrinted {
		t.Errorf("strategy %s", v.Crawl.Strategy)
	}
	for _, c := range v.Communities {
		for _, l := range c.Labels {
			if strings.Contains(l.Text, " ") || l.Text != strings.ToLower(l.Text) {
				t.Errorf("label %q is no word", l.Text)
			}
		}
	}
	if _, err := d.NewTopic(t.Context(), 999, store.MapOptions{}); err == nil {
		t.Error("made a map of a topic that is not there")
	}
}
