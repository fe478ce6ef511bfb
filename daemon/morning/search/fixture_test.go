package search_test

import (
	"database/sql"
	"fmt"
	"testing"

	"nightjar/daemon/browse/topics"
	"nightjar/daemon/store"
	"nightjar/daemon/store/storetest"
)

func open(t *testing.T) *store.Store {
	t.Helper()
	s, err := store.Open(t.Context(), storetest.Path(t))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

func newTopics(t *testing.T, s *store.Store, n int) (ids []int64) {
	t.Helper()
	for i := range n {
		topic, err := topics.Create(t.Context(), s.DB, fmt.Sprintf("Topic %d", i))
		if err != nil {
			t.Fatal(err)
		}
		ids = append(ids, topic.ID)
	}
	return ids
}

// queue puts addresses into the queue, as the triggers of the database do for pages.
func queue[T any](t *testing.T, s *store.Store, docs map[string]T) {
	t.Helper()
	db, err := sql.Open("sqlite", store.FileURL(s.Path()))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for url := range docs {
		if _, err := db.Exec(`INSERT INTO search_queue (url) VALUES (?)`, url); err != nil {
			t.Fatal(err)
		}
	}
}
