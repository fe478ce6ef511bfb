package store

import (
	"bytes"
	"context"
	"fmt"

	"nightjar/crawler/fetch"
	"nightjar/crawler/weburl"
	"nightjar/daemon/db"
)

// MapPage is a page of a map.
type MapPage struct {
	Fetch       int64
	Community   int     // from 1; 0: the page has no telling words; -1: dropped
	Similarity  float64 // cosine with the centre of its community, in [0, 1]
	Probability float64 // calibrated P(c⁺|p), in [0, 1]; 0 without a classifier
}

// FinishMap stores a map's result and its pages, in place of those before, and that the map is done. The error is
// ErrMapChanged when it is not working, as when it was stopped meanwhile.
func (s *Store) FinishMap(ctx context.Context, id int64, result []byte, pages []MapPage) error {
	c, err := Packed(result)
	if err == nil {
		err = s.Commit(ctx, func(w *db.Work) {
			w.Must(ErrMapChanged, `UPDATE maps SET result = ?, step = 'map', state = 'done', problem = '', ended_at = ?
				WHERE id = ? AND state = 'working'`, c.Gzip, db.Millis(s.Now()), id)
			w.Exec(`DELETE FROM map_pages WHERE map_id = ?`, id)
			put := w.Prepare(`INSERT INTO map_pages (map_id, fetch_id, community, similarity, probability) VALUES (?, ?, ?, ?, ?)`)
			for _, p := range pages {
				put(id, p.Fetch, p.Community, p.Similarity, p.Probability)
			}
		})
	}
	return db.Wrap(err, "store map %d", id)
}

// MapResult returns what FinishMap stored, or ErrNotFound when the map has no result.
func (s *Store) MapResult(ctx context.Context, id int64) ([]byte, error) {
	text, err := db.Found(db.ScanBytes(s.Readers.QueryRowContext(ctx, `SELECT result FROM maps WHERE id = ? AND result IS NOT NULL`, id)))
	if err != nil {
		return nil, err
	}
	return Unpack(text)
}

// MappedPage is a page of a map with its address.
type MappedPage struct {
	MapPage
	URL   string // after redirects
	Title string
}

// MapPages lists the pages of a map in the order in which they were fetched.
func (s *Store) MapPages(ctx context.Context, id int64) ([]MappedPage, error) {
	all, err := db.Query(ctx, s.Readers, db.Fields[MappedPage], `SELECT p.fetch_id, p.community, p.similarity, p.probability, f.final_url, f.title
		FROM map_pages p JOIN fetches f ON f.id = p.fetch_id WHERE p.map_id = ? ORDER BY f.n`, id)
	return all, db.Wrap(err, "list the pages of map %d", id)
}

// MapFinds returns the finds and marks that a topic has of a map's pages, by their fetch.
func (s *Store) MapFinds(ctx context.Context, id, topic int64) (map[int64]FindState, error) {
	all := map[int64]FindState{}
	err := db.Each(ctx, s.Readers, func(row db.Scanner) error {
		var fetch int64
		var f FindState
		err := row.Scan(&fetch, &f.ID, &f.URL, &f.Title, &f.Mark)
		all[fetch] = f
		return err
	}, `SELECT p.fetch_id, f.id, f.url, f.title, f.mark FROM map_pages p JOIN fetches ON fetches.id = p.fetch_id
		JOIN finds f ON f.topic_id = ?2 AND f.url = fetches.final_url AND f.asked = 0 WHERE p.map_id = ?1`, id, topic)
	return all, db.Wrap(err, "list the finds of map %d", id)
}

