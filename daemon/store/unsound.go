package store

import (
	"context"
	"time"
)

// UnsoundRow is a stored row that changed on the disk since it was written.
type UnsoundRow struct {
	Kind    string // event, content, model or feedback
	What    string // the type of an event, the version of a model, the mark
	Topic   string // "" when it cannot be told
	URL     string // of the page; "" for none
	At      time.Time
	FoundAt time.Time
}

// Unsound lists rows that do not match their sums, the newest finding first, at most limit, and counts them all. They are kept
// as they are and left out of training.
func (s *Store) Unsound(ctx context.Context, limit int) (rows []UnsoundRow, all int, err error) {
	if err := s.r.QueryRowContext(ctx, "SELECT count(*) FROM unsound").Scan(&all); err != nil || all == 0 {
		return nil, 0, err
	}
	rows, err = query(ctx, s.r, func(row scanner) (UnsoundRow, error) {
		var u UnsoundRow
		return u, row.Scan(&u.Kind, &u.What, &u.Topic, &u.URL, timeOf{&u.At}, timeOf{&u.FoundAt})
	}, `SELECT u.kind, coalesce(e.type, 'version ' || m.version, f.mark, ''), coalesce(t.name, ''),
			coalesce(n.url, (SELECT url FROM pages WHERE content_hash = unhex(u.row) AND u.kind = 'content'),
				(SELECT final_url FROM fetches WHERE content_hash = unhex(u.row) AND u.kind = 'content' LIMIT 1), p.url, ''),
			coalesce(e.at, m.created_at, f.at), u.found_at
		FROM (SELECT * FROM unsound ORDER BY found_at DESC, kind, row LIMIT ?) u
		LEFT JOIN events e ON u.kind = 'event' AND e.id = u.row
		LEFT JOIN sessions x ON x.id = e.session_id
		LEFT JOIN visits v ON v.load = e.page LEFT JOIN pages p ON p.id = v.page_id
		LEFT JOIN models m ON u.kind = 'model' AND m.id = CAST(u.row AS INTEGER)
		LEFT JOIN feedback f ON u.kind = 'feedback' AND f.id = CAST(u.row AS INTEGER)
		LEFT JOIN finds n ON n.id = f.find_id
		LEFT JOIN topics t ON t.id = coalesce(x.topic_id, m.topic_id, n.topic_id)`, limit)
	return rows, all, wrap(err, "list unsound rows")
}

// soundEvents is a condition on events e: neither the event nor the content of its snapshot changed on the disk.
const soundEvents = `NOT EXISTS (SELECT 1 FROM unsound WHERE kind = 'event' AND row = e.id)
	AND (e.content_hash IS NULL OR NOT EXISTS (SELECT 1 FROM unsound WHERE kind = 'content' AND row = lower(hex(e.content_hash))))`
