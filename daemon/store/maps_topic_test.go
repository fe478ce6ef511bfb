package store

import (
	"path/filepath"
	"slices"
	"testing"
	"time"

	"nightjar/daemon/browse/session/sessiontest"
)

// topicLists are the lists of topics for people, browsers, programs and nights.
func topicLists(t *testing.T, s *Store) map[string][]int64 {
	t.Helper()
	lists := map[string][]int64{}
	ids := func(list string, all []Topic, err error) {
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
		all = append(all, Topic{ID: v.ID})
	}
	ids("topics of the dashboard", all, err)
	if lists["topics of nights"], err = s.CrawlableTopics(t.Context()); err != nil {
		t.Fatal(err)
	}
	return lists
}

// mustListed checks whether a topic is in all lists, or in none.
func mustListed(t *testing.T, s *Store, topic int64, want bool) {
	t.Helper()
	for list, ids := range topicLists(t, s) {
		if slices.Contains(ids, topic) != want {
			t.Errorf("%s: %v; listed topic %d = %v, want %v", list, ids, topic, !want, want)
		}
	}
}

// mustMapTopic makes a map of a document with a trained topic that has a ticked start page.
func mustMapTopic(t *testing.T, s *Store, title string) (topic Topic) {
	t.Helper()
	d, err := s.AddDocument(t.Context(), Document{Key: title, Title: title}, nil, ReadDocument{})
	if err != nil {
		t.Fatal(err)
	}
	if topic, err = s.DocumentTopic(t.Context(), d.ID); err != nil {
		t.Fatal(err)
	}
	mustMap(t, s, Map{Source: MapOfDocument, Title: title, Document: d.ID, Topic: topic.ID, Step: MapDrawing, State: MapDone})
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
	s := open(t)
	glaciers := mustMapTopic(t, s, "Glaciers")
	mustListed(t, s, glaciers.ID, false)
	every, err := s.EveryTopic(t.Context())
	if err != nil || len(every) != 1 {
		t.Errorf("every topic: %v, %v", every, err)
	}
	ok(t, s.OwnTopic(t.Context(), glaciers.ID))
	mustListed(t, s, glaciers.ID, true)
	if topic, err := s.DocumentTopic(t.Context(), 1); err != nil || topic.ID != glaciers.ID { // another map of the document
		t.Errorf("%+v, %v", topic, err)
	}
	mustListed(t, s, glaciers.ID, true)

	recorded := mustMapTopic(t, s, "Ice")
	mustIngest(t, s, sessiontest.NewMaker(1, time.UnixMilli(1000)).Start("ice"))
	mustListed(t, s, recorded.ID, true)

	like := must(s.TopicOfPages(t.Context(), "map:1:1", "Like it", []Positive{{URL: "http://like.test/"}}))(t)
	if own, err := s.IsOwnTopic(t.Context(), like.ID); err != nil || !own {
		t.Errorf("a topic that the person made of a community is theirs: %v, %v", own, err)
	}
}

// TestUpdateHidesMaps: topics of maps from before are hidden, unless the person used them.
func TestUpdateHidesMaps(t *testing.T) {
	path := filepath.Join(t.TempDir(), "nightjar.db")
	oldVersion(t, path, 18)
	s := must(Open(t.Context(), path))(t)
	defer s.Close()
	topics := must(s.Topics(t.Context()))(t)
	var names []string
	for _, one := range topics {
		names = append(names, one.Name)
	}
	if want := []string{"A map with a feed", "A map with a marked find", "Curling", "Hockey", "Ice", "Pages like a community"}; !slices.Equal(names, want) {
		t.Errorf("topics %q, want %q", names, want)
	}
}
