package explore

import (
	"cmp"
	"context"
	"slices"

	"nightjar/crawler/linktext"
	"nightjar/crawler/page"
	"nightjar/daemon/store"
	"nightjar/daemon/thesus/links"
	"nightjar/model/conceptset"
	"nightjar/model/groups"
	"nightjar/model/wordnet"
)

// nameWords is how many words name a group.
const nameWords = 3

// readTexts reads the pages that are grouped by words, with what is known of each. Words that no link uses are left out: a result has
// words by their numbers, and only words of links have one.
func (k *making) readTexts(ctx context.Context, net *wordnet.Net) (all []groups.Page, err error) {
	progress := k.progress("Reading pages")
	extractor := linktext.New(nil, links.Base(net))
	for part := range slices.Chunk(k.pages, readAtOnce) {
		ids := make([]int64, len(part))
		for i, p := range part {
			ids[i] = p.ID
		}
		said, err := links.Keywords(ctx, k.m.Store.DB, ids, k.g.Options.BySite)
		if err != nil {
			return nil, err
		}
		sources, err := links.Sources(ctx, k.m.Store.DB, ids)
		if err != nil {
			return nil, err
		}
		var words []string
		from := len(all)
		for _, p := range part {
			one := groups.Page{Text: map[string]int{}, Links: map[string]int{}, Sources: sources[p.ID]}
			for _, w := range said[p.ID] {
				one.Links[w.Word] = w.N
			}
			text, err := k.textOf(ctx, p.URL)
			if err != nil {
				return nil, err
			}
			for _, w := range extractor.Anchor(text) {
				one.Text[w.Word] = w.N
				words = append(words, w.Word)
			}
			all = append(all, one)
			progress(len(all), len(k.pages))
		}
		slices.Sort(words)
		known, err := links.WordIDs(ctx, k.m.Store.DB, slices.Compact(words))
		if err != nil {
			return nil, err
		}
		for _, one := range all[from:] {
			for word := range one.Text {
				if known[word] == 0 {
					delete(one.Text, word)
				}
			}
		}
	}
	return all, nil
}

// textOf is the text of a stored page, "" when its content is not stored or cannot be read.
func (k *making) textOf(ctx context.Context, url string) (string, error) {
	html, err := k.m.Store.PageContent(ctx, url)
	if err != nil {
		return "", nilIf(err, store.ErrNotFound)
	}
	p, err := page.Parse(url, page.ContentUTF8, html)
	if err != nil {
		return "", nil
	}
	return p.Title + "\n" + p.Text, nil
}

// texts groups pages by words and by who links to them.
func (k *making) texts(ctx context.Context) error {
	net := k.m.net()
	all, err := k.readTexts(ctx, net)
	if err != nil {
		return err
	}
	if k.m.net() != net {
		return errWordNet
	}
	set := groups.New(all)
	order := k.describeTexts(set, all)
	levels, err := set.Levels(ctx, k.g.Options.Seed, k.progress("Grouping pages"))
	if err != nil || k.end == 0 {
		return err
	}
	k.first = len(levels) - 1
	for _, l := range levels {
		one := resultLevel{Depth: l.Depth, Clusters: make([]resultCluster, len(l.Sizes))}
		near := set.Near(l)
		for c, words := range set.Names(l, nameWords) {
			group := &one.Clusters[c]
			group.Broader, group.Parent = -1, -1
			if l.Parent != nil {
				group.Parent = l.Parent[c]
			}
			for _, w := range words {
				group.Concepts, group.Weights = append(group.Concepts, k.space.word(w.Word)), append(group.Weights, w.Weight)
			}
		}
		for to, from := range order {
			if c := l.Cluster[from]; c >= 0 {
				one.Clusters[c].Pages = append(one.Clusters[c].Pages, to)
			}
		}
		for c := range one.Clusters {
			slices.SortStableFunc(one.Clusters[c].Pages, func(a, b int) int { return cmp.Compare(near[order[b]], near[order[a]]) })
		}
		k.levels = append(k.levels, one)
	}
	nest(k.levels)
	return nil
}

// describeTexts describes the pages by their weightiest words, and puts those that have one first. order tells where each was.
func (k *making) describeTexts(set *groups.Set, all []groups.Page) (order []int) {
	order = make([]int, len(all))
	for i := range order {
		order[i] = i
		if set.Describable(i) {
			k.end++
		}
	}
	bare := func(i int) int { return map[bool]int{true: 0, false: 1}[set.Describable(i)] }
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(bare(a), bare(b)) })
	pages := make([]links.Page, len(order))
	for to, i := range order {
		pages[to] = k.pages[i]
		said, concepts := Description{Words: []SaidWord{}, Concepts: []Concept{}}, conceptset.Set{}
		for n, w := range set.Words(i, cmp.Or(k.g.Options.Words, DefaultWords)) {
			said.Words = append(said.Words, SaidWord{Word: w.Word, N: all[i].Links[w.Word]})
			said.Concepts = append(said.Concepts, Concept{Key: w.Word, Weight: w.Weight, Words: []int{n}})
			concepts = append(concepts, conceptset.Concept{ID: k.space.word(w.Word), Weight: w.Weight})
		}
		slices.SortFunc(concepts, func(a, b conceptset.Concept) int { return cmp.Compare(a.ID, b.ID) })
		k.said, k.sets = append(k.said, said), append(k.sets, concepts)
	}
	k.pages = pages
	return order
}
