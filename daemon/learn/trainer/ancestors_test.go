package trainer

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"testing"

	"nightjar/crawler/strategy"
	"nightjar/daemon/app/wings"
	"nightjar/daemon/browse/protocol"
	"nightjar/daemon/browse/session/sessiontest"
	"nightjar/daemon/browse/topics"
	"nightjar/daemon/keep/erasing"
	"nightjar/daemon/learn/models"
	"nightjar/daemon/store"
	"nightjar/daemon/thesus/links"
	"nightjar/model"
	"nightjar/model/contextgraph"
	"nightjar/model/online"
	"nightjar/model/text"
)

// The useful page of walk(1, 8, 1), and pages of a night that lead to it.
const (
	usefulPage = "http://chain.test/1/7"
	parent     = "http://up.test/parent"
	grandpa    = "http://far.test/list"
)

// upWeb is a web whose start page leads to the useful page by a page in between.
func upWeb() [][2]string {
	return [][2]string{
		{grandpa, `<title>List</title><p>forest and mountain lists<a href="` + parent + `">a parent</a> <a href="/leaf">a leaf</a>`},
		{parent, `<title>Parent</title><p>harbour with ships, forest with trees<a href="` + usefulPage + `">the page</a>`},
		{"http://far.test/leaf", `<title>Leaf</title><p>forest tree rock`},
	}
}

// mustIndex reads the links of all stored pages.
func mustIndex(t *testing.T, st *store.Store) {
	t.Helper()
	x := links.NewIndexer(st, links.Options{Log: slog.New(slog.DiscardHandler)})
	for {
		if n, err := x.Step(t.Context()); err != nil {
			t.Fatal(err)
		} else if n == 0 {
			return
		}
	}
}

