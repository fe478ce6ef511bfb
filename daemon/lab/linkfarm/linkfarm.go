// Package linkfarm fills a database with pages that link to each other, for measurements and tests of what links say.
//
// Start with Make.
package linkfarm

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"

	_ "modernc.org/sqlite" // rows of a whole web take hours through the store

	"nightjar/daemon/store"
)

// Shape of what Make makes.
const (
	sitePages  = 40     // pages of a site
	vocabulary = 20_000 // different words
	atMost     = 16     // words of a link: 0 to this many
	fetched    = .6     // share of the pages that the crawl fetched
	rowsAtOnce = 400
)

// Farm is what Make made.
type Farm struct {
	Topic, Crawl int64
	Pages, Links int
}

// URL returns the address of page i, from 0.
func URL(i int) string { return fmt.Sprintf("http://site%d.test/page%d", i/sitePages, i) }

// Word returns word i of the vocabulary, from 0, the most frequent first: letters only, as linktext makes words.
func Word(i int) string {
	const consonants, vowels = "bdfgklmnprstvz", "aeiou"
	var b strings.Builder
	for range 3 {
		b.WriteByte(consonants[i%len(consonants)])
		i /= len(consonants)
		b.WriteByte(vowels[i%len(vowels)])
		i /= len(vowels)
	}
	return b.String()
}

// Make fills a store that has no links with pages and links between them, some of which end at few pages and use few words most
// of the time. A topic "Farm" has a crawl that fetched more than half of the pages. The same seed gives the same rows. It takes
// about a minute for 100,000 pages and 1,000,000 links.
func Make(ctx context.Context, s *store.Store, pages, links int, seed uint64) (Farm, error) {
	f := Farm{Pages: pages, Links: links}
	db, err := sql.Open("sqlite", store.FileURL(s.Path())+"?_pragma=busy_timeout(10000)&_pragma=cache_size(-200000)&_pragma=synchronous(OFF)")
	if err != nil {
		return f, err
	}
	db.SetMaxOpenConns(1)
	err = f.fill(ctx, db, rand.New(rand.NewPCG(seed, 7)))
	if err = errors.Join(err, db.Close()); err != nil {
		return f, fmt.Errorf("make pages that link to each other: %w", err)
	}
	return f, nil
}

func (f *Farm) fill(ctx context.Context, db *sql.DB, rng *rand.Rand) error {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if err := f.crawl(ctx, tx, rng); err != nil {
		return err
	}
	indexes, err := dropIndexes(ctx, tx)
	if err != nil {
		return err
	}
	into := func(table string) *rows { return &rows{ctx: ctx, tx: tx, table: table} }
	page, word, link, said := into("link_page (id, url, site, hash)"), into("word (id, word)"), into("link (id, src, dst, pos)"), into("link_word (link, word, n)")
	for i := range f.Pages {
		page.add(fmt.Sprintf("(%d,'%s','site%d.test',zeroblob(32))", i+1, URL(i), i/sitePages))
	}
	for i := range vocabulary {
		word.add(fmt.Sprintf("(%d,'%s')", i+1, Word(i)))
	}
	page.flush()
	word.flush()
	for id := 1; id <= f.Links; id++ { // by ascending source, as an indexer stores them
		src := (id - 1) * f.Pages / f.Links
		dst := skewed(rng, f.Pages)
		if dst == src {
			dst = (dst + 1) % f.Pages
		}
		link.add(fmt.Sprintf("(%d,%d,%d,%d)", id, src+1, dst+1, id%1000))
		used := map[int]bool{}
		for range rng.IntN(atMost + 1) {
			w := skewed(rng, vocabulary)
			if rng.IntN(2) == 0 { // words that belong to the page
				w = (dst*7 + rng.IntN(12)) % vocabulary
			}
			if !used[w] {
				used[w] = true
				said.add(fmt.Sprintf("(%d,%d,%d)", id, w+1, 1+rng.IntN(3)))
			}
		}
		if id%rowsAtOnce == 0 {
			link.flush() // before the words of its links
			said.flush()
		}
	}
	link.flush()
	said.flush()
	if err := errors.Join(page.err, word.err, link.err, said.err); err != nil {
		return err
	}
	for _, text := range append(indexes, "DELETE FROM link_queue") {
		if _, err := tx.ExecContext(ctx, text); err != nil {
			return err
		}
	}
	return tx.Commit()
}

