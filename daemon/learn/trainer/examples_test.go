package trainer

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"nightjar/crawler/fetch"
	"nightjar/daemon/app/wings"
	"nightjar/daemon/browse/protocol"
	"nightjar/daemon/browse/session/sessiontest"
	"nightjar/daemon/browse/sessions"
	"nightjar/daemon/browse/topics"
	"nightjar/daemon/keep/erasing"
	"nightjar/daemon/learn/models"
	"nightjar/daemon/learn/startpages"
	"nightjar/daemon/learn/trainingdata"
	"nightjar/daemon/panorama/maps"
	"nightjar/daemon/store"
	"nightjar/model"
	"nightjar/model/naivebayes"
	"nightjar/model/text"
)

// glacierEnd is what pages end with: the word "nunatak" behind the part of a page that [PANORAMA] reads.
var glacierEnd = map[int]string{1: strings.Repeat("glacier ", naivebayes.PaperBytes/8) + "nunatak"}

// glacier returns the n-th page about glaciers.
func glacier(n int) string {
	words := []string{"moraine", "firn", "crevasse", "serac", "icefall", "drumlin", "esker", "kettle"}
	return fmt.Sprintf(`<title>Glacier %d</title><p>%s %s %s</p>`, n, strings.Repeat("glacier ice core melt ", n+3),
		strings.Repeat(words[n%len(words)]+" ", 3), glacierEnd[n])
}

// mustDocument makes a document with so many positive pages http://pN.test/, all of which were fetched, and its topic.
func mustDocument(t *testing.T, st *store.Store, positives int) (maps.Document, topics.Topic) {
	t.Helper()
	ctx := t.Context()
	d, err := maps.AddDocument(ctx, st.DB, maps.Document{Key: "glaciers", Title: "Glaciers"}, []string{"Ice"}, maps.ReadDocument{})
	if err != nil {
		t.Fatal(err)
	}
	var all []trainingdata.Positive
	for n := range positives {
		all = append(all, trainingdata.Positive{URL: fmt.Sprintf("http://p%d.test/", n)})
	}
	if err := trainingdata.PutPositives(ctx, st.DB, d.ID, all); err != nil {
		t.Fatal(err)
	}
	for n, p := range all {
		res := fetch.Response{URL: p.URL, FinalURL: p.URL, Outcome: fetch.OK, Status: 200, Body: []byte(glacier(n))}
		if err := trainingdata.PutDocumentPage(ctx, st.DB, d.ID, "Glacier", res); err != nil {
			t.Fatal(err)
		}
	}
	topic, err := maps.DocumentTopic(ctx, st.DB, d.ID)
	if err != nil {
		t.Fatal(err)
	}
	return d, topic
}

// hub returns the events of a session in which the person followed a link from http://hub.test/ to http://p0.test/.
func hub() []protocol.Event {
	m := sessiontest.NewMaker(5, start)
	events := []protocol.Event{m.Start("Hubs")}
	first := m.Visit("http://hub.test/", "Hub", protocol.HowTyped, "")
	events = append(events, first,
		m.Snapshot(first.Page, []byte(`<title>Hub</title><p>all about science<a href="http://p0.test/">0</a> <a href="http://p1.test/">1</a>`)))
	second := m.Visit("http://p0.test/", "Glacier", protocol.HowLink, first.Page)
	events = append(events, second, m.Snapshot(second.Page, []byte(glacier(0))))
	for i := range 3 {
		v := m.Visit(fmt.Sprintf("http://stray.test/%d", i), "Stray", protocol.HowTyped, "")
		events = append(events, v, m.Snapshot(v.Page, []byte(fmt.Sprintf("<title>Stray</title><p>kitchen pan oven recipe %d", i))))
		if i == 0 {
			events = append(events, m.Of(protocol.Useful, v.Page, ""))
		}
	}
	return append(events, m.Event(protocol.Submit))
}

