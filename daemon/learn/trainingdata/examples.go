package trainingdata

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"time"

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
	documents, err := db.Query(ctx, d.Readers, db.Fields[document], `SELECT id, created_at FROM documents WHERE topic_id IN `+store.TopicAndMembers+` ORDER BY id`, topicID)
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
		WHERE source <> 'crawl' AND (topic_id IN `+store.TopicAndMembers+` OR document_id IN (SELECT id FROM documents WHERE topic_id IN `+store.TopicAndMembers+`))
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
				WHERE p.document_id <> ?2 AND p.left_out = 0 AND p.document_id NOT IN (SELECT id FROM documents WHERE topic_id IN `+store.TopicAndMembers+`)
			UNION SELECT p.url FROM sessions s JOIN marks m ON m.session_id = s.id JOIN pages p ON p.id = m.page_id
				WHERE s.status = 'submitted' AND s.topic_id NOT IN `+store.TopicAndMembers+` AND m.useful = 1
			UNION SELECT url FROM finds WHERE topic_id NOT IN `+store.TopicAndMembers+` AND mark = 'useful'),
		known(url, hash) AS (SELECT url, coalesce((SELECT content_hash FROM pages WHERE url = others.url),
			(SELECT content_hash FROM fetches WHERE final_url = others.url AND content_hash IS NOT NULL ORDER BY id DESC LIMIT 1),
			(SELECT content_hash FROM document_pages WHERE final_url = others.url AND content_hash IS NOT NULL ORDER BY at DESC LIMIT 1)) FROM others)
		SELECT url, hash FROM known WHERE hash IS NOT NULL
			AND url NOT IN (SELECT url FROM positives WHERE document_id = ?2 AND left_out = 0)
			AND NOT EXISTS (SELECT 1 FROM fetches f JOIN map_pages p ON p.fetch_id = f.id JOIN maps m ON m.id = p.map_id
				WHERE f.final_url = known.url AND p.community > 0 AND m.topic_id IN `+store.TopicAndMembers+`) ORDER BY url`, topic, document)
	return all, db.Wrap(err, "list pages of other documents and topics")
}

// surelyNot is true of a fetch whose page the model found not relevant, with a probability of being useful below which no judge
// takes a page for useful.
const surelyNot = `relevant = 0 AND useful < .2`

// NotUsefulPages lists the pages with stored content that the topic's own crawls read and that are not useful: the person marked them
// so, or surelyNot holds and they are no finds. Pages that the topic's sessions visited are none. They are ordered by address.
func NotUsefulPages(ctx context.Context, d *db.DB, topic int64) ([]Example, error) {
	all, err := db.Query(ctx, d.Readers, db.Fields[Example], `WITH `+ownPages+`,
		marked(url, mark) AS (SELECT url, mark FROM finds WHERE topic_id IN `+store.TopicAndMembers+` AND (asked = 0 OR mark <> 'none'))
		SELECT DISTINCT final_url, content_hash FROM fetches
		WHERE crawl_id IN (SELECT id FROM crawls WHERE topic_id IN `+store.TopicAndMembers+`) AND content_hash IS NOT NULL
			AND final_url NOT IN own_urls AND content_hash NOT IN own_hashes
			AND (final_url IN (SELECT url FROM marked WHERE mark = 'not-useful') OR `+surelyNot+` AND final_url NOT IN (SELECT url FROM marked))
		ORDER BY final_url, content_hash`, topic, AllMarks)
	return all, db.Wrap(err, "list pages that crawls of topic %d found not useful", topic)
}
