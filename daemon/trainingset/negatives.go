package trainingset

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"slices"

	"nightjar/crawler/weburl"
	"nightjar/daemon/store"
)

// ErrFewNegatives says that too few pages about something else are known, and what helps.
var ErrFewNegatives = fmt.Errorf("fewer than %d negative pages: browse and submit a session of another topic, "+
	"let a crawl of another topic run, or read in another document", MinNegatives)

// Negatives draws twice as many negative pages as there are positive ones ([PANORAMA] §3.3): from others, the examples of
// other documents and topics, and when these are used up from background. None is of the registrable domain of a positive
// page, and no address or content is drawn twice. The same pages and seed give the same draw, whatever their order. The
// errors are ErrFewPositives for fewer than MinPositives positive pages, and ErrFewNegatives for fewer than MinNegatives.
func Negatives(positives []string, others, background []store.Example, seed uint64) ([]store.Example, error) {
	if len(positives) < MinPositives {
		return nil, fmt.Errorf("%d given: %w", len(positives), ErrFewPositives)
	}
	own := map[string]bool{}
	for _, url := range positives {
		own[weburl.Site(url)] = true
	}
	random := rand.New(rand.NewPCG(seed, 0))
	var drawn []store.Example
	urls, hashes := map[string]bool{}, map[string]bool{}
	for _, from := range [][]store.Example{others, background} {
		for _, e := range shuffled(from, random) {
			if len(drawn) == 2*len(positives) {
				break
			}
			if own[weburl.Site(e.URL)] || urls[e.URL] || len(e.Hash) > 0 && hashes[string(e.Hash)] {
				continue
			}
			urls[e.URL], hashes[string(e.Hash)] = true, true
			drawn = append(drawn, e)
		}
	}
	if len(drawn) < MinNegatives {
		return nil, fmt.Errorf("%d found: %w", len(drawn), ErrFewNegatives)
	}
	return drawn, nil
}

// shuffled returns pages in an order that depends on which they are, but not on how they came.
func shuffled(pages []store.Example, random *rand.Rand) []store.Example {
	all := slices.SortedFunc(slices.Values(pages), func(a, b store.Example) int {
		return cmp.Or(cmp.Compare(a.URL, b.URL), slices.Compare(a.Hash, b.Hash))
	})
	all = slices.CompactFunc(all, func(a, b store.Example) bool { return a.URL == b.URL && slices.Equal(a.Hash, b.Hash) })
	random.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	return all
}

// DrawNegatives reads the candidates from the store and draws from them; see Negatives. The document and the topic are
// those of the positive pages; either may be 0.
func DrawNegatives(
	ctx context.Context, s *store.Store, document, topic int64, positives []string, seed uint64,
) ([]store.Example, error) {
	others, err := s.OtherExamples(ctx, document, topic)
	if err != nil {
		return nil, err
	}
	pages, err := s.Background(ctx, topic)
	if err != nil {
		return nil, err
	}
	background := make([]store.Example, len(pages))
	for i, p := range pages {
		background[i] = store.Example{URL: p.URL, Hash: p.Hash}
	}
	return Negatives(positives, others, background, seed)
}
