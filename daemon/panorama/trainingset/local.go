package trainingset

import (
	"context"
	"slices"
	"strings"

	"nightjar/daemon/morning/search"
	"nightjar/daemon/store"
)

// Local searches everything that was visited and fetched. It sends nothing. It is for one goroutine.
type Local struct {
	Store *store.Store

	chance chance
}

// Search is that of Provider, by search.FindTitle. A page that has the words of a phrase near each other, but not the phrase, counts
// only if it answers better than the pages stored answer to unrelated titles.
func (l *Local) Search(ctx context.Context, phrase string, n int) ([]Hit, error) {
	found, err := search.Title(ctx, l.Store, phrase, n)
	if err != nil {
		return nil, err
	}
	if i := slices.IndexFunc(found, near); i >= 0 {
		least, err := l.chance.rank(ctx, l.Store, phrase)
		if err != nil {
			return nil, err
		}
		found = slices.DeleteFunc(found, func(f search.TitleHit) bool { return near(f) && f.Rank <= least })
	}
	hits := make([]Hit, len(found))
	for i, f := range found {
		var snippet strings.Builder
		for _, part := range f.Snippet {
			snippet.WriteString(part.Text)
		}
		hits[i] = Hit{URL: f.URL, Title: clean(f.Title, maxTitle), Snippet: clean(snippet.String(), maxSnippet), Stage: f.Stage}
	}
	return hits, nil
}

func near(f search.TitleHit) bool { return f.Stage == search.TitleNear }
