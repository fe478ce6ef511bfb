package sessions

import (
	"strings"
	"testing"

	"nightjar/daemon/db"
	"nightjar/daemon/store"
)

// TestLeadsAreErased: no address of an erased site or session stays in what is kept.
func TestLeadsAreErased(t *testing.T) {
	for name, erase := range map[string]func(s *store.Store, one Session) error{
		"site": func(s *store.Store, _ Session) error {
			_, err := Keep.EraseHost(t.Context(), s, "site1.test")
			return err
		},
		"session": func(s *store.Store, one Session) error { _, err := Delete(t.Context(), s.DB, one.ID); return err },
		"topic": func(s *store.Store, one Session) error {
			_, err := DeleteTopic(t.Context(), s.DB, one.TopicID)
			return err
		},
		"everything": func(s *store.Store, _ Session) error { return Keep.EraseAll(t.Context(), s) },
	} {
		t.Run(name, func(t *testing.T) {
			s := open(t)
			topic, one := recorded(t, s, "Hockey", 1)
			setRows(t, s, "UPDATE visits SET how = 'link', from_load = coalesce((SELECT load FROM visits v WHERE v.seq < visits.seq ORDER BY v.seq DESC LIMIT 1), '')")
			setRows(t, s, "UPDATE sessions SET pages = 4, useful = 1")
			if led, err := Keep.StartLeads(t.Context(), s, topic.ID); err != nil || led["http://site1.test/0"] != 1 {
				t.Fatalf("%v, %v", led, err)
			}
			has := func() bool {
				all := must(db.Query(t.Context(), s.Readers, db.ScanText, "SELECT led FROM leads"))(t)
				return strings.Contains(strings.Join(all, ""), "site1.test")
			}
			if !has() {
				t.Fatal("nothing is kept, so the test proves nothing")
			}
			ok(t, erase(s, one))
			if has() {
				t.Error("the address is still kept")
			}
		})
	}
}

func setRows(t *testing.T, s *store.Store, text string) {
	t.Helper()
	must(s.Writer.Exec(text))(t)
}

// While a session is recorded, its ways are counted each time and not kept.
func TestLeadsOfLiveSession(t *testing.T) {
	s := open(t)
	topic, _ := recorded(t, s, "Hockey", 1)
	setRows(t, s, "UPDATE sessions SET pages = NULL")
	must(Keep.StartLeads(t.Context(), s, topic.ID))(t)
	if n := mustCount(t, s, "SELECT count(*) FROM leads"); n != 0 {
		t.Error("kept while it changes")
	}
}