// MarkPage stores the person's mark on a page of a map, which becomes a find of the crawl's topic if it was not one. Its
// snippet is as given. The error is ErrNotFound when the map has no such page.
func (s *Store) MarkPage(ctx context.Context, id, fetchID int64, snippet, mark string) (acted Acted, err error) {
	if _, known := marks[mark]; !known {
		return acted, fmt.Errorf("unknown mark %q", mark)
	}
	err = s.Commit(ctx, func(w *db.Work) {
		find := db.Value[int64](w, `INSERT INTO finds
				(topic_id, crawl_id, fetch_id, url, title, snippet, similarity, found_at, useful, visited, refused)
			SELECT c.topic_id, f.crawl_id, f.id, f.final_url, f.title, ?3, f.similarity, ?4, f.useful,
				EXISTS (SELECT 1 FROM pages WHERE url = f.final_url), 0
			FROM map_pages p JOIN fetches f ON f.id = p.fetch_id JOIN crawls c ON c.id = f.crawl_id
			WHERE p.map_id = ?1 AND p.fetch_id = ?2
			ON CONFLICT (topic_id, url) DO UPDATE SET asked = 0 RETURNING id`, id, fetchID, snippet, db.Millis(s.Now()))
		acted = s.markAll(w, []int64{find}, mark)
	})
	return acted, db.Wrap(err, "mark a page of map %d", id)
}

// CrawledPage is a page that a crawl read.
type CrawledPage struct {
	Fetch    int64
	URL      string // as it was asked for
	Final    string // after redirects
	Title    string
	Copy     bool   // of an earlier page, or a page that stands for another
	TextHash int64  // copies have the same; 0 without text
	Hash     []byte // of its content; nil when it is not kept
}

// CrawledPages lists the pages that a crawl read, in the order in which they were fetched.
func (s *Store) CrawledPages(ctx context.Context, crawl int64) ([]CrawledPage, error) {
	all, err := db.Query(ctx, s.Readers, db.Fields[CrawledPage], `SELECT id, url, final_url, title, credit = 0, text_hash, content_hash FROM fetches
		WHERE crawl_id = ? AND outcome = 'ok' ORDER BY n`, crawl)
	return all, db.Wrap(err, "list the pages of crawl %d", crawl)
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
func (s *Store) PositivePages(ctx context.Context, document int64) ([]PositivePage, error) {
	all, err := db.Query(ctx, s.Readers, func(row db.Scanner) (PositivePage, error) {
		var p PositivePage
		return p, row.Scan(&p.URL, &p.Title, &p.Snippet, db.JSONOf(&p.Reasons), &p.LeftOut, &p.Final, &p.Outcome, &p.Reason, &p.Hash)
	}, positivePages, document)
	return all, db.Wrap(err, "list positive pages of document %d", document)
}

// PutDocumentPage stores how the request for a positive page ended, with its content if it is a page. The last request
// counts. A document that was deleted meanwhile gives ErrNotFound.
func (s *Store) PutDocumentPage(ctx context.Context, document int64, title string, r fetch.Response) error {
	var body *Content
	if r.Outcome == fetch.OK && len(bytes.TrimSpace(r.Body)) > 0 {
		var err error
		if body, err = Packed(r.Body); err != nil {
			return fmt.Errorf("store a page of document %d: %w", document, err)
		}
	}
	err := s.Commit(ctx, func(w *db.Work) {
		if !w.Has(`SELECT EXISTS (SELECT 1 FROM documents WHERE id = ?)`, document) {
			w.Fail(db.ErrNotFound)
		}
		var hash []byte
		if body != nil {
			hash = body.Hash[:]
			w.Exec(InsertContent, hash, body.Gzip)
		}
		before := db.List(w, db.ScanBytes, `SELECT content_hash FROM document_pages WHERE document_id = ? AND url = ?
			AND content_hash IS NOT NULL`, document, r.URL)
		w.Exec(`INSERT OR REPLACE INTO document_pages
			(document_id, url, final_url, host, outcome, reason, http_status, bytes, title, content_hash, at)
			VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`, document, r.URL, r.FinalURL, weburl.Host(r.FinalURL), string(r.Outcome), r.Reason,
			r.Status, r.Bytes, title, hash, db.Millis(s.Now()))
		dropContents(w, before)
	})
	return db.Wrap(err, "store a page of document %d", document)
}
