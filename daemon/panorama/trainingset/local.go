package trainingset

import (
	"context"
	"strings"

	"nightjar/daemon/morning/search"
	"nightjar/daemon/store"
)

// Local searches everything that was visited and fetched. It sends nothing.
type Local struct{ Store *store.Store }

// Search is that of Provider, by search.FindTitle.
func (l Local) Search(ctx context.Context, phrase string, n int) ([]Hit, error) {
	found, err := search.Title(ctx, l.Store, phrase, n)
	if err != nil {
		return nil, err
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
