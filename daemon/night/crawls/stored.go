package crawls

import (
	"context"
	"database/sql"
	"fmt"
	"net/http"
	"time"

	"nightjar/crawler"
	"nightjar/crawler/fetch"
	"nightjar/crawler/unlink"
	"nightjar/daemon/db"
	"nightjar/daemon/store"
)

// selectStored lists attempts in order of n: the crawls of a queue follow each other.
const selectStored = `SELECT ` + pastColumns + `, f.url, f.title, coalesce(p.final_url, ''), f.outcome, f.cost, f.credit, f.rendered, f.nofollow, c.gzip
	FROM fetches f LEFT JOIN fetches p ON p.id = f.parent_id LEFT JOIN contents c ON c.hash = f.content_hash
	WHERE f.` + ofQueue + ` AND f.n > ?2 ORDER BY f.crawl_id, f.n LIMIT ?3`

// stored lists at most that many attempts of the crawls that opened a queue, beginning with the first one after number n. Their
// pages come without the sites that are being erased, which are taken out of what is stored only later.
func stored(ctx context.Context, d *db.DB, queue int64, n, most int) ([]crawler.Stored, error) {
	all, err := db.Query(ctx, d.Readers, scanStored, selectStored, queue, n, most)
	if err != nil {
		return nil, fmt.Errorf("read the pages of queue %d: %w", queue, err)
	}
	open, err := db.Query(ctx, d.Readers, db.ScanText, `SELECT host FROM erasings WHERE step <> 'done' ORDER BY id`)
	if err != nil {
		return nil, err
	}
	for _, host := range open {
		site := unlink.New(host)
		for i := range all {
			if clean, _, changed := site.HTML("", all[i].HTML); changed {
				all[i].HTML = clean
			}
		}
	}
	return all, nil
}

func scanStored(row db.Scanner) (a crawler.Stored, err error) {
	var outcome string
	var packed []byte
	a.PastStep, a.Status, err = scanPast(row, &a.Queued, &a.Past.Title, &a.Past.Parent, &outcome, &a.Cost, &a.Past.Credit, &a.Rendered, &a.NoFollow, &packed)
	if err != nil {
		return a, err
	}
	a.Outcome = fetch.Outcome(outcome)
	a.Past.URL, a.Past.Simhash, a.Past.Relevant, a.Past.Again = a.URL, a.Simhash, a.Relevant, a.Look != nil
	if packed != nil {
		if a.HTML, err = store.Unpack(packed); err != nil {
			return a, err
		}
	}
	return a, nil
}

// pastColumns are what scanPast reads of an attempt f with the parent p.
const pastColumns = `f.n, coalesce(p.n, 0), f.final_url, f.anchor, f.at, f.depth, coalesce(f.links, -1), f.text_hash,
	f.simhash, f.relevant, f.look, iif(f.look IS NOT NULL AND f.outcome = 'ok' AND f.url <> f.final_url, f.url, ''), f.outcome = 'visited', f.outcome = 'listed', coalesce(f.http_status, 0), f.reason = '` + crawler.ClaimedReason + `'`

// scanPast reads an attempt as a step of later trails, and more columns.
func scanPast(row db.Scanner, more ...any) (p crawler.PastStep, status int, err error) {
	var at, simhash int64
	var look sql.NullInt64
	var claimed bool
	err = row.Scan(append([]any{&p.N, &p.Parent, &p.URL, &p.Anchor, &at, &p.Depth, &p.Links, &p.Text,
		&simhash, &p.Relevant, &look, &p.From, &p.Visited, &p.Listed, &status, &claimed}, more...)...)
	p.At, p.Simhash = time.UnixMilli(at), uint64(simhash)
	if look.Valid {
		p.Look = &crawler.Look{News: int(look.Int64), Claimed: claimed, Gone: status == http.StatusNotFound || status == http.StatusGone}
	}
	return p, status, err
}