func mustModel(t *testing.T, m *models.Model, err error) *model.Bundle {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	b, err := m.Bundle()
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// TestTrainDocument: a topic without sessions learns from the positive pages of its document, pages that link to them, and
// negative ones; two trainings on the same data make the same model; what it learned from goes with the model.
func TestTrainDocument(t *testing.T) {
	st := mustStore(t)
	tr, bus := mustTrainer(t, st)
	mustIngest(t, st, walkOf("Other", 2, 14, 2))
	mustIngest(t, st, hub())
	d, topic := mustDocument(t, st, 8)
	for url, out := range map[string]bool{"http://p6.test/": true, "http://p7.test/": true} {
		if err := trainingdata.LeaveOut(t.Context(), st.DB, d.ID, url, out); err != nil {
			t.Fatal(err)
		}
	}
	stale := func(want bool, when string) {
		t.Helper()
		if got, err := tr.Stale(t.Context(), topic.ID); err != nil || got != want {
			t.Errorf("stale = %v, %v %s", got, err, when)
		}
	}
	stale(true, "before the first training")
	news, stop := bus.Listen()
	defer stop()
	m, err := tr.Train(t.Context(), topic.ID)
	b := mustModel(t, m, err)
	if f := m.Facts; f.Targets != 6 || len(f.Sessions) != 0 || !slices.Equal(f.Documents, []int64{d.ID}) || f.Positives == "" {
		t.Errorf("%+v", f)
	}
	at := map[string]int{}
	for i, p := range b.Pages {
		at[p.URL] = i
	}
	for _, p := range []string{"http://p0.test/", "http://p1.test/"} {
		if !slices.Contains(b.Edges, [2]int{at["http://hub.test/"], at[p]}) {
			t.Errorf("no link from the hub to %s: %v", p, b.Edges)
		}
	}
	if negatives := len(b.Pages) - 7; negatives < 10 || negatives > 12 || len(b.Edges) != 2 {
		t.Errorf("%d negative pages, %d links; want up to two for each positive page, which lead nowhere", negatives, len(b.Edges))
	}
	if b.Bayes == nil || b.NoBayes != "" || b.Bayes.Gaussian() {
		t.Fatalf("no classifier: %s", b.NoBayes)
	}
	for body, want := range map[string]bool{"a glacier of ice and its melt": true, "forest tree and a ship": false} {
		counts, _ := text.Count(body)
		if r := b.Bayes.Read(counts); r.LogOdds > 0 != want {
			t.Errorf("%q: %+v", body, r)
		}
	}
	told := false
	for len(news) > 0 {
		told = (<-news).Data.(Status).Stage == model.StageBayes || told
	}
	if !told {
		t.Error("the stage of the classifier is not told")
	}
	starts, err := startpages.All(t.Context(), st.DB, topic.ID)
	if err != nil || len(starts) != 6 || starts[0].Ticked {
		t.Errorf("%+v, %v", starts, err)
	}

	stale(false, "after the training")
	again, err := tr.Train(t.Context(), topic.ID)
	if mustModel(t, again, err); !bytes.Equal(m.Encoded(), again.Encoded()) {
		t.Error("the second model differs from the first")
	}
	if err := trainingdata.LeaveOut(t.Context(), st.DB, d.ID, "http://p6.test/", false); err != nil {
		t.Fatal(err)
	}
	stale(true, "with another page")
	more, err := tr.Train(t.Context(), topic.ID)
	if mustModel(t, more, err); more.Facts.Targets != 7 || !slices.Contains(more.Facts.Changes, "7 useful pages, 1 more than before") {
		t.Errorf("%+v", more.Facts)
	}

	changed, err := erasing.Host(t.Context(), st, wings.Erasing, "p6.test")
	if err != nil || !slices.Contains(changed, topic.ID) {
		t.Errorf("topics %v, %v must be trained again", changed, err)
	}
	last, err := tr.Train(t.Context(), topic.ID)
	if mustModel(t, last, err); last.Facts.Targets != 6 {
		t.Errorf("%+v", last.Facts)
	}
	hubs, err := topics.ByName(t.Context(), st.DB, "Hubs")
	if err != nil {
		t.Fatal(err)
	}
	if changed, err = sessions.DeleteTopic(t.Context(), st.DB, hubs.ID); err != nil || !slices.Contains(changed, topic.ID) {
		t.Errorf("topics %v, %v must be trained again when the session that visited the hub is erased", changed, err)
	}
}

// TestPaperClassifier: the newest map decides which classifier a document's topic has. That of the paper learns from the heads
// of pages.
func TestPaperClassifier(t *testing.T) {
	st := mustStore(t)
	tr, _ := mustTrainer(t, st)
	mustIngest(t, st, walkOf("Other", 2, 14, 2))
	d, topic := mustDocument(t, st, 5)
	for _, paper := range []bool{true, false} {
		_, err := maps.Add(t.Context(), st.DB, maps.Map{Source: maps.FromDocument, Document: d.ID, Step: maps.StepTraining, State: maps.Working,
			Options: maps.Options{Paper: paper}})
		if err != nil {
			t.Fatal(err)
		}
		if stale, err := tr.Stale(t.Context(), topic.ID); err != nil || !stale {
			t.Errorf("stale = %v, %v", stale, err)
		}
		m, err := tr.Train(t.Context(), topic.ID)
		b := mustModel(t, m, err)
		if b.Bayes == nil || b.Bayes.Gaussian() != paper {
			t.Fatalf("the classifier of the paper: %v; wanted %v (%s)", b.Bayes != nil && b.Bayes.Gaussian(), paper, b.NoBayes)
		}
		if _, known := slices.BinarySearch(b.Bayes.Store().Terms, "nunatak"); known == paper {
			t.Errorf("as in the paper: %v; learned from the end of a long page: %v", paper, known)
		}
	}
}

// TestClassifierOfSessions: a topic with sessions has a classifier, too, if there is enough to learn from, and its training set
// stays what the sessions showed. Otherwise the model says what is missing, and the training does not fail.
func TestClassifierOfSessions(t *testing.T) {
	st := mustStore(t)
	tr, _ := mustTrainer(t, st)
	few := mustIngest(t, st, walkOf("Few", 1, 8, 2))
	many := mustIngest(t, st, walkOf("Many", 3, 9, 5))
	none := "fewer than 5 positive pages"
	m, err := tr.Train(t.Context(), few.ID)
	if b := mustModel(t, m, err); b.Bayes != nil || !strings.Contains(b.NoBayes, none) {
		t.Errorf("%q; want %q", b.NoBayes, none)
	}
	m, err = tr.Train(t.Context(), many.ID) // all other pages are of the same site
	if b := mustModel(t, m, err); b.Bayes != nil || !strings.Contains(b.NoBayes, "fewer than 10 negative pages") {
		t.Errorf("%q; want too few negative pages", b.NoBayes)
	}
	mustDocument(t, st, 12)
	m, err = tr.Train(t.Context(), many.ID)
	b := mustModel(t, m, err)
	if b.Bayes == nil || m.Facts.Pages != 9 || len(m.Facts.Documents) != 0 || m.Facts.Positives != "" {
		t.Errorf("%+v, %q", m.Facts, b.NoBayes)
	}
	if !slices.Contains(m.Facts.BackgroundHosts, "p0.test") && !slices.Contains(m.Facts.BackgroundHosts, "p1.test") && !slices.Contains(m.Facts.BackgroundHosts, "p2.test") {
		t.Errorf("the hosts of negative pages are not noted: %v", m.Facts.BackgroundHosts)
	}
	if other, err := tr.Try(t.Context(), many.ID, 0); err != nil || other.With.Bayes != nil || other.Without.Bayes != nil {
		t.Errorf("%v; a try has a classifier that its strategy does not need", err)
	}
}

// TestDocumentWithTooLittle: a document with nothing to learn from says what helps, in words about documents.
func TestDocumentWithTooLittle(t *testing.T) {
	st := mustStore(t)
	tr, _ := mustTrainer(t, st)
	_, topic := mustDocument(t, st, 3)
	_, err := tr.Train(t.Context(), topic.ID)
	if err == nil || !Untrainable(err) || !strings.Contains(err.Error(), "fewer than 5 positive pages") {
		t.Errorf("%v", err)
	}
	if s := tr.Status(topic.ID); s.Stage != "failed" || !strings.HasPrefix(s.Problem, "3 given: fewer than 5 positive pages") {
		t.Errorf("%+v", s)
	}
}
