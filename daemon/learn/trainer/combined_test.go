package trainer

import (
	"database/sql"
	"encoding/binary"
	"errors"
	"slices"
	"testing"

	"nightjar/daemon/app/wings"
	"nightjar/daemon/browse/topics"
	"nightjar/daemon/keep/erasing"
	"nightjar/daemon/learn/marks"
	"nightjar/daemon/learn/models"
	"nightjar/daemon/learn/startpages"
	"nightjar/daemon/morning/finds"
	"nightjar/daemon/store"
	"nightjar/model"
)

func TestCombinedTopicLearnsFromAll(t *testing.T) {
	st := mustStore(t)
	tr, _ := mustTrainer(t, st)
	chains := mustIngest(t, st, walk(1, 8, 1))
	other := mustIngest(t, st, walkOf("Other", 2, 6, 2))
	both, err := topics.Combine(t.Context(), st.DB, "Both", []int64{chains.ID, other.ID})
	if err != nil {
		t.Fatal(err)
	}
	if stale, err := tr.Stale(t.Context(), both.ID); err != nil || !stale {
		t.Fatalf("stale = %v, %v for a combined topic that was never trained", stale, err)
	}
	if err := tr.Refresh(t.Context(), both.ID); err != nil {
		t.Fatal(err)
	}
	m, err := models.Latest(t.Context(), st.DB, both.ID)
	if err != nil || m.Facts.Pages != 14 || m.Facts.Targets != 3 || len(m.Facts.Sessions) != 2 {
		t.Fatalf("trained on %+v, %v; want 14 pages, 3 useful, of 2 sessions", m.Facts, err)
	}
	if m.Facts.BackgroundSessions != nil {
		t.Errorf("its members' pages are background pages: %v", m.Facts.BackgroundSessions)
	}
	starts, err := startpages.All(t.Context(), st.DB, both.ID)
	if err != nil || len(starts) != 2 {
		t.Errorf("proposed start pages %+v, %v; want the entries of both sessions", starts, err)
	}

	// A mark on its own find and a mark on a member's find make it stale.
	own, err := tr.Train(t.Context(), chains.ID)
	if err != nil {
		t.Fatal(err)
	}
	for i, c := range []struct {
		topic topics.Topic
		model *models.Model
		find  string
	}{{both, m, "http://new.test/good"}, {chains, own, "http://new.test/bad"}} {
		finds := mustCrawl(t, st, c.topic, c.model)
		if err := marks.Put(t.Context(), st.DB, finds[c.find], store.MarkUseful); err != nil {
			t.Fatal(c.topic.Name, err, finds)
		}
		if stale, err := tr.Stale(t.Context(), both.ID); err != nil || !stale {
			t.Errorf("stale = %v, %v after a mark on a find of %q", stale, err, c.topic.Name)
		}
		if err := tr.Refresh(t.Context(), both.ID); err != nil {
			t.Fatal(err)
		}
		m, err := models.Latest(t.Context(), st.DB, both.ID)
		if err != nil || m.Facts.Targets != 4+i {
			t.Errorf("after a mark on a find of %q: %+v, %v; want %d useful pages", c.topic.Name, m.Facts, err, 4+i)
		}
	}
	// A find of a member is shown with the member, not a second time with the combined topic.
	third, err := topics.Combine(t.Context(), st.DB, "Third", []int64{chains.ID, other.ID})
	if err != nil {
		t.Fatal(err)
	}
	known, err := tr.Train(t.Context(), third.ID)
	if err != nil {
		t.Fatal(err)
	}
	relevant := mustCrawl(t, st, third, known)
	finds, err := finds.List(t.Context(), st.DB, finds.Filter{Topic: third.ID})
	if _, judged := relevant["http://new.test/good"]; err != nil || !judged {
		t.Fatalf("relevant %v, %v; want the crawl to reach the member's find", relevant, err)
	}
	for _, find := range finds {
		if find.URL == "http://new.test/good" || find.URL == "http://new.test/bad" {
			t.Errorf("%s was found again", find.URL)
		}
	}
}

