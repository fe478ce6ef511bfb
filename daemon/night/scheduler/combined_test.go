package scheduler

import (
	"fmt"
	"log/slog"
	"testing"

	"nightjar/daemon/browse/protocol"
	"nightjar/daemon/browse/session"
	"nightjar/daemon/browse/session/sessiontest"
	"nightjar/daemon/browse/sessions"
	"nightjar/daemon/browse/topics"
	"nightjar/daemon/learn/models"
	"nightjar/daemon/learn/startpages"
	"nightjar/daemon/learn/trainer"
	"nightjar/daemon/morning/finds"
	"nightjar/daemon/store/settings"
)

// mustIngest stores events, none of which may be refused.
func (w *world) mustIngest(t *testing.T, events []protocol.Event) {
	t.Helper()
	admitted, refused := session.AdmitAll(events)
	in, err := sessions.Ingest(t.Context(), w.st, admitted)
	if err != nil || len(refused)+len(in.Refused) > 0 {
		t.Fatal(refused, in.Refused, err)
	}
}

// mustRecord submits a session of a topic: its portal, two other pages, two useful ones.
func (w *world) mustRecord(t *testing.T, seed uint64, topic string) topics.Topic {
	t.Helper()
	m := sessiontest.NewMaker(seed, evening)
	events := []protocol.Event{m.Start(topic)}
	for i, text := range []string{"portal of " + topic + " with many things", "gardening weather", "shopping cars", topic + " league results season", topic + " results of the last season"} {
		v := m.Visit(fmt.Sprintf("http://old%d.test/%d", seed, i), "", protocol.HowTyped, "")
		html := fmt.Sprintf("<p>%s</p><a href=/%d>on</a>", text, i+1)
		events = append(events, v, m.Snapshot(v.Page, []byte(html)))
		if i > 2 {
			events = append(events, m.Of(protocol.Useful, v.Page, ""))
		}
	}
	w.mustIngest(t, append(events, m.Event(protocol.Submit)))
	one, err := topics.ByName(t.Context(), w.st.DB, topic)
	if err != nil {
		t.Fatal(err)
	}
	return one
}

// TestNightOfCombinedTopic: a combined topic is crawled at night like others, with a model that includes what its members
// have recorded since.
func TestNightOfCombinedTopic(t *testing.T) {
	w := mustWorld(t, evening)
	w.mustSettings(t, func(*settings.Settings) {})
	hockey, curling := w.mustRecord(t, 1, "hockey"), w.mustRecord(t, 2, "curling")
	ice, err := topics.Combine(t.Context(), w.st.DB, "ice", []int64{hockey.ID, curling.ID})
	if err != nil {
		t.Fatal(err)
	}
	tr := trainer.New(trainer.Deps{Store: w.st, Bus: &w.bus, Log: slog.New(slog.DiscardHandler)})
	if _, err := tr.Train(t.Context(), ice.ID); err != nil {
		t.Fatal(err)
	}
	for _, start := range []string{"http://hockey.test/", "http://curling.test/"} {
		if _, err := startpages.Add(t.Context(), w.st.DB, ice.ID, start); err != nil {
			t.Fatal(err)
		}
	}
	w.mustRecord(t, 3, "curling")
	w.start(t, Options{Trainer: tr})
	w.set(night1("01:00:00"))
	crawl := w.mustEnd(t, ice.ID, 1)
	m, err := models.ByID(t.Context(), w.st.DB, crawl.ModelID)
	if err != nil || m.Version != 2 || len(m.Facts.Sessions) != 3 {
		t.Errorf("crawled with %+v, %v; want a model of all three sessions", m.Facts, err)
	}
	if crawl.Night == "" || crawl.Totals.Fetched < 10 {
		t.Errorf("the night's crawl fetched %d pages", crawl.Totals.Fetched)
	}
	for _, member := range []topics.Topic{hockey, curling} { // they have no ticked start pages
		if views, err := finds.List(t.Context(), w.st.DB, finds.Filter{Topic: member.ID}); err != nil || len(views) != 0 {
			t.Errorf("%s got finds of the whole: %v, %v", member.Name, views, err)
		}
	}
	if finds := w.mustFinds(t, crawl.ID); len(finds) == 0 {
		t.Error("nothing was found")
	}
}
