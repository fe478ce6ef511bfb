package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"

	"nightjar/crawler/page"
	"nightjar/crawler/weburl"
	"nightjar/daemon/protocol"
)

// loadURL is the canonical URL of a page load as its visit said, "" when there was none yet.
func (s *Store) loadURL(ctx context.Context, q queryer, load string) (string, error) {
	e, err := visitOf(ctx, q, load)
	if errors.Is(err, sql.ErrNoRows) || err == nil && e.URL == "" {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	return weburl.Canonical(e.URL)
}

// visitOf is the event that brought a page load, visit or frame; the first one should there be several.
func visitOf(ctx context.Context, q queryer, load string) (protocol.Event, error) {
	return scanEvent(q.QueryRowContext(ctx, `SELECT body, NULL FROM events
		WHERE page = ? AND type IN ('visit', 'frame') ORDER BY client, seq LIMIT 1`, load))
}

// projectLoad brings a page load's visit, page, title, links and mark up to date after p, one of its events, was stored.
func (b *batch) projectLoad(ctx context.Context, p *prepared, s openSession) error {
	visit, err := visitOf(ctx, b.tx, p.Page)
	if errors.Is(err, sql.ErrNoRows) || err == nil && visit.URL == "" {
		return nil // a snapshot before its visit, which will look for it; or a load that is withheld
	}
	if err != nil {
		return err
	}
	if p.Type == protocol.Snapshot {
		return b.projectSnapshot(ctx, p)
	}
	before, err := b.pageOf(ctx, p.Page)
	if err != nil {
		return err
	}
	id, err := b.putVisit(ctx, visit, s)
	if err != nil {
		return err
	}
	if err := b.readSnapshots(ctx, p.Page); err != nil {
		return err
	}
	if before != 0 && before != id {
		if err := refreshPage(ctx, b.tx, before, true); err != nil {
			return err
		}
	}
	if err := refreshPage(ctx, b.tx, id, false); err != nil {
		return err
	}
	return refreshMark(ctx, b.tx, s.id, id)
}

// pageOf is the id of a load's page, 0 when it has none.
func (b *batch) pageOf(ctx context.Context, load string) (id int64, err error) {
	err = b.tx.QueryRowContext(ctx, "SELECT page_id FROM visits WHERE load = ?", load).Scan(&id)
	if errors.Is(err, sql.ErrNoRows) {
		err = nil
	}
	return id, err
}

// putVisit stores the row of a page load and of its page, and returns the page's id.
func (b *batch) putVisit(ctx context.Context, e protocol.Event, s openSession) (id int64, err error) {
	url, err := weburl.Canonical(e.URL)
	if err != nil {
		return 0, err
	}
	_, err = b.tx.ExecContext(ctx, "INSERT OR IGNORE INTO pages (url, visited_at) VALUES (?, ?)", url, millis(e.At))
	if err != nil {
		return 0, err
	}
	if err := b.tx.QueryRowContext(ctx, "SELECT id FROM pages WHERE url = ?", url).Scan(&id); err != nil {
		return 0, err
	}
	requested := ""
	if e.Requested != "" {
		// An alias that is no good URL is no alias; the visit is good all the same.
		if alias, err := weburl.Canonical(e.Requested); err == nil && alias != url {
			requested = alias
		}
	}
	how, from := e.How, e.From
	if e.Type == protocol.Frame {
		how, from = e.Kind, e.Parent
	}
	_, err = b.tx.ExecContext(ctx, `INSERT INTO visits (load, session_id, page_id, requested, title, how, from_load, seq, at)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (load) DO UPDATE SET page_id = excluded.page_id, requested = excluded.requested,
		title = excluded.title, how = excluded.how, from_load = excluded.from_load, seq = excluded.seq, at = excluded.at`,
		e.Page, s.id, id, requested, e.Title, how, from, e.Seq, millis(e.At))
	return id, err
}

// projectSnapshot adds what one new snapshot shows. A snapshot that comes after a later one of its load makes that load
// be read again from its first.
func (b *batch) projectSnapshot(ctx context.Context, p *prepared) error {
	id, err := b.pageOf(ctx, p.Page)
	if err != nil || id == 0 {
		return err
	}
	var later bool
	err = b.tx.QueryRowContext(ctx, "SELECT EXISTS (SELECT 1 FROM events WHERE page = ? AND type = 'snapshot' AND seq > ?)", p.Page, p.Seq).Scan(&later)
	if err != nil {
		return err
	}
	if later || p.parsed == nil {
		err = b.readSnapshots(ctx, p.Page)
	} else {
		err = b.addSnapshot(ctx, p.Page, id, p.parsed)
	}
	if err != nil {
		return err
	}
	return refreshPage(ctx, b.tx, id, false)
}

// readSnapshots reads all stored snapshots of a load, in order.
func (b *batch) readSnapshots(ctx context.Context, load string) error {
	id, err := b.pageOf(ctx, load)
	if err != nil {
		return err
	}
	pages, err := storedPages(ctx, b.tx, id, "v.load = ?", load)
	if err != nil {
		return err
	}
	for _, p := range pages {
		if err := b.addSnapshot(ctx, load, id, p); err != nil {
			return err
		}
	}
	return nil
}

func (b *batch) addSnapshot(ctx context.Context, load string, id int64, p *page.Page) error {
	if p.Title != "" {
		if _, err := b.tx.ExecContext(ctx, "UPDATE visits SET title = ? WHERE load = ?", p.Title, load); err != nil {
			return err
		}
	}
	return addLinks(ctx, b.tx, id, p)
}

// storedPages parses the snapshots of a page's visits, those that where selects, in order.
func storedPages(ctx context.Context, tx *sql.Tx, id int64, where string, args ...any) ([]*page.Page, error) {
	var url string
	if err := tx.QueryRowContext(ctx, "SELECT url FROM pages WHERE id = ?", id).Scan(&url); err != nil {
		return nil, err
	}
	return query(ctx, tx, func(row scanner) (*page.Page, error) {
		var packed []byte
		if err := row.Scan(&packed); err != nil {
			return nil, err
		}
		html, err := unpack(packed)
		if err != nil {
			return nil, err
		}
		return parseHTML(url, html)
	}, `SELECT c.gzip FROM visits v JOIN events e ON e.page = v.load AND e.type = 'snapshot' JOIN contents c ON c.hash = e.content_hash
		WHERE v.page_id = ? AND `+where+` ORDER BY v.session_id, e.seq`, append([]any{id}, args...)...)
}

// addLinks adds the links of one snapshot to those the page has. Of two anchor texts the one earlier in byte order
// stays, so that the result does not depend on which snapshot came first.
func addLinks(ctx context.Context, tx *sql.Tx, id int64, p *page.Page) error {
	rows := make([][2]string, 0, len(p.Links))
	for _, l := range p.Links {
		rows = append(rows, [2]string{l.URL, l.Anchor})
	}
	data, err := json.Marshal(rows)
	if err != nil {
		return err
	}
	_, err = tx.ExecContext(ctx, `INSERT INTO links (page_id, url, anchor)
		SELECT ?, value ->> 0, value ->> 1 FROM json_each(?) WHERE true
		ON CONFLICT (page_id, url) DO UPDATE SET anchor = excluded.anchor
		WHERE excluded.anchor <> '' AND (anchor = '' OR excluded.anchor < anchor)`, id, string(data))
	return err
}

// refreshPage brings a page's own columns up to date with its visits: title and snapshot of the last, by session and
// seq. A page without visits goes. relink makes its links anew, for when a snapshot was taken away.
func refreshPage(ctx context.Context, tx *sql.Tx, id int64, relink bool) error {
	_, err := tx.ExecContext(ctx, `DELETE FROM marks WHERE page_id = ?
		AND NOT EXISTS (SELECT 1 FROM visits v WHERE v.page_id = marks.page_id AND v.session_id = marks.session_id)`, id)
	if err != nil {
		return err
	}
	gone, err := tx.ExecContext(ctx, "DELETE FROM pages WHERE id = ? AND NOT EXISTS (SELECT 1 FROM visits WHERE page_id = ?)", id, id)
	if err != nil {
		return err
	}
	if n, err := gone.RowsAffected(); err != nil || n > 0 {
		return err
	}
	_, err = tx.ExecContext(ctx, `UPDATE pages SET
		title = coalesce((SELECT title FROM visits WHERE page_id = pages.id AND title <> '' ORDER BY session_id DESC, seq DESC LIMIT 1), ''),
		content_hash = (SELECT e.content_hash FROM visits v JOIN events e ON e.page = v.load AND e.type = 'snapshot'
			WHERE v.page_id = pages.id ORDER BY v.session_id DESC, e.seq DESC LIMIT 1),
		visited_at = (SELECT max(at) FROM visits WHERE page_id = pages.id) WHERE id = ?`, id)
	if err != nil || !relink {
		return err
	}
	if _, err := tx.ExecContext(ctx, "DELETE FROM links WHERE page_id = ?", id); err != nil {
		return err
	}
	pages, err := storedPages(ctx, tx, id, "true")
	if err != nil {
		return err
	}
	for _, p := range pages {
		if err := addLinks(ctx, tx, id, p); err != nil {
			return err
		}
	}
	return nil
}

func (b *batch) projectMark(ctx context.Context, p *prepared, s openSession) error {
	id, err := b.pageOf(ctx, p.Page)
	if err != nil || id == 0 {
		return err // marked before its visit came, which will look for marks
	}
	return refreshMark(ctx, b.tx, s.id, id)
}

// refreshMark makes a page's mark in one session what its last mark says, over all its loads.
func refreshMark(ctx context.Context, tx *sql.Tx, session, id int64) error {
	_, err := tx.ExecContext(ctx, "DELETE FROM marks WHERE session_id = ? AND page_id = ?", session, id)
	if err != nil {
		return err
	}
	_, err = tx.ExecContext(ctx, `INSERT INTO marks (session_id, page_id, useful, at)
		SELECT v.session_id, v.page_id, e.type = 'useful', e.at FROM visits v
		JOIN events e ON e.page = v.load AND e.type IN ('useful', 'not-useful')
		WHERE v.session_id = ? AND v.page_id = ? ORDER BY e.seq DESC LIMIT 1`, session, id)
	return err
}

// withhold forgets what is known of a page load, and of the frames in it, and keeps more from coming in.
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
	for _, q := range []string{
		"DELETE FROM visits WHERE load = ?",
		`UPDATE events SET content_hash = NULL, body = json_remove(body, '$.url', '$.title', '$.requested', '$.name') WHERE page = ?`,
	} {
		if _, err := b.tx.ExecContext(ctx, q, load); err != nil {
			return err
		}
	}
	if id != 0 {
		b.scrub = true
		if err := refreshMark(ctx, b.tx, s.id, id); err != nil {
			return err
		}
		if err := refreshPage(ctx, b.tx, id, true); err != nil {
			return err
		}
	}
	if err := dropContents(ctx, b.tx, hashes); err != nil {
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

// dropContents deletes those of the contents that nothing refers to.
func dropContents(ctx context.Context, tx *sql.Tx, hashes [][]byte) error {
	for _, hash := range hashes {
		_, err := tx.ExecContext(ctx, `DELETE FROM contents WHERE hash = ?
			AND NOT EXISTS (SELECT 1 FROM events WHERE content_hash = contents.hash)
			AND NOT EXISTS (SELECT 1 FROM pages WHERE content_hash = contents.hash)
			AND NOT EXISTS (SELECT 1 FROM fetches WHERE content_hash = contents.hash)`, hash)
		if err != nil {
			return err
		}
	}
	return nil
}
