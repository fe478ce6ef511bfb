package store

import (
	"context"
	"database/sql"

	"nightjar/daemon/protocol"
	"nightjar/daemon/session"
)

// projectLoad updates the visit of a page load, its page and its mark after one of the load's events was stored.
func (b *batch) projectLoad(ctx context.Context, load string, s openSession) error {
	events, err := query(ctx, b.tx, scanShown, `SELECT body, shown FROM events
		WHERE page = ? AND type IN ('visit', 'frame', 'snapshot') ORDER BY seq, id`, load)
	if err != nil {
		return err
	}
	v := session.VisitOf(events)
	if v == nil {
		return nil // a snapshot before its visit, or a withheld load
	}
	before, err := b.pageOf(ctx, load)
	if err != nil {
		return err
	}
	id, err := b.putVisit(ctx, v, s)
	if err != nil {
		return err
	}
	if before != 0 && before != id { // a visit with a lower seq arrived later and names another page
		if err := refreshMark(ctx, b.tx, s.id, before); err != nil {
			return err
		}
		if err := refreshPage(ctx, b.tx, before); err != nil {
			return err
		}
	}
	if err := refreshMark(ctx, b.tx, s.id, id); err != nil { // the address that was asked for may be new, too
		return err
	}
	if err := refreshPage(ctx, b.tx, id); err != nil {
		return err
	}
	return uncount(ctx, b.tx, s.id)
}

// scanShown reads an event with its Shown, without its HTML.
func scanShown(row scanner) (e session.Event, err error) {
	return e, row.Scan(jsonOf{&e.Event}, jsonOf{&e.Shown})
}

// pageOf returns the id of a load's page, or 0.
func (b *batch) pageOf(ctx context.Context, load string) (id int64, err error) {
	err = b.tx.QueryRowContext(ctx, "SELECT page_id FROM visits WHERE load = ?", load).Scan(&id)
	return id, optional(err)
}

// putVisit stores the row of a page load and of its page, and returns the page's id.
func (b *batch) putVisit(ctx context.Context, v *session.Visit, s openSession) (id int64, err error) {
	if _, err := b.tx.ExecContext(ctx, "INSERT OR IGNORE INTO pages (url) VALUES (?)", v.URL); err != nil {
		return 0, err
	}
	if err := b.tx.QueryRowContext(ctx, "SELECT id FROM pages WHERE url = ?", v.URL).Scan(&id); err != nil {
		return 0, err
	}
	how, from := v.How, v.From
	if v.Parent != "" {
		how, from = v.Kind, v.Parent
	}
	_, err = b.tx.ExecContext(ctx, `INSERT INTO visits (load, session_id, page_id, requested, title, how, from_load, seq, real_text, media)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (load) DO UPDATE SET page_id = excluded.page_id, requested = excluded.requested,
		title = excluded.title, how = excluded.how, from_load = excluded.from_load, seq = excluded.seq, real_text = excluded.real_text,
		media = excluded.media`,
		v.Load, s.id, id, v.Requested, v.Title, how, from, v.Seq, v.RealText, v.Media)
	return id, err
}

// visitsOf reads the visits of sessions as session.Count needs them, in no particular order.
func visitsOf(ctx context.Context, q queryer, sessions ...int64) (map[int64][]session.Visit, error) {
	all := map[int64][]session.Visit{}
	err := each(ctx, q, func(row scanner) error {
		var id int64
		var v session.Visit
		err := row.Scan(&id, &v.Load, &v.URL, &v.Kind, &v.Parent, &v.RealText, &v.Useful)
		all[id] = append(all[id], v)
		return err
	}, `SELECT v.session_id, v.load, p.url, iif(v.how IN ('frame', 'iframe'), v.how, ''), iif(v.how IN ('frame', 'iframe'), v.from_load, ''),
		v.real_text, coalesce(m.useful, 0)
		FROM visits v JOIN pages p ON p.id = v.page_id LEFT JOIN marks m ON m.session_id = v.session_id AND m.page_id = v.page_id
		WHERE v.session_id IN (SELECT value FROM json_each(?))`, jsonList(sessions))
	return all, err
}

