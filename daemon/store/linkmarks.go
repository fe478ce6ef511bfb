package store

import (
	"nightjar/daemon/browse/session"
	"nightjar/daemon/db"
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

// RefreshMark updates a page's mark in one session from the marks on all its loads and on links to it.
func RefreshMark(w *db.Work, sessionID, id int64) {
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
		RefreshMark(w, sessionID, id)
	}
	Uncount(w, sessionID)
}

// linkEvent is an event about a link.
type linkEvent struct {
	id, url string
	session int64
}

// MarkedLinkTraces finds the events about links to a host.
func MarkedLinkTraces(w *db.Work, host string) (found []linkEvent) {
	w.Each(func(row db.Scanner) error {
		var l linkEvent
		err := row.Scan(&l.id, &l.url, &l.session)
		if err == nil && Concerns(l.url, host) {
			found = append(found, l)
		}
		return err
	}, `SELECT e.id, coalesce(e.body ->> '$.url', ''), e.session_id FROM events e WHERE `+linkEvents)
	return found
}

// EraseLinkMarks deletes what was said of links to a host.
func EraseLinkMarks(w *db.Work, host string) {
	links := MarkedLinkTraces(w, host)
	for _, l := range links {
		w.Exec("DELETE FROM events WHERE id = ?", l.id)
		Bury(w, l.id)
		remark(w, l.session, []string{l.url})
	}
}
