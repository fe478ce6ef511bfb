// Package maps stores maps of communities, their documents and their pages.
package maps

import (
	"context"
	"errors"
	"fmt"
	"time"

	"nightjar/daemon/db"
	"nightjar/daemon/store"
)

// ErrMapChanged says that a map is not in the step and state that was expected: somebody else went on with it.
var ErrChanged = errors.New("this map has changed meanwhile: load it again")

const columns = `id, source, title, coalesce(document_id, 0), coalesce(topic_id, 0), coalesce(crawl_id, 0),
	coalesce(earlier_id, 0), options, step, state, problem, created_at, ended_at`

const Select = `SELECT ` + columns + ` FROM maps `

// Add stores a new map and returns it with its ID and CreatedAt.
func Add(ctx context.Context, d *db.DB, m Map) (Map, error) {
	m, err := db.Fields[Map](d.Writer.QueryRowContext(ctx, `INSERT INTO maps
		(source, title, document_id, topic_id, crawl_id, earlier_id, options, step, state, problem, created_at)
		VALUES (?, ?, nullif(?, 0), nullif(?, 0), nullif(?, 0), nullif(?, 0), ?, ?, ?, ?, ?) RETURNING `+columns,
		m.Source, m.Title, m.Document, m.Topic, m.Crawl, m.Earlier, db.JSONOf(m.Options), m.Step, m.State, m.Problem, db.Millis(d.Now())))
	return m, db.Wrap(err, "store a map")
}

// ByID returns one map, or ErrNotFound.
func ByID(ctx context.Context, d *db.DB, id int64) (Map, error) {
	return db.Found(db.Fields[Map](d.Readers.QueryRowContext(ctx, Select+"WHERE id = ?", id)))
}

// All lists all maps, newest first.
func All(ctx context.Context, d *db.DB) ([]Map, error) {
	return list(ctx, d, "ORDER BY id DESC")
}

// OfTopic lists the maps of a topic, newest first: those that are made from it, and those whose crawl is one of its own.
func OfTopic(ctx context.Context, d *db.DB, topic int64) ([]Map, error) {
	return list(ctx, d, "WHERE topic_id = ? ORDER BY id DESC", topic)
}

// OfCrawl lists the maps that show the pages of a crawl, newest first.
func OfCrawl(ctx context.Context, d *db.DB, crawl int64) ([]Map, error) {
	return list(ctx, d, "WHERE crawl_id = ? ORDER BY id DESC", crawl)
}

func list(ctx context.Context, d *db.DB, where string, args ...any) ([]Map, error) {
	all, err := db.Query(ctx, d.Readers, db.Fields[Map], Select+where, args...)
	return all, db.Wrap(err, "list maps")
}

// Change changes a map in one transaction: change gets it as it is stored, and its Title, Topic, Crawl, Options, Step,
// State and Problem are stored when change returns nil. EndedAt becomes the present when it is then done or failed, and
// zero otherwise. The errors are ErrNotFound and that of change.
func Change(ctx context.Context, d *db.DB, id int64, change func(*Map) error) (m Map, err error) {
	var refused error
	err = d.Commit(ctx, func(w *db.Work) { m, refused = changeMap(d, w, id, change) })
	if refused != nil {
		return Map{}, refused
	}
	return m, db.Wrap(err, "change map %d", id)
}

// changeMap is Change in a transaction; refused is the error of change.
func changeMap(d *db.DB, w *db.Work, id int64, change func(*Map) error) (m Map, refused error) {
	m = db.First(w, db.Fields[Map], Select+"WHERE id = ?", id)
	if w.Err != nil {
		return m, nil
	}
	if refused = change(&m); refused != nil {
		w.Fail(refused)
		return m, refused
	}
	m.EndedAt = time.Time{}
	if m.State == Done || m.State == Failed {
		m.EndedAt = d.Now().UTC().Truncate(time.Millisecond)
	}
	w.Exec(`UPDATE maps SET title = ?, topic_id = nullif(?, 0), crawl_id = nullif(?, 0), options = ?,
		step = ?, state = ?, problem = ?, ended_at = ? WHERE id = ?`,
		m.Title, m.Topic, m.Crawl, db.JSONOf(m.Options), m.Step, m.State, m.Problem, db.OrNull(m.EndedAt), m.ID)
	return m, nil
}

