package finds

import (
	"testing"

	"nightjar/daemon/db/plans"
)

// No statement about reasons reads a whole table.
func TestReasonsScanNoTable(t *testing.T) {
	s, all := record(t)
	v := &viewed{s, t}
	v.exec(`INSERT INTO topics (id, name, created_at) VALUES (1, 'Hockey', 1)`)
	v.exec(`INSERT INTO models (id, topic_id, version, bundle, facts, created_at) VALUES (1, 1, 1, x'01', '{}', 1)`)
	v.crawl(1, 1, "", 10, "one")
	clear(all)
	v.exec(`INSERT INTO reasons (find_id, words, passage, like_url, like_title, like_at) VALUES (1, '["w"]', '', 'u', '', 0)`)
	one := []View{{ID: 1}}
	if err := withReasons(t.Context(), v.DB, one); err != nil || one[0].Reason == nil {
		t.Fatal(err, one)
	}
	plans.NoFullScans(t, s.Readers, all)
}
