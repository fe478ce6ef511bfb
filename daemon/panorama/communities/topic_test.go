package communities

import (
	"slices"
	"strings"
	"testing"

	"nightjar/crawler/page"
	"nightjar/daemon/browse/topics"
	"nightjar/daemon/lab/effort"
	"nightjar/daemon/learn/models"
	"nightjar/daemon/learn/startpages"
	"nightjar/daemon/panorama/maps"
)

// A topic's map begins with its training; its useful pages are the positive ones. One as printed has the paper's classifier.
func TestTopicToMap(t *testing.T) {
	t.Parallel()
	effort.Long(t)
	w := newWorld(t, 8)
	d := w.open(t)
	useful := w.visited
	w.visit(t, d.st, "Own", append(slices.Clone(useful), w.web.Pages()[:4]...), useful)
	topic := must(topics.ByName(t.Context(), d.st.DB, "Own"))(t)
	const all = 1000 // of a smaller budget, other hosts may leave nothing for one that is slow to answer
	one := must(d.NewTopic(t.Context(), topic.ID, maps.Options{Pages: all, Clusters: 2}))(t)
	if one = d.finish(t, one.ID); one.State != maps.Done {
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

	printed := must(d.NewTopic(t.Context(), topic.ID, maps.Options{Pages: 30, Clusters: 2, Paper: true, Words: true}))(t)
	if printed = d.finish(t, printed.ID); printed.State != maps.Done {
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
	if _, err := d.NewTopic(t.Context(), 999, maps.Options{}); err == nil {
		t.Error("made a map of a topic that is not there")
	}
}

// The first map of a person with one topic learns from what the topic's own crawl read and found not useful.
func TestFirstMapOfOneTopic(t *testing.T) {
	t.Parallel()
	w := newWorld(t, 0)
	relevant := w.web.RelevantPages()
	useful := relevant[:6]
	d := w.open(t)
	w.visit(t, d.st, "Own", append(slices.Clone(useful), w.web.Pages()[:30]...), useful)
	topic := must(topics.ByName(t.Context(), d.st.DB, "Own"))(t)
	first := must(d.NewTopic(t.Context(), topic.ID, maps.Options{}))(t)
	if first = d.finish(t, first.ID); first.State != maps.Failed || !strings.Contains(first.Problem, "let a crawl of this topic") {
		t.Errorf("before any crawl: %+v", first)
	}
	chosen := must(d.st.Settings(t.Context()))(t)
	chosen.Budget.Pages = 150 // of some 450: the next night goes on, so that the texts are kept
	if err := d.st.SaveSettings(t.Context(), chosen); err != nil {
		t.Fatal(err)
	}
	for _, start := range must(startpages.All(t.Context(), d.st.DB, topic.ID))(t) {
		if err := startpages.Tick(t.Context(), d.st.DB, topic.ID, start.URL, true); err != nil {
			t.Fatal(err)
		}
	}
	crawl := must(d.sched.RunNow(t.Context(), topic.ID, 0))(t)
	must(d.crawlEnd(t.Context(), maps.Map{Crawl: crawl}))(t)
	one := must(d.NewTopic(t.Context(), topic.ID, maps.Options{Pages: 40, Clusters: 2}))(t)
	if one = d.finish(t, one.ID); one.State != maps.Done {
		t.Fatalf("%+v", one)
	}
	v := must(d.View(t.Context(), one.ID))(t)
	if v.Counts.Positives != len(useful) || v.Counts.Negatives != 2*len(useful) || len(v.Harvest) == 0 {
		t.Errorf("%+v, harvest %v", v.Counts, v.Harvest)
	}
	sailing := []string{"mast", "voyage", "rigging", "admiral", "frigate", "galleon", "seaworthy"} // the topic is "Age of sail"
	if !slices.ContainsFunc(sailing, func(word string) bool { return strings.Contains(v.Subject, word) }) {
		t.Errorf("the subject is %q", v.Subject)
	}
	// What it learned tells pages of the topic that the person has not seen from others on the same sites.
	b := must(must(models.Latest(t.Context(), d.st.DB, topic.ID))(t).Bundle())(t)
	var odds [2][]float64 // of others, of those
	for _, url := range w.web.Pages() {
		if slices.Contains(useful, url) {
			continue
		}
		p := must(page.Parse(url, page.ContentUTF8, w.html(t, url)))(t)
		stems, _ := b.StemsOf(p.Language, p.Text)
		kind := 0
		if w.web.Relevant(url) {
			kind = 1
		}
		odds[kind] = append(odds[kind], b.Bayes.Read(stems).PerTerm())
	}
	right := 0
	for _, x := range odds[1] {
		for _, y := range odds[0] {
			if x > y {
				right++
			}
		}
	}
	if pairs := len(odds[0]) * len(odds[1]); right < pairs*8/10 {
		t.Errorf("of %d pairs, the classifier puts %d in the right order", pairs, right)
	}
}