// refreshPage updates a page from its visits: it takes title and snapshot from the last visit, by session and seq, that
// has one. It deletes a page without visits.
func refreshPage(ctx context.Context, tx runner, id int64) error {
	_, err := tx.ExecContext(ctx, `DELETE FROM marks WHERE page_id = ?
		AND NOT EXISTS (SELECT 1 FROM visits v WHERE v.page_id = marks.page_id AND v.session_id = marks.session_id)`, id)
	if err != nil {
		return err
	}
	gone, err := query(ctx, tx, scanText, "DELETE FROM pages WHERE id = ? AND NOT EXISTS (SELECT 1 FROM visits WHERE page_id = ?) RETURNING url", id, id)
	if err != nil {
		return err
	}
	if len(gone) > 0 {
		return forgetLiked(ctx, tx, gone[0])
	}
	return execute(ctx, tx, `UPDATE pages SET
		title = coalesce((SELECT title FROM visits WHERE page_id = pages.id AND title <> '' ORDER BY session_id DESC, seq DESC LIMIT 1), ''),
		content_hash = (SELECT e.content_hash FROM visits v JOIN events e ON e.page = v.load AND e.type = 'snapshot'
			WHERE v.page_id = pages.id ORDER BY v.session_id DESC, v.seq DESC, e.seq DESC LIMIT 1) WHERE id = ?`, id)
}

// projectMark updates the mark of a load's page after a mark event was stored.
func (b *batch) projectMark(ctx context.Context, load string, s openSession) error {
	id, err := b.pageOf(ctx, load)
	if err != nil || id == 0 {
		return err // the visit is not stored yet; projectLoad will find the mark
	}
	if err := refreshMark(ctx, b.tx, s.id, id); err != nil {
		return err
	}
	return uncount(ctx, b.tx, s.id)
}

// withhold deletes the stored data of a page load and its frames, and prevents storing more.
func (b *batch) withhold(ctx context.Context, s openSession, load string, code protocol.Code) error {
	_, err := b.tx.ExecContext(ctx, "INSERT OR IGNORE INTO withheld (load, session_id, code) VALUES (?, ?, ?)", load, s.id, code)
	if err != nil {
		return err
	}
	id, err := b.pageOf(ctx, load)
	if err != nil {
		return err
	}
	hashes, err := query(ctx, b.tx, scanBytes, "SELECT DISTINCT content_hash FROM events WHERE page = ? AND content_hash IS NOT NULL", load)
	if err != nil {
		return err
	}
	links, err := saidOfLinks(ctx, b.tx, load)
	if err != nil {
		return err
	}
	if err := execAll(ctx, b.tx, []string{
		"DELETE FROM visits WHERE load = ?",
		`UPDATE events SET content_hash = NULL, shown = '', body = json_remove(body, '$.url', '$.title', '$.requested', '$.name') WHERE page = ?`,
	}, load); err != nil {
		return err
	}
	if id != 0 {
		b.scrub = true
		if err := uncount(ctx, b.tx, s.id); err != nil {
			return err
		}
		if err := refreshMark(ctx, b.tx, s.id, id); err != nil {
			return err
		}
		if err := refreshPage(ctx, b.tx, id); err != nil {
			return err
		}
	}
	if err := remark(ctx, b.tx.Tx, s.id, links); err != nil {
		return err
	}
	if err := dropContents(ctx, b.tx.Tx, hashes); err != nil {
		return err
	}
	children, err := query(ctx, b.tx, scanText, `SELECT page FROM events WHERE session_id = ? AND type = 'frame' AND body ->> 'parent' = ?
		AND page NOT IN (SELECT load FROM withheld)`, s.id, load)
	if err != nil {
		return err
	}
	for _, child := range children {
		if err := b.withhold(ctx, s, child, code); err != nil {
			return err
		}
	}
	return nil
}

// dropContents deletes the contents that nothing refers to.
func dropContents(ctx context.Context, tx *sql.Tx, hashes [][]byte) error {
	for _, hash := range hashes {
		_, err := tx.ExecContext(ctx, `DELETE FROM contents WHERE hash = ?
			AND NOT EXISTS (SELECT 1 FROM events WHERE content_hash = contents.hash)
			AND NOT EXISTS (SELECT 1 FROM pages WHERE content_hash = contents.hash)
			AND NOT EXISTS (SELECT 1 FROM fetches WHERE content_hash = contents.hash)
			AND NOT EXISTS (SELECT 1 FROM document_pages WHERE content_hash = contents.hash)`, hash)
		if err != nil {
			return err
		}
	}
	return nil
}
