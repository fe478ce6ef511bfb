package store

import (
	"maps"
	"strings"
	"testing"
)

// TestLeadsStayRight edits sessions at random, and compares what is kept with what is counted anew. The numbers of the
// sessions' pages stay the same meanwhile, so that only what the triggers and the mark see can tell.
func TestLeadsStayRight(t *testing.T) {
	kept, led := 0, 0
	for seed := range uint64(6) {
		e := newEdited(t, seed)
		for range 15 {
			uuid, load := e.some(t)
			switch e.rng.IntN(6) {
			case 0:
				if _, err := e.DeleteVisits(t.Context(), uuid, []string{load}); err != nil && load != "" {
					t.Fatal(err)
				}
			case 1:
				topics, err := e.Topics(t.Context())
				if err != nil || len(topics) == 0 {
					t.Fatal(topics, err)
				}
				if _, err := e.Combine(t.Context(), "Both", []int64{topics[0].ID, topics[len(topics)-1].ID}); err != nil {
					t.Log(err) // one topic, or there is one already
				}
			default:
				e.edit(t)
			}
			setRows(t, e.Store, "UPDATE sessions SET pages = 3, useful = 1")
			before := mustCount(t, e.Store, "SELECT count(*) FROM leads")
			kept += before
			topics, err := e.Topics(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			for _, topic := range topics {
				got, err := e.StartLeads(t.Context(), topic.ID)
				if err != nil {
					t.Fatal(err)
				}
				want, err := countLeads(t.Context(), e.r, topic.ID)
				if err != nil || !maps.Equal(got, want) {
					t.Fatalf("topic %s: %v is kept, %v is right, %v", topic.Name, got, want, err)
				}
				led += len(want)
			}
			if n := mustCount(t, e.Store, "SELECT count(*) FROM leads"); n != len(topics) {
				t.Fatalf("%d of %d topics are kept", n, len(topics))
			}
			gone, err := query(t.Context(), e.r, scanText, "SELECT j.key FROM leads l, json_each(l.led) j WHERE j.key NOT IN (SELECT url FROM pages)")
			if err != nil || len(gone) > 0 {
				t.Fatalf("kept of erased pages: %q, %v", gone, err)
			}
		}
	}
	if kept == 0 || led == 0 {
		t.Errorf("%d were kept, %d pages led somewhere: the test proves nothing", kept, led)
	}
}

// TestLeadsAreErased: no address of an erased site or session stays in what is kept.
func TestLeadsAreErased(t *testing.T) {
	for name, erase := range map[string]func(s *Store, one Session) error{
		"site":       func(s *Store, _ Session) error { _, err := s.EraseHost(t.Context(), "site1.test"); return err },
		"session":    func(s *Store, one Session) error { _, err := s.DeleteSession(t.Context(), one.ID); return err },
		"topic":      func(s *Store, one Session) error { _, err := s.DeleteTopic(t.Context(), one.TopicID); return err },
		"everything": func(s *Store, _ Session) error { return s.EraseAll(t.Context()) },
	} {
		t.Run(name, func(t *testing.T) {
			s := open(t)
			topic, one := recorded(t, s, "Hockey", 1)
			setRows(t, s, "UPDATE visits SET how = 'link', from_load = coalesce((SELECT load FROM visits v WHERE v.seq < visits.seq ORDER BY v.seq DESC LIMIT 1), '')")
			setRows(t, s, "UPDATE sessions SET pages = 4, useful = 1")
			if led, err := s.StartLeads(t.Context(), topic.ID); err != nil || led["http://site1.test/0"] != 1 {
				t.Fatalf("%v, %v", led, err)
			}
			has := func() bool {
				all, err := query(t.Context(), s.r, scanText, "SELECT led FROM leads")
				if err != nil {
					t.Fatal(err)
				}
				return strings.Contains(strings.Join(all, ""), "site1.test")
			}
			if !has() {
				t.Fatal("nothing is kept, so the test proves nothing")
			}
			if err := erase(s, one); err != nil {
				t.Fatal(err)
			}
			if has() {
				t.Error("the address is still kept")
			}
		})
	}
}

func setRows(t *testing.T, s *Store, text string) {
	t.Helper()
	if _, err := s.w.Exec(text); err != nil {
		t.Fatal(err)
	}
}

// While a session is recorded, its ways are counted each time and not kept.
func TestLeadsOfLiveSession(t *testing.T) {
	s := open(t)
	topic, _ := recorded(t, s, "Hockey", 1)
	setRows(t, s, "UPDATE sessions SET pages = NULL")
	if _, err := s.StartLeads(t.Context(), topic.ID); err != nil {
		t.Fatal(err)
	}
	if n := mustCount(t, s, "SELECT count(*) FROM leads"); n != 0 {
		t.Error("kept while it changes")
	}
}
