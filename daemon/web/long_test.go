//go:build !race

package web

import (
	"testing"

	"nightjar/daemon/lab/webtest"
)

// Tests of one goroutine that would take minutes under the race detector, which has nothing to see in them.

func TestHostileForms(t *testing.T) {
	webtest.HostileForms(t, func(t testing.TB) *webtest.Wing {
		s := seed(t)
		s.Exec(t, `INSERT INTO browsers (client, name, origin, key, paired_at) VALUES ('c1', 'Chromium', 'chrome-extension://a', x'00', 1)`)
		return s.wing(t)
	})
}

func TestNothingIsMarkup(t *testing.T) {
	s := seed(t, "x")
	s.Refusal = func(string) error { return nil } // otherwise some of the addresses would not be shown
	s.Exec(t, `INSERT INTO browsers (client, name, origin, key, paired_at) VALUES ('c1', 'Chromium', 'chrome-extension://a', x'00', 1)`)
	// A few of each kind say as much as many.
	s.Exec(t, `DELETE FROM finds WHERE id NOT IN (SELECT id FROM finds ORDER BY id LIMIT 2)`)
	s.Exec(t, `DELETE FROM fetches WHERE id NOT IN (WITH RECURSIVE way(id) AS (SELECT fetch_id FROM finds
		UNION SELECT parent_id FROM fetches JOIN way USING (id) WHERE parent_id IS NOT NULL) SELECT id FROM way)`)
	s.Exec(t, `DELETE FROM events WHERE type <> 'session.start' AND page NOT IN (SELECT page FROM events WHERE type = 'visit' ORDER BY seq LIMIT 8)`)
	s.Exec(t, `INSERT INTO events (id, session_id, client, seq, at, type, page, body) SELECT 'label', session_id, client, seq, at, 'label', page,
		json_set(body, '$.type', 'label', '$.id', 'label') FROM events WHERE type = 'visit' ORDER BY seq LIMIT 1`)
	s.Exec(t, `INSERT INTO milestones (topic_id, at, action, page_id, name) SELECT ?, 1, 'name', id, 'x' FROM pages WHERE id IN
		(SELECT page_id FROM visits ORDER BY seq LIMIT 1 OFFSET 2)`, s.Topic)
	s.Exec(t, `INSERT INTO milestones (topic_id, at, action, name, new_name) VALUES (?, 2, 'rename', 'x', 'y')`, s.Topic)
	webtest.NothingIsMarkup(t, s.wing(t), func(text string) { s.spoil(t, text) })
}
