package sessions

import (
	"nightjar/daemon/browse/protocol"
	"nightjar/daemon/browse/session"
	"nightjar/daemon/db"
	"nightjar/daemon/store"
)

// projectLoad updates the visit of a page load, its page and its mark after one of the load's events was stored.
func (b *batch) projectLoad(load string, s openSession) {
	events := db.List(b.Work, scanShown, `SELECT body, shown FROM events
		WHERE page = ? AND type IN ('visit', 'frame', 'snapshot') ORDER BY seq, id`, load)
	v := session.VisitOf(events)
	if v == nil {
		return // a snapshot before its visit, or a withheld load
	}
	before := b.pageOf(load)
	id := b.putVisit(v, s)
	if before != 0 && before != id { // a visit with a lower seq arrived later and names another page
		refreshMark(b.Work, s.id, before)
		RefreshPage(b.Work, before)
	}
	refreshMark(b.Work, s.id, id) // the address that was asked for may be new, too
	RefreshPage(b.Work, id)
	uncount(b.Work, s.id)
}

// scanShown reads an event with its Shown, without its HTML.
func scanShown(row db.Scanner) (e session.Event, err error) {
	return e, row.Scan(db.JSONOf(&e.Event), db.JSONOf(&e.Shown))
}

// pageOf returns the id of a load's page, or 0.
func (b *batch) pageOf(load string) (id int64) {
	b.Row("SELECT page_id FROM visits WHERE load = ?", load).Find(&id)
	return id
}

// putVisit stores the row of a page load and of its page, and returns the page's id.
func (b *batch) putVisit(v *session.Visit, s openSession) (id int64) {
	b.Exec("INSERT OR IGNORE INTO pages (url) VALUES (?)", v.URL)
	b.Row("SELECT id FROM pages WHERE url = ?", v.URL).Read(&id)
	how, from := v.How, v.From
	if v.Parent != "" {
		how, from = v.Kind, v.Parent
	}
	b.Exec(`INSERT INTO visits (load, session_id, page_id, requested, title, how, from_load, seq, real_text, media)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (load) DO UPDATE SET page_id = excluded.page_id, requested = excluded.requested,
		title = excluded.title, how = excluded.how, from_load = excluded.from_load, seq = excluded.seq, real_text = excluded.real_text,
		media = excluded.media`,
		v.Load, s.id, id, v.Requested, v.Title, how, from, v.Seq, v.RealText, v.Media)
	return id
}

// visitsOf reads the visits of sessions as session.Count needs them, in no particular order.
func visitsOf(w *db.Work, sessions ...int64) map[int64][]session.Visit {
	all := map[int64][]session.Visit{}
	w.Each(func(row db.Scanner) error {
		var id int64
		var v session.Visit
		err := row.Scan(&id, &v.Load, &v.URL, &v.Kind, &v.Parent, &v.RealText, &v.Useful)
		all[id] = append(all[id], v)
		return err
	}, `SELECT v.session_id, v.load, p.url, iif(v.how IN ('frame', 'iframe'), v.how, ''), iif(v.how IN ('frame', 'iframe'), v.from_load, ''),
		v.real_text, coalesce(m.useful, 0)
		FROM visits v JOIN pages p ON p.id = v.page_id LEFT JOIN marks m ON m.session_id = v.session_id AND m.page_id = v.page_id
		WHERE v.session_id IN (SELECT value FROM json_each(?))`, db.JSONList(sessions))
	return all
}

// RefreshPage updates a page from its visits: it takes title and snapshot from the last visit, by session and seq, that
// has one. It deletes a page without visits.
func RefreshPage(w *db.Work, id int64) {
	w.Exec(`DELETE FROM marks WHERE page_id = ?
		AND NOT EXISTS (SELECT 1 FROM visits v WHERE v.page_id = marks.page_id AND v.session_id = marks.session_id)`, id)
	gone := db.List(w, db.ScanText, "DELETE FROM pages WHERE id = ? AND NOT EXISTS (SELECT 1 FROM visits WHERE page_id = ?) RETURNING url", id, id)
	if len(gone) > 0 {
		store.ForgetLiked(w, gone[0])
		return
	}
	w.Exec(`UPDATE pages SET
		title = coalesce((SELECT title FROM visits WHERE page_id = pages.id AND title <> '' ORDER BY session_id DESC, seq DESC LIMIT 1), ''),
		content_hash = (SELECT e.content_hash FROM visits v JOIN events e ON e.page = v.load AND e.type = 'snapshot'
			WHERE v.page_id = pages.id ORDER BY v.session_id DESC, v.seq DESC, e.seq DESC LIMIT 1) WHERE id = ?`, id)
}

// projectMark updates the mark of a load's page after a mark event was stored.
func (b *batch) projectMark(load string, s openSession) {
	id := b.pageOf(load)
	if id == 0 {
		return // the visit is not stored yet; projectLoad will find the mark
	}
	refreshMark(b.Work, s.id, id)
	uncount(b.Work, s.id)
}

// withhold deletes the stored data of a page load and its frames, and prevents storing more.
func (b *batch) withhold(s openSession, load string, code protocol.Code) {
	b.Exec("INSERT OR IGNORE INTO withheld (load, session_id, code) VALUES (?, ?, ?)", load, s.id, code)
	id := b.pageOf(load)
	hashes := db.List(b.Work, db.ScanBytes, "SELECT DISTINCT content_hash FROM events WHERE page = ? AND content_hash IS NOT NULL", load)
	links := saidOfLinks(b.Work, load)
	b.ExecAll([]string{
		"DELETE FROM visits WHERE load = ?",
		`UPDATE events SET content_hash = NULL, shown = '', body = json_remove(body, '$.url', '$.title', '$.requested', '$.name') WHERE page = ?`,
	}, load)
	if id != 0 {
		b.scrub = true
		uncount(b.Work, s.id)
		refreshMark(b.Work, s.id, id)
		RefreshPage(b.Work, id)
	}
	remark(b.Work, s.id, links)
	store.DropContents(b.Work, hashes)
	children := db.List(b.Work, db.ScanText, `SELECT page FROM events WHERE session_id = ? AND type = 'frame' AND body ->> 'parent' = ?
		AND page NOT IN (SELECT load FROM withheld)`, s.id, load)
	for _, child := range children {
		b.withhold(s, child, code)
	}
}
