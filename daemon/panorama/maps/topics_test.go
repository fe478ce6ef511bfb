package maps_test

import (
	"slices"
	"testing"
	"time"

	"nightjar/daemon/browse/protocol"
	"nightjar/daemon/browse/session"
	"nightjar/daemon/browse/session/sessiontest"
	"nightjar/daemon/learn/trainingdata"
	"nightjar/daemon/panorama/maps"
	"nightjar/daemon/store"
	"nightjar/daemon/store/storetest"
)

// topicLists are the lists of topics for people, browsers, programs and nights.
func topicLists(t *testing.T, s *store.Store) map[string][]int64 {
	t.Helper()
	lists := map[string][]int64{}
	ids := func(list string, all []store.Topic, err error) {
		if err != nil {
			t.Fatal(err)
		}
		lists[list] = []int64{}
		for _, one := range all {
			lists[list] = append(lists[list], one.ID)
		}
	}
	all, err := s.Topics(t.Context())
	ids("topics by name", all, err)
	all, err = s.RecentTopics(t.Context())
	ids("topics of browsers", all, err)
	views, err := s.TopicViews(t.Context())
	all = nil
	for _, v := range views {
		all = append(all, store.Topic{ID: v.ID})
	}
	ids("topics of the dashboard", all, err)
	if lists["topics of nights"], err = s.CrawlableTopics(t.Context()); err != nil {
		t.Fatal(err)
	}
	return lists
}

// mustListed checks whether a topic is in all lists, or in none.
func mustListed(t *testing.T, s *store.Store, topic int64, want bool) {
	t.Helper()
	for list, ids := range topicLists(t, s) {
		if slices.Contains(ids, topic) != want {
			t.Errorf("%s: %v; listed topic %d = %v, want %v", list, ids, topic, !want, want)
		}
	}
}

// mustMapTopic makes a map of a document with a trained topic that has a ticked start page.
func mustMapTopic(t *testing.T, s *store.Store, title string) (topic store.Topic) {
	t.Helper()
	d, err := maps.AddDocument(t.Context(), s.DB, maps.Document{Key: title, Title: title}, nil, maps.ReadDocument{})
	if err != nil {
		t.Fatal(err)
	}
	if topic, err = maps.DocumentTopic(t.Context(), s.DB, d.ID); err != nil {
		t.Fatal(err)
	}
	mustMap(t, s, maps.Map{Source: maps.FromDocument, Title: title, Document: d.ID, Topic: topic.ID, Step: maps.StepDrawing, State: maps.Done})
	if _, err := s.Writer.Exec(`INSERT INTO models (topic_id, version, bundle, facts, created_at) VALUES (?, 1, x'00', '{}', 1)`, topic.ID); err != nil {
		t.Fatal(err)
	}
	if _, err := s.AddStart(t.Context(), topic.ID, "http://ice.test/"); err != nil {
		t.Fatal(err)
	}
	return topic
}

// TestMapsAreNoTopics: the topic that was made for a map is in no list until the person makes it one, or names it.
func TestMapsAreNoTopics(t *testing.T) {
	s := storetest.Open(t)
	glaciers := mustMapTopic(t, s, "Glaciers")
	mustListed(t, s, glaciers.ID, false)
	every, err := s.EveryTopic(t.Context())
	if err != nil || len(every) != 1 {
		t.Errorf("every topic: %v, %v", every, err)
	}
	storetest.OK(t, maps.OwnTopic(t.Context(), s.DB, glaciers.ID))
	mustListed(t, s, glaciers.ID, true)
	if topic, err := maps.DocumentTopic(t.Context(), s.DB, 1); err != nil || topic.ID != glaciers.ID { // another map of the document
		t.Errorf("%+v, %v", topic, err)
	}
	mustListed(t, s, glaciers.ID, true)

	recorded := mustMapTopic(t, s, "Ice")
	events, _ := session.AdmitAll([]protocol.Event{sessiontest.NewMaker(1, time.UnixMilli(1000)).Start("ice")})
	storetest.Must(s.Ingest(t.Context(), events))(t)
	mustListed(t, s, recorded.ID, true)

	like := storetest.Must(maps.TopicOfPages(t.Context(), s.DB, "map:1:1", "Like it", []trainingdata.Positive{{URL: "http://like.test/"}}))(t)
	if own, err := maps.IsOwnTopic(t.Context(), s.DB, like.ID); err != nil || !own {
		t.Errorf("a topic that the person made of a community is theirs: %v, %v", own, err)
	}
}
