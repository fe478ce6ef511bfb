package explore

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"nightjar/daemon/db"
	"nightjar/daemon/thesus/links"
)

// ErrGroupingChanged says that a grouping is no longer being made: it was stopped or deleted meanwhile.
var ErrGroupingChanged = errors.New("this grouping was stopped or deleted meanwhile")

const groupingColumns = `id, scope, scope_id, coalesce(ontology_id, 0), options, state, problem, stale, created_at, ended_at`

const selectGrouping = `SELECT ` + groupingColumns + ` FROM groupings `

// GroupingByID returns one grouping, or ErrNotFound.
func GroupingByID(ctx context.Context, d *db.DB, id int64) (Grouping, error) {
	return db.Found(db.Fields[Grouping](d.Readers.QueryRowContext(ctx, selectGrouping+"WHERE id = ?", id)))
}

// Groupings lists all groupings, newest first.
func Groupings(ctx context.Context, d *db.DB) ([]Grouping, error) {
	all, err := db.Query(ctx, d.Readers, db.Fields[Grouping], selectGrouping+"ORDER BY created_at DESC, id DESC")
	return all, db.Wrap(err, "list groupings")
}

// NextGrouping returns the grouping to make next: of those that are working, the one that waits longest. The error is
// ErrNotFound when there is none.
func NextGrouping(ctx context.Context, d *db.DB) (Grouping, error) {
	return db.Found(db.Fields[Grouping](d.Readers.QueryRowContext(ctx, selectGrouping+"WHERE state = 'working' ORDER BY created_at, id LIMIT 1")))
}

// PutGrouping stores that a grouping is to be made, and returns it. The one of the same scope and ontology is made again: its
// number and its result stay until FinishGrouping. ErrNotFound says that the topic, crawl, session or ontology is gone.
func PutGrouping(ctx context.Context, d *db.DB, g Grouping) (Grouping, error) {
	err := d.Commit(ctx, func(w *db.Work) {
		groupable(w, g)
		g = db.First(w, db.Fields[Grouping], `INSERT INTO groupings (scope, scope_id, ontology_id, options, state, created_at)
			VALUES (?, ?, nullif(?, 0), ?, 'working', ?)
			ON CONFLICT (scope, scope_id, coalesce(ontology_id, 0)) DO UPDATE SET options = excluded.options, state = 'working',
				problem = '', created_at = excluded.created_at, ended_at = NULL
			RETURNING `+groupingColumns, g.Scope, g.ScopeID, g.Ontology, db.JSONOf(g.Options), db.Millis(d.Now()))
	})
	return g, db.Wrap(err, "store a grouping")
}

// groupable reports an error when a grouping is of something that is not there.
func groupable(w *db.Work, g Grouping) {
	text := map[links.Scope]string{
		links.AllPages:       `SELECT ?1 = 0`,
		links.PagesOfTopic:   `SELECT EXISTS (SELECT 1 FROM topics WHERE id = ?1)`,
		links.PagesOfCrawl:   `SELECT EXISTS (SELECT 1 FROM crawls WHERE id = ?1)`,
		links.PagesOfSession: `SELECT EXISTS (SELECT 1 FROM sessions WHERE id = ?1)`,
	}[g.Scope]
	if text == "" {
		w.Fail(fmt.Errorf("%q is no scope of a grouping", g.Scope))
		return
	}
	if !w.Has(text, g.ScopeID) || !w.Has(`SELECT ?1 = 0 OR EXISTS (SELECT 1 FROM ontologies WHERE id = ?1)`, g.Ontology) {
		w.Fail(db.ErrNotFound)
	}
}

// theGrouping selects a grouping that is working and still the one that was read: another one may have its number, and it may
// have been asked for again with other options. The arguments are those of ofGrouping.
const theGrouping = `id = ?1 AND scope = ?2 AND scope_id = ?3 AND coalesce(ontology_id, 0) = ?4 AND options = ?5 AND created_at = ?6
	AND state = 'working'`

func ofGrouping(g Grouping) []any {
	return []any{g.ID, g.Scope, g.ScopeID, g.Ontology, db.JSONOf(g.Options), db.Millis(g.CreatedAt)}
}

// BeginGrouping notes that a grouping is made from what is stored now, so that it will not be out of date. The error is
// ErrGroupingChanged when it is not working as it was read.
func BeginGrouping(ctx context.Context, d *db.DB, g Grouping) error {
	return changeWorking(ctx, d, g, `UPDATE groupings SET stale = '' WHERE `+theGrouping)
}

