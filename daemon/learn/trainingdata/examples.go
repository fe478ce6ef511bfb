package trainingdata

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"time"

	"nightjar/crawler/fetch"
	"nightjar/crawler/weburl"
	"nightjar/daemon/browse/topics"
	"nightjar/daemon/db"
	"nightjar/daemon/store"
)

// Examples are the documents that a topic crawls for, with the positive pages that its training learns from.
type Examples struct {
	Documents []int64        // ids, ascending
	Pages     []PositivePage // not left out, with stored content, in the order of their documents; an address only once
	Paper     bool           // the newest map asks for the classifier of [PANORAMA]; see maps.Options
	At        time.Time      // when the newest of the documents was added; zero without one
}

// ExamplesOf returns what a topic, or its members, have to learn from besides sessions.
func ExamplesOf(ctx context.Context, d *db.DB, topicID int64) (e Examples, err error) {
	type document struct {
		ID int64
		At time.Time
	}
	documents, err := db.Query(ctx, d.Readers, db.Fields[document], `SELECT id, created_at FROM documents WHERE topic_id IN `+topics.WithMembers+` ORDER BY id`, topicID)
	if err != nil {
		return e, fmt.Errorf("list documents of topic %d: %w", topicID, err)
	}
	seen := map[string]bool{}
	for _, doc := range documents {
		e.Documents = append(e.Documents, doc.ID)
		if doc.At.After(e.At) {
			e.At = doc.At
		}
		pages, err := PositivePages(ctx, d, doc.ID)
		if err != nil {
			return e, err
		}
		for _, p := range pages {
			if !p.LeftOut && len(p.Hash) > 0 && !seen[p.Final] {
				seen[p.Final] = true
				e.Pages = append(e.Pages, p)
			}
		}
	}
	err = db.Optional(d.Readers.QueryRowContext(ctx, `SELECT coalesce(options ->> 'paper', 0) FROM maps
		WHERE source <> 'crawl' AND (topic_id IN `+topics.WithMembers+` OR document_id IN (SELECT id FROM documents WHERE topic_id IN `+topics.WithMembers+`))
		ORDER BY id DESC LIMIT 1`, topicID).Scan(&e.Paper))
	return e, db.Wrap(err, "read how topic %d is to be trained", topicID)
}

// paperOnly is the digest of no examples at all for the classifier of [PANORAMA].
const paperOnly = "paper"

// Digest identifies the examples: the addresses of the pages, and which classifier is asked for. It is "" without a page and
// for the usual classifier.
func (e Examples) Digest() string {
	switch {
	case len(e.Pages) == 0 && e.Paper:
		return paperOnly
	case len(e.Pages) == 0:
		return ""
	}
	urls := db.ListOf(e.Pages, func(p PositivePage) string { return p.Final })
	slices.Sort(urls)
	hash := sha256.New()
	for _, u := range urls {
		fmt.Fprintf(hash, "%d %s\n", len(u), u)
	}
	fmt.Fprintf(hash, "paper %v", e.Paper)
	return hex.EncodeToString(hash.Sum(nil))
}

// SessionsThatVisited lists the UUIDs of the sessions that visited any of the pages, by their address after redirects.
func SessionsThatVisited(ctx context.Context, d *db.DB, urls []string) ([]string, error) {
	all, err := db.Query(ctx, d.Readers, db.ScanText, sessionsThatVisited, db.JSONList(urls))
	return all, db.Wrap(err, "list the sessions that visited pages")
}

const sessionsThatVisited = `SELECT DISTINCT s.uuid FROM json_each(?) u CROSS JOIN pages p ON p.url = u.value
	CROSS JOIN visits v ON v.page_id = p.id CROSS JOIN sessions s ON s.id = v.session_id ORDER BY s.uuid`

// Example is a page with stored content that a classifier may learn from.
type Example struct {
	URL  string
	Hash []byte // of its content
}

// OtherExamples lists the pages that are examples of something else than a document and a topic, of which either may be 0:
// the positive pages of other documents, and the pages that are Useful for other topics. Pages in a community of the topic's own
// maps are none: a topic that was made of such a community has them as examples. They are ordered by address.
func OtherExamples(ctx context.Context, d *db.DB, document, topic int64) ([]Example, error) {
	all, err := db.Query(ctx, d.Readers, db.Fields[Example], `WITH others(url) AS (SELECT coalesce(nullif(d.final_url, ''), p.url)
				FROM positives p LEFT JOIN document_pages d ON d.document_id = p.document_id AND d.url = p.url
				WHERE p.document_id <> ?2 AND p.left_out = 0 AND p.document_id NOT IN (SELECT id FROM documents WHERE topic_id IN `+topics.WithMembers+`)
			UNION SELECT p.url FROM sessions s JOIN marks m ON m.session_id = s.id JOIN pages p ON p.id = m.page_id
				WHERE s.status = 'submitted' AND s.topic_id NOT IN `+topics.WithMembers+` AND m.useful = 1
			UNION SELECT url FROM finds WHERE topic_id NOT IN `+topics.WithMembers+` AND mark = 'useful'),
		known(url, hash) AS (SELECT url, coalesce((SELECT content_hash FROM pages WHERE url = others.url),
			(SELECT content_hash FROM fetches WHERE final_url = others.url AND content_hash IS NOT NULL ORDER BY id DESC LIMIT 1),
			(SELECT content_hash FROM document_pages WHERE final_url = others.url AND content_hash IS NOT NULL ORDER BY at DESC LIMIT 1)) FROM others)
		SELECT url, hash FROM known WHERE hash IS NOT NULL
			AND url NOT IN (SELECT url FROM positives WHERE document_id = ?2 AND left_out = 0)
			AND NOT EXISTS (SELECT 1 FROM fetches f JOIN map_pages p ON p.fetch_id = f.id JOIN maps m ON m.id = p.map_id
				WHERE f.final_url = known.url AND p.community > 0 AND m.topic_id IN `+topics.WithMembers+`) ORDER BY url`, topic, document)
	return all, db.Wrap(err, "list pages of other documents and topics")
}

// surelyNot is true of a fetch whose page the model found not relevant, with a probability of being useful below which no judge
// takes a page for useful.
const surelyNot = `relevant = 0 AND useful < .2`

// NotUsefulPages lists the pages with stored content that the topic's own crawls read and that are not useful: the person marked them
// so, or surelyNot holds and they are no finds. Pages that the topic's sessions visited are none. They are ordered by address.
func NotUsefulPages(ctx context.Context, d *db.DB, topic int64) ([]Example, error) {
	all, err := db.Query(ctx, d.Readers, db.Fields[Example], `WITH `+ownPages+`,
		marked(url, mark) AS (SELECT url, mark FROM finds WHERE topic_id IN `+topics.WithMembers+` AND (asked = 0 OR mark <> 'none'))
		SELECT DISTINCT final_url, content_hash FROM fetches
		WHERE crawl_id IN (SELECT id FROM crawls WHERE topic_id IN `+topics.WithMembers+`) AND content_hash IS NOT NULL
			AND final_url NOT IN own_urls AND content_hash NOT IN own_hashes
			AND (final_url IN (SELECT url FROM marked WHERE mark = 'not-useful') OR `+surelyNot+` AND final_url NOT IN (SELECT url FROM marked))
		ORDER BY final_url, content_hash`, topic, AllMarks)
	return all, db.Wrap(err, "list pages that crawls of topic %d found not useful", topic)
}

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
