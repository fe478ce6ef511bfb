package store

import (
	"context"
	"encoding/json"
	"fmt"

	"nightjar/crawler"
	"nightjar/crawler/fetch"
	"nightjar/crawler/unlink"
)

// selectStored lists attempts in order of n: the crawls of a queue follow each other.
const selectStored = `SELECT f.n, coalesce(p.n, 0), f.url, f.final_url, coalesce(p.final_url, ''), f.depth, f.anchor, f.title, f.cluster, f.states, f.outcome,
		f.http_status, f.cost, f.text_hash, f.simhash, f.credit, f.relevant, f.rendered, f.nofollow, c.gzip
	FROM fetches f LEFT JOIN fetches p ON p.id = f.parent_id LEFT JOIN contents c ON c.hash = f.content_hash
	WHERE f.` + ofQueue + ` AND f.n > ?2 ORDER BY f.crawl_id, f.n LIMIT ?3`

// stored lists at most that many attempts of the crawls that opened a queue, beginning with the first one after number n. Their
// pages come without the sites that are being erased, which are taken out of what is stored only later.
func (s *Store) stored(ctx context.Context, queue int64, n, most int) ([]crawler.Stored, error) {
	all, err := query(ctx, s.r, scanStored, selectStored, queue, n, most)
	if err != nil {
		return nil, fmt.Errorf("read the pages of queue %d: %w", queue, err)
	}
	open, err := s.OpenErasings(ctx)
	if err != nil {
		return nil, err
	}
	for _, one := range open {
		site := unlink.New(one.Host)
		for i := range all {
			if clean, _, changed := site.HTML("", all[i].HTML); changed {
				all[i].HTML = clean
			}
		}
	}
	return all, nil
}

func scanStored(row scanner) (a crawler.Stored, err error) {
	var states, outcome string
	var status int
	var simhash int64
	var packed []byte
	err = row.Scan(&a.N, &a.Parent, &a.Queued, &a.URL, &a.Past.Parent, &a.Depth, &a.Anchor, &a.Title, &a.Cluster, &states, &outcome,
		&status, &a.Cost, &a.Text, &simhash, &a.Past.Credit, &a.Past.Relevant, &a.Rendered, &a.NoFollow, &packed)
	if err != nil {
		return a, err
	}
	a.Outcome, a.Status = fetch.Outcome(outcome), status
	a.Past.URL, a.Past.Title, a.Past.Simhash = a.URL, a.Title, uint64(simhash)
	if packed != nil {
		if a.HTML, err = unpack(packed); err != nil {
			return a, err
		}
	}
	return a, json.Unmarshal([]byte(states), &a.States)
}
