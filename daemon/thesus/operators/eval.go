package operators

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"nightjar/crawler/weburl"
	"nightjar/daemon/store"
)

// evaluator evaluates one program.
type evaluator struct {
	engine *Engine
	graph  *LinkGraph
	text   string
	values []*value        // of the statements so far
	at     int             // byte of the text that is evaluated
	open   map[string]bool // saved sets that are being evaluated, in lower case
	notes  *[]string
}

// note adds what the person should know, once, at most maxNotes.
func (e *evaluator) note(format string, args ...any) {
	const maxNotes = 20
	text := fmt.Sprintf(format, args...)
	for _, one := range *e.notes {
		if one == text {
			return
		}
	}
	if len(*e.notes) < maxNotes {
		*e.notes = append(*e.notes, text)
	}
}

// fault is a fault at a node.
func (e *evaluator) fault(n *node, format string, args ...any) *Fault {
	return faultAt(e.text, n.at, format, args...)
}

// program evaluates statements and returns the value of the last one.
func (e *evaluator) program(ctx context.Context, all []*node) (*value, error) {
	for _, n := range all {
		v, err := e.value(ctx, n)
		if err != nil {
			return nil, err
		}
		e.values = append(e.values, v)
	}
	return e.values[len(e.values)-1], nil
}

// value evaluates a Value.
func (e *evaluator) value(ctx context.Context, n *node) (*value, error) {
	v, err := e.whole(ctx, n)
	if err == nil && n.top > 0 {
		v, err = e.first(ctx, v, n.top)
	}
	return v, err
}

// whole evaluates a Value without its top.
func (e *evaluator) whole(ctx context.Context, n *node) (*value, error) {
	e.at = n.at
	switch n.kind {
	case call:
		return n.op.run(e, ctx, n)
	case result:
		if n.n < 1 || n.n > int64(len(e.values)) {
			return nil, e.fault(n, "there is no statement %d before this one", n.n)
		}
		return e.values[n.n-1], nil
	case saved:
		return e.saved(ctx, n)
	case wordSet:
		return e.wordSet(ctx, n)
	}
	return e.pageSet(ctx, n, false)
}

// pages evaluates what must be pages.
func (e *evaluator) pages(ctx context.Context, n *node) (*value, error) {
	v, err := e.value(ctx, n)
	if err != nil {
		return nil, err
	}
	if v.kind != Pages {
		return nil, e.fault(n, "expected a set of pages; this is a set of %s", v.kind)
	}
	if most := e.engine.most; len(v.pages) > most {
		return nil, e.fault(n, "this set has %d pages, and an operator takes at most %d; use a longer beginning of addresses, or | top %d. "+
			"[] means all pages and has no limit", len(v.pages), most, most)
	}
	if !v.all && len(v.pages) == 0 {
		e.note("this set of pages is empty: %s", e.excerpt(n.at))
	}
	return v, nil
}

// excerpt is the begin of the text from a byte on.
func (e *evaluator) excerpt(at int) string {
	const most = 40
	text := []rune(strings.Join(strings.Fields(e.text[at:min(len(e.text), at+4*most)]), " "))
	if len(text) > most {
		return string(text[:most]) + "…"
	}
	return string(text)
}

// words evaluates what must be words.
func (e *evaluator) words(ctx context.Context, n *node) (*value, error) {
	v, err := e.value(ctx, n)
	if err == nil && v.kind != Words {
		err = e.fault(n, "expected a set of words; this is a set of %s", v.kind)
	}
	return v, err
}

// saved evaluates a saved set.
func (e *evaluator) saved(ctx context.Context, n *node) (*value, error) {
	set, err := e.graph.SavedSet(ctx, n.text)
	if errors.Is(err, store.ErrNotFound) {
		return nil, e.fault(n, "there is no saved set %q", n.text)
	}
	if err != nil {
		return nil, err
	}
	name := strings.ToLower(set.Name)
	if e.open[name] {
		return nil, e.fault(n, "the saved set %q is made of itself", set.Name)
	}
	if len(e.open) >= MaxNesting {
		return nil, e.fault(n, "saved sets are made of others more than %d deep", MaxNesting)
	}
	program, f := parse(set.Expression)
	if f != nil {
		return nil, e.fault(n, "in the saved set %q, %v", set.Name, f)
	}
	e.open[name] = true
	defer delete(e.open, name)
	v, err := (&evaluator{engine: e.engine, graph: e.graph, text: set.Expression, open: e.open, notes: e.notes}).program(ctx, program)
	if inner, ok := errors.AsType[*Fault](err); ok {
		return nil, e.fault(n, "in the saved set %q, %v", set.Name, inner)
	}
	return v, err
}

// pageSet evaluates a set of pages, or one address or prefix. With prefixes, addresses are prefixes.
func (e *evaluator) pageSet(ctx context.Context, set *node, prefixes bool) (*value, error) {
	items := set.items
	if set.kind != pageSet {
		items = []*node{set}
	} else if len(items) == 0 {
		return &value{kind: Pages, all: true}, nil
	}
	if len(items) == 1 && items[0].kind != address && items[0].kind != prefix { // keeps what was counted
		return e.item(ctx, items[0], prefixes)
	}
	var ids []int64
	for _, one := range items {
		v, err := e.item(ctx, one, prefixes)
		if err != nil {
			return nil, err
		}
		if v.all {
			return v, nil
		}
		ids = append(ids, v.ids().IDs...)
	}
	return pageValue(ids), nil
}

// item evaluates a member of a set of pages.
func (e *evaluator) item(ctx context.Context, n *node, prefixes bool) (*value, error) {
	e.at = n.at
	var ids []int64
	var err error
	switch n.kind {
	case address, prefix:
		if prefixes || n.kind == prefix {
			ids, err = e.graph.PagesWithPrefix(ctx, lowerHost(n.text))
		} else {
			ids, err = e.addressed(ctx, n)
		}
	case ofTopic:
		if ids, err = e.graph.TopicPages(ctx, n.text); errors.Is(err, store.ErrNotFound) {
			err = e.fault(n, "there is no topic %q", n.text)
		}
	case ofSession:
		if ids, err = e.graph.SessionPages(ctx, n.text); errors.Is(err, store.ErrNotFound) {
			err = e.fault(n, "there is no session %q", n.text)
		}
	case ofCrawl:
		if ids, err = e.graph.CrawlPages(ctx, n.n); errors.Is(err, store.ErrNotFound) {
			err = e.fault(n, "there is no crawl %d", n.n)
		}
	default:
		v, err := e.value(ctx, n)
		if err == nil && v.kind != Pages {
			err = e.fault(n, "expected pages; this is a set of %s", v.kind)
		}
		return v, err
	}
	return pageValue(ids), err
}

// addressed returns the page with an address, none if no link has to do with it.
func (e *evaluator) addressed(ctx context.Context, n *node) ([]int64, error) {
	url, err := weburl.Canonical(n.text)
	if err != nil {
		return nil, e.fault(n, "%v", err)
	}
	id, err := e.graph.PageByURL(ctx, url)
	if errors.Is(err, store.ErrNotFound) {
		e.note("no link leads from or to %s", n.text)
		return nil, nil
	}
	return []int64{id}, err
}

// lowerHost makes the scheme and the host of an address lower case, as they are in canonical addresses.
func lowerHost(text string) string {
	scheme, rest, _ := strings.Cut(text, "://")
	end := strings.IndexAny(rest, "/?#")
	if end < 0 {
		end = len(rest)
	}
	return strings.ToLower(scheme) + "://" + strings.ToLower(rest[:end]) + rest[end:]
}
