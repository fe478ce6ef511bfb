package trainer

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"time"

	"nightjar/daemon/base/notify"
	"nightjar/daemon/browse/protocol"
	"nightjar/daemon/browse/session"
	"nightjar/daemon/browse/session/sessiontest"
	"nightjar/daemon/browse/sessions"
	"nightjar/daemon/browse/topics"
	"nightjar/daemon/learn/models"
	"nightjar/daemon/learn/startpages"
	"nightjar/daemon/store"
	"nightjar/daemon/store/storetest"
	"nightjar/model"
)

var start = time.Date(2026, 11, 2, 20, 0, 0, 0, time.UTC)

func mustStore(t *testing.T) *store.Store {
	t.Helper()
	st, err := store.Open(t.Context(), storetest.Path(t))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { st.Close() })
	return st
}

func mustTrainer(t *testing.T, st *store.Store) (*Trainer, *notify.Bus) {
	t.Helper()
	bus := &notify.Bus{}
	return New(Deps{Store: st, Bus: bus, Log: slog.New(slog.DiscardHandler)}), bus
}

// mustTrainNext trains the first topic of the queue, which must not be empty.
func mustTrainNext(t *testing.T, tr *Trainer) {
	t.Helper()
	if len(tr.queue) == 0 {
		t.Fatal("no topic waits for its training")
	}
	if pause, err := tr.next(t.Context()); pause != 0 || err != nil {
		t.Fatal(pause, err)
	}
}

// walk returns the events of a session along a chain of pages, the last of which are useful.
func walk(seed uint64, pages, useful int) []protocol.Event {
	return walkOf("Chains", seed, pages, useful)
}

// walkOf is walk for another topic.
func walkOf(topic string, seed uint64, pages, useful int) []protocol.Event {
	m := sessiontest.NewMaker(seed, start)
	events := []protocol.Event{m.Start(topic)}
	from := ""
	for i := range pages {
		how, url := protocol.HowLink, fmt.Sprintf("http://chain.test/%d/%d", seed, i)
		if i == 0 {
			how = protocol.HowTyped
		}
		title := fmt.Sprintf("Station %c", 'A'+i)
		visit := m.Visit(url, title, how, from)
		html := fmt.Sprintf(`<title>%s</title><p>%s</p><a href="/%d/%d">next</a>`, title,
			strings.Repeat([]string{"harbour ship sail ", "forest tree moss ", "mountain rock snow "}[i%3], i+3), seed, i+1)
		events = append(events, visit, m.Snapshot(visit.Page, []byte(html)))
		if i >= pages-useful {
			events = append(events, m.Of(protocol.Useful, visit.Page, ""))
		}
		from = visit.Page
	}
	return append(events, m.Event(protocol.Submit))
}

// mustIngest stores a session and returns its topic.
func mustIngest(t *testing.T, st *store.Store, events []protocol.Event) topics.Topic {
	t.Helper()
	admitted, refused := session.AdmitAll(events)
	if in, err := sessions.Ingest(t.Context(), st, admitted); err != nil || len(refused)+len(in.Refused) > 0 {
		t.Fatalf("ingest: %v, refused %v %v", err, refused, in.Refused)
	}
	topic, err := topics.ByName(t.Context(), st.DB, events[0].Topic)
	if err != nil {
		t.Fatal(err)
	}
	return topic
}

func TestTrainStoresVersions(t *testing.T) {
	st := mustStore(t)
	tr, bus := mustTrainer(t, st)
	news, stop := bus.Listen()
	defer stop()
	topic := mustIngest(t, st, walk(1, 8, 2))

	m, err := tr.Train(t.Context(), topic.ID)
	if err != nil {
		t.Fatal(err)
	}
	if m.Version != 1 || m.Facts.Pages != 8 || m.Facts.Targets != 2 || m.Facts.Edges != 7 || len(m.Facts.Sessions) != 1 {
		t.Errorf("first version: %+v", m.Facts)
	}
	if s := tr.Status(topic.ID); s.Running || s.Stage != "done" || s.Problem != "" {
		t.Errorf("status %+v", s)
	}
	starts, err := startpages.All(t.Context(), st.DB, topic.ID)
	if err != nil || len(starts) != 1 || starts[0].URL != "http://chain.test/1/0" || starts[0].Ticked {
		t.Errorf("proposed start pages %+v, %v; want the entry page, not ticked", starts, err)
	}
	stages := map[string]bool{}
	for len(news) > 0 {
		stages[(<-news).Data.(Status).Stage] = true
	}
	for _, want := range []string{"reading", "text", "space", "clusters", "states", "threshold", model.StageWays, "saving", model.StageAssess, "done"} {
		if !stages[want] {
			t.Errorf("no news of stage %s: %v", want, stages)
		}
	}

	mustIngest(t, st, walk(2, 6, 1))
	if stale, err := tr.Stale(t.Context(), topic.ID); err != nil || !stale {
		t.Fatalf("stale = %v, %v after another session", stale, err)
	}
	if err := tr.Refresh(t.Context(), topic.ID); err != nil {
		t.Fatal(err)
	}
	newest, err := models.Latest(t.Context(), st.DB, topic.ID)
	if err != nil || newest.Version != 2 || newest.Facts.Pages != 14 {
		t.Fatalf("second version: %+v, %v", newest, err)
	}
	if got := strings.Join(newest.Facts.Changes, "; "); !strings.Contains(got, "14 pages, 6 more than before") {
		t.Errorf("changes %q", got)
	}
	if stale, err := tr.Stale(t.Context(), topic.ID); err != nil || stale {
		t.Errorf("stale = %v, %v after training", stale, err)
	}
}