// mustTrainedBundle trains the topic and returns the model as it is stored.
func mustTrainedBundle(t *testing.T, st *store.Store, tr *Trainer, topic topics.Topic) *model.Bundle {
	t.Helper()
	if _, err := tr.Train(t.Context(), topic.ID); err != nil {
		t.Fatal(err)
	}
	m, err := models.Latest(t.Context(), st.DB, topic.ID)
	if err != nil {
		t.Fatal(err)
	}
	b, err := m.Bundle()
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// ups are the ancestors of a model: "name > what it links to".
func ups(b *model.Bundle) (all []string) {
	name := map[uint64]string{}
	for _, url := range []string{parent, grandpa, "http://far.test/leaf", "http://other.test/", "http://open.test/"} {
		name[online.Key(url)] = url
	}
	for _, a := range b.Ancestors {
		line := name[a.Key] + " >"
		for _, to := range a.Links {
			if to < len(b.Pages) {
				line += " " + b.Pages[to].URL
			} else {
				line += " " + name[b.Ancestors[to-len(b.Pages)].Key]
			}
		}
		if len(a.Words.Index) == 0 {
			line += " (no words)"
		}
		all = append(all, line)
	}
	slices.Sort(all)
	return all
}

// mustNight makes a topic with a model and a night that read upWeb, and returns the first model.
func mustNight(t *testing.T, st *store.Store, tr *Trainer) (topics.Topic, *model.Bundle) {
	t.Helper()
	topic := mustIngest(t, st, walk(1, 8, 1))
	first := mustTrainedBundle(t, st, tr, topic)
	m, err := models.Latest(t.Context(), st.DB, topic.ID)
	if err != nil {
		t.Fatal(err)
	}
	mustCrawlOver(t, st, topic, m, record(t, upWeb()), grandpa)
	mustIndex(t, st)
	return topic, first
}

// visitOf are the events of a session of another topic that visited one page, which links to the useful page.
func visitOf(seed uint64, url string, submit bool) []protocol.Event {
	m := sessiontest.NewMaker(seed, start)
	events := []protocol.Event{m.Start("Other")}
	for i, u := range []string{url, url + "a", url + "b", url + "c"} {
		v := m.Visit(u, "", protocol.HowTyped, "")
		events = append(events, v, m.Snapshot(v.Page, fmt.Appendf(nil, `<p>forest ship %d`, i)))
		if i == 0 {
			events[len(events)-1] = m.Snapshot(v.Page, []byte(`<p>forest ship tree rock<a href="`+usefulPage+`">there</a>`))
			events = append(events, m.Of(protocol.Useful, v.Page, ""))
		}
	}
	if submit {
		events = append(events, m.Event(protocol.Submit))
	}
	return events
}

// TestANightMakesTheContextGraphLarger: pages that a night read, and those that another topic's session visited, are ancestors of the
// useful page at the next training; the strategy has more documents and other layers.
func TestANightMakesTheContextGraphLarger(t *testing.T) {
	st := mustStore(t)
	tr, _ := mustTrainer(t, st)
	topic, first := mustNight(t, st, tr)
	if len(first.Ancestors) > 0 {
		t.Fatalf("before the night: %v", ups(first))
	}
	mustIngest(t, st, visitOf(7, "http://other.test/", true))
	mustIngest(t, st, visitOf(8, "http://open.test/", false))
	mustIndex(t, st)
	second := mustTrainedBundle(t, st, tr, topic)
	want := []string{grandpa + " > " + parent, "http://other.test/ > " + usefulPage, parent + " > " + usefulPage}
	if got := ups(second); !slices.Equal(got, want) {
		t.Fatalf("ancestors\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	for _, b := range []*model.Bundle{first, second} {
		if _, err := strategy.New(t.Context(), "context-graph", b); err != nil {
			t.Error(err)
		}
	}
	if encoded, err := second.Encode(); err != nil || strings.Contains(string(encoded), "up.test") {
		t.Errorf("the model names an ancestor, or %v", err)
	}
}

// TestErasedAncestorsStayAway: erasing the site of an ancestor empties the model that learned from it, and the next one does without; so
// does one that is trained after the site was put on the list of those that are never recorded.
func TestErasedAncestorsStayAway(t *testing.T) {
	st := mustStore(t)
	tr, _ := mustTrainer(t, st)
	topic, _ := mustNight(t, st, tr)
	mustTrainedBundle(t, st, tr, topic)
	learned, err := models.Latest(t.Context(), st.DB, topic.ID)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := erasing.Host(t.Context(), st, wings.Erasing, "up.test"); err != nil {
		t.Fatal(err)
	}
	if m, err := models.ByID(t.Context(), st.DB, learned.ID); err != nil || len(m.Encoded()) > 0 {
		t.Errorf("the model that learned from the erased site is still there (%v)", err)
	}
	mustIndex(t, st)
	if got := ups(mustTrainedBundle(t, st, tr, topic)); len(got) > 0 {
		t.Errorf("after the erasure: %v", got)
	}

	st = mustStore(t)
	tr, _ = mustTrainer(t, st)
	topic, _ = mustNight(t, st, tr)
	settings, err := st.Settings(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	settings.NeverRecord = append(settings.NeverRecord, "up.test")
	if err := st.SaveSettings(t.Context(), settings); err != nil {
		t.Fatal(err)
	}
	if got := ups(mustTrainedBundle(t, st, tr, topic)); len(got) > 0 {
		t.Errorf("of a site that is never recorded: %v", got)
	}
}

// many is a web in which a hundred pages link to every page.
type many struct{}

func (many) To(_ context.Context, url string) (from []store.Back, _ error) {
	for i := range 100 {
		from = append(from, store.Back{URL: fmt.Sprintf("%s/%d", url, i)})
	}
	return from, nil
}

func (many) Text(context.Context, store.Back) (text.Source, error) {
	return text.Source{Text: "forest"}, nil
}

// TestAncestorsAreFew: of a page that very many link to, a layer takes no more than its share, and the graph is as deep as context graphs.
func TestAncestorsAreFew(t *testing.T) {
	st := mustStore(t)
	tr, _ := mustTrainer(t, st)
	b := mustTrainedBundle(t, st, tr, mustIngest(t, st, walk(1, 8, 5)))
	all, pages, err := Ancestors(t.Context(), b, many{})
	if err != nil {
		t.Fatal(err)
	}
	if len(all) != len(pages) || len(all) != contextgraph.Defaults().Depth*maxLayer {
		t.Errorf("%d ancestors of %d pages", len(all), len(pages))
	}
	if _, err := b.WithAncestors(all).Encode(); err != nil {
		t.Error(err)
	}
}
