package corpus

import (
	"context"

	"nightjar/crawler/fetch"
	"nightjar/crawler/page"
)

// Reachable is the set of final URLs of the archive's pages that links, frames and redirects lead to from the start
// pages, these included. Budgets, robots.txt and strategies play no part.
func Reachable(ctx context.Context, archive Archive, starts []string) (map[string]bool, error) {
	reached := make(map[string]bool)
	asked := make(map[string]bool)
	queue := append([]string(nil), starts...)
	for ; len(queue) > 0; queue = queue[1:] {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		url := canonical(queue[0])
		if asked[url] {
			continue
		}
		asked[url] = true
		r := archive.Fetch(ctx, url)
		if r.Outcome != fetch.OK || reached[r.FinalURL] {
			continue
		}
		reached[r.FinalURL] = true
		p, err := page.Parse(r.FinalURL, "text/html; charset=utf-8", r.Body)
		if err != nil {
			continue
		}
		for _, link := range p.Links {
			if !asked[link.URL] {
				queue = append(queue, link.URL)
			}
		}
		for _, f := range p.Frames {
			queue = append(queue, f.URL)
		}
	}
	return reached, nil
}
