package operators

import (
	"context"
	"errors"
	"slices"
	"strings"
	"unicode/utf8"

	"nightjar/crawler/page"
	"nightjar/crawler/weburl"
	"nightjar/daemon/store"
)

// groupMatch is [THESUS] Def. 6.
func (e *evaluator) groupMatch(ctx context.Context, n *node) (*value, error) {
	set := n.items[0]
	if set.kind != pageSet && set.kind != address && set.kind != prefix {
		return e.pages(ctx, set)
	}
	v, err := e.pageSet(ctx, set, true)
	if err == nil && set.top > 0 {
		v, err = e.first(ctx, v, set.top)
	}
	return v, err
}

// crawl is [THESUS] Def. 7.
func (e *evaluator) crawl(ctx context.Context, n *node) (*value, error) {
	start, err := e.pages(ctx, n.items[0])
	if err != nil {
		return nil, err
	}
	return e.walk(ctx, n, start, nil, n.items[1].n)
}

// thematicCrawl is [THESUS] Def. 10.
func (e *evaluator) thematicCrawl(ctx context.Context, n *node) (*value, error) {
	start, err := e.pages(ctx, n.items[0])
	if err != nil {
		return nil, err
	}
	words, err := e.words(ctx, n.items[1])
	if err != nil {
		return nil, err
	}
	return e.walk(ctx, n, start, words.wordIDs(), n.items[2].n)
}

// walk follows links for a number of steps, against their direction if it is negative, and returns all pages on the way with
// the number of links to them. words are as in LinkGraph.Step.
func (e *evaluator) walk(ctx context.Context, n *node, start *value, words []int64, steps int64) (*value, error) {
	if start.all {
		return start, nil
	}
	v := &value{kind: Pages, counted: "links away"}
	seen := map[int64]bool{}
	reach := func(ids []int64, level int) (fresh []int64) {
		for _, id := range ids {
			if !seen[id] {
				seen[id], fresh = true, append(fresh, id)
				v.pages = append(v.pages, CountedPage{ID: id, N: level})
			}
		}
		return fresh
	}
	from := start.ids().IDs
	slices.Sort(from)
	edge := reach(from, 0)
	for level := 1; len(edge) > 0 && (int64(level) <= steps || int64(level) <= -steps); level++ {
		e.at = n.at
		next, err := e.graph.Step(ctx, edge, steps < 0, words)
		if err != nil {
			return nil, err
		}
		slices.Sort(next)
		edge = reach(next, level)
	}
	return v, nil
}

// keywords makes the operators of [THESUS] Defs. 8, 9 and 11 to 13.
func keywords(by WordCount, counted string) func(*evaluator, context.Context, *node) (*value, error) {
	return func(e *evaluator, ctx context.Context, n *node) (*value, error) {
		var sets [2]PageSet
		for i := range sets {
			v, err := e.pages(ctx, n.items[i])
			if err != nil {
				return nil, err
			}
			if n.op.takes[i] == onePageParam && (v.all || len(v.pages) > 1) {
				return nil, e.fault(n.items[i], "%s takes one page here; groupKeywords takes sets of pages", n.op.name)
			}
			sets[i] = v.ids()
		}
		by, counted := by, counted
		if len(n.items) > 2 && n.items[2].text == "pairs" {
			by, counted = CountPairs, "pairs of pages"
		}
		e.at = n.at
		words, err := e.graph.Keywords(ctx, sets[0], sets[1], by)
		return &value{kind: Words, words: words, counted: counted}, err
	}
}

// linked makes the operators of [THESUS] §4.3.
func linked(q LinkedQuery) func(*evaluator, context.Context, *node) (*value, error) {
	counted := "source pages"
	if q.Hubs {
		counted = "target pages"
	}
	return func(e *evaluator, ctx context.Context, n *node) (*value, error) {
		set, err := e.pages(ctx, n.items[0])
		if err != nil {
			return nil, err
		}
		words, err := e.words(ctx, n.items[2])
		if err != nil {
			return nil, err
		}
		e.at = n.at
		q := q
		q.In, q.More, q.Words = set.ids(), n.items[1].n, words.wordIDs()
		pages, err := e.graph.Linked(ctx, q)
		return &value{kind: Pages, pages: pages, counted: counted}, err
	}
}

// fetch is [THESUS] Def. 5, of what is stored.
func (e *evaluator) fetch(ctx context.Context, n *node) (*value, error) {
	asked := n.items[0]
	url, err := weburl.Canonical(asked.text)
	if err != nil {
		return nil, e.fault(asked, "%v", err)
	}
	html, err := e.engine.store.PageContent(ctx, url)
	if errors.Is(err, store.ErrNotFound) {
		if url, err = e.graph.End(ctx, url); err == nil {
			html, err = e.engine.store.PageContent(ctx, url)
		}
	}
	if errors.Is(err, store.ErrNotFound) {
		return nil, e.fault(asked, "the text of this page is not stored; open it in the browser while a session records, or crawl it, and ask again")
	}
	if err != nil {
		return nil, err
	}
	p, err := page.Parse(url, page.ContentUTF8, html)
	if err != nil {
		return nil, e.fault(asked, "what is stored of the page cannot be read as HTML: %v", err)
	}
	return &value{kind: Text, text: e.clip(p.Text), page: NamedPage{URL: url, Title: p.Title}}, nil
}

// clip cuts a text to MaxBody bytes, and notes that.
func (e *evaluator) clip(text string) string {
	if len(text) <= MaxBody {
		return text
	}
	end := MaxBody
	for !utf8.RuneStart(text[end]) {
		end--
	}
	e.note("only the first %d kB of the text are shown", MaxBody/1000)
	return strings.TrimSpace(text[:end])
}
