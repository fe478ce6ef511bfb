package store

import (
	"context"

	"nightjar/crawler"
	"nightjar/crawler/strategy"
	"nightjar/daemon/db"
)

// readPicks reads the picks of a crawl.
func readPicks(ctx context.Context, q db.Queryer, id int64, r *crawler.Resume) error {
	r.Picks = map[string]int{}
	err := db.Each(ctx, q, func(row db.Scanner) error {
		var url string
		var n int
		err := row.Scan(&url, &n)
		r.Picks[url] = n
		return err
	}, `SELECT url, pick FROM frontier INDEXED BY frontier_picked
		WHERE crawl_id = (SELECT queue FROM crawls WHERE id = ?) AND pick <> 0 AND status = 'queued'`, id)
	if err != nil {
		return err
	}
	r.Picked, err = db.Query(ctx, q, func(row db.Scanner) (p strategy.PickCost, err error) {
		return p, row.Scan(&p.N, &p.Cost)
	}, `SELECT pick, cost FROM fetches WHERE crawl_id = ? AND pick <> 0 ORDER BY n`, id)
	return err
}
