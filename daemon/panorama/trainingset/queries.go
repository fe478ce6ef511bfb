package trainingset

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"nightjar/daemon/db"
)

// States of a title query.
const (
	QueryNew      = ""         // never sent
	QuerySent     = "sent"     // on its way, or its answer was lost with the program that waited for it
	QueryAnswered = "answered" // its hits are kept
	QueryRefused  = "refused"  // the provider gave no answer; it may be asked again
)

// Errors of BeginQuery.
var (
	ErrQuerySent  = errors.New("this query was sent before")
	ErrQueryLimit = errors.New("the document has sent as many queries as it may")
)

// TitleQuery is a title as it is sent to a provider.
type TitleQuery struct {
	Document int64  // for which it is sent
	Provider string // address of the instance
	Text     string // as it is sent
}

// FoundPage is a page that a provider outside answered with.
type FoundPage struct{ URL, Title, Snippet string }

// QueryAnswer returns the state of a query, and the hits that are kept of it, best first.
func QueryAnswer(ctx context.Context, d *db.DB, q TitleQuery) (state string, hits []FoundPage, err error) {
	var id int64
	err = d.Readers.QueryRowContext(ctx, `SELECT id, state FROM title_queries WHERE provider = ? AND text = ?`,
		q.Provider, q.Text).Scan(&id, &state)
	if err == sql.ErrNoRows {
		return QueryNew, nil, nil
	}
	if err == nil {
		hits, err = db.Query(ctx, d.Readers, db.Fields[FoundPage], `SELECT url, title, snippet FROM title_hits WHERE query_id = ? ORDER BY n`, id)
	}
	return state, hits, db.Wrap(err, "read the answer to a title")
}

// RequestsSent returns how many requests were sent for a document.
func RequestsSent(ctx context.Context, d *db.DB, document int64) (n int, err error) {
	err = d.Readers.QueryRowContext(ctx, `SELECT count(*) FROM title_requests WHERE document_id = ?`, document).Scan(&n)
	return n, db.Wrap(err, "count the queries of document %d", document)
}

// BeginQuery notes that a query is sent now, so that nobody sends it a second time. If wait is not 0, nothing was noted:
// the provider was asked less than gap ago, and the caller should try again after wait. The errors are ErrQuerySent for a
// query that was sent or answered, and ErrQueryLimit when the document has sent most requests.
func BeginQuery(ctx context.Context, d *db.DB, q TitleQuery, gap time.Duration, most int) (wait time.Duration, err error) {
	err = d.Commit(ctx, func(w *db.Work) {
		var state string
		w.Row(`SELECT state FROM title_queries WHERE provider = ? AND text = ?`, q.Provider, q.Text).Find(&state)
		if state == QuerySent || state == QueryAnswered {
			w.Fail(ErrQuerySent)
			return
		}
		var sent int
		var last sql.NullInt64
		w.Row(`SELECT (SELECT count(*) FROM title_requests WHERE document_id = ?),
			(SELECT max((SELECT max(at) FROM title_requests WHERE query_id = q.id)) FROM title_queries q WHERE q.provider = ?)`,
			q.Document, q.Provider).Read(&sent, &last)
		if sent >= most {
			w.Fail(ErrQueryLimit)
			return
		}
		// A clock that was set back must not stop the asking for long.
		if wait = min(gap, db.Moment(last).Add(gap).Sub(d.Now())); wait > 0 {
			return
		}
		wait = 0
		putRequest(w, q, db.Millis(d.Now()))
	})
	return wait, db.Wrap(err, "note a query")
}

func putRequest(w *db.Work, q TitleQuery, at int64) {
	id := db.Value[int64](w, `INSERT INTO title_queries (provider, text, state) VALUES (?, ?, 'sent')
		ON CONFLICT (provider, text) DO UPDATE SET state = 'sent' RETURNING id`, q.Provider, q.Text)
	w.Exec(`INSERT INTO title_requests (query_id, document_id, at) VALUES (?, ?, ?)`, id, q.Document, at)
}

// EndQuery notes how a query was answered: with hits, best first, or not at all. A query that was erased meanwhile is no
// error, and is not stored again.
func EndQuery(ctx context.Context, d *db.DB, q TitleQuery, hits []FoundPage, refused bool) error {
	state := QueryAnswered
	if refused {
		state, hits = QueryRefused, nil
	}
	err := d.Commit(ctx, func(w *db.Work) {
		var id int64
		if !w.Row(`UPDATE title_queries SET state = ? WHERE provider = ? AND text = ? RETURNING id`, state, q.Provider, q.Text).Find(&id) {
			return
		}
		w.Exec(`DELETE FROM title_hits WHERE query_id = ?`, id)
		for i, h := range hits {
			w.Exec(`INSERT INTO title_hits (query_id, n, url, title, snippet) VALUES (?, ?, ?, ?, ?)`,
				id, i+1, h.URL, h.Title, h.Snippet)
		}
	})
	return db.Wrap(err, "keep the answer to a title")
}