// TestMemberTrainsCombinedTopic checks that training a member also trains the combined topics that contain it.
func TestMemberTrainsCombinedTopic(t *testing.T) {
	st := mustStore(t)
	tr, _ := mustTrainer(t, st)
	chains := mustIngest(t, st, walk(1, 8, 1))
	other := mustIngest(t, st, walkOf("Other", 2, 6, 2))
	both, err := topics.Combine(t.Context(), st.DB, "Both", []int64{chains.ID, other.ID})
	if err != nil {
		t.Fatal(err)
	}
	tr.Submit(chains.ID)
	mustTrainNext(t, tr)
	if len(tr.queue) != 1 {
		t.Fatalf("%d topics submitted, want the combined one", len(tr.queue))
	}
	id := tr.queue[0].topic
	mustTrainNext(t, tr)
	if _, err := models.Latest(t.Context(), st.DB, both.ID); id != both.ID || err != nil {
		t.Errorf("trained topic %d, %v; want %d", id, err, both.ID)
	}
	tr.Submit(other.ID)
	mustTrainNext(t, tr)
	if len(tr.queue) != 0 {
		t.Error("the combined topic is submitted again, although its model knows all its members' sessions")
	}
}

// TestEraseReachesTheBackground checks that erasing a host also discards models that had background pages of it.
func TestEraseReachesTheBackground(t *testing.T) {
	st := mustStore(t)
	tr, _ := mustTrainer(t, st)
	chains := mustIngest(t, st, walk(1, 8, 1))
	other := mustIngest(t, st, walkOf("Other", 2, 6, 2))
	if _, err := tr.Train(t.Context(), chains.ID); err != nil {
		t.Fatal(err)
	}
	if _, err := models.Latest(t.Context(), st.DB, other.ID); !errors.Is(err, store.ErrNotFound) {
		t.Fatal(err)
	}
	// Both walks are on one host, so the stored facts are changed to name another background host.
	m, err := models.Latest(t.Context(), st.DB, chains.ID)
	if err != nil || !slices.Equal(m.Facts.BackgroundHosts, []string{"chain.test"}) || len(m.Facts.BackgroundSessions) != 1 {
		t.Fatalf("background of %v, %v", m.Facts.BackgroundHosts, err)
	}
	b, err := m.Bundle()
	if err != nil {
		t.Fatal(err)
	}
	facts := m.Facts
	facts.BackgroundHosts = []string{"sub.elsewhere.test"}
	if m, err = models.Save(t.Context(), st.DB, st.Erasures(), chains.ID, b, facts); err != nil {
		t.Fatal(err)
	}
	topics, err := erasing.Host(t.Context(), st, wings.Erasing, "elsewhere.test")
	if err != nil || !slices.Equal(topics, []int64{chains.ID}) {
		t.Errorf("topics to train again %v, %v", topics, err)
	}
	if m, err = models.ByID(t.Context(), st.DB, m.ID); err != nil || len(m.Encoded()) != 0 {
		t.Errorf("the model still knows the site: %d bytes, %v", len(m.Encoded()), err)
	}
}

// TestOlderFormatIsTrainedAgain checks that a topic whose model has an older format is trained again at the start.
func TestOlderFormatIsTrainedAgain(t *testing.T) {
	st := mustStore(t)
	tr, _ := mustTrainer(t, st)
	topic := mustIngest(t, st, walk(1, 8, 1))
	m, err := tr.Train(t.Context(), topic.ID)
	if err != nil {
		t.Fatal(err)
	}
	old := slices.Clone(m.Encoded())
	binary.LittleEndian.PutUint32(old[8:], model.FormatVersion-1)
	mustOverwrite(t, st, m.ID, old)
	if m, err = models.Latest(t.Context(), st.DB, topic.ID); err != nil {
		t.Fatal(err)
	}
	if _, err := m.Bundle(); !errors.Is(err, model.ErrOlderFormat) {
		t.Fatalf("got %v, want ErrOlderFormat", err)
	}
	if err := tr.SubmitStale(t.Context()); err != nil || len(tr.queue) != 1 {
		t.Fatalf("%d topics submitted at the start, %v; want the one of the older format", len(tr.queue), err)
	}
	mustTrainNext(t, tr)
	m, err = models.Latest(t.Context(), st.DB, topic.ID)
	if err != nil || m.Version != 2 {
		t.Fatalf("%+v, %v", m, err)
	}
	if _, err := m.Bundle(); err != nil {
		t.Error(err)
	}
	if stale, err := tr.Stale(t.Context(), topic.ID); err != nil || stale {
		t.Errorf("stale = %v, %v after it was trained again", stale, err)
	}
}

// mustOverwrite replaces the bytes of a stored bundle through a separate database connection.
func mustOverwrite(t *testing.T, st *store.Store, id int64, bundle []byte) {
	t.Helper()
	db, err := sql.Open("sqlite", store.FileURL(st.Path())+"?_pragma=busy_timeout(5000)")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.Exec("UPDATE models SET bundle = ? WHERE id = ?", bundle, id); err != nil {
		t.Fatal(err)
	}
}
