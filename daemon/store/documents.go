package store

import (
	"context"
	"time"

	"nightjar/daemon/db"
)

// Document is a text whose titles lead to positive pages.
type Document struct {
	ID        int64
	Key       string // the same for the same document, such as a hash of its bytes
	Title     string
	Source    string // its address or the name of its file
	CreatedAt time.Time
	Topic     int64 // that crawls for it; 0 until its crawl was prepared
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

// Documents lists all documents, newest first.
func (s *Store) Documents(ctx context.Context) ([]Document, error) {
	all, err := db.Query(ctx, s.Readers, db.Fields[Document], selectDocument+"ORDER BY id DESC")
	return all, db.Wrap(err, "list documents")
}

// DropTitleQueries deletes the queries that no document sent.
func DropTitleQueries(w *db.Work) {
	w.Exec(`DELETE FROM title_queries
		WHERE NOT EXISTS (SELECT 1 FROM title_requests WHERE query_id = title_queries.id)`)
}

// PutPositives stores the positive pages of a document in place of those before. A page that the person left out stays
// left out.
func (s *Store) PutPositives(ctx context.Context, document int64, all []Positive) error {
	err := s.Commit(ctx, func(w *db.Work) {
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
func (s *Store) Positives(ctx context.Context, document int64) ([]Positive, error) {
	all, err := db.Query(ctx, s.Readers, db.Fields[Positive], `SELECT url, title, snippet, reasons, left_out FROM positives WHERE document_id = ? ORDER BY n`, document)
	return all, db.Wrap(err, "list positive pages of document %d", document)
}

// LeaveOut takes a page out of a document's positive pages, or back. The error is ErrNotFound for any other page.
func (s *Store) LeaveOut(ctx context.Context, document int64, url string, out bool) error {
	err := s.Must(ctx, db.ErrNotFound, `UPDATE positives SET left_out = ? WHERE document_id = ? AND url = ?`, out, document, url)
	return db.Wrap(err, "leave a page out of document %d", document)
}

// Example is a page with stored content that a classifier may learn from.
type Example struct {
	URL  string
	Hash []byte // of its content
}

// OtherExamples lists the pages that are examples of something else than a document and a topic, of which either may be 0:
// the positive pages of other documents, and the pages that are Useful for other topics. Pages in a community of the topic's own
// maps are none: a topic that was made of such a community has them as examples. They are ordered by address.
func (s *Store) OtherExamples(ctx context.Context, document, topic int64) ([]Example, error) {
	all, err := db.Query(ctx, s.Readers, db.Fields[Example], `WITH others(url) AS (SELECT coalesce(nullif(d.final_url, ''), p.url)
				FROM positives p LEFT JOIN document_pages d ON d.document_id = p.document_id AND d.url = p.url
				WHERE p.document_id <> ?2 AND p.left_out = 0 AND p.document_id NOT IN (SELECT id FROM documents WHERE topic_id IN `+TopicAndMembers+`)
			UNION SELECT p.url FROM sessions s JOIN marks m ON m.session_id = s.id JOIN pages p ON p.id = m.page_id
				WHERE s.status = 'submitted' AND s.topic_id NOT IN `+TopicAndMembers+` AND m.useful = 1
			UNION SELECT url FROM finds WHERE topic_id NOT IN `+TopicAndMembers+` AND mark = 'useful'),
		known(url, hash) AS (SELECT url, coalesce((SELECT content_hash FROM pages WHERE url = others.url),
			(SELECT content_hash FROM fetches WHERE final_url = others.url AND content_hash IS NOT NULL ORDER BY id DESC LIMIT 1),
			(SELECT content_hash FROM document_pages WHERE final_url = others.url AND content_hash IS NOT NULL ORDER BY at DESC LIMIT 1)) FROM others)
		SELECT url, hash FROM known WHERE hash IS NOT NULL
			AND url NOT IN (SELECT url FROM positives WHERE document_id = ?2 AND left_out = 0)
			AND NOT EXISTS (SELECT 1 FROM fetches f JOIN map_pages p ON p.fetch_id = f.id JOIN maps m ON m.id = p.map_id
				WHERE f.final_url = known.url AND p.community > 0 AND m.topic_id IN `+TopicAndMembers+`) ORDER BY url`, topic, document)
	return all, db.Wrap(err, "list pages of other documents and topics")
}

// surelyNot is true of a fetch whose page the model found not relevant, with a probability of being useful below which no judge
// takes a page for useful.
const surelyNot = `relevant = 0 AND useful < .2`

// NotUsefulPages lists the pages with stored content that the topic's own crawls read and that are not useful: the person marked them
// so, or surelyNot holds and they are no finds. Pages that the topic's sessions visited are none. They are ordered by address.
func (s *Store) NotUsefulPages(ctx context.Context, topic int64) ([]Example, error) {
	all, err := db.Query(ctx, s.Readers, db.Fields[Example], `WITH `+ownPages+`,
		marked(url, mark) AS (SELECT url, mark FROM finds WHERE topic_id IN `+TopicAndMembers+` AND (asked = 0 OR mark <> 'none'))
		SELECT DISTINCT final_url, content_hash FROM fetches
		WHERE crawl_id IN (SELECT id FROM crawls WHERE topic_id IN `+TopicAndMembers+`) AND content_hash IS NOT NULL
			AND final_url NOT IN own_urls AND content_hash NOT IN own_hashes
			AND (final_url IN (SELECT url FROM marked WHERE mark = 'not-useful') OR `+surelyNot+` AND final_url NOT IN (SELECT url FROM marked))
		ORDER BY final_url, content_hash`, topic, AllMarks)
	return all, db.Wrap(err, "list pages that crawls of topic %d found not useful", topic)
}
