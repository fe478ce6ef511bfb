package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"nightjar/crawler/strategy"
)

// The dashboard's reads, each for one part of a page.

// Overview says which first steps the person has taken, so that an empty page can name the next step.
type Overview struct {
	Browsers int // paired and not revoked
	Sessions int // not discarded
	Models   int
	Ticked   int // ticked start pages of topics with a model
	Nights   int // crawls that ended
	NewFinds int
}

// Overview counts the rows for an Overview.
func (s *Store) Overview(ctx context.Context) (Overview, error) {
	var o Overview
	err := s.r.QueryRowContext(ctx, `
		SELECT (SELECT count(*) FROM browsers WHERE revoked_at IS NULL),
		       (SELECT count(*) FROM sessions WHERE status <> 'discarded'),
		       (SELECT count(*) FROM models),
		       (SELECT count(*) FROM starts WHERE ticked = 1 AND topic_id IN (SELECT topic_id FROM models)),
		       (SELECT count(*) FROM crawls WHERE status = 'ended'),
		       (SELECT count(*) FROM (`+findRows+`) f WHERE f.fresh)`).
		Scan(&o.Browsers, &o.Sessions, &o.Models, &o.Ticked, &o.Nights, &o.NewFinds)
	if err != nil {
		return o, fmt.Errorf("read overview: %w", err)
	}
	return o, nil
}

// FindView is a find as the review list shows it.
type FindView struct {
	ID         int64
	TopicID    int64
	Topic      string
	CrawlID    int64
	FetchID    int64
	ModelID    int64 // the model that judged it
	Strategy   string
	URL        string
	Title      string
	Snippet    string
	Similarity float64
	Useful     float64 // the judge's probability that it is useful; 0 for finds from before there was a judge
	FoundAt    time.Time
	Mark       string // MarkUseful, MarkNotUseful or MarkNone
	Visited    bool   // the person visited the page
	Fresh      bool   // found in the topic's last night, and neither marked nor visited
}

// FindFilter selects finds. The zero value selects all.
type FindFilter struct {
	Topic int64  // 0 for every topic
	State string // "new", "open" (neither marked nor visited), "useful", "not-useful", or "" for all
	Text  string // part of title, snippet or address; the case of ASCII letters does not matter
	After int    // number of finds to skip, for the pages after the first
	Limit int    // 0 means 50
}

// findRows selects every find with its last mark. A topic's last night starts with the first crawl of its newest night,
// and includes later crawls that the person started. Before the first night, it includes all crawls.
const findRows = `
	SELECT f.id, f.topic_id, t.name AS topic, f.crawl_id, f.fetch_id, c.model_id, c.strategy, f.url, f.title, f.snippet,
	       f.similarity, f.useful, f.found_at, coalesce(b.mark, 'none') AS mark, p.id IS NOT NULL AS visited,
	       coalesce(b.mark, 'none') = 'none' AND p.id IS NULL AND c.created_at >= coalesce(n.since, 0) AS fresh
	FROM finds f
	JOIN topics t ON t.id = f.topic_id
	JOIN crawls c ON c.id = f.crawl_id
	LEFT JOIN (SELECT topic_id, min(created_at) AS since FROM crawls
	           WHERE night <> '' AND (topic_id, night) IN (SELECT topic_id, max(night) FROM crawls GROUP BY topic_id)
	           GROUP BY topic_id) n ON n.topic_id = f.topic_id
	LEFT JOIN feedback b ON b.id = (SELECT max(id) FROM feedback WHERE find_id = f.id)
	LEFT JOIN pages p ON p.url = f.url`

