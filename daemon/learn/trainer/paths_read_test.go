package trainer

import (
	"slices"
	"strings"
	"testing"

	"nightjar/crawler/feature"
	"nightjar/daemon/browse/session"
	"nightjar/daemon/browse/topics"
	"nightjar/daemon/learn/marks"
	"nightjar/daemon/store"
)

// TestReadPaths checks what a data folder adds to the events of sessions: marked finds with the links that the crawl
// followed, names that were changed in the dashboard, and the person's number of layers.
func TestReadPaths(t *testing.T) {
	st := mustStore(t)
	tr, _ := mustTrainer(t, st)
	events := walk(1, 8, 1)
	label := events[len(events)-1]
	label.ID, label.Type, label.Page, label.Name = "01890a5d-ac96-774b-bcce-b302099a8057", "label", events[1].Page, "harbour"
	events[len(events)-1].Seq++
	topic := mustIngest(t, st, append(events, label))
	m, err := tr.Train(t.Context(), topic.ID)
	if err != nil {
		t.Fatal(err)
	}
	finds := mustCrawl(t, st, topic, m)
	for url, mark := range map[string]string{"http://new.test/good": store.MarkUseful, "http://new.test/bad": store.MarkNotUseful} {
		if err := marks.Put(t.Context(), st.DB, finds[url], mark); err != nil {
			t.Fatal(err)
		}
	}
	read := func() (paths, labels []string) {
		all, err := ReadPaths(t.Context(), st, topic.ID, feature.DefaultSets())
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range all {
			paths = append(paths, strings.ReplaceAll(short(p), "http://", ""))
			labels = append(labels, p.Steps[0].Name+strings.Repeat("+", p.Steps[0].Hop))
		}
		return paths, labels
	}
	paths, labels := read()
	slices.Sort(paths[:2]) // both were marked at the same time, or nearly
	want := []string{"+find new.test/hub 0 new.test/good", "-find new.test/hub 1 new.test/bad",
		"+marked chain.test/1/0" + chain(1, 7)}
	if !slices.Equal(paths, want) || !slices.Equal(labels, []string{"+", "+", "harbour+++"}) {
		t.Errorf("paths %q with %q\nwant %q", paths, labels, want)
	}
	if _, _, err := topics.RenameMilestone(t.Context(), st.DB, topic.ID, "harbour", "port"); err != nil {
		t.Fatal(err)
	}
	if _, labels := read(); !slices.Equal(labels, []string{"+", "+", "port+++"}) {
		t.Errorf("after it was renamed: %q", labels)
	}
	if _, err := topics.DeleteMilestone(t.Context(), st.DB, topic.ID, "port"); err != nil {
		t.Fatal(err)
	}
	if _, labels := read(); labels[2] != "+++" {
		t.Errorf("the deleted name still counts: %q", labels)
	}
	recs, err := session.Fold(append(events, label))
	if err != nil {
		t.Fatal(err)
	}
	if name := mustPaths(t, recs, nil, nil)[0].Steps[0].Name; name != "harbour" {
		t.Errorf("without a data folder the session's own name is %q", name)
	}
}

// chain is the rest of the way along walk's pages.
func chain(seed, last int) string {
	var b strings.Builder
	for i := 1; i <= last; i++ {
		b.WriteString(" 0 chain.test/" + string(rune('0'+seed)) + "/" + string(rune('0'+i)))
	}
	return b.String()
}
