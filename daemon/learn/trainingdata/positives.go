package trainingdata

import (
	"bytes"
	"context"
	"fmt"

	"nightjar/crawler/fetch"
	"nightjar/crawler/weburl"
	"nightjar/daemon/db"
	"nightjar/daemon/store"
)

// Positive is a positive page of a document: an example of what the person looks for.
type Positive struct {
	URL, Title, Snippet string
	Reasons             []PositiveReason // at least one
	LeftOut             bool             // by the person
}

// PositiveReason says which title found a page, and how.
type PositiveReason struct {
	Title string `json:"title"` // as the document has it; "" for a page that the person named
	Stage string `json:"stage"` // see TitlePhrase; a provider outside has names of its own
	Place int    `json:"place"` // among the hits of the title, from 1
}

// PutPositives stores the positive pages of a document in place of those before. A page that the person left out stays
// left out.
func PutPositives(ctx context.Context, d *db.DB, document int64, all []Positive) error {
	err := d.Commit(ctx, func(w *db.Work) {
		out := db.List(w, db.ScanText, `SELECT url FROM positives WHERE document_id = ? AND left_out = 1`, document)
		w.Exec(`DELETE FROM positives WHERE document_id = ?`, document)
		for i, p := range all {
			w.Exec(`INSERT INTO positives (document_id, url, n, title, snippet, reasons, left_out)
				VALUES (?, ?, ?, ?, ?, ?, ?)`, document, p.URL, i+1, p.Title, p.Snippet, db.JSONOf(append([]PositiveReason{}, p.Reasons...)), p.LeftOut)
		}
		w.Exec(`UPDATE positives SET left_out = 1 WHERE document_id = ? AND url IN (SELECT value FROM json_each(?))`,
			document, db.JSONList(out))
	})
	return db.Wrap(err, "store positive pages of document %d", document)
}

// Positives lists the positive pages of a document in the order in which they were stored, with those that were left out.
func Positives(ctx context.Context, d *db.DB, document int64) ([]Positive, error) {
	all, err := db.Query(ctx, d.Readers, db.Fields[Positive], `SELECT url, title, snippet, reasons, left_out FROM positives WHERE document_id = ? ORDER BY n`, document)
	return all, db.Wrap(err, "list positive pages of document %d", document)
}

// LeaveOut takes a page out of a document's positive pages, or back. The error is ErrNotFound for any other page.
func LeaveOut(ctx context.Context, d *db.DB, document int64, url string, out bool) error {
	err := d.Must(ctx, db.ErrNotFound, `UPDATE positives SET left_out = ? WHERE document_id = ? AND url = ?`, out, document, url)
	return db.Wrap(err, "leave a page out of document %d", document)
}

// PositivePage is a positive page of a document with its stored data.
type PositivePage struct {
	Positive
	Final   string // address after redirects; URL when it is not known
	Hash    []byte // of its content; nil when none is stored
	Outcome string // crawler/fetch.Outcome of its request for the document; "" when it was not requested
	Reason  string // for people, of Outcome
}

// positivePages selects the positive pages of a document (?1): the content of a visit comes first, then that of the last
// crawl, then that of a request for a document.
const positivePages = `SELECT p.url, p.title, p.snippet, p.reasons, p.left_out,
	coalesce(nullif(d.final_url, ''), p.url), coalesce(d.outcome, ''), coalesce(d.reason, ''),
	coalesce((SELECT content_hash FROM pages WHERE url = p.url),
		(SELECT content_hash FROM fetches WHERE final_url = p.url AND content_hash IS NOT NULL ORDER BY id DESC LIMIT 1),
		d.content_hash,
		(SELECT content_hash FROM document_pages WHERE final_url = p.url AND content_hash IS NOT NULL ORDER BY at DESC LIMIT 1))
	FROM positives p LEFT JOIN document_pages d ON d.document_id = p.document_id AND d.url = p.url
	WHERE p.document_id = ?1 ORDER BY p.n`

// PositivePages lists the positive pages of a document with their stored data, in the order of Positives.
func PositivePages(ctx context.Context, d *db.DB, document int64) ([]PositivePage, error) {
	all, err := db.Query(ctx, d.Readers, func(row db.Scanner) (PositivePage, error) {
		var p PositivePage
		return p, row.Scan(&p.URL, &p.Title, &p.Snippet, db.JSONOf(&p.Reasons), &p.LeftOut, &p.Final, &p.Outcome, &p.Reason, &p.Hash)
	}, positivePages, document)
	return all, db.Wrap(err, "list positive pages of document %d", document)
}

// PutDocumentPage stores how the request for a positive page ended, with its content if it is a page. The last request
// counts. A document that was deleted meanwhile gives ErrNotFound.
func PutDocumentPage(ctx context.Context, d *db.DB, document int64, title string, r fetch.Response) error {
	var body *store.Content
	if r.Outcome == fetch.OK && len(bytes.TrimSpace(r.Body)) > 0 {
		var err error
		if body, err = store.Packed(r.Body); err != nil {
			return fmt.Errorf("store a page of document %d: %w", document, err)
		}
	}
	err := d.Commit(ctx, func(w *db.Work) {
		if !w.Has(`SELECT EXISTS (SELECT 1 FROM documents WHERE id = ?)`, document) {
			w.Fail(db.ErrNotFound)
		}
		var hash []byte
		if body != nil {
			hash = body.Hash[:]
			w.Exec(store.InsertContent, hash, body.Gzip)
		}
		before := db.List(w, db.ScanBytes, `SELECT content_hash FROM document_pages WHERE document_id = ? AND url = ?
			AND content_hash IS NOT NULL`, document, r.URL)
		w.Exec(`INSERT OR REPLACE INTO document_pages
			(document_id, url, final_url, host, outcome, reason, http_status, bytes, title, content_hash, at)
			VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`, document, r.URL, r.FinalURL, weburl.Host(r.FinalURL), string(r.Outcome), r.Reason,
			r.Status, r.Bytes, title, hash, db.Millis(d.Now()))
		store.DropContents(w, before)
	})
	return db.Wrap(err, "store a page of document %d", document)
}

// RetryDocumentPages forgets the requests for positive pages of a document that failed for a reason that may have passed, so
// that they are requested again.
func RetryDocumentPages(ctx context.Context, d *db.DB, document int64) error {
	err := d.Exec(ctx, `DELETE FROM document_pages WHERE document_id = ? AND content_hash IS NULL
		AND outcome IN ('network', 'timeout', 'later', 'canceled')`, document)
	return db.Wrap(err, "forget failed requests of document %d", document)
}
