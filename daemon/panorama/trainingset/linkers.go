package trainingset

import (
	"context"
	"slices"
	"time"

	"nightjar/crawler/weburl"
)

// MaxLinkers is how many pages Linkers asks about.
const MaxLinkers = 5

// LinkQuery is what Linkers sends about a page.
func LinkQuery(page string) string { return "link:" + page }

// Linkers asks the instance who links to pages, at most MaxLinkers of them, and returns the addresses that it answers, each once,
// without those pages. Few search engines understand the question; others answer with pages that have the words of the address. So
// nothing says that an answer links to a page until somebody has read it. Answers are not kept. The error is a *Refusal or ctx.Err().
func (p *SearXNG) Linkers(ctx context.Context, pages []string) (urls []string, err error) {
	p.words = true // the address is sent as it is
	for i, page := range pages[:min(len(pages), MaxLinkers)] {
		if i > 0 {
			select {
			case <-ctx.Done():
				return nil, ctx.Err()
			case <-time.After(p.gap):
			}
		}
		a, refusal := p.ask(ctx, LinkQuery(page))
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if refusal != nil {
			return nil, refusal
		}
		for _, found := range a.pages {
			if !slices.Contains(urls, found.URL) && !slices.Contains(pages, found.URL) && !weburl.SearchEngine(found.URL) {
				urls = append(urls, found.URL)
			}
		}
	}
	return urls, nil
}
