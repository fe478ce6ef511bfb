// Package finds reads the finds that crawls stored, as the review list, programs and mails show them.
package finds

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"nightjar/daemon/db"
	"nightjar/daemon/store"
)

// View is a find as the review list shows it.
type View struct {
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
	Mark       string    // MarkUseful, MarkNotUseful, MarkLater, MarkOffTopic or MarkNone
	Visited    bool      // the person visited the page
	Fresh      bool      // neither marked nor visited, and its card was never on the screen
	Reason     *Reason   // nil when it was not computed yet
	Linked     bool      // it was marked since the person said that a link to it looks useful
	Worker     string    // the machine that fetched it, "" for this one
	ChangedAt  time.Time // when its text was last seen to have changed much; zero for never
	GoneAt     time.Time // since when its address holds no page; zero while it does
}

// Filter selects finds. The zero value selects all, except those of refused sites.
type Filter struct {
	Topic  int64     // 0 for every topic
	Crawl  int64     // 0 for every crawl; otherwise the finds are listed in the order in which they came
	State  string    // "new" (View.Fresh), "open" (neither marked nor visited), StateMaybe, a mark except MarkNone, or "" for all
	Since  time.Time // State "new": finds whose cards were first seen at this time or later are still new; zero for none
	Text   string    // part of title, snippet or address; the case of ASCII letters does not matter
	Within []int64   // ids of finds; nil for all. See With
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
func (f Filter) rows() string {
	if f.State == store.StateMaybe {
		return allFinds + " WHERE " + store.Maybe
	}
	return findRows
}

// where returns a filter's condition that follows rows, and its arguments.
func (f Filter) where() (string, []any) {
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
	case store.MarkUseful, store.MarkNotUseful, store.MarkLater, store.MarkOffTopic:
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

// List lists finds by crawl, newest first, then by probability, then by similarity.
func List(ctx context.Context, d *db.DB, f Filter) ([]View, error) {
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
	all, err := db.Query(ctx, d.Readers, scanFind, f.rows()+where+order+" LIMIT ? OFFSET ?", append(args, f.Limit, f.After)...)
	if err == nil {
		err = withReasons(ctx, d, all)
	}
	if err != nil {
		return nil, fmt.Errorf("list finds: %w", err)
	}
	if f.Until != 0 {
		slices.Reverse(all)
	}
	return all, nil
}

// ByID returns one find, or ErrNotFound.
func ByID(ctx context.Context, d *db.DB, id int64) (View, error) {
	f, err := scanFind(d.Readers.QueryRowContext(ctx, allFinds+" WHERE f.id = ? AND "+store.ListedFinds, id))
	if err != nil {
		return f, db.Missing(err, "read find")
	}
	one := []View{f}
	err = withReasons(ctx, d, one)
	return one[0], db.Missing(err, "read the reason of a find")
}

// With returns the ids of the finds with a text, as Filter.Text selects them; never nil. It reads all finds once, so
// that a list and its counts need not each do so.
func With(ctx context.Context, d *db.DB, topic int64, text string) ([]int64, error) {
	where, args := Filter{Topic: topic, Text: text}.where()
	ids, err := db.Query(ctx, d.Readers, db.ScanID, `SELECT f.id FROM finds f WHERE `+store.ListedFinds+where, args...)
	return append([]int64{}, ids...), db.Wrap(err, "look for finds")
}

// Counts returns how many finds there are in each state, and "all" without StateMaybe, for a filter of Topic, Text and Within.
func Counts(ctx context.Context, d *db.DB, f Filter) (map[string]int, error) {
	counts := map[string]int{"new": 0, "open": 0, store.MarkLater: 0, store.MarkUseful: 0, store.MarkNotUseful: 0, store.MarkOffTopic: 0, "all": 0}
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
	where, args := Filter{Topic: f.Topic, Text: f.Text, Within: f.Within}.where()
	switch {
	case strings.TrimSpace(f.Text) != "" || f.Within != nil:
		err = db.Each(ctx, d.Readers, count, `SELECT f.list, count(*) FROM finds f WHERE `+store.ShownFinds+where+` GROUP BY f.list`, args...)
	case f.Topic != 0:
		err = db.Each(ctx, d.Readers, count, `SELECT list, finds FROM find_counts WHERE topic_id = ?`, f.Topic)
	default:
		err = db.Each(ctx, d.Readers, count, `SELECT list, sum(finds) FROM find_counts GROUP BY list`)
	}
	if err == nil {
		counts[store.StateMaybe], err = db.Single[int](ctx, d.Readers, `SELECT count(*) FROM finds f WHERE `+store.Maybe+where, args...)
	}
	return counts, db.Wrap(err, "count finds")
}

func scanFind(row db.Scanner) (View, error) {
	var f View
	return f, row.Scan(&f.ID, &f.TopicID, &f.Topic, &f.CrawlID, &f.FetchID, &f.ModelID, &f.Strategy, &f.URL, &f.Title,
		&f.Snippet, &f.Similarity, &f.Useful, db.TimeOf(&f.FoundAt), &f.Mark, &f.Visited, &f.Fresh, &f.Worker, db.TimeOf(&f.ChangedAt), db.TimeOf(&f.GoneAt))
}
