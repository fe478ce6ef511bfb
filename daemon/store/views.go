package store

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"nightjar/crawler"
	"nightjar/crawler/strategy"
	"nightjar/daemon/db"
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
	err := s.Readers.QueryRowContext(ctx, `
		SELECT (SELECT count(*) FROM browsers WHERE revoked_at IS NULL),
		       (SELECT count(*) FROM sessions WHERE status <> 'discarded'),
		       (SELECT count(*) FROM models),
		       (SELECT count(*) FROM starts WHERE ticked = 1 AND topic_id IN (SELECT topic_id FROM models)),
		       (SELECT count(*) FROM crawls WHERE status = 'ended'),
		       (SELECT coalesce(sum(finds), 0) FROM find_counts WHERE list = 'new')`).
		Scan(&o.Browsers, &o.Sessions, &o.Models, &o.Ticked, &o.Nights, &o.NewFinds)
	return o, db.Wrap(err, "read overview")
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
	Mark       string      // MarkUseful, MarkNotUseful, MarkLater, MarkOffTopic or MarkNone
	Visited    bool        // the person visited the page
	Fresh      bool        // neither marked nor visited, and its card was never on the screen
	Reason     *FindReason // nil when it was not computed yet
	Linked     bool        // it was marked since the person said that a link to it looks useful
	Worker     string      // the machine that fetched it, "" for this one
	ChangedAt  time.Time   // when its text was last seen to have changed much; zero for never
	GoneAt     time.Time   // since when its address holds no page; zero while it does
}

// FindFilter selects finds. The zero value selects all, except those of refused sites.
type FindFilter struct {
	Topic  int64     // 0 for every topic
	Crawl  int64     // 0 for every crawl; otherwise the finds are listed in the order in which they came
	State  string    // "new" (FindView.Fresh), "open" (neither marked nor visited), StateMaybe, a mark except MarkNone, or "" for all
	Since  time.Time // State "new": finds whose cards were first seen at this time or later are still new; zero for none
	Text   string    // part of title, snippet or address; the case of ASCII letters does not matter
	Within []int64   // ids of finds; nil for all. See FindsWith
	From   int64     // id of a find: only those that follow it in the list; 0 for all
	Until  int64     // id of a find: only those before it, the nearest Limit of them; 0 for all
	After  int       // number of finds to skip, for the pages after the first
	Limit  int       // 0 means 50
}

// findRows selects every find that is shown. The order of the join keeps that of an index on finds.
const findRows = allFinds + ` WHERE f.asked = 0 AND f.refused = 0`

const allFinds = `
	SELECT f.id, f.topic_id, t.name AS topic, f.crawl_id, f.fetch_id, c.model_id, c.strategy, f.url, f.title, f.snippet,
	       f.similarity, f.useful, f.found_at, f.mark, f.visited, f.list = 'new' AS fresh,
	       coalesce((SELECT worker FROM fetches WHERE id = f.fetch_id), '') AS worker, f.changed_at, f.gone_at
	FROM finds f CROSS JOIN topics t ON t.id = f.topic_id CROSS JOIN crawls c ON c.id = f.crawl_id`

// findOrder is the order of lists, and findPlace what it compares, larger first.
const (
	findOrder = ` ORDER BY f.crawl_id DESC, f.useful DESC, f.similarity DESC, f.id DESC`
	findBack  = ` ORDER BY f.crawl_id, f.useful, f.similarity, f.id`
	findPlace = `(f.crawl_id, f.useful, f.similarity, f.id)`
	placeOf   = `(SELECT crawl_id, useful, similarity, id FROM finds WHERE id = ?)`
)

// rows selects the finds whose condition where completes.
func (f FindFilter) rows() string {
	if f.State == StateMaybe {
		return allFinds + " WHERE " + maybe
	}
	return findRows
}

