package trainingdata

import (
	"context"
	"slices"

	"nightjar/daemon/db"
	"nightjar/daemon/store"
)

// BackgroundPage is a page with stored content that is not known to belong to a topic.
type BackgroundPage struct {
	Session string // UUID of the session that visited it, or "" when a crawl fetched it
	Crawl   int64  // the crawl that fetched it, or 0 when a session visited it
	URL     string
	Hash    []byte // of its content
}

// Background lists the pages that can represent the rest of the web when a topic's model is trained: finds of the topic that the
// person marked as of another topic, with neither Session nor Crawl, then pages of other topics' submitted sessions, newest session
// first, then pages that crawls of other topics fetched, newest crawl first. Within a session or crawl they are ordered by their
// hash, which is as good as random. Background leaves out the pages that the topic's own sessions visited, the finds marked Useful
// for it, and finds marked as of another topic elsewhere: which one is not known. A page that the topic's own crawls fetched is no
// background, whatever the model took it for: on a web that is about the topic, most pages that a model misses are useful.
func Background(ctx context.Context, d *db.DB, topicID int64) ([]BackgroundPage, error) {
	return BackgroundUntil(ctx, d, topicID, AllMarks)
}

// BackgroundUntil is Background as it was before any mark with an id above last.
func BackgroundUntil(ctx context.Context, d *db.DB, topicID, last int64) ([]BackgroundPage, error) {
	r := d.Reads(ctx)
	marked := db.List(r, db.Fields[BackgroundPage], `WITH `+ownPages+`
		SELECT DISTINCT '', 0, f.url, fetches.content_hash
		FROM finds f JOIN feedback ON feedback.id = `+markUntil+` JOIN fetches ON fetches.id = f.fetch_id
		WHERE f.topic_id = ?1 AND feedback.mark = 'off-topic' AND fetches.content_hash IS NOT NULL
			AND f.url NOT IN own_urls AND fetches.content_hash NOT IN own_hashes
		ORDER BY fetches.content_hash, f.url`, topicID, last)
	visited := db.List(r, db.Fields[BackgroundPage], `WITH `+ownPages+`
		SELECT DISTINCT s.uuid, 0, p.url, p.content_hash
		FROM sessions s JOIN visits v ON v.session_id = s.id JOIN pages p ON p.id = v.page_id
		WHERE s.status = 'submitted' AND s.topic_id NOT IN `+store.TopicAndMembers+` AND p.content_hash IS NOT NULL
			AND p.url NOT IN own_urls AND p.content_hash NOT IN own_hashes
		ORDER BY s.id DESC, p.content_hash, p.url`, topicID, last)
	fetched := db.List(r, db.Fields[BackgroundPage], `WITH `+ownPages+`
		SELECT DISTINCT '', f.crawl_id, f.final_url, f.content_hash
		FROM fetches f JOIN crawls c ON c.id = f.crawl_id
		WHERE c.topic_id NOT IN `+store.TopicAndMembers+` AND f.content_hash IS NOT NULL AND f.final_url NOT IN own_urls AND f.content_hash NOT IN own_hashes
			AND f.final_url NOT IN (SELECT url FROM finds f JOIN feedback ON feedback.id = `+markUntil+` WHERE feedback.mark = 'off-topic')
		ORDER BY f.crawl_id DESC, f.content_hash, f.final_url`, topicID, last)
	return slices.Concat(marked, visited, fetched), db.Wrap(r.Err, "list pages of the rest of the web")
}

// ownPages selects a topic's own addresses and contents: visited in its sessions, or marked Useful for it.
const ownPages = `own(url, hash) AS (
		SELECT p.url, p.content_hash FROM sessions s JOIN visits v ON v.session_id = s.id JOIN pages p ON p.id = v.page_id
		WHERE s.topic_id IN ` + store.TopicAndMembers + `
		UNION
		SELECT f.url, fetches.content_hash FROM finds f JOIN feedback ON feedback.id = ` + markUntil + ` JOIN fetches ON fetches.id = f.fetch_id
		WHERE f.topic_id IN ` + store.TopicAndMembers + ` AND feedback.mark = 'useful'),
	own_urls AS (SELECT url FROM own),
	own_hashes AS (SELECT hash FROM own WHERE hash IS NOT NULL)`
