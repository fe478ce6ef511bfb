package trainingdata

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"slices"

	"nightjar/crawler/weburl"
	"nightjar/daemon/store"
)

// Fewest pages from which a classifier learns.
const (
	MinPositives = 5
	MinNegatives = 10
)

// ErrFewPositives says that too few positive pages are known, and what helps.
var ErrFewPositives = fmt.Errorf("fewer than %d positive pages: search with another provider, paste addresses, "+
	"or choose a topic", MinPositives)

// ErrFewNegatives says that too few pages about something else are known, and what helps.
var ErrFewNegatives = fmt.Errorf("fewer than %d negative pages: let a crawl of this topic run first, browse and submit a session of "+
	"another topic, or read in another document", MinNegatives)

// Candidates are the pages from which negative ones are drawn.
type Candidates struct {
	Others     []Example // examples of other documents and topics
	NotUseful  []Example // read by the topic's own crawls, and not useful
	Background []Example // the rest of the web
}

// Negatives draws twice as many negative pages as there are positive ones ([PANORAMA] §3.3): half of them of Others, as in the
// paper, and half of NotUseful, which tell pages apart that are on the same site. When either is too short, the other is
// used, and then Background. No address or content is drawn twice, nor is a positive page. Pages of Others and Background are not
// drawn from the registrable domain of a positive page: nobody found them not useful. The same pages and seed give the same
// draw, whatever their order. The errors are ErrFewPositives for fewer than MinPositives positive pages, and ErrFewNegatives for
// fewer than MinNegatives.
func Negatives(positives []string, c Candidates, seed uint64) ([]Example, error) {
	if len(positives) < MinPositives {
		return nil, fmt.Errorf("%d given: %w", len(positives), ErrFewPositives)
	}
	own, urls, hashes := map[string]bool{}, map[string]bool{}, map[string]bool{}
	for _, url := range positives {
		own[weburl.Site(url)], urls[url] = true, true
	}
	random := rand.New(rand.NewPCG(seed, 0))
	others, notUseful, background := shuffled(c.Others, random), shuffled(c.NotUseful, random), shuffled(c.Background, random)
	var drawn []Example
	draw := func(from []Example, most int, judged bool) {
		for _, e := range from {
			if len(drawn) >= most {
				return
			}
			if !judged && own[weburl.Site(e.URL)] || urls[e.URL] || len(e.Hash) > 0 && hashes[string(e.Hash)] {
				continue
			}
			urls[e.URL], hashes[string(e.Hash)] = true, true
			drawn = append(drawn, e)
		}
	}
	half, all := len(positives), 2*len(positives)
	draw(others, half, false)
	draw(notUseful, all, true)
	draw(others, all, false)
	draw(background, all, false)
	if len(drawn) < MinNegatives {
		return nil, fmt.Errorf("%d found: %w", len(drawn), ErrFewNegatives)
	}
	return drawn, nil
}

// shuffled returns pages in an order that depends on which they are, but not on how they came.
func shuffled(pages []Example, random *rand.Rand) []Example {
	all := slices.SortedFunc(slices.Values(pages), func(a, b Example) int {
		return cmp.Or(cmp.Compare(a.URL, b.URL), slices.Compare(a.Hash, b.Hash))
	})
	all = slices.CompactFunc(all, func(a, b Example) bool { return a.URL == b.URL && slices.Equal(a.Hash, b.Hash) })
	random.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	return all
}

// DrawNegatives reads the candidates from the store and draws from them; see Negatives. The document and the topic are
// those of the positive pages; either may be 0.
func DrawNegatives(
	ctx context.Context, s *store.Store, document, topic int64, positives []string, seed uint64,
) ([]Example, error) {
	var c Candidates
	var err error
	if c.Others, err = OtherExamples(ctx, s.DB, document, topic); err != nil {
		return nil, err
	}
	if c.NotUseful, err = NotUsefulPages(ctx, s.DB, topic); err != nil {
		return nil, err
	}
	pages, err := Background(ctx, s.DB, topic, AllMarks)
	if err != nil {
		return nil, err
	}
	for _, p := range pages {
		c.Background = append(c.Background, Example{URL: p.URL, Hash: p.Hash})
	}
	return Negatives(positives, c, seed)
}
