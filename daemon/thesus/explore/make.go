package explore

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"nightjar/daemon/db"
	"nightjar/daemon/store"
	"nightjar/daemon/thesus/links"
	"nightjar/model/conceptset"
	"nightjar/model/senses"
)

// readAtOnce is the number of pages whose words are read in one query.
const readAtOnce = 500

// making is a grouping that is being made. sets are of the pages, which are those with a concept, then those without.
type making struct {
	m         *Maker
	g         Grouping
	erasures  int64
	space     *space
	describer *describer

	all    int // pages of the scope that enough pages link to
	few    int
	newest int64 // newest link
	pages  []links.Page
	words  [][]senses.Keyword
	said   []Description
	sets   []conceptset.Set
	end    int // of the pages with a concept

	levels   []resultLevel
	first    int // place of the default level
	warnings []string
}

// make makes a grouping and stores it. When something is erased meanwhile, or WordNet comes or goes, it begins again.
func (m *Maker) make(ctx context.Context, g Grouping) error {
	for {
		if err := BeginGrouping(ctx, m.Store.DB, g); err != nil {
			return err
		}
		k := &making{m: m, g: g, erasures: m.Store.Erasures()}
		err := k.run(ctx)
		if errors.Is(err, db.ErrErased) || errors.Is(err, errWordNet) {
			continue
		}
		return err
	}
}

// errWordNet says that WordNet came, went or changed while pages were described.
var errWordNet = errors.New("WordNet has changed")

func (k *making) run(ctx context.Context) error {
	steps := []func(context.Context) error{k.enter, k.list, k.read, k.describe, k.group, k.store}
	if k.g.ByText() {
		steps = []func(context.Context) error{k.enter, k.list, k.texts, k.store}
	}
	for _, step := range steps {
		if err := step(ctx); err != nil {
			return cmp.Or(ctx.Err(), err)
		}
	}
	return nil
}

// progress reports the progress of a step.
func (k *making) progress(step string) func(done, of int) {
	tell := func(done, of int) { k.m.running.Note(k.g.ID, step, Progress{Step: step, Done: done, Of: of}) }
	tell(0, 0)
	return tell
}

func (k *making) warn(format string, args ...any) {
	k.warnings = append(k.warnings, fmt.Sprintf(format, args...))
}

// enter makes the space. WordNet is asked for once, so that all pages are described with the same one.
func (k *making) enter(ctx context.Context) error {
	s, err := k.m.space(ctx, k.g)
	if err != nil {
		return err
	}
	k.space, k.describer = s, newDescriber(s, k.g.Options)
	switch {
	case s.net != nil || k.g.ByText():
	case s.mode == Terms:
		k.warn("WordNet was not there, so that only words that are labels of the ontology count.")
	default:
		k.warn("WordNet was not there, so that only pages with the same words are alike.")
	}
	return nil
}

// space returns the space of a grouping, with the current WordNet.
func (m *Maker) space(ctx context.Context, g Grouping) (*space, error) {
	net := m.net()
	switch {
	case g.ByText():
		return newSpace(nil, nil, nil), nil
	case g.Ontology == 0:
		return newSpace(net, nil, nil), nil
	}
	if m.Shelf == nil {
		return nil, store.ErrNotFound
	}
	tree, terms, err := m.Shelf.Terms(ctx, g.Ontology)
	if err != nil {
		return nil, fmt.Errorf("read the ontology: %w", err)
	}
	return newSpace(net, tree, terms), nil
}

// list lists the pages.
func (k *making) list(ctx context.Context) (err error) {
	k.progress("Reading words")
	if k.newest, err = links.Newest(ctx, k.m.Store.DB); err != nil {
		return err
	}
	if k.pages, k.few, err = links.Pages(ctx, k.m.Store.DB, k.g.Scope, k.g.ScopeID, 2, k.g.ByText()); err != nil {
		return err
	}
	slices.SortStableFunc(k.pages, func(a, b links.Page) int {
		return cmp.Or(cmp.Compare(b.Sources, a.Sources), cmp.Compare(a.ID, b.ID))
	})
	if k.all = len(k.pages); k.all > MaxPages {
		k.pages = slices.Clone(k.pages[:MaxPages])
		k.warn("There are %d pages. Only the %d that most pages link to were grouped.", k.all, MaxPages)
	}
	return nil
}

// read reads the words of the pages.
func (k *making) read(ctx context.Context) error {
	progress := k.progress("Reading words")
	for part := range slices.Chunk(k.pages, readAtOnce) {
		ids := make([]int64, len(part))
		for i, p := range part {
			ids[i] = p.ID
		}
		words, err := links.Keywords(ctx, k.m.Store.DB, ids, k.g.Options.BySite)
		if err != nil {
			return err
		}
		for _, id := range ids {
			k.words = append(k.words, k.describer.most(words[id]))
		}
		progress(len(k.words), len(k.pages))
	}
	return nil
}

// describe describes the pages, and puts those with a concept first.
func (k *making) describe(ctx context.Context) error {
	described, err := k.describer.describeAll(ctx, k.words, k.progress("Describing pages"))
	if err != nil {
		return err
	}
	if k.m.net() != k.space.net {
		return errWordNet
	}
	k.words = nil
	said, sets := make([]Description, len(k.pages)), make([]conceptset.Set, len(k.pages))
	order := make([]int, len(k.pages))
	for i, d := range described {
		said[i], sets[i] = k.describer.place(d)
		order[i] = i
		if len(sets[i]) > 0 {
			k.end++
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(min(len(sets[b]), 1), min(len(sets[a]), 1)) })
	pages := make([]links.Page, len(order))
	for to, from := range order {
		pages[to] = k.pages[from]
		k.said, k.sets = append(k.said, said[from]), append(k.sets, sets[from])
	}
	k.pages = pages
	return nil
}

// store stores the grouping.
func (k *making) store(ctx context.Context) error {
	k.progress("Storing")
	result, err := k.result(ctx)
	if err != nil {
		return err
	}
	all := GroupingResult{Descriptions: make([]PageDescription, len(k.pages)), TermWords: k.termWords()}
	if all.Result, err = json.Marshal(result); err != nil {
		return err
	}
	for i, d := range k.said {
		body, err := json.Marshal(d)
		if err != nil {
			return err
		}
		all.Descriptions[i] = PageDescription{Page: k.pages[i].ID, Body: string(body)}
	}
	k.said, k.sets = nil, nil
	defer k.m.views.Remove(k.g.ID)
	return FinishGrouping(ctx, k.m.Store.DB, k.g, k.erasures, all)
}

// termWords counts for how many pages each word was mapped to each term.
func (k *making) termWords() []TermWord {
	type pair struct{ term, word string }
	pages := map[pair]int{}
	for _, d := range k.said {
		for _, w := range d.Words {
			if w.Term != "" {
				pages[pair{w.Term, w.Word}]++
			}
		}
	}
	all := make([]TermWord, 0, len(pages))
	for p, n := range pages {
		all = append(all, TermWord{Term: p.term, Word: p.word, Pages: n})
	}
	slices.SortFunc(all, func(a, b TermWord) int { return cmp.Or(cmp.Compare(a.Term, b.Term), cmp.Compare(a.Word, b.Word)) })
	return all
}