// where returns a filter's condition on findRows and its arguments.
func (f FindFilter) where() (string, []any) {
	conditions, args := []string{"1"}, []any{}
	if f.Topic != 0 {
		conditions, args = append(conditions, "f.topic_id = ?"), append(args, f.Topic)
	}
	switch f.State {
	case "new":
		conditions = append(conditions, "f.fresh")
	case "open":
		conditions = append(conditions, "f.mark = 'none' AND NOT f.visited")
	case "useful", "not-useful":
		conditions, args = append(conditions, "f.mark = ?"), append(args, f.State)
	}
	if text := strings.TrimSpace(f.Text); text != "" {
		like := "%" + strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`).Replace(text) + "%"
		conditions = append(conditions, `(f.title LIKE ? ESCAPE '\' OR f.snippet LIKE ? ESCAPE '\' OR f.url LIKE ? ESCAPE '\')`)
		args = append(args, like, like, like)
	}
	return strings.Join(conditions, " AND "), args
}

// FindViews lists finds by crawl, newest first, then by probability, then by similarity.
func (s *Store) FindViews(ctx context.Context, f FindFilter) ([]FindView, error) {
	where, args := f.where()
	if f.Limit == 0 {
		f.Limit = 50
	}
	args = append(args, f.Limit, f.After)
	all, err := query(ctx, s.r, scanFind, `SELECT * FROM (`+findRows+`) f WHERE `+where+
		` ORDER BY f.crawl_id DESC, f.useful DESC, f.similarity DESC, f.id LIMIT ? OFFSET ?`, args...)
	if err != nil {
		return nil, fmt.Errorf("list finds: %w", err)
	}
	return all, nil
}

// FindView returns one find, or ErrNotFound.
func (s *Store) FindView(ctx context.Context, id int64) (FindView, error) {
	f, err := scanFind(s.r.QueryRowContext(ctx, `SELECT * FROM (`+findRows+`) f WHERE f.id = ?`, id))
	return f, missing(err, "read find")
}

// FindCounts returns how many finds there are in each state, and "all", for a filter without its State.
func (s *Store) FindCounts(ctx context.Context, f FindFilter) (map[string]int, error) {
	f.State = ""
	where, args := f.where()
	var fresh, open, useful, not, all int
	err := s.r.QueryRowContext(ctx, `
		SELECT coalesce(sum(f.fresh), 0), coalesce(sum(f.mark = 'none' AND NOT f.visited), 0),
		       coalesce(sum(f.mark = 'useful'), 0), coalesce(sum(f.mark = 'not-useful'), 0), count(*)
		FROM (`+findRows+`) f WHERE `+where, args...).Scan(&fresh, &open, &useful, &not, &all)
	if err != nil {
		return nil, fmt.Errorf("count finds: %w", err)
	}
	return map[string]int{"new": fresh, "open": open, "useful": useful, "not-useful": not, "all": all}, nil
}

func scanFind(row scanner) (FindView, error) {
	var f FindView
	var found sql.NullInt64
	err := row.Scan(&f.ID, &f.TopicID, &f.Topic, &f.CrawlID, &f.FetchID, &f.ModelID, &f.Strategy, &f.URL, &f.Title,
		&f.Snippet, &f.Similarity, &f.Useful, &found, &f.Mark, &f.Visited, &f.Fresh)
	f.FoundAt = moment(found)
	return f, err
}

// TrailStep is one page on the way from a start page to a find.
type TrailStep struct {
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
	Useful     float64           // see FindView
	Why        []strategy.Reason // parts of the value of the link to this page; empty if unknown
}

// TrailView returns the trail of a fetched page, start page first.
func (s *Store) TrailView(ctx context.Context, fetchID int64) ([]TrailStep, error) {
	all, err := query(ctx, s.r, scanStep, `
		WITH RECURSIVE way(id, up) AS (
			SELECT id, 0 FROM fetches WHERE id = ?
			UNION ALL
			SELECT f.parent_id, way.up + 1 FROM way JOIN fetches f ON f.id = way.id
			WHERE f.parent_id IS NOT NULL AND way.up < 200)
		SELECT f.id, f.n, f.final_url, f.title, f.anchor, f.cluster, f.states, f.evidence, f.similarity, f.useful, f.why, f.signs
		FROM way JOIN fetches f ON f.id = way.id ORDER BY way.up DESC`, fetchID)
	if err != nil {
		return nil, fmt.Errorf("read trail: %w", err)
	}
	return all, nil
}

// Evidence returns the evidence of each page of a trail.
func Evidence(trail []TrailStep) [][]float64 {
	path := make([][]float64, len(trail))
	for i, step := range trail {
		path[i] = step.Evidence
	}
	return path
}

// Signs returns the signs of each page of a trail.
func Signs(trail []TrailStep) [][]float64 {
	path := make([][]float64, len(trail))
	for i, step := range trail {
		path[i] = step.Signs
	}
	return path
}

func scanStep(row scanner) (TrailStep, error) {
	var t TrailStep
	var states, evidence, why, signs string
	err := row.Scan(&t.FetchID, &t.N, &t.URL, &t.Title, &t.Anchor, &t.Cluster, &states, &evidence, &t.Similarity, &t.Useful, &why, &signs)
	if err != nil {
		return t, err
	}
	return t, errors.Join(json.Unmarshal([]byte(states), &t.States), json.Unmarshal([]byte(evidence), &t.Evidence),
		json.Unmarshal([]byte(why), &t.Why), json.Unmarshal([]byte(signs), &t.Signs))
}

// missing turns "no rows" into ErrNotFound, and wraps other errors with what was being done.
func missing(err error, doing string) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, sql.ErrNoRows):
		return ErrNotFound
	}
	return fmt.Errorf("%s: %w", doing, err)
}