// dropIndexes drops the indexes of links and their words, and returns the statements that make them. Making them of all rows
// takes a fraction of the time of adding row after row.
func dropIndexes(ctx context.Context, tx *sql.Tx) (texts []string, err error) {
	found, err := tx.QueryContext(ctx, "SELECT name, sql FROM sqlite_schema WHERE type = 'index' AND tbl_name IN ('link', 'link_word') AND sql <> ''")
	if err != nil {
		return nil, err
	}
	var names []string
	for found.Next() {
		var name, text string
		if err := found.Scan(&name, &text); err != nil {
			return nil, errors.Join(err, found.Close())
		}
		names, texts = append(names, name), append(texts, text)
	}
	if err := errors.Join(found.Err(), found.Close()); err != nil {
		return nil, err
	}
	for _, name := range names {
		if _, err := tx.ExecContext(ctx, "DROP INDEX "+name); err != nil {
			return nil, err
		}
	}
	return texts, nil
}

// crawl makes the topic with its crawl.
func (f *Farm) crawl(ctx context.Context, tx *sql.Tx, rng *rand.Rand) error {
	err := tx.QueryRowContext(ctx, "INSERT INTO topics (name, created_at) VALUES ('Farm', 1) RETURNING id").Scan(&f.Topic)
	if err != nil {
		return err
	}
	var model int64
	if err := tx.QueryRowContext(ctx, "INSERT INTO models (topic_id, version, bundle, facts, created_at) VALUES (?, 1, x'', '{}', 1) RETURNING id", f.Topic).Scan(&model); err != nil {
		return err
	}
	err = tx.QueryRowContext(ctx, `INSERT INTO crawls (topic_id, model_id, strategy, options, status, created_at, ended_at)
		VALUES (?, ?, 'hmm', '{}', 'ended', 1, 2) RETURNING id`, f.Topic, model).Scan(&f.Crawl)
	if err != nil {
		return err
	}
	fetches := &rows{ctx: ctx, tx: tx, table: "fetches (crawl_id, n, url, final_url, host, outcome, title, at)"}
	for i := range f.Pages {
		if rng.Float64() < fetched {
			fetches.add(fmt.Sprintf("(%d,%d,'%[3]s','%[3]s','site%d.test','ok','Page %d about %s',%d)", f.Crawl, i+1, URL(i), i/sitePages, i, Word(i*7%vocabulary), i+1))
		}
	}
	fetches.flush()
	return fetches.err
}

// skewed draws a number below n; small ones come much more often, the number k about as often as 1/(k+1).
func skewed(rng *rand.Rand, n int) int {
	return min(n-1, int(math.Exp(rng.Float64()*math.Log(float64(n+1))))-1)
}

// rows inserts rows, many at once. It keeps the first error.
type rows struct {
	ctx   context.Context
	tx    *sql.Tx
	table string
	part  []string
	err   error
}

// add takes a row as SQL, which is made of numbers and the names above.
func (r *rows) add(row string) {
	if r.part = append(r.part, row); len(r.part) >= 20*rowsAtOnce {
		r.flush()
	}
}

func (r *rows) flush() {
	if len(r.part) == 0 || r.err != nil {
		return
	}
	_, r.err = r.tx.ExecContext(r.ctx, "INSERT INTO "+r.table+" VALUES "+strings.Join(r.part, ","))
	r.part = r.part[:0]
}
