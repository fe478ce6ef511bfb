package token

import (
	"bytes"
	"errors"
	"testing"
	"time"

	"nightjar/daemon/db"
	"nightjar/daemon/db/plans"
	"nightjar/daemon/keep/erasing"
	"nightjar/daemon/store"
	"nightjar/daemon/store/storetest"
)

// withTopics opens a store with the topics 1 and 2.
func withTopics(t *testing.T) *store.Store {
	t.Helper()
	s := storetest.Open(t)
	storetest.Must(s.Writer.Exec(`INSERT INTO topics (id, name, created_at) VALUES (1, 'Hockey', 1), (2, 'Baking', 1)`))(t)
	return s
}

func TestTokens(t *testing.T) {
	v := withTopics(t)
	now := time.UnixMilli(1_000_000).UTC()
	v.Now = func() time.Time { return now }
	feed := Token{Key: "k1", Hash: []byte{1}, Name: "reader", Scope: ScopeFeed, TopicID: 1}
	id := storetest.Must(Add(t.Context(), v.DB, feed))(t)
	storetest.Must(Add(t.Context(), v.DB, Token{Key: "k2", Hash: []byte{2}, Name: "script", Scope: ScopeRead}))(t)
	if _, err := Add(t.Context(), v.DB, Token{Key: "k3", Hash: []byte{3}, Name: "x", Scope: ScopeFeed, TopicID: 99}); !errors.Is(err, db.ErrNotFound) {
		t.Errorf("a topic that does not exist: %v", err)
	}
	used := func() time.Time {
		t.Helper()
		got, err := ByKey(t.Context(), v.DB, "k1")
		if err != nil || got.Topic != "Hockey" || got.ID != id || !bytes.Equal(got.Hash, []byte{1}) {
			t.Fatalf("%+v, %v", got, err)
		}
		storetest.OK(t, Used(t.Context(), v.DB, got))
		got, _ = ByKey(t.Context(), v.DB, "k1")
		return got.UsedAt
	}
	if at := used(); !at.Equal(now) {
		t.Errorf("used %v", at)
	}
	first := now
	now = now.Add(usedEvery - time.Second)
	if at := used(); !at.Equal(first) {
		t.Errorf("the use within a minute was stored: %v", at)
	}
	now = now.Add(time.Second)
	if at := used(); !at.Equal(now) {
		t.Errorf("used %v, want %v", at, now)
	}
	storetest.OK(t, Revoke(t.Context(), v.DB, id))
	if _, err := ByKey(t.Context(), v.DB, "k1"); !errors.Is(err, db.ErrNotFound) {
		t.Errorf("after it was revoked: %v", err)
	}
	if err := Revoke(t.Context(), v.DB, id); !errors.Is(err, db.ErrNotFound) {
		t.Errorf("revoked twice: %v", err)
	}
}

// TestTokensGo: what a token is for takes the token along.
func TestTokensGo(t *testing.T) {
	v := withTopics(t)
	for key, topic := range map[string]int64{"a": 1, "b": 2, "c": 0} {
		storetest.Must(Add(t.Context(), v.DB, Token{Key: key, Hash: []byte{0}, Name: "n", Scope: ScopeFeed, TopicID: topic}))(t)
	}
	storetest.Must(v.Writer.Exec(`DELETE FROM topics WHERE id = 1`))(t)
	if all, err := All(t.Context(), v.DB); err != nil || len(all) != 2 {
		t.Errorf("after the topic: %+v, %v", all, err)
	}
	storetest.OK(t, erasing.All(t.Context(), v))
	if all, err := All(t.Context(), v.DB); err != nil || len(all) != 0 {
		t.Errorf("after erasing everything: %+v, %v", all, err)
	}
}

// TestTokenPlans: no statement about tokens reads a growing table whole.
func TestTokenPlans(t *testing.T) {
	s := withTopics(t)
	plans.NoFullScans(t, s.Readers, map[string][]any{
		selectTokens + `WHERE k.key = ?`:        {"x"},
		`DELETE FROM tokens WHERE topic_id = ?`: {1},
	})
}
