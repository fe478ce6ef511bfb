package explore

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"nightjar/daemon/store"
	"nightjar/daemon/thesus/links"
)

// Limits for showing a page.
const (
	topWords  = 10  // without a grouping
	linksRead = 500 // to choose from
	linksSaid = 50
)

// PageOf is what links say about a page, in a grouping or, with grouping 0, its words only. It does not need to be one of the
// grouping's pages. The error is store.ErrNotFound when there is no such grouping or page.
func (m *Maker) PageOf(ctx context.Context, grouping, page int64) (*PageView, error) {
	known, err := links.PageByID(ctx, m.Store.DB, page)
	if err != nil {
		return nil, err
	}
	v := &PageView{
		Page:  Page{ID: known.ID, URL: known.URL, Title: cmp.Or(known.Title, known.URL), Sources: known.Sources, Concepts: []Weighted{}},
		Names: map[string]string{}, Said: []Said{},
	}
	if grouping == 0 {
		v.Description, err = m.wordsOf(ctx, page)
	} else {
		v.Description, v.Names, err = m.describedIn(ctx, grouping, page)
	}
	if err != nil {
		return nil, err
	}
	for _, c := range v.Description.Concepts {
		v.Page.Concepts = append(v.Page.Concepts, Weighted{Key: c.Key, Name: cmp.Or(v.Names[c.Key], c.Key), Weight: c.Weight})
	}
	links, total, err := links.To(ctx, m.Store.DB, page, linksRead)
	if err != nil {
		return nil, err
	}
	v.Links = total
	v.Said, err = m.said(ctx, links, v.Description.Words)
	return v, err
}

// wordsOf is the description of a page by its words alone.
func (m *Maker) wordsOf(ctx context.Context, page int64) (Description, error) {
	d := Description{Words: []SaidWord{}, Concepts: []Concept{}}
	all, err := links.Keywords(ctx, m.Store.DB, []int64{page}, false)
	if err != nil {
		return d, err
	}
	for _, k := range most(all[page], topWords) {
		d.Words = append(d.Words, SaidWord{Word: k.Word, N: k.N})
	}
	return d, nil
}

// describedIn is the description of a page in a grouping, with the names of its keys. One that is not stored, such as of a page
// that came later, is made.
func (m *Maker) describedIn(ctx context.Context, grouping, page int64) (d Description, names map[string]string, err error) {
	g, err := GroupingByID(ctx, m.Store.DB, grouping)
	if err != nil {
		return d, nil, err
	}
	s, err := m.space(ctx, g)
	if err != nil {
		return d, nil, err
	}
	text, err := StoredDescription(ctx, m.Store.DB, grouping, page)
	if err == nil {
		if err = json.Unmarshal([]byte(text), &d); err != nil {
			return d, nil, fmt.Errorf("read the description of page %d: %w", page, err)
		}
		names = s.names(d)
		return d, names, m.addNames(ctx, grouping, d, names)
	}
	if !errors.Is(err, store.ErrNotFound) {
		return d, nil, err
	}
	all, err := links.Keywords(ctx, m.Store.DB, []int64{page}, g.Options.BySite)
	if err != nil {
		return d, nil, err
	}
	by := newDescriber(s, g.Options)
	d, _ = by.place(by.Describe(by.most(all[page])))
	return d, s.names(d), nil
}

// addNames adds the names that concepts had when the grouping was made, for those that are not known any more: of terms that were
// removed, and of all senses while there is no WordNet.
func (m *Maker) addNames(ctx context.Context, grouping int64, d Description, names map[string]string) error {
	missing := map[string]bool{}
	for _, c := range d.Concepts {
		if names[c.Key] == "" {
			missing[c.Key] = true
		}
	}
	if len(missing) == 0 {
		return nil
	}
	_, l, err := m.load(ctx, grouping)
	if err != nil {
		return nilIf(err, ErrNotReady)
	}
	for _, c := range l.result.Concepts {
		if missing[c.Key] {
			names[c.Key] = c.Name
		}
	}
	return nil
}

// said puts links in order, those with the most of the words first, and reads their contexts.
func (m *Maker) said(ctx context.Context, of []links.Said, words []SaidWord) ([]Said, error) {
	telling := map[string]bool{}
	for _, w := range words {
		telling[w.Word] = true
	}
	number := func(l links.Said) (n int) {
		for _, w := range l.Words {
			if telling[w] {
				n++
			}
		}
		return n
	}
	slices.SortStableFunc(of, func(a, b links.Said) int { return cmp.Compare(number(b), number(a)) })
	of = of[:min(len(of), linksSaid)]
	all := make([]Said, len(of))
	contents := map[string][]byte{} // several links may be of one page
	for i, l := range of {
		all[i] = Said{SourceURL: l.SourceURL, SourceTitle: cmp.Or(l.SourceTitle, l.SourceURL), Words: slices.Concat([]string{}, l.Words)}
		if l.Hash == nil {
			continue
		}
		html, ok := contents[string(l.Hash)]
		if !ok {
			var err error
			if html, err = m.Store.Content(ctx, l.Hash); err != nil && !errors.Is(err, store.ErrNotFound) {
				return nil, err
			}
			contents[string(l.Hash)] = html
		}
		all[i].Text = around(html, l.Pos)
	}
	return all, nil
}
