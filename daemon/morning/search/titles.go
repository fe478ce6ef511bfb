package search

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"nightjar/daemon/db"
	"nightjar/daemon/morning/search/words"
)

// How a title found a page. The first two are tried in this order.
const (
	TitlePhrase = "phrase" // the words one after the other, in the title or in the text
	TitleNear   = "near"   // all words, in any order, with at most TitleGap words between the first and the last
	TitleWords  = "words"  // six in ten of the different words anywhere: only in documents of older versions
)

// The search for a title.
const (
	TitleGap    = 30 // words
	TitleEnough = 3  // phrases with which words near each other are not tried
	ShortTitle  = 2  // words of a title that many texts have
	titleLength = 64 // words of a title; what goes beyond is left out
)

// TitleHit is a page that a title found.
type TitleHit struct {
	Hit
	Stage string // TitlePhrase or TitleNear
}

// FindTitle returns at most limit pages that have a title in their own title or text: as a phrase or, if these are fewer than
// TitleEnough, with all words near each other. One of at most ShortTitle words must be a page's own title, or
// part of it, unless anywhere says that its text will do. The hits of each are ordered by BM25, then newest first. Every text is a title; one without words finds nothing.
func FindTitle(ctx context.Context, d *db.DB, title string, limit int, anywhere bool) ([]TitleHit, error) {
	all := words.List(title)
	all = all[:min(len(all), titleLength)]
	if len(all) == 0 || limit <= 0 {
		return nil, nil
	}
	quoted := `"` + strings.Join(different(all), `" "`) + `"`
	stages := []struct{ name, expression string }{
		{TitlePhrase, inPage + phrase(all)}, {TitleNear, fmt.Sprintf("%sNEAR(%s, %d)", inPage, quoted, TitleGap)},
	}
	if len(all) <= ShortTitle && !anywhere {
		stages = stages[:1]
		stages[0].expression = "{title} : " + phrase(all)
	}
	var hits []TitleHit
	for _, stage := range stages {
		ranked, err := bestOf(ctx, d, stage.expression)
		if err == nil {
			hits, err = addTitleHits(ctx, d, hits, ranked, stage.name, limit)
		}
		if err != nil {
			return nil, fmt.Errorf("search for a title: %w", err)
		}
		if len(hits) >= min(TitleEnough, limit) {
			break
		}
	}
	return hits, nil
}

// addTitleHits adds the entries that are not hits yet.
func addTitleHits(
	ctx context.Context, d *db.DB, hits []TitleHit, ranked []rankedID, stage string, limit int,
) ([]TitleHit, error) {
	known := map[string]bool{}
	for _, h := range hits {
		known[h.URL] = true
	}
	found, err := searchHits(ctx, d, ranked[:min(len(ranked), limit)])
	for _, h := range found {
		if !known[h.URL] && len(hits) < limit {
			hits = append(hits, TitleHit{h, stage})
		}
	}
	return hits, err
}

// inPage names the columns in which titles are looked for: those with what a page says.
const inPage = "{title body} : "

// bestOf returns the entries that an expression selects by BM25, at most Cap. A word in the title counts as much as eight in the
// text.
func bestOf(ctx context.Context, d *db.DB, expression string) ([]rankedID, error) {
	all, err := db.Query(ctx, d.Readers, func(row db.Scanner) (r rankedID, err error) { return r, row.Scan(&r.id, &r.rank) },
		`SELECT rowid, -bm25(search_words, 8.0, 3.0, 1.0, 0.0) FROM search_words
		WHERE search_words MATCH ? ORDER BY rowid DESC LIMIT ?`, expression, Cap)
	slices.SortFunc(all, func(a, b rankedID) int { return cmp.Or(cmp.Compare(b.rank, a.rank), cmp.Compare(b.id, a.id)) })
	return all, err
}

// different returns the words without repetitions, in order.
func different(all []string) []string {
	var kept []string
	for _, w := range all {
		if !slices.Contains(kept, w) {
			kept = append(kept, w)
		}
	}
	return kept
}