// where returns a filter's condition that follows rows, and its arguments.
func (f FindFilter) where() (string, []any) {
	var conditions []string
	var args []any
	add := func(condition string, values ...any) {
		conditions, args = append(conditions, condition), append(args, values...)
	}
	if f.Topic != 0 {
		add("f.topic_id = ?", f.Topic)
	}
	if f.Crawl != 0 {
		add("f.crawl_id = ?", f.Crawl)
	}
	const open = "f.mark = 'none' AND f.visited = 0"
	switch f.State {
	case "new":
		if f.Since.IsZero() {
			add("f.list = 'new'")
		} else {
			add(open+" AND (f.seen_at IS NULL OR f.seen_at >= ?)", db.Millis(f.Since))
		}
	case "open":
		add(open)
	case MarkUseful, MarkNotUseful, MarkLater, MarkOffTopic:
		add("f.list = ?", f.State)
	}
	if text := strings.TrimSpace(f.Text); text != "" {
		like := "%" + strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`).Replace(text) + "%"
		add(`(f.title LIKE ? ESCAPE '\' OR f.snippet LIKE ? ESCAPE '\' OR f.url LIKE ? ESCAPE '\')`, like, like, like)
	}
	if f.Within != nil {
		add(`f.id IN (SELECT value FROM json_each(?))`, db.JSONList(f.Within))
	}
	if f.From != 0 {
		add(findPlace+" < "+placeOf, f.From)
	}
	if f.Until != 0 {
		add(findPlace+" > "+placeOf, f.Until)
	}
	if len(conditions) == 0 {
		return "", nil
	}
	return " AND " + strings.Join(conditions, " AND "), args
}

// FindViews lists finds by crawl, newest first, then by probability, then by similarity.
func (s *Store) FindViews(ctx context.Context, f FindFilter) ([]FindView, error) {
	where, args := f.where()
	if f.Limit == 0 {
		f.Limit = 50
	}
	order := findOrder
	switch {
	case f.Crawl != 0:
		order = " ORDER BY f.id"
	case f.Until != 0:
		order = findBack
	}
	all, err := db.Query(ctx, s.Readers, scanFind, f.rows()+where+order+" LIMIT ? OFFSET ?", append(args, f.Limit, f.After)...)
	if err == nil {
		err = s.withReasons(ctx, all)
	}
	if err != nil {
		return nil, fmt.Errorf("list finds: %w", err)
	}
	if f.Until != 0 {
		slices.Reverse(all)
	}
	return all, nil
}

// FindView returns one find, or ErrNotFound.
func (s *Store) FindView(ctx context.Context, id int64) (FindView, error) {
	f, err := scanFind(s.Readers.QueryRowContext(ctx, allFinds+" WHERE f.id = ? AND "+listedFinds, id))
	if err != nil {
		return f, db.Missing(err, "read find")
	}
	one := []FindView{f}
	err = s.withReasons(ctx, one)
	return one[0], db.Missing(err, "read the reason of a find")
}

// FindsWith returns the ids of the finds with a text, as FindFilter.Text selects them; never nil. It reads all finds once, so
// that a list and its counts need not each do so.
func (s *Store) FindsWith(ctx context.Context, topic int64, text string) ([]int64, error) {
	where, args := FindFilter{Topic: topic, Text: text}.where()
	ids, err := db.Query(ctx, s.Readers, db.ScanID, `SELECT f.id FROM finds f WHERE `+listedFinds+where, args...)
	return append([]int64{}, ids...), db.Wrap(err, "look for finds")
}

// FindCounts returns how many finds there are in each state, and "all" without StateMaybe, for a filter of Topic, Text and Within.
func (s *Store) FindCounts(ctx context.Context, f FindFilter) (map[string]int, error) {
	counts := map[string]int{"new": 0, "open": 0, MarkLater: 0, MarkUseful: 0, MarkNotUseful: 0, MarkOffTopic: 0, "all": 0}
	count := func(row db.Scanner) error {
		var list string
		var n int
		err := row.Scan(&list, &n)
		switch list {
		case "asked", "refused":
			return err
		case "new", "seen":
			counts["open"] += n
		}
		if _, ok := counts[list]; ok {
			counts[list] += n
		}
		counts["all"] += n
		return err
	}
	var err error
	where, args := FindFilter{Topic: f.Topic, Text: f.Text, Within: f.Within}.where()
	switch {
	case strings.TrimSpace(f.Text) != "" || f.Within != nil:
		err = db.Each(ctx, s.Readers, count, `SELECT f.list, count(*) FROM finds f WHERE `+ShownFinds+where+` GROUP BY f.list`, args...)
	case f.Topic != 0:
		err = db.Each(ctx, s.Readers, count, `SELECT list, finds FROM find_counts WHERE topic_id = ?`, f.Topic)
	default:
		err = db.Each(ctx, s.Readers, count, `SELECT list, sum(finds) FROM find_counts GROUP BY list`)
	}
	if err == nil {
		counts[StateMaybe], err = db.Single[int](ctx, s.Readers, `SELECT count(*) FROM finds f WHERE `+maybe+where, args...)
	}
	return counts, db.Wrap(err, "count finds")
}

func scanFind(row db.Scanner) (FindView, error) {
	var f FindView
	return f, row.Scan(&f.ID, &f.TopicID, &f.Topic, &f.CrawlID, &f.FetchID, &f.ModelID, &f.Strategy, &f.URL, &f.Title,
		&f.Snippet, &f.Similarity, &f.Useful, db.TimeOf(&f.FoundAt), &f.Mark, &f.Visited, &f.Fresh, &f.Worker, db.TimeOf(&f.ChangedAt), db.TimeOf(&f.GoneAt))
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
	Chosen     *crawler.Choice   // how the link to this page was chosen; nil for a start page and if unknown
	Worker     string            // the machine that fetched it, "" for this one
	Visited    bool              // the person had visited it: it was not fetched, or only looked at again
	List       string            // address of the list of its host that it was in, "" if a page linked to it
	Feed       bool              // the list is a feed
}

// wasVisited is whether a fetch f is of a page that the person had visited: one that took its place, or a look at the page later.
const wasVisited = `(f.outcome = 'visited' OR f.look IS NOT NULL AND
	EXISTS (SELECT 1 FROM fetches v WHERE v.final_url = f.final_url AND v.outcome = 'visited'))`

// TrailView returns the trail of a fetched page, start page first.
func (s *Store) TrailView(ctx context.Context, fetchID int64) ([]TrailStep, error) {
	all, err := db.Query(ctx, s.Readers, scanStep, `
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
func Evidence(trail []TrailStep) [][]float64 {
	return db.ListOf(trail, func(step TrailStep) []float64 { return step.Evidence })
}

// Signs returns the signs of each page of a trail.
func Signs(trail []TrailStep) [][]float64 {
	return db.ListOf(trail, func(step TrailStep) []float64 { return step.Signs })
}

func scanStep(row db.Scanner) (TrailStep, error) {
	var t TrailStep
	return t, row.Scan(&t.FetchID, &t.N, &t.URL, &t.Title, &t.Anchor, &t.Cluster, db.JSONOf(&t.States), db.JSONOf(&t.Evidence), &t.Similarity,
		&t.Useful, db.JSONOf(&t.Why), db.JSONOf(&t.Signs), db.JSONOf(&t.Chosen), &t.Worker, &t.Visited, &t.List, &t.Feed)
}
