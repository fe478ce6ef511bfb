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

// Kinds of rows that VerifySome checks, in its order.
const (
	eventRow    = "event"
	contentRow  = "content"
	modelRow    = "model"
	feedbackRow = "feedback"
)

// Verified is the progress of a check of rows. The zero value begins with the first row.
type Verified struct {
	Kind  string `json:"kind"`  // of the last checked row
	After string `json:"after"` // its key, as text
}

// verifier checks the rows of one kind.
type verifier struct {
	kind  string
	rows  string                                                  // query of the rows after ?1, at most ?2, in the order of keys
	check func(row db.Scanner) (one checkedRow, err error)        // of that query
	fill  func(ctx context.Context, tx *sql.Tx, key string) error // gives a row without a sum one
}

// checkedRow is what a verifier says of a row.
type checkedRow struct {
	key     string // as text
	row     string // as it is noted
	missing bool   // it has no sum
	wrong   bool   // it does not match its sum
}

// verifiers are in the order in which VerifySome works.
var verifiers = []verifier{
	{eventRow, `SELECT rowid, id, at, type, page, body, content_hash, shown, sum FROM events WHERE rowid > CAST(?1 AS INTEGER) ORDER BY rowid LIMIT ?2`, checkEvent, fillEvent},
	{contentRow, `SELECT hash, gzip FROM contents WHERE hash > unhex(?1) ORDER BY hash LIMIT ?2`, checkContent, nil},
	{modelRow, `SELECT id, bundle FROM models WHERE id > CAST(?1 AS INTEGER) ORDER BY id LIMIT ?2`, checkModel, nil},
	{feedbackRow, `SELECT id, find_id, mark, at, teaches, sum FROM feedback WHERE id > CAST(?1 AS INTEGER) ORDER BY id LIMIT ?2`, checkFeedback, fillFeedback},
}

// VerifySome checks at most limit rows after those that were checked, notes those that do not match their sums (see Unsound),
// and works out missing sums. done means that the last row was reached; the next call begins again.
func VerifySome(ctx context.Context, d *db.DB, was Verified, limit int) (now Verified, done bool, err error) {
	at := 0
	for i, v := range verifiers {
		if v.kind == was.Kind {
			at = i
		}
	}
	v := verifiers[at]
	rows, err := db.Query(ctx, d.Readers, v.check, v.rows, was.After, limit)
	if err != nil {
		return now, false, fmt.Errorf("verify rows: %w", err)
	}
	if err := noteRows(ctx, d, v, rows); err != nil {
		return now, false, fmt.Errorf("verify rows: %w", err)
	}
	switch {
	case len(rows) == limit:
		return Verified{v.kind, rows[limit-1].key}, false, nil
	case at+1 < len(verifiers):
		return Verified{Kind: verifiers[at+1].kind}, false, nil
	}
	return Verified{}, true, nil
}

// noteRows stores what was found out about rows. A sum is worked out in the transaction that stores it: the row may have
// changed since it was read.
func noteRows(ctx context.Context, d *db.DB, v verifier, rows []checkedRow) error {
	if !slices.ContainsFunc(rows, func(r checkedRow) bool { return r.missing || r.wrong }) {
		return nil
	}
	return d.Commit(ctx, func(w *db.Work) {
		for _, r := range rows {
			switch {
			case r.missing:
				w.Do(func(ctx context.Context, tx *sql.Tx) error { return v.fill(ctx, tx, r.key) })
			case r.wrong:
				w.Exec("INSERT OR IGNORE INTO unsound (kind, row, found_at) VALUES (?, ?, ?)", v.kind, r.row, db.Millis(d.Now()))
			}
		}
	})
}

func checkEvent(row db.Scanner) (c checkedRow, err error) {
	sum, now, err := scanEventSum(row, &c.key, &c.row)
	c.missing, c.wrong = !sum.Valid, sum.Valid && sum.Int64 != now
	return c, err
}

// scanEventSum reads the row of an event with its sum, and works out what the sum is.
func scanEventSum(row db.Scanner, n, id *string) (stored sql.NullInt64, now int64, err error) {
	var at int64
	var kind, page, body, shown string
	var hash []byte
	err = row.Scan(n, id, &at, &kind, &page, &body, &hash, &shown, &stored)
	return stored, store.EventSum(*id, at, kind, page, body, hash, shown), err
}

func fillEvent(ctx context.Context, tx *sql.Tx, key string) error {
	var n, id string
	_, now, err := scanEventSum(tx.QueryRowContext(ctx, "SELECT rowid, id, at, type, page, body, content_hash, shown, sum FROM events WHERE rowid = ?", key), &n, &id)
	if err != nil {
		return db.Optional(err) // it may have been deleted since it was seen
	}
	return db.Execute(ctx, tx, "UPDATE events SET sum = ? WHERE rowid = ?", now, n)
}

func checkContent(row db.Scanner) (c checkedRow, err error) {
	var hash, packed []byte
	if err := row.Scan(&hash, &packed); err != nil {
		return c, err
	}
	html, err := store.Unpack(packed)
	sum := sha256.Sum256(html)
	c.key = hex.EncodeToString(hash)
	c.row = c.key
	c.wrong = err != nil || !bytes.Equal(sum[:], hash)
	return c, nil
}

// checkModel checks the SHA-256 at the end of a bundle; see model.Bundle.Encode. An erased one is empty.
func checkModel(row db.Scanner) (c checkedRow, err error) {
	var bundle []byte
	err = row.Scan(&c.key, &bundle)
	c.row = c.key
	if end := len(bundle) - sha256.Size; end > 0 {
		sum := sha256.Sum256(bundle[:end])
		c.wrong = !bytes.Equal(sum[:], bundle[end:])
	}
	return c, err
}

func checkFeedback(row db.Scanner) (c checkedRow, err error) {
	stored, now, err := scanFeedbackSum(row, &c.key)
	c.row = c.key
	c.missing, c.wrong = !stored.Valid, stored.Valid && stored.Int64 != now
	return c, err
}

func scanFeedbackSum(row db.Scanner, id *string) (stored sql.NullInt64, now int64, err error) {
	var find, at int64
	var mark string
	var teaches bool
	err = row.Scan(id, &find, &mark, &at, &teaches, &stored)
	return stored, store.FeedbackSum(find, mark, at, teaches), err
}

func fillFeedback(ctx context.Context, tx *sql.Tx, key string) error {
	var id string
	_, now, err := scanFeedbackSum(tx.QueryRowContext(ctx, "SELECT id, find_id, mark, at, teaches, sum FROM feedback WHERE id = ?", key), &id)
	if err != nil {
		return db.Optional(err) // it may have been deleted since it was seen
	}
	return db.Execute(ctx, tx, "UPDATE feedback SET sum = ? WHERE id = ?", now, id)
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
