package sessions

import (
	"context"
	"database/sql"
	"slices"
	"time"

	"nightjar/crawler/weburl"
	"nightjar/daemon/browse/protocol"
	"nightjar/daemon/browse/session"
	"nightjar/daemon/browse/topics"
	"nightjar/daemon/db"
	"nightjar/daemon/store"
)

// linkEvents is the condition that an event e says something of a link.
const linkEvents = `e.type IN ('link-useful', 'link-not-useful')`

// saidOfPage reads what the person said of a page (?2) in a session (?1), and there of links to its addresses, in order.
const saidOfPage = `SELECT e.type, '', e.seq, e.id FROM visits v JOIN events e ON e.page = v.load AND e.type IN ('useful', 'not-useful')
	WHERE v.session_id = ?1 AND v.page_id = ?2
	UNION ALL SELECT e.type, e.body ->> '$.url', e.seq, e.id FROM events e WHERE e.session_id = ?1 AND ` + linkEvents + `
	AND e.body ->> '$.url' IN (SELECT p.url FROM visits v JOIN pages p ON p.id = v.page_id WHERE v.session_id = ?1 AND v.page_id = ?2
		UNION SELECT requested FROM visits WHERE session_id = ?1 AND page_id = ?2 AND requested <> '')
	ORDER BY 3, 4`

func scanSaid(row db.Scanner) (s session.Said, err error) {
	return s, row.Scan(&s.Type, &s.URL, &s.N, new(string))
}

// refreshMark updates a page's mark in one session from the marks on all its loads and on links to it.
func refreshMark(w *db.Work, sessionID, id int64) {
	all := db.List(w, scanSaid, saidOfPage, sessionID, id)
	useful, said := session.Useful(all)
	if !said {
		w.Exec("DELETE FROM marks WHERE session_id = ? AND page_id = ?", sessionID, id)
		return
	}
	w.Exec("INSERT OR REPLACE INTO marks (session_id, page_id, useful) VALUES (?, ?, ?)", sessionID, id, useful)
}

// saidOfLinks returns the addresses of links of which something was said on a page load.
func saidOfLinks(w *db.Work, load string) []string {
	return db.List(w, db.ScanText, `SELECT DISTINCT e.body ->> '$.url' FROM events e WHERE `+linkEvents+
		` AND coalesce(e.body ->> '$.url', '') <> '' AND e.page = ?`, load)
}

// leadTo finds the pages of a session (?1) to which a link to one of the addresses (?2, a JSON list) leads.
const leadTo = `SELECT v.page_id FROM pages p CROSS JOIN visits v ON v.page_id = p.id
	WHERE p.url IN (SELECT value FROM json_each(?2)) AND v.session_id = ?1
	UNION SELECT page_id FROM visits WHERE requested <> '' AND requested IN (SELECT value FROM json_each(?2)) AND session_id = ?1`

// remark updates the marks of the pages of a session to which links to the addresses lead.
func remark(w *db.Work, sessionID int64, urls []string) {
	if len(urls) == 0 {
		return
	}
	pages := db.List(w, db.ScanID, leadTo, sessionID, db.JSONList(urls))
	for _, id := range pages {
		refreshMark(w, sessionID, id)
	}
	uncount(w, sessionID)
}

// linkEvent is an event about a link.
type linkEvent struct {
	id, url string
	session int64
}

// markedLinkTraces finds the events about links to a host.
func markedLinkTraces(w *db.Work, host string) (found []linkEvent) {
	w.Each(func(row db.Scanner) error {
		var l linkEvent
		err := row.Scan(&l.id, &l.url, &l.session)
		if err == nil && store.Concerns(l.url, host) {
			found = append(found, l)
		}
		return err
	}, `SELECT e.id, coalesce(e.body ->> '$.url', ''), e.session_id FROM events e WHERE `+linkEvents)
	return found
}

// eraseLinkMarks deletes what was said of links to a host.
func eraseLinkMarks(w *db.Work, host string) {
	links := markedLinkTraces(w, host)
	for _, l := range links {
		w.Exec("DELETE FROM events WHERE id = ?", l.id)
		bury(w, l.id)
		remark(w, l.session, []string{l.url})
	}
}

// StandingLinks returns the links that look useful by what the submitted sessions of a topic and of its members say, in
// order, each once.
func StandingLinks(ctx context.Context, q db.Queryer, topicID int64) ([]string, error) {
	bySession := map[int64][]session.Said{}
	var order []int64
	err := db.Each(ctx, q, func(row db.Scanner) error {
		var id int64
		var said session.Said
		err := row.Scan(&id, &said.Type, &said.URL)
		if bySession[id] == nil {
			order = append(order, id)
		}
		bySession[id] = append(bySession[id], said)
		return err
	}, `SELECT s.id, e.type, e.body ->> '$.url' FROM sessions s CROSS JOIN events e ON e.session_id = s.id
		WHERE s.topic_id IN `+topics.WithMembers+` AND s.status = 'submitted' AND `+linkEvents+` AND coalesce(e.body ->> '$.url', '') <> ''
		ORDER BY s.id, e.seq, e.id`, topicID)
	var urls []string
	for _, id := range order {
		for _, url := range session.StandingLinks(bySession[id]) {
			if !slices.Contains(urls, url) {
				urls = append(urls, url)
			}
		}
	}
	return urls, err
}

// Unfit says why a link is never fetched, "" when it may be.
func Unfit(url string, never []string) string {
	switch {
	case protocol.Never(never, url):
		return LinkNever
	case weburl.Secret(url):
		return LinkSecret
	case weburl.Action(url):
		return LinkActs
	}
	return ""
}

// unmarkLinked takes back the marks that finds of a topic, and of combined topics that it is a member of, got since a link to
// them looked useful, once no submitted session of theirs says so any more.
func unmarkLinked(w *db.Work, now time.Time, topicID int64, url string) {
	type made struct{ action, topic int64 }
	all := db.List(w, func(row db.Scanner) (m made, err error) {
		return m, row.Scan(&m.action, &m.topic)
	}, `SELECT DISTINCT a.id, d.topic_id FROM fetches f CROSS JOIN finds d ON d.fetch_id = f.id CROSS JOIN feedback b ON b.find_id = d.id
		CROSS JOIN actions a ON a.id = b.action_id WHERE f.url = ?2 AND a.kind = 'link' AND a.undone_at IS NULL
		AND (d.topic_id = ?1 OR d.topic_id IN (SELECT topic_id FROM combined WHERE member_id = ?1))`, topicID, url)
	for _, m := range all {
		var links []string
		w.Do(func(ctx context.Context, tx *sql.Tx) (err error) {
			links, err = StandingLinks(ctx, tx, m.topic)
			return err
		})
		if !slices.Contains(links, url) {
			store.UndoAction(w, now, m.action)
		}
	}
}