// SetTitles stores the title and the titles of a map's document as the person left them, with a change of the map. The
// other maps of the document look for these titles, too, when they come to it.
func SetTitles(ctx context.Context, d *db.DB, id int64, main string, titles []string, change func(*Map) error) error {
	var refused error
	err := d.Commit(ctx, func(w *db.Work) {
		var m Map
		m, refused = changeMap(d, w, id, change)
		w.Exec(`UPDATE documents SET title = ?, titles = ? WHERE id = ?`, main, db.JSONList(titles), m.Document)
	})
	if refused != nil {
		return refused
	}
	return db.Wrap(err, "store the titles of map %d", id)
}

// Delete deletes a map, and its document when no other map is of it. The topics and crawls stay, and so do the finds. The
// error is ErrNotFound when there is no such map.
func Delete(ctx context.Context, d *db.DB, id int64) error {
	defer d.Erasing()()
	err := d.Commit(ctx, func(w *db.Work) {
		m := db.First(w, db.Fields[Map], Select+"WHERE id = ?", id)
		w.Exec(`DELETE FROM maps WHERE id = ?`, id)
		dropUnused(w, m.Document)
		dropUnmapped(w, m.Crawl) // after it, since positive pages are kept
	})
	if err != nil {
		return fmt.Errorf("delete map %d: %w", id, err)
	}
	return d.Scrub(ctx)
}

// dropUnmapped deletes the contents that only a map needed of a crawl that has ended.
func dropUnmapped(w *db.Work, crawl int64) {
	if w.Has(`SELECT EXISTS (SELECT 1 FROM crawls WHERE id = ? AND status = 'ended')`, crawl) {
		store.DropUseless(w, crawl)
	}
}

// dropUnused deletes a document that no map is made from, with its positive pages.
func dropUnused(w *db.Work, document int64) {
	hashes := db.List(w, db.ScanBytes, `SELECT content_hash FROM document_pages WHERE document_id = ?1
		AND content_hash IS NOT NULL AND NOT EXISTS (SELECT 1 FROM maps WHERE document_id = ?1)`, document)
	w.Exec(`DELETE FROM documents WHERE id = ?1
		AND NOT EXISTS (SELECT 1 FROM maps WHERE document_id = ?1)`, document)
	store.DropContents(w, hashes)
	store.DropTitleQueries(w)
}

// Map is a map of communities, or one in the making.
type Map struct {
	ID       int64
	Source   Source
	Title    string
	Document int64 // 0 unless the source is a document
	Topic    int64 // 0 until a document has its topic
	Crawl    int64 // whose pages are shown; 0 until there is one
	Earlier  int64 // the map that this one makes again; 0 for a first map
	Options  Options

	Step    Step
	State   State
	Problem string // why it failed or waits, in words; "" otherwise

	CreatedAt time.Time
	EndedAt   time.Time // zero until it is done or failed
}

// Source is what a map is made from.
type Source string

// The sources.
const (
	FromDocument Source = "document"
	FromTopic    Source = "topic"
	FromCrawl    Source = "crawl"
)

// Step is a step in the making of a map. A map of a topic begins with StepTraining, that of a crawl with StepDrawing.
type Step string

// The steps, in order.
const (
	StepTitles   Step = "titles"   // titles out of the document
	StepPages    Step = "pages"    // positive pages found and fetched
	StepTraining Step = "training" // the classifier
	StepCrawl    Step = "crawl"    // pages around the positive ones
	StepDrawing  Step = "map"      // communities
)

// State is the state of a map's step.
type State string

// The states.
const (
	Waiting State = "waiting" // for the person, who looks at the last step before the next begins
	Working State = "working" // also while the daemon is off: it then goes on at its next start
	Failed  State = "failed"
	Done    State = "done"
)

// Options are what the person asked for.
type Options struct {
	Search   string   `json:"search,omitempty"`   // "local" or "", "searxng=URL", or "list"
	List     []string `json:"list,omitempty"`     // addresses of a list
	Pages    int      `json:"pages,omitempty"`    // budget of the crawl; 0 means 5,000
	Clusters int      `json:"clusters,omitempty"` // 0 means 5
	Auto     bool     `json:"auto,omitempty"`     // two to eight clusters
	Paper    bool     `json:"paper,omitempty"`    // as [PANORAMA] has it
	Words    bool     `json:"words,omitempty"`    // labels are the paper's five words
	Links    string   `json:"links,omitempty"`    // a community.Rule: which links count; "" for the first that leaves enough, or with Paper all
	Strategy string   `json:"strategy,omitempty"` // of the crawl; "" means naive-bayes, or with Paper naive-bayes-paper
	Seed     uint64   `json:"seed,omitempty"`
	Night    bool     `json:"night,omitempty"` // crawl in the window only, over as many nights as it takes
	Hold     bool     `json:"hold,omitempty"`  // wait for the person after each step
}
