package operators

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"nightjar/daemon/db"
	"nightjar/daemon/thesus/links"
)

// ErrNoTerms says that a term was named and there is no finished grouping whose ontology could have it.
var ErrNoTerms = errors.New("no finished grouping has an ontology")

// AllPages returns the number of pages, and the n first known of them.
func (g *LinkGraph) AllPages(ctx context.Context, n int) (first []int64, total int, err error) {
	if err := g.tx.QueryRowContext(ctx, `SELECT count(*) FROM link_page`).Scan(&total); err != nil {
		return nil, 0, fmt.Errorf("count pages: %w", err)
	}
	first, err = db.Query(ctx, g.tx, db.ScanID, `SELECT id FROM link_page ORDER BY id LIMIT ?`, n)
	return first, total, err
}

// PageByURL returns the page with an address, or ErrNotFound. An address that is known to lead to another one stands for that.
func (g *LinkGraph) PageByURL(ctx context.Context, url string) (int64, error) {
	end, err := links.End(ctx, g.tx, url)
	if err != nil {
		return 0, fmt.Errorf("look where an address leads: %w", err)
	}
	return db.Found(db.ScanID(g.tx.QueryRowContext(ctx, `SELECT id FROM link_page WHERE url = ?`, end)))
}

// End returns the address where an address leads; the address itself if no other one is known.
func (g *LinkGraph) End(ctx context.Context, url string) (string, error) {
	return links.End(ctx, g.tx, url)
}

// TopicPages returns the pages that were visited or fetched for a topic; for a combined topic, also those of its members.
// The error is ErrNotFound if there is no topic with the name.
func (g *LinkGraph) TopicPages(ctx context.Context, name string) ([]int64, error) {
	return g.scope(ctx, links.PagesOfTopic, `SELECT id FROM topics WHERE name = ?`, name)
}

// SessionPages returns the pages visited in a session, which is given by its number or its UUID. The error is ErrNotFound if
// there is none.
func (g *LinkGraph) SessionPages(ctx context.Context, id string) ([]int64, error) {
	number, err := strconv.ParseInt(id, 10, 64)
	if err != nil {
		number = 0 // of no session
	}
	return g.scope(ctx, links.PagesOfSession, `SELECT id FROM sessions WHERE uuid = ? OR id = ?`, id, number)
}

// CrawlPages returns the pages that a crawl fetched. The error is ErrNotFound if there is none.
func (g *LinkGraph) CrawlPages(ctx context.Context, id int64) ([]int64, error) {
	return g.scope(ctx, links.PagesOfCrawl, `SELECT id FROM crawls WHERE id = ?`, id)
}

// scope returns the pages of what a statement gives the id of, by ascending id.
func (g *LinkGraph) scope(ctx context.Context, scope links.Scope, which string, args ...any) ([]int64, error) {
	id, err := db.Found(db.ScanID(g.tx.QueryRowContext(ctx, which, args...)))
	if err != nil {
		return nil, err
	}
	all, err := db.Query(ctx, g.tx, db.ScanID, `WITH u(url) AS (SELECT DISTINCT * FROM (`+links.ScopePages[scope]+`))
		SELECT l.id FROM u CROSS JOIN link_page l ON l.url = u.url ORDER BY l.id`, id)
	return all, db.Wrap(err, "list pages")
}

// Words returns the words that are used around links, by their text; others are left out.
func (g *LinkGraph) Words(ctx context.Context, words []string) (map[string]int64, error) {
	given := db.JSONList(words)
	all, err := db.Pairs[string, int64](ctx, g.tx, `SELECT w.word, w.id FROM json_each(?) g CROSS JOIN word w ON w.word = g.value`, given)
	return all, db.Wrap(err, "look for words")
}

// AllWords returns the number of words, and the n first known of them.
func (g *LinkGraph) AllWords(ctx context.Context, n int) (first []CountedWord, total int, err error) {
	if err := g.tx.QueryRowContext(ctx, `SELECT count(*) FROM word`).Scan(&total); err != nil {
		return nil, 0, fmt.Errorf("count words: %w", err)
	}
	first, err = db.Query(ctx, g.tx, db.Fields[CountedWord], `SELECT id, word, 0 FROM word ORDER BY word LIMIT ?`, n)
	return first, total, err
}

// TermWords returns the words that were mapped to a term or to a term below it, in the newest finished grouping that has an
// ontology. A term is named by a label or its key; the case of letters does not matter. The errors are ErrNoTerms, and
// ErrNotFound if the ontology has no such term.
func (g *LinkGraph) TermWords(ctx context.Context, name string) ([]CountedWord, error) {
	var grouping int64
	var stored string
	_, err := db.Found(0, g.tx.QueryRowContext(ctx, `SELECT g.id, o.terms FROM groupings g JOIN ontologies o ON o.id = g.ontology_id
		WHERE g.state = 'done' ORDER BY g.ended_at DESC, g.id DESC LIMIT 1`).Scan(&grouping, &stored))
	if errors.Is(err, db.ErrNotFound) {
		return nil, ErrNoTerms
	}
	if err != nil {
		return nil, fmt.Errorf("read the newest grouping: %w", err)
	}
	keys, err := keysBelow(stored, name)
	if err != nil {
		return nil, err
	}
	given := db.JSONList(keys)
	all, err := db.Query(ctx, g.tx, db.Fields[CountedWord], `SELECT w.id, w.word, sum(t.pages) AS n FROM json_each(?1) k
		CROSS JOIN term_words t ON t.grouping_id = ?2 AND t.term = k.value CROSS JOIN word w ON w.id = t.word
		GROUP BY w.id ORDER BY n DESC, w.word`, given, grouping)
	return all, db.Wrap(err, "read words of a term")
}

// keysBelow returns the keys of the terms with a name and of those below them, from stored terms of an ontology.
func keysBelow(stored, name string) (keys []string, err error) {
	var terms []struct {
		Key    string
		Labels []string
		Parent int
	}
	if err := json.Unmarshal([]byte(stored), &terms); err != nil {
		return nil, fmt.Errorf("read terms of an ontology: %w", err)
	}
	in := make([]bool, len(terms))
	for i, t := range terms { // parents come before their children
		in[i] = strings.EqualFold(t.Key, name) || slices.ContainsFunc(t.Labels, func(l string) bool { return strings.EqualFold(l, name) }) ||
			t.Parent >= 0 && t.Parent < i && in[t.Parent]
		if in[i] {
			keys = append(keys, t.Key)
		}
	}
	if keys == nil {
		return nil, db.ErrNotFound
	}
	return keys, nil
}

// NamedPage is a page with its address and title.
type NamedPage struct {
	ID         int64
	URL, Title string // Title is "" when none is known
}

// Name returns the addresses and titles of pages, in their order.
func (g *LinkGraph) Name(ctx context.Context, ids []int64) ([]NamedPage, error) {
	given := db.JSONList(ids)
	all, err := db.Query(ctx, g.tx, db.Fields[NamedPage],
		`SELECT known.id, known.url, `+links.PageTitle+` FROM json_each(?) g CROSS JOIN link_page known ON known.id = g.value ORDER BY g.key`, given)
	return all, db.Wrap(err, "read addresses of pages")
}
