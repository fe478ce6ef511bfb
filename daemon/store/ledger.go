package store

import (
	"context"
	"database/sql"
	"fmt"
	"time"

	"nightjar/crawler/fetch"
)

// LedgerHost is a crawl's requests to one host.
type LedgerHost struct {
	Host     string
	Purposes []LedgerPurpose // most requests first
	Requests int
	Failed   int   // requests without a complete response
	Bytes    int64 // of bodies, on the wire
	First    time.Time
	Last     time.Time
	Rests    string // for people: why the crawl leaves the host alone; "" when it does not
}

// LedgerPurpose is a crawl's requests to one host for one purpose.
type LedgerPurpose struct {
	Purpose     fetch.Purpose
	Requests    int
	Failed      int
	Bytes       int64
	First, Last time.Time
}

// Ledger lists every host that a crawl contacted, by name.
func (s *Store) Ledger(ctx context.Context, crawlID int64) ([]LedgerHost, error) {
	tx, err := s.r.BeginTx(ctx, nil) // reads both tables in the same state
	if err != nil {
		return nil, fmt.Errorf("read ledger of crawl %d: %w", crawlID, err)
	}
	defer tx.Rollback()
	var all []LedgerHost
	err = each(ctx, tx, func(row scanner) error {
		var host string
		var p LedgerPurpose
		var first, last sql.NullInt64
		if err := row.Scan(&host, &p.Purpose, &p.Requests, &p.Failed, &p.Bytes, &first, &last); err != nil {
			return err
		}
		p.First, p.Last = moment(first), moment(last)
		if len(all) == 0 || all[len(all)-1].Host != host {
			all = append(all, LedgerHost{Host: host})
		}
		all[len(all)-1].add(p)
		return nil
	}, `SELECT host, purpose, requests, failed, bytes, first_at, last_at FROM contacts WHERE crawl_id = ?
		ORDER BY host, requests DESC, purpose`, crawlID)
	if err != nil {
		return nil, fmt.Errorf("read ledger of crawl %d: %w", crawlID, err)
	}
	rests, err := pairs[string, string](ctx, tx, `SELECT host, reason FROM resting WHERE crawl_id = ? AND reason <> ''`, crawlID)
	if err != nil {
		return nil, fmt.Errorf("read resting hosts of crawl %d: %w", crawlID, err)
	}
	for i := range all {
		all[i].Rests = rests[all[i].Host]
	}
	return all, nil
}

// add adds the requests for one purpose.
func (h *LedgerHost) add(p LedgerPurpose) {
	h.Purposes = append(h.Purposes, p)
	h.Requests, h.Failed, h.Bytes = h.Requests+p.Requests, h.Failed+p.Failed, h.Bytes+p.Bytes
	if h.First.IsZero() || p.First.Before(h.First) {
		h.First = p.First
	}
	if p.Last.After(h.Last) {
		h.Last = p.Last
	}
}
