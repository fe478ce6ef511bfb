package operators

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"

	"nightjar/daemon/db"
)

// LinkGraph reads pages, their links and the words of links, for the link operators ([THESUS] §4). All reads see the same
// state of the database.
type LinkGraph struct{ tx *sql.Tx }

// ReadLinks calls f with the links as they are now. The LinkGraph must not be used after f returns. Reads end when ctx does.
func ReadLinks(ctx context.Context, d *db.DB, f func(*LinkGraph) error) error {
	tx, err := d.Readers.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return fmt.Errorf("read links: %w", err)
	}
	defer tx.Rollback() // nothing was written
	return f(&LinkGraph{tx})
}

// PageSet is the pages that a link may come from or go to, by their ids in link_page.
type PageSet struct {
	All bool // of them; otherwise IDs
	IDs []int64
}

// CountedPage is a page with an operator's count.
type CountedPage struct {
	ID int64
	N  int
}

// CountedWord is a word of links with an operator's count.
type CountedWord struct {
	ID   int64
	Word string
	N    int
}

// stepAtOnce is how many pages one statement of Step starts from.
const stepAtOnce = 50_000

// Step returns the pages that links lead to from pages, each once; with back, those whose links lead to the pages. If words
// is not nil, only links with one of these words count.
func (g *LinkGraph) Step(ctx context.Context, pages []int64, back bool, words []int64) ([]int64, error) {
	near, far := "src", "dst"
	if back {
		near, far = far, near
	}
	text := `SELECT DISTINCT l.` + far + ` FROM json_each(?1) p CROSS JOIN link l ON l.` + near + ` = p.value`
	args := []any{""}
	if words != nil {
		text, args = text+` WHERE `+hasWord(words), append(args, db.JSONList(words))
	}
	var all []int64
	seen := map[int64]bool{}
	for len(pages) > 0 {
		some := pages[:min(len(pages), stepAtOnce)]
		pages = pages[len(some):]
		args[0] = db.JSONList(some)
		err := db.Each(ctx, g.tx, func(row db.Scanner) error {
			id, err := db.ScanID(row)
			if !seen[id] {
				seen[id], all = true, append(all, id)
			}
			return err
		}, text, args...)
		if err != nil {
			return nil, fmt.Errorf("follow links: %w", err)
		}
	}
	return all, nil
}

// manyWords is the number of words from which on it is faster to read the words of each link than to look for each word.
const manyWords = 8

// hasWord is the condition that link l has one of words, which are parameter 2.
func hasWord(words []int64) string {
	column := "w.word"
	if len(words) >= manyWords {
		column = "+w.word" // the index finds the words of the link only
	}
	return `EXISTS (SELECT 1 FROM link_word w WHERE w.link = l.id AND ` + column + ` IN (SELECT value FROM json_each(?2)))`
}

// WordCount says what Keywords counts.
type WordCount int

// What is counted for each word.
const (
	CountNothing     WordCount = iota
	CountOccurrences           // of the word around links ([THESUS] Def. 11)
	CountPairs                 // pages that link with the word to a page, each with that page ([THESUS] app. B)
	CountTargets               // pages linked to with the word (Def. 12)
	CountSources               // pages that link with the word (Def. 13)
)

// counted is what a WordCount groups by beside the word.
// A pair is one number, because counting different rows takes twice as long; ids are far below 2³¹.
var counted = map[WordCount]string{CountPairs: "l.src << 32 | l.dst", CountTargets: "l.dst", CountSources: "l.src"}

// Keywords returns the words of all links from pages of one set to pages of the other one, with what is counted: the largest
// number first, words with the same number in the order of their letters.
func (g *LinkGraph) Keywords(ctx context.Context, from, to PageSet, by WordCount) ([]CountedWord, error) {
	source, args := wordsBetween(from, to)
	text := ""
	switch by {
	case CountNothing:
		text = `SELECT DISTINCT w.word AS word, 0 AS n` + source
	case CountOccurrences:
		text = `SELECT w.word AS word, sum(w.n) AS n` + source + ` GROUP BY w.word`
	default:
		text = `SELECT w.word AS word, count(DISTINCT ` + counted[by] + `) AS n` + source + ` GROUP BY w.word`
	}
	switch all := from.All && to.All; { // no link needs to be read
	case all && by == CountNothing:
		text = `SELECT id AS word, 0 AS n FROM word WHERE EXISTS (SELECT 1 FROM link_word WHERE link_word.word = word.id)`
	case all && by == CountOccurrences:
		text = `SELECT word, sum(n) AS n FROM link_word GROUP BY word`
	}
	all, err := db.Query(ctx, g.tx, db.Fields[CountedWord], `SELECT t.id, t.word, k.n FROM (`+text+`) k CROSS JOIN word t ON t.id = k.word
		ORDER BY k.n DESC, t.word`, args...)
	return all, db.Wrap(err, "read words of links")
}

