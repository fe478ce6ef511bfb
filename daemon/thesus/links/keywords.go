package links

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"golang.org/x/sync/errgroup"

	"nightjar/daemon/db"
)

// Keyword is a word that links to a page use.
type Keyword struct {
	Word string
	N    int // different pages, or sites, that use it in links to the page
}

// Keywords returns the words of the links to each of the pages, the most used first, equally used ones in alphabetical order.
// With bySite the linking sites are counted, otherwise the linking pages. Links of a page to itself do not count. Pages
// without a word have no entry.
func Keywords(ctx context.Context, d *db.DB, pages []int64, bySite bool) (map[int64][]Keyword, error) {
	pages = db.Distinct(pages)
	counted := make([][]countedWord, len(pages))
	group, within := errgroup.WithContext(ctx)
	group.SetLimit(2) // other readers need connections, too
	for i, page := range pages {
		group.Go(func() (err error) {
			counted[i], err = countKeywords(within, d, page, bySite)
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return nil, fmt.Errorf("count the words of links: %w", err)
	}
	var ids []int64
	for _, words := range counted {
		for _, w := range words {
			ids = append(ids, w.id)
		}
	}
	names, err := WordsByID(ctx, d, db.Distinct(ids))
	if err != nil {
		return nil, fmt.Errorf("read the words of links: %w", err)
	}
	all := map[int64][]Keyword{}
	for i, page := range pages {
		if words := named(counted[i], names); len(words) > 0 {
			all[page] = words
		}
	}
	return all, nil
}

// countedWord is a word with its number of different sources.
type countedWord struct {
	id int64
	n  int
}

// named are the words with their names, in the order of Keywords. Words that are gone since they were counted are left out.
func named(words []countedWord, names map[int64]string) []Keyword {
	all := make([]Keyword, 0, len(words))
	for _, w := range words {
		if name := names[w.id]; name != "" {
			all = append(all, Keyword{name, w.n})
		}
	}
	slices.SortFunc(all, func(a, b Keyword) int { return cmp.Or(cmp.Compare(b.N, a.N), cmp.Compare(a.Word, b.Word)) })
	return all
}

// countKeywords counts the words of the links to a page. The database gives them as they come: counting there takes longer.
func countKeywords(ctx context.Context, d *db.DB, page int64, bySite bool) ([]countedWord, error) {
	var site map[int64]int64 // of a page, a number
	if bySite {
		var err error
		if site, err = db.Pairs[int64, int64](ctx, d.Readers, `SELECT id, dense_rank() OVER (ORDER BY site) FROM link_page WHERE id IN (
			SELECT src FROM link WHERE dst = ?)`, page); err != nil {
			return nil, err
		}
	}
	type use struct{ word, source int64 }
	all, err := db.Query(ctx, d.Readers, func(row db.Scanner) (u use, err error) {
		err = row.Scan(&u.source, &u.word)
		if bySite {
			u.source = site[u.source]
		}
		return u, err
	}, `SELECT l.src, w.word FROM link l CROSS JOIN link_word w ON w.link = l.id WHERE l.dst = ?1 AND l.src <> ?1`, page)
	if err != nil {
		return nil, err
	}
	slices.SortFunc(all, func(a, b use) int { return cmp.Or(cmp.Compare(a.word, b.word), cmp.Compare(a.source, b.source)) })
	var words []countedWord
	for i, u := range all {
		switch {
		case i == 0 || u.word != all[i-1].word:
			words = append(words, countedWord{u.word, 1})
		case u.source != all[i-1].source:
			words[len(words)-1].n++
		}
	}
	return words, nil
}

// Sources returns the numbers of the pages that link to each of the pages, ascending. Links of a page to itself do not count.
func Sources(ctx context.Context, d *db.DB, pages []int64) (map[int64][]int64, error) {
	all := map[int64][]int64{}
	_, err := db.Query(ctx, d.Readers, func(row db.Scanner) (none struct{}, err error) {
		var to, from int64
		err = row.Scan(&to, &from)
		all[to] = append(all[to], from)
		return none, err
	}, `SELECT DISTINCT dst, src FROM link WHERE dst IN (SELECT value FROM json_each(?)) AND src <> dst ORDER BY dst, src`, db.JSONList(pages))
	return all, db.Wrap(err, "list who links to pages")
}
