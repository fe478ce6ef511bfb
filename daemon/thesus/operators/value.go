package operators

import (
	"context"
	"unicode"
)

// value is what a part of a program gives.
type value struct {
	kind    Kind
	all     bool // pages or words; then the lists are empty
	pages   []CountedPage
	words   []CountedWord
	counted string // what N of a page or word is; "" when nothing was counted
	page    NamedPage
	text    string
}

// ids are the pages of a value, as the store reads them.
func (v *value) ids() PageSet {
	set := PageSet{All: v.all, IDs: make([]int64, 0, len(v.pages))}
	for _, p := range v.pages {
		set.IDs = append(set.IDs, p.ID)
	}
	return set
}

// wordIDs are the words of a value, nil for all.
func (v *value) wordIDs() []int64 {
	if v.all {
		return nil
	}
	ids := make([]int64, 0, len(v.words))
	for _, w := range v.words {
		ids = append(ids, w.ID)
	}
	return ids
}

// pageValue makes a value of pages for which nothing was counted, each once.
func pageValue(ids []int64) *value {
	v := &value{kind: Pages, pages: make([]CountedPage, 0, len(ids))}
	seen := make(map[int64]bool, len(ids))
	for _, id := range ids {
		if !seen[id] {
			seen[id] = true
			v.pages = append(v.pages, CountedPage{ID: id})
		}
	}
	return v
}

// first returns a value with its first n members.
func (e *evaluator) first(ctx context.Context, v *value, n int) (*value, error) {
	some := *v
	switch {
	case v.all && v.kind == Pages:
		ids, _, err := e.graph.AllPages(ctx, n)
		return pageValue(ids), err
	case v.all:
		words, _, err := e.graph.AllWords(ctx, n)
		return &value{kind: Words, words: words}, err
	case v.kind == Pages:
		some.pages = v.pages[:min(n, len(v.pages))]
	case v.kind == Words:
		some.words = v.words[:min(n, len(v.words))]
	}
	return &some, nil
}

// result makes the table of a value.
func (e *evaluator) result(ctx context.Context, v *value) (*Result, error) {
	if v.kind == Text {
		return &Result{Kind: Text, Columns: []string{}, Rows: []Row{}, Total: 1, Text: v.text,
			Page: Row{ID: v.page.ID, URL: v.page.URL, Title: v.page.Title}}, nil
	}
	r := &Result{Kind: v.kind, Columns: []string{"page", "title"}, Rows: []Row{}, Total: len(v.pages)}
	var err error
	if v.kind == Words {
		r.Columns, r.Total = []string{"word"}, len(v.words)
	}
	if v.all && v.kind == Pages {
		_, r.Total, err = e.graph.AllPages(ctx, 0)
	} else if v.all {
		_, r.Total, err = e.graph.AllWords(ctx, 0)
	}
	if err != nil {
		return nil, err
	}
	if r.Counted = v.counted; v.counted != "" {
		r.Columns = append(r.Columns, v.counted)
	}
	shown, err := e.first(ctx, v, MaxRows)
	if err != nil {
		return nil, err
	}
	for _, w := range shown.words {
		r.Rows = append(r.Rows, Row{ID: w.ID, Word: w.Word, N: w.N})
	}
	named, err := e.graph.Name(ctx, shown.ids().IDs)
	for i, p := range named { // one for each of shown.pages, since all reads see the same state
		title := p.Title
		if title == "" {
			title = p.URL
		}
		r.Rows = append(r.Rows, Row{ID: p.ID, URL: p.URL, Title: title, N: shown.pages[i].N})
	}
	return r, err
}

// unprintable reports whether a character must not be in a name.
func unprintable(r rune) bool { return !unicode.IsPrint(r) }
