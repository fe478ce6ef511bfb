package safekeeping

import (
	"bytes"
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"fmt"
	"slices"
	"time"

	"nightjar/daemon/db"
	"nightjar/daemon/store"
)

// Verified is the progress of a check of rows. The zero value begins with the first row.
type Verified struct {
	Kind  string `json:"kind"`  // of the last checked row
	After string `json:"after"` // its key, as text
}

// Verifier checks the rows of one kind. Wings give those of their tables.
type Verifier struct {
	Kind  string                                        // as Unsound names it
	Rows  string                                        // query of the rows after ?1, at most ?2, in the order of keys
	Check func(row db.Scanner) (one Checked, err error) // of that query
	Fill  string                                        // gives the row ?2 the sum ?1; "" where none is missing
}

// Checked is what a Verifier says of a row.
type Checked struct {
	Key     string // as text
	Row     string // as it is noted
	Sum     int64  // that Fill stores
	Missing bool   // it has no sum
	Wrong   bool   // it does not match its sum
}

// Stored are the verifiers of the store's tables.
var Stored = []Verifier{
	{"event", `SELECT rowid, id, at, type, page, body, content_hash, shown, sum FROM events WHERE rowid > CAST(?1 AS INTEGER) ORDER BY rowid LIMIT ?2`,
		checkEvent, `UPDATE events SET sum = ?1 WHERE rowid = ?2`},
	{"content", `SELECT hash, gzip FROM contents WHERE hash > unhex(?1) ORDER BY hash LIMIT ?2`, checkContent, ""},
	{"feedback", `SELECT id, find_id, mark, at, teaches, sum FROM feedback WHERE id > CAST(?1 AS INTEGER) ORDER BY id LIMIT ?2`,
		checkFeedback, `UPDATE feedback SET sum = ?1 WHERE id = ?2`},
}

// VerifySome checks at most limit rows after those that were checked, notes those that do not match their sums (see Unsound),
// and works out missing sums. done means that the last row was reached; the next call begins again.
func VerifySome(ctx context.Context, d *db.DB, verifiers []Verifier, was Verified, limit int) (now Verified, done bool, err error) {
	at := max(0, slices.IndexFunc(verifiers, func(v Verifier) bool { return v.Kind == was.Kind }))
	v := verifiers[at]
	rows, err := db.Query(ctx, d.Readers, v.Check, v.Rows, was.After, limit)
	if err == nil {
		err = noteRows(ctx, d, v, was.After, rows)
	}
	if err != nil {
		return now, false, fmt.Errorf("verify rows: %w", err)
	}
	switch {
	case len(rows) == limit:
		return Verified{v.Kind, rows[limit-1].Key}, false, nil
	case at+1 < len(verifiers):
		return Verified{Kind: verifiers[at+1].Kind}, false, nil
	}
	return Verified{}, true, nil
}

// noteRows stores what was found out about rows, the first of which comes after a key. A sum is worked out in the transaction that
// stores it: the row may have changed, or be gone, since it was read.
func noteRows(ctx context.Context, d *db.DB, v Verifier, after string, rows []Checked) error {
	if !slices.ContainsFunc(rows, func(r Checked) bool { return r.Missing || r.Wrong }) {
		return nil
	}
	return d.Commit(ctx, func(w *db.Work) {
		for _, r := range rows {
			if r.Wrong {
				w.Exec("INSERT OR IGNORE INTO unsound (kind, row, found_at) VALUES (?, ?, ?)", v.Kind, r.Row, db.Millis(d.Now()))
			}
			if r.Missing {
				for _, again := range db.List(w, v.Check, v.Rows, after, 1) {
					if again.Key == r.Key && again.Missing {
						w.Exec(v.Fill, again.Sum, again.Key)
					}
				}
			}
			after = r.Key
		}
	})
}

// compare says whether a row has the sum that was stored with it.
func (c *Checked) compare(stored sql.NullInt64, sum int64) {
	c.Sum, c.Missing, c.Wrong = sum, !stored.Valid, stored.Valid && stored.Int64 != sum
}

func checkEvent(row db.Scanner) (c Checked, err error) {
	var stored sql.NullInt64
	var at int64
	var kind, page, body, shown string
	var hash []byte
	err = row.Scan(&c.Key, &c.Row, &at, &kind, &page, &body, &hash, &shown, &stored)
	c.compare(stored, store.EventSum(c.Row, at, kind, page, body, hash, shown))
	return c, err
}

func checkContent(row db.Scanner) (c Checked, err error) {
	var hash, packed []byte
	if err := row.Scan(&hash, &packed); err != nil {
		return c, err
	}
	html, err := store.Unpack(packed)
	sum := sha256.Sum256(html)
	c.Key = hex.EncodeToString(hash)
	c.Row = c.Key
	c.Wrong = err != nil || !bytes.Equal(sum[:], hash)
	return c, nil
}

func checkFeedback(row db.Scanner) (c Checked, err error) {
	var stored sql.NullInt64
	var find, at int64
	var mark string
	var teaches bool
	err = row.Scan(&c.Key, &find, &mark, &at, &teaches, &stored)
	c.Row = c.Key
	c.compare(stored, store.FeedbackSum(find, mark, at, teaches))
	return c, err
}

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
func Unsound(ctx context.Context, d *db.DB, limit int) (rows []UnsoundRow, all int, err error) {
	if err := d.Readers.QueryRowContext(ctx, "SELECT count(*) FROM unsound").Scan(&all); err != nil || all == 0 {
		return nil, 0, err
	}
	rows, err = db.Query(ctx, d.Readers, db.Fields[UnsoundRow], `SELECT u.kind, coalesce(e.type, 'version ' || m.version, f.mark, ''), coalesce(t.name, ''),
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
	return rows, all, db.Wrap(err, "list unsound rows")
}