func TestRunTrainsStaleTopics(t *testing.T) {
	st := mustStore(t)
	tr, bus := mustTrainer(t, st)
	topic := mustIngest(t, st, walk(1, 8, 2))
	news, stop := bus.Listen()
	defer stop()
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error)
	go func() { done <- tr.Run(ctx) }()
	defer func() {
		cancel()
		<-done
	}()
	for n := range news {
		if s := n.Data.(Status); s.TopicID == topic.ID && s.Stage == "done" {
			break
		}
	}
	if m, err := models.Latest(t.Context(), st.DB, topic.ID); err != nil || m.Version != 1 {
		t.Errorf("got %+v, %v", m, err)
	}
}

// TestPoorSessionIsReopened checks that a session whose pages have words, but hardly any in common, is reopened with the
// number of them, and that one in Chinese, which has no spaces, is trained.
func TestPoorSessionIsReopened(t *testing.T) {
	st := mustStore(t)
	tr, _ := mustTrainer(t, st)
	browse := func(topic string, seed uint64, words func(i int) string) topics.Topic {
		m := sessiontest.NewMaker(seed, start)
		events := []protocol.Event{m.Start(topic)}
		for i := range 8 {
			visit := m.Visit(fmt.Sprintf("http://%d.test/%d", seed, i), "", protocol.HowTyped, "")
			events = append(events, visit, m.Snapshot(visit.Page, []byte(`<html lang="en"><p>`+words(i))))
			if i%4 == 0 {
				events = append(events, m.Of(protocol.Useful, visit.Page, ""))
			}
		}
		return mustIngest(t, st, append(events, m.Event(protocol.Submit)))
	}
	poor := browse("Poor", 1, func(i int) string { return "gallery " + strings.Repeat(string(rune('a'+i)), 7) })
	if _, err := tr.Train(t.Context(), poor.ID); !Untrainable(err) {
		t.Fatalf("got %v, want an untrainable session", err)
	}
	all, err := sessions.List(t.Context(), st.DB)
	const want = "The pages of this session have too little text to learn from: only one word is on a second page; visit more pages with text before you submit."
	if err != nil || len(all) != 1 || all[0].Status != sessions.Recording || all[0].Problem != want {
		t.Fatalf("%v, sessions %+v", err, all)
	}
	if s := tr.Status(poor.ID); s.Problem != want {
		t.Errorf("status %+v", s)
	}
	chinese := browse("冰球", 2, func(i int) string {
		return []string{"冰球联赛的球队和守门员在冰场比赛。", "温室里的玫瑰和果树需要肥料。"}[min(1, i%4)] + []string{"球员进球。", "教练很高兴。"}[i%2]
	})
	m, err := tr.Train(t.Context(), chinese.ID)
	if err != nil {
		t.Fatal(err)
	}
	b, err := m.Bundle()
	if err != nil || !slices.Contains(b.Features.Terms, "冰球") {
		t.Errorf("%v, features %q", err, b.Features.Terms)
	}
	if x, y := b.Observe("冰球联赛的守门员").Useful, b.Observe("温室里的果树").Useful; x <= y {
		t.Errorf("a page about the topic is useful with %.2f, another with %.2f", x, y)
	}
}

// TestUntrainableSessionIsReopened checks that a session whose pages hold no text is reopened, with the reason.
func TestUntrainableSessionIsReopened(t *testing.T) {
	st := mustStore(t)
	tr, _ := mustTrainer(t, st)
	m := sessiontest.NewMaker(1, start)
	events := []protocol.Event{m.Start("Chains")}
	var last protocol.Event
	for i := range 5 {
		last = m.Visit(fmt.Sprintf("http://one.test/%d", i), "1", protocol.HowTyped, "")
		events = append(events, last, m.Snapshot(last.Page, []byte("<p>1 2 3")))
	}
	events = append(events, m.Of(protocol.Useful, last.Page, ""), m.Event(protocol.Submit))
	topic := mustIngest(t, st, events)

	if _, err := tr.Train(t.Context(), topic.ID); !Untrainable(err) {
		t.Fatalf("got %v, want an untrainable session", err)
	}
	all, err := sessions.List(t.Context(), st.DB)
	if err != nil || len(all) != 1 {
		t.Fatal(all, err)
	}
	if all[0].Status != sessions.Recording || !strings.HasPrefix(all[0].Problem, "The pages of this session hold no text") {
		t.Errorf("session is %q with problem %q", all[0].Status, all[0].Problem)
	}
	if s := tr.Status(topic.ID); s.Stage != "failed" || s.Problem != all[0].Problem {
		t.Errorf("status %+v", s)
	}
}
