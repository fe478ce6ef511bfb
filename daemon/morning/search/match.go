package search

import (
	"context"
	"slices"
	"strings"

	"nightjar/daemon/db"
	"nightjar/daemon/morning/search/words"
)

// matcher is a filter as expressions of FTS5.
type matcher struct {
	all          string // everything; "" selects nothing
	rare         string // the words that tell pages apart; may be ""
	title        string // all, with every word in the title; "" without words
	longer       string // all, where longer words may stand for words; "" if none may
	since, until int64  // milliseconds; 0 for no limit
	without      string
}

// matcherFor translates a filter. Words have only letters, digits and marks, so quotes make each safe.
func matcherFor(ctx context.Context, d *db.DB, f Filter) (matcher, error) {
	m := matcher{without: f.Without}
	q := words.Parse(f.Text)
	if strings.TrimSpace(f.Text) != "" && q.Empty() {
		return m, nil // only signs, or only what must not be there
	}
	tags, err := filterTags(ctx, d, f)
	if err != nil {
		return m, err
	}
	if !f.Since.IsZero() {
		m.since = db.Millis(f.Since)
	}
	if !f.Until.IsZero() {
		m.until = db.Millis(f.Until)
	}
	if len(q.Sites) > 0 {
		tags = append(tags, siteTags(q.Sites))
	}
	rare, err := rareWords(ctx, d, q.With)
	if err != nil {
		return m, err
	}
	var with, inTitle []string
	for _, t := range q.With {
		with, inTitle = append(with, inText+phrase(t.Words)), append(inTitle, "title : "+phrase(t.Words))
	}
	if len(f.Any) > 0 {
		one := inText + "(" + anyPhrase(f.Any) + ")"
		with, rare = append(with, one), append(rare, one)
	}
	m.rare = strings.Join(rare, " AND ")
	m.all = expression(slices.Concat(with, tags), q)
	if len(inTitle) > 0 {
		m.title = expression(slices.Concat(inTitle, tags), q)
	}
	if slices.ContainsFunc(q.With, func(t words.Term) bool { return t.Start != "" }) {
		for i, t := range q.With {
			with[i] = inText + longer(t)
		}
		m.longer = expression(slices.Concat(with, tags), q)
	}
	return m, nil
}

// rareWords returns the expressions of the terms that not too many entries have.
func rareWords(ctx context.Context, d *db.DB, terms []words.Term) (rare []string, err error) {
	for _, t := range terms {
		one := inText + phrase(t.Words)
		n, err := countWord(ctx, d, one)
		if err != nil {
			return nil, err
		}
		if n <= Cap {
			rare = append(rare, one)
		}
	}
	return rare, nil
}

// inText names the columns with words of people.
const inText = "{title address body} : "

// expression returns an FTS5 expression for entries with all of some parts and without what a query excludes; "" if there is
// no part.
func expression(parts []string, q words.Query) string {
	if len(parts) == 0 {
		return ""
	}
	all := "(" + strings.Join(parts, " AND ") + ")"
	for _, t := range q.Without {
		all = "(" + all + " NOT " + inText + phrase(t.Words) + ")"
	}
	if len(q.WithoutSites) > 0 {
		all = "(" + all + " NOT " + siteTags(q.WithoutSites) + ")"
	}
	return all
}

func phrase(all []string) string { return `"` + strings.Join(all, " ") + `"` }

// anyPhrase returns an expression for one of some words.
func anyPhrase(all []string) string {
	return strings.Join(db.ListOf(all, func(w string) string { return phrase([]string{w}) }), " OR ")
}

// longer returns an expression for a term, or for the longer words that begin with it.
func longer(t words.Term) string {
	if t.Start == "" {
		return phrase(t.Words)
	}
	return "(" + anyPhrase(append(words.Stems(t.Start), t.Words...)) + " OR " + phrase([]string{t.Start}) + " * )"
}

// Has reports whether an entry has one of some words.
func Has(ctx context.Context, d *db.DB, all ...string) (has bool, err error) {
	err = d.Readers.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM search_words WHERE search_words MATCH ?)`,
		inText+"("+anyPhrase(all)+")").Scan(&has)
	return has, db.Wrap(err, "look for words")
}

// countWord returns the number of entries that an expression selects, at most Cap + 1.
func countWord(ctx context.Context, d *db.DB, expression string) (n int, err error) {
	err = d.Readers.QueryRowContext(ctx, `SELECT count(*) FROM (SELECT rowid FROM search_words WHERE search_words MATCH ? LIMIT ?)`,
		expression, Cap+1).Scan(&n)
	return n, err
}
