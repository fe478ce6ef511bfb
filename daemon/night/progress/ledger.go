package progress

import (
	"context"
	"fmt"
	"time"

	"nightjar/crawler/fetch"
	"nightjar/daemon/db"
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
	Asks     HostAsks
}

// HostAsks is what a host asks for, as far as it is stored.
type HostAsks struct {
	Delay       time.Duration // Crawl-delay of its robots.txt, 0 for none
	NotBefore   time.Time     // it is not contacted before
	Why         fetch.Rest    // why that is later than the usual pause
	RobotsUntil time.Time     // until when its robots.txt, or that it could not be read, is believed
	Unread      string        // for people: why no page may be requested while its robots.txt cannot be read; "" otherwise
}

// LedgerPurpose is a crawl's requests to one host for one purpose, sent by one machine.
type LedgerPurpose struct {
	Purpose     fetch.Purpose
	Requests    int
	Failed      int
	Bytes       int64
	First, Last time.Time
	Worker      string // that sent them, "" for this machine
}

// Ledger lists every host that a crawl contacted, by name.
func Ledger(ctx context.Context, d *db.DB, crawlID int64) ([]LedgerHost, error) {
	tx, err := d.Readers.BeginTx(ctx, nil) // reads both tables in the same state
	if err != nil {
		return nil, fmt.Errorf("read ledger of crawl %d: %w", crawlID, err)
	}
	defer tx.Rollback()
	var all []LedgerHost
	err = db.Each(ctx, tx, func(row db.Scanner) error {
		var host string
		var p LedgerPurpose
		if err := row.Scan(&host, &p.Purpose, &p.Worker, &p.Requests, &p.Failed, &p.Bytes, db.TimeOf(&p.First), db.TimeOf(&p.Last)); err != nil {
			return err
		}
		if len(all) == 0 || all[len(all)-1].Host != host {
			all = append(all, LedgerHost{Host: host})
		}
		all[len(all)-1].add(p)
		return nil
	}, `SELECT host, purpose, worker, requests, failed, bytes, first_at, last_at FROM contacts WHERE crawl_id = ?
		ORDER BY host, requests DESC, purpose, worker`, crawlID)
	if err != nil {
		return nil, fmt.Errorf("read ledger of crawl %d: %w", crawlID, err)
	}
	rests, err := db.Pairs[string, string](ctx, tx, `SELECT host, reason FROM resting WHERE crawl_id = ? AND reason <> ''`, crawlID)
	if err != nil {
		return nil, fmt.Errorf("read resting hosts of crawl %d: %w", crawlID, err)
	}
	asks, err := hostAsks(ctx, tx, crawlID)
	if err != nil {
		return nil, fmt.Errorf("read what hosts of crawl %d ask for: %w", crawlID, err)
	}
	for i := range all {
		all[i].Rests, all[i].Asks = rests[all[i].Host], asks[all[i].Host]
	}
	return all, nil
}

// hostAsks returns what the hosts of a crawl ask for.
func hostAsks(ctx context.Context, q db.Queryer, crawlID int64) (map[string]HostAsks, error) {
	all := map[string]HostAsks{}
	err := db.Each(ctx, q, func(row db.Scanner) error {
		var host string
		var a HostAsks
		err := row.Scan(&host, db.SpanOf(&a.Delay), db.TimeOf(&a.NotBefore), &a.Why, db.TimeOf(&a.RobotsUntil), &a.Unread)
		all[host] = a
		return err
	}, `SELECT h.host, h.delay_ms, h.not_before, h.why, r.read_at + r.keep_ms, CASE r.outcome WHEN '' THEN '' ELSE coalesce(r.reason, '') END
		FROM hosts h LEFT JOIN robots r ON r.origin = coalesce((SELECT origin FROM robots WHERE origin = 'https://' || h.host), 'http://' || h.host)
		WHERE h.host IN (SELECT host FROM contacts WHERE crawl_id = ?)`, crawlID)
	return all, err
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
