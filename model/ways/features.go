package ways

import (
	"cmp"
	"context"
	"slices"

	"nightjar/model/crf"
)

// Limits on features.
const (
	minPages    = 2         // distinct pages, or links, that a feature must be on
	maxFeatures = 1_000_000 // of pages and links together; the rarest beyond are dropped
)

// counted is a feature and the number of distinct pages, or links, that have it.
type counted struct {
	name string
	on   int
	link bool
}

// spot is a page or a link that features stand on. The same page, met twice, has the same id.
type spot struct {
	id       string
	features []string
}

// table numbers the features of pages and links.
type table struct {
	pages, links []string // names, sorted
	page, link   map[string]int32
	dropped      int

	known map[list][]int32 // numbers of lists that were read before: pages are on many paths
}

// list is the identity of a list of features.
type list struct {
	first *string
	len   int
}

// newTable chooses the features to keep. Its only error is ctx.Err().
func newTable(ctx context.Context, paths []Path, most int) (*table, error) {
	var pages, links []spot
	for i := range paths {
		for k, s := range paths[i].Steps {
			pages = append(pages, spot{s.URL, s.Page})
			if k > 0 {
				links = append(links, spot{paths[i].Steps[k-1].URL + "\n" + s.URL + "\n" + s.Anchor, s.Link})
			}
		}
	}
	kept, err := count(ctx, pages, false)
	if err != nil {
		return nil, err
	}
	more, err := count(ctx, links, true)
	if err != nil {
		return nil, err
	}
	kept = append(kept, more...)
	t := &table{page: map[string]int32{}, link: map[string]int32{}, known: map[list][]int32{}}
	if len(kept) > most {
		slices.SortFunc(kept, func(a, b counted) int {
			return cmp.Or(cmp.Compare(b.on, a.on), cmp.Compare(a.name, b.name), cmp.Compare(b2i(a.link), b2i(b.link)))
		})
		t.dropped, kept = len(kept)-most, kept[:most]
	}
	for _, c := range kept {
		if c.link {
			t.links = append(t.links, c.name)
		} else {
			t.pages = append(t.pages, c.name)
		}
	}
	index(t.pages, t.page)
	index(t.links, t.link)
	return t, nil
}

// count lists the features that stand on enough spots.
func count(ctx context.Context, spots []spot, link bool) ([]counted, error) {
	slices.SortFunc(spots, func(a, b spot) int { return cmp.Compare(a.id, b.id) })
	type tally struct{ on, last int }
	met := map[string]tally{}
	distinct := 0
	for i, s := range spots {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if i == 0 || s.id != spots[i-1].id {
			distinct++
		} else if len(s.features) > 0 && len(spots[i-1].features) > 0 && &s.features[0] == &spots[i-1].features[0] {
			continue // the same list again
		}
		for _, f := range s.features {
			if t := met[f]; t.last != distinct {
				met[f] = tally{t.on + 1, distinct}
			}
		}
	}
	var kept []counted
	for name, t := range met {
		if t.on >= minPages {
			kept = append(kept, counted{name, t.on, link})
		}
	}
	return kept, nil
}

// index sorts names and numbers them.
func index(names []string, at map[string]int32) {
	slices.Sort(names)
	for i, name := range names {
		at[name] = int32(i)
	}
}

// numbers are the numbers of features that are known, ascending, each once.
func numbers(features []string, at map[string]int32) []int32 {
	all := make([]int32, 0, len(features))
	for _, f := range features {
		if i, known := at[f]; known {
			all = append(all, i)
		}
	}
	if !slices.IsSorted(all) {
		slices.Sort(all)
	}
	return slices.Compact(all)
}

// cached is numbers of a list that may come again.
func (t *table) cached(features []string, at map[string]int32) []int32 {
	if len(features) == 0 {
		return nil
	}
	key := list{&features[0], len(features)}
	of, known := t.known[key]
	if !known {
		of = numbers(features, at)
		t.known[key] = of
	}
	return of
}

// sequences are the paths as the field reads them. Its only error is ctx.Err().
func (t *table) sequences(ctx context.Context, paths []Path, labels [][]int) ([]crf.Sequence, error) {
	all := make([]crf.Sequence, len(paths))
	for i, p := range paths {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		s := crf.Sequence{Labels: labels[i], Count: p.Count, Positive: p.Positive, Steps: make([]crf.Step, len(p.Steps))}
		for k, step := range p.Steps {
			s.Steps[k].Page = t.cached(step.Page, t.page)
			if k > 0 {
				s.Steps[k].Link = t.cached(step.Link, t.link)
			}
		}
		all[i] = s
	}
	return all, nil
}

// Reader numbers the features of pages and links that a crawl meets. It may be used by several goroutines.
type Reader struct {
	page, link map[string]int32
}

// Reader returns a reader for the features of the field.
func (w *Ways) Reader() *Reader {
	r := &Reader{make(map[string]int32, len(w.PageFeatures)), make(map[string]int32, len(w.LinkFeatures))}
	for i, f := range w.PageFeatures {
		r.page[f] = int32(i)
	}
	for i, f := range w.LinkFeatures {
		r.link[f] = int32(i)
	}
	return r
}

// Page returns the numbers of a page's features, ascending, each once. Features that were not learned are left out.
func (r *Reader) Page(features []string) []int32 { return numbers(features, r.page) }

// Link is Page for the features of a link.
func (r *Reader) Link(features []string) []int32 { return numbers(features, r.link) }
