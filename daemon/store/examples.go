package store

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"time"

	"nightjar/daemon/db"
)

// Examples are the documents that a topic crawls for, with the positive pages that its training learns from.
type Examples struct {
	Documents []int64        // ids, ascending
	Pages     []PositivePage // not left out, with stored content, in the order of their documents; an address only once
	Paper     bool           // the newest map asks for the classifier of [PANORAMA]; see MapOptions.Paper
	At        time.Time      // when the newest of the documents was added; zero without one
}

// Examples returns what a topic, or its members, have to learn from besides sessions.
func (s *Store) Examples(ctx context.Context, topicID int64) (e Examples, err error) {
	documents, err := db.Query(ctx, s.Readers, db.Fields[Document], selectDocument+"WHERE topic_id IN "+TopicAndMembers+" ORDER BY id", topicID)
	if err != nil {
		return e, fmt.Errorf("list documents of topic %d: %w", topicID, err)
	}
	seen := map[string]bool{}
	for _, d := range documents {
		e.Documents = append(e.Documents, d.ID)
		if d.CreatedAt.After(e.At) {
			e.At = d.CreatedAt
		}
		pages, err := s.PositivePages(ctx, d.ID)
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
	maps, err := s.maps(ctx, `WHERE source <> 'crawl' AND (topic_id IN `+TopicAndMembers+`
		OR document_id IN (SELECT id FROM documents WHERE topic_id IN `+TopicAndMembers+`)) ORDER BY id DESC LIMIT 1`, topicID)
	for _, m := range maps {
		e.Paper = m.Options.Paper
	}
	return e, err
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
func (s *Store) SessionsThatVisited(ctx context.Context, urls []string) ([]string, error) {
	all, err := db.Query(ctx, s.Readers, db.ScanText, sessionsThatVisited, db.JSONList(urls))
	return all, db.Wrap(err, "list the sessions that visited pages")
}

const sessionsThatVisited = `SELECT DISTINCT s.uuid FROM json_each(?) u CROSS JOIN pages p ON p.url = u.value
	CROSS JOIN visits v ON v.page_id = p.id CROSS JOIN sessions s ON s.id = v.session_id ORDER BY s.uuid`
