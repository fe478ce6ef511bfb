package finds

import (
	"context"

	"nightjar/crawler"
	"nightjar/crawler/strategy"
	"nightjar/daemon/db"
)

// Step is one page on the way from a start page to a find.
type Step struct {
	FetchID    int64
	N          int    // number of the fetch in its crawl
	URL        string // after redirects
	Title      string
	Anchor     string    // anchor text of the link to this page, "" for the start page
	Cluster    int       // observation, or -1
	States     []float64 // P(T_0), P(T_1), …; empty for strategies without states
	Evidence   []float64 // see strategy.Judgement; empty if unknown
	Signs      []float64 // see strategy.Judgement; empty for strategies without labels
	Similarity float64
	Useful     float64           // see View
	Why        []strategy.Reason // parts of the value of the link to this page; empty if unknown
	Chosen     *crawler.Choice   // how the link to this page was chosen; nil for a start page and if unknown
	Worker     string            // the machine that fetched it, "" for this one
	Visited    bool              // the person had visited it: it was not fetched, or only looked at again
	List       string            // address of the list of its host that it was in, "" if a page linked to it
	Feed       bool              // the list is a feed
}

// wasVisited is whether a fetch f is of a page that the person had visited: one that took its place, or a look at the page later.
const wasVisited = `(f.outcome = 'visited' OR f.look IS NOT NULL AND
	EXISTS (SELECT 1 FROM fetches v WHERE v.final_url = f.final_url AND v.outcome = 'visited'))`

// Trail returns the trail of a fetched page, start page first.
func Trail(ctx context.Context, d *db.DB, fetchID int64) ([]Step, error) {
	all, err := db.Query(ctx, d.Readers, scanStep, `
		WITH RECURSIVE way(id, up) AS (
			SELECT id, 0 FROM fetches WHERE id = ?
			UNION ALL
			SELECT f.parent_id, way.up + 1 FROM way JOIN fetches f ON f.id = way.id
			WHERE f.parent_id IS NOT NULL AND way.up < 200)
		SELECT f.id, f.n, f.final_url, f.title, f.anchor, f.cluster, f.states, f.evidence, f.similarity, f.useful, f.why, f.signs, f.chosen, f.worker, `+wasVisited+`,
			coalesce((SELECT final_url FROM fetches l WHERE l.id = f.parent_id AND l.outcome = 'listed'), ''),
			coalesce((SELECT reason = '`+crawler.FeedReason+`' FROM fetches l WHERE l.id = f.parent_id AND l.outcome = 'listed'), 0)
		FROM way JOIN fetches f ON f.id = way.id WHERE f.outcome <> 'listed' ORDER BY way.up DESC`, fetchID)
	return all, db.Wrap(err, "read trail")
}

// Evidence returns the evidence of each page of a trail.
func Evidence(trail []Step) [][]float64 {
	return db.ListOf(trail, func(step Step) []float64 { return step.Evidence })
}

// Signs returns the signs of each page of a trail.
func Signs(trail []Step) [][]float64 {
	return db.ListOf(trail, func(step Step) []float64 { return step.Signs })
}

func scanStep(row db.Scanner) (Step, error) {
	var t Step
	return t, row.Scan(&t.FetchID, &t.N, &t.URL, &t.Title, &t.Anchor, &t.Cluster, db.JSONOf(&t.States), db.JSONOf(&t.Evidence), &t.Similarity,
		&t.Useful, db.JSONOf(&t.Why), db.JSONOf(&t.Signs), db.JSONOf(&t.Chosen), &t.Worker, &t.Visited, &t.List, &t.Feed)
}
