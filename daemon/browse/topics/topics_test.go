package topics

import (
	"errors"
	"strings"
	"testing"

	"nightjar/daemon/db"
	"nightjar/daemon/store/storetest"
)

func TestTopics(t *testing.T) {
	s := storetest.Open(t)
	a, err := Create(t.Context(), s.DB, "  Hockey ")
	if err != nil || a.Name != "Hockey" {
		t.Fatalf("%+v, %v", a, err)
	}
	if b, err := Create(t.Context(), s.DB, "hockey"); err != nil || b != a {
		t.Errorf("created again: %+v, %v", b, err)
	}
	if got, err := ByID(t.Context(), s.DB, a.ID); err != nil || got != a {
		t.Errorf("by id: %+v, %v", got, err)
	}
	for _, name := range []string{"", "   ", strings.Repeat("é", 201)} {
		if _, err := Create(t.Context(), s.DB, name); !errors.Is(err, ErrName) {
			t.Errorf("%q: %v", name, err)
		}
	}
	if _, err := ByName(t.Context(), s.DB, "Curling"); !errors.Is(err, db.ErrNotFound) {
		t.Errorf("unknown: %v", err)
	}
}

// TestIdleTopicOfDocument: a topic with a document or a map and nothing else is not idle.
func TestIdleTopicOfDocument(t *testing.T) {
	s := storetest.Open(t)
	ctx := t.Context()
	topic := storetest.Must(Create(ctx, s.DB, "Document"))(t)
	mapped := storetest.Must(Create(ctx, s.DB, "Mapped"))(t)
	idle := storetest.Must(Create(ctx, s.DB, "Idle"))(t)
	storetest.Change(t, s, `INSERT INTO documents (key, title, source, created_at, topic_id) VALUES ('a', '', '', 1, ?)`, topic.ID)
	storetest.Change(t, s, `INSERT INTO maps (source, title, topic_id, options, step, state, created_at) VALUES ('topic', '', ?, '{}', 'training', 'waiting', 1)`, mapped.ID)
	for id, want := range map[int64]bool{topic.ID: true, mapped.ID: true, idle.ID: false} {
		storetest.OK(t, s.Commit(ctx, func(w *db.Work) { DropIdle(w, id) }))
		if _, err := ByID(ctx, s.DB, id); (err == nil) != want {
			t.Errorf("topic %d: %v, want it kept: %v", id, err, want)
		}
	}
}