// FailGrouping stores why a grouping could not be made. An earlier result stays. The error is ErrGroupingChanged when it is not
// working as it was read.
func FailGrouping(ctx context.Context, d *db.DB, g Grouping, problem string) error {
	return changeWorking(ctx, d, g, `UPDATE groupings SET state = 'failed', problem = ?7, ended_at = ?8 WHERE `+theGrouping,
		problem, db.Millis(d.Now()))
}

// changeWorking runs an update of theGrouping.
func changeWorking(ctx context.Context, d *db.DB, g Grouping, text string, args ...any) error {
	err := d.Must(ctx, ErrGroupingChanged, text, append(ofGrouping(g), args...)...)
	return db.Wrap(err, "change grouping %d", g.ID)
}

// DeleteGrouping deletes a grouping with its result. The error is ErrNotFound when there is none.
func DeleteGrouping(ctx context.Context, d *db.DB, id int64) error {
	defer d.Erasing()()
	err := d.Must(ctx, db.ErrNotFound, `DELETE FROM groupings WHERE id = ?`, id)
	if err != nil {
		return fmt.Errorf("delete grouping %d: %w", id, err)
	}
	return d.ScrubSoon(ctx)
}

// GroupingNames returns the name of what a grouping is of, such as the topic's, and of its ontology; "" for what is gone, and
// for an ontology that it has not. AllPages has no name.
func GroupingNames(ctx context.Context, d *db.DB, g Grouping) (scope, ontology string, err error) {
	text := map[links.Scope]string{
		links.AllPages:       `SELECT ''`,
		links.PagesOfTopic:   `SELECT coalesce((SELECT name FROM topics WHERE id = ?1), '')`,
		links.PagesOfCrawl:   `SELECT ''`,
		links.PagesOfSession: `SELECT coalesce((SELECT coalesce(nullif(s.title, ''), t.name) FROM sessions s JOIN topics t ON t.id = s.topic_id WHERE s.id = ?1), '')`,
	}[g.Scope]
	err = d.Readers.QueryRowContext(ctx, text, g.ScopeID).Scan(&scope)
	if err == nil {
		err = d.Readers.QueryRowContext(ctx, `SELECT coalesce((SELECT name FROM ontologies WHERE id = ?), '')`, g.Ontology).Scan(&ontology)
	}
	if err != nil {
		return "", "", fmt.Errorf("name grouping %d: %w", g.ID, err)
	}
	if g.Scope == links.PagesOfCrawl {
		scope = strconv.FormatInt(g.ScopeID, 10)
	}
	return scope, ontology, nil
}

// Grouping is pages grouped by what links say about them, or such groups in the making ([THESUS] §5.4).
type Grouping struct {
	ID       int64
	Scope    links.Scope
	ScopeID  int64 // of the topic, crawl or session; 0 for AllPages
	Ontology int64 // whose terms describe the pages; 0 if senses of words or words do
	Options  GroupingOptions

	State   GroupingState
	Problem string // why it failed, in words; "" otherwise
	Stale   string // why its result is out of date, in words; "" if it is not

	CreatedAt time.Time
	EndedAt   time.Time // zero until it is done or failed
}

// ByText reports whether pages are grouped by the words of their texts and of links, and by who links to them.
func (g Grouping) ByText() bool { return g.Options.Text && g.Ontology == 0 }

// GroupingState is the state of a grouping.
type GroupingState string

// The states.
const (
	GroupingWorks  GroupingState = "working" // also while the daemon is off: it then begins again at its next start
	GroupingFailed GroupingState = "failed"
	GroupingDone   GroupingState = "done"
)

// GroupingOptions are what the person asked for. Zero values are the defaults. Without Text or an ontology, pages are grouped by the
// senses of the words of links.
type GroupingOptions struct {
	Text          bool    `json:"text,omitempty"`           // by texts, words of links, and who links; for this, only Words, BySite and Seed count
	Words         int     `json:"words,omitempty"`          // words of a page that take part; 0 means 8
	MinSimilarity float64 `json:"min_similarity,omitempty"` // of a word and its term; 0 means .7
	MinDocs       int     `json:"min_docs,omitempty"`       // similar pages that make a page a core; 0 means 3
	BySite        bool    `json:"by_site,omitempty"`        // words are counted by linking sites, not by linking pages
	Cobweb        bool    `json:"cobweb,omitempty"`         // groups by COBWEB in the place of DBSCAN
	Seed          uint64  `json:"seed,omitempty"`
}