// seeks is up to how many pairs of a page of each set the index of links is asked for each pair.
const seeks = 20_000

// wordsBetween is the FROM clause of the words w of the links l between two sets, with its arguments. It reads from the side
// of the smaller set.
func wordsBetween(from, to PageSet) (text string, args []any) {
	near, far, first, second := "src", "dst", from, to
	if from.All || !to.All && len(to.IDs) < len(from.IDs) {
		near, far, first, second = "dst", "src", to, from
	}
	if first.All {
		return ` FROM link l CROSS JOIN link_word w ON w.link = l.id`, nil // both in the order of ids
	}
	text, args = ` FROM json_each(?1) p CROSS JOIN link l ON l.`+near+` = p.value`, []any{db.JSONList(first.IDs)}
	if !second.All {
		column := "l." + far
		if len(first.IDs)*len(second.IDs) > seeks {
			column = "+" + column
		}
		text, args = text+` AND `+column+` IN (SELECT value FROM json_each(?2))`, append(args, db.JSONList(second.IDs))
	}
	return text + ` CROSS JOIN link_word w ON w.link = l.id`, args
}

// LinkedQuery says what Linked counts.
type LinkedQuery struct {
	Hubs  bool    // pages that link, with the number of pages they link to; otherwise pages linked to, with that of pages that link
	In    PageSet // holds the page that is counted for, or the others with Other
	Other bool    // In holds the pages at the other ends of the links
	Words []int64 // only links with one of them count; nil means all links
	More  int64   // pages with a larger number are returned
}

// Linked returns pages with the number of different pages that link to them or that they link to, the largest first, those
// with the same number by id.
func (g *LinkGraph) Linked(ctx context.Context, q LinkedQuery) ([]CountedPage, error) {
	group, other := "l.dst", "l.src"
	if q.Hubs {
		group, other = other, group
	}
	in := group
	if q.Other {
		in = other
	}
	pages, words := db.JSONList(q.In.IDs), db.JSONList(q.Words)
	source := ` FROM link l`
	switch byWords := q.In.All; {
	case q.Words == nil && q.In.All:
	case q.Words == nil:
		source = ` FROM json_each(?1) p CROSS JOIN link l ON ` + in + ` = p.value`
	default:
		if !byWords {
			var err error
			if byWords, err = g.fewerWords(ctx, in, pages, words); err != nil {
				return nil, err
			}
		}
		source = ` FROM json_each(?1) p CROSS JOIN link l ON ` + in + ` = p.value WHERE ` + hasWord(q.Words)
		if byWords {
			source = ` FROM (SELECT DISTINCT link FROM link_word WHERE word IN (SELECT value FROM json_each(?2))) w
				CROSS JOIN link l ON l.id = w.link`
		}
		if byWords && !q.In.All {
			source += ` WHERE ` + in + ` IN (SELECT value FROM json_each(?1))`
		}
	}
	all, err := db.Query(ctx, g.tx, db.Fields[CountedPage],
		`SELECT `+group+` AS id, count(DISTINCT `+other+`) AS n`+source+` GROUP BY `+group+` HAVING n > ?3 ORDER BY n DESC, id`, pages, words, q.More)
	return all, db.Wrap(err, "count linked pages")
}

// fewerWords reports whether fewer links have one of the words than have a page of a set at one end.
func (g *LinkGraph) fewerWords(ctx context.Context, in, pages, words string) (fewer bool, err error) {
	err = g.tx.QueryRowContext(ctx, `SELECT
		(SELECT count(*) FROM (SELECT 1 FROM link_word WHERE word IN (SELECT value FROM json_each(?2)) LIMIT 20000))
		< (SELECT count(*) FROM (SELECT 1 FROM json_each(?1) p CROSS JOIN link l ON `+in+` = p.value LIMIT 20000))`, pages, words).Scan(&fewer)
	return fewer, err
}

// errNoPrefix keeps an empty prefix from meaning all pages.
var errNoPrefix = errors.New("a beginning of addresses is empty")

// PagesWithPrefix returns the pages whose address begins with a text, in the order of addresses.
func (g *LinkGraph) PagesWithPrefix(ctx context.Context, prefix string) ([]int64, error) {
	if prefix == "" {
		return nil, errNoPrefix
	}
	return db.Query(ctx, g.tx, db.ScanID, `SELECT id FROM link_page WHERE url >= ?1 AND url < ?2 ORDER BY url`,
		prefix, strings.ToValidUTF8(prefix, "")+"\xff") // no UTF-8 has this byte, so that it is behind all that may follow
}
