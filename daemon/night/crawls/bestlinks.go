package crawls

import (
	"context"
	"math"

	"nightjar/crawler"
	"nightjar/crawler/frontier"
	"nightjar/crawler/strategy"
	"nightjar/daemon/db"
)

// rank orders the links of a queue by the first two numbers of their priorities, the best first, as the index frontier_best does.
const rank = `~(coalesce(json_extract(priority, '$[0]'), 0) * 4294967296 + (coalesce(json_extract(priority, '$[1]'), 0) + 2147483648))`

// rankOf is rank in Go.
func rankOf(p strategy.Priority) int64 {
	p = append(p[:len(p):len(p)], 0, 0)
	return ^(int64(p[0])<<32 + int64(p[1]) - math.MinInt32)
}

// Two ways to go on in a list of the best: with the links of the same rank, and with those after them. SQLite seeks no row value that
// begins with an expression.
const (
	sameQueued  = selectQueued + `INDEXED BY frontier_best WHERE crawl_id = ? AND status = 'queued' AND ` + rank + ` = ? AND (seq, url) > (?, ?) ORDER BY seq, url LIMIT ?`
	worseQueued = selectQueued + `INDEXED BY frontier_best WHERE crawl_id = ? AND status = 'queued' AND ` + rank + ` > ? ORDER BY ` + rank + `, seq, url LIMIT ?`
)

const countQueued = `SELECT count(*) FROM frontier WHERE crawl_id = ? AND status = 'queued'`

const begunQueued = selectQueued + `INDEXED BY frontier_begun WHERE crawl_id = ? AND attempts > 0 AND status = 'queued'`

// best lists the links that wait in a queue: first those whose fetch was interrupted, then all, best first by what they were worth
// when they were queued. A link that changes meanwhile may come twice or not at all.
func best(ctx context.Context, d *db.DB, queue int64) crawler.Next {
	ctx = context.WithoutCancel(ctx) // each call is short
	paths := map[string][]byte{}
	began := false
	after, last := int64(math.MinInt64), frontier.Entry{Seq: math.MinInt64}
	return func(n int, each func(frontier.Entry)) (more bool, err error) {
		clear(paths)
		got := 0
		listed := func(e frontier.Entry) {
			got++
			after, last = rankOf(e.Priority), e
			each(e)
		}
		if !began {
			began = true
			err = eachWaiting(ctx, d, paths, func(e frontier.Entry) {
				got++
				each(e)
			}, begunQueued, queue)
		}
		if err == nil && got < n {
			err = eachWaiting(ctx, d, paths, listed, sameQueued, queue, after, last.Seq, last.URL, n-got)
		}
		if err == nil && got < n {
			err = eachWaiting(ctx, d, paths, listed, worseQueued, queue, after, n-got)
		}
		return got >= n, err
	}
}

func eachWaiting(ctx context.Context, d *db.DB, paths map[string][]byte, f func(frontier.Entry), text string, args ...any) error {
	err := db.Each(ctx, d.Readers, func(row db.Scanner) error {
		e, err := scanEntry(row, paths)
		if err == nil {
			f(e)
		}
		return err
	}, text, args...)
	return db.Wrap(err, "read the best links of a queue")
}
