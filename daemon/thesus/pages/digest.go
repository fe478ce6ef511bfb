package pages

import (
	"cmp"
	"slices"
	"sync"

	"nightjar/daemon/thesus/explore"
	"nightjar/model/ontology"
)

// digestsKept is the maximum number of cached digests, one per grouping.
const digestsKept = 4

// digests are what was counted of finished groupings, so that a page of a large one need not count again.
type digests struct {
	mu  sync.Mutex
	all []*digest // most recently used first
}

// digest says which pages have which concept.
type digest struct {
	view  *explore.View
	tree  *ontology.Tree         // nil without an ontology
	pages map[string][]pageShare // of a concept, the weightiest first
	own   []int                  // pages of each term of the tree
	below []int                  // pages of each term and of all those below it
	found []conceptCount         // all concepts, those of the most pages first
}

// pageShare is a page with the weight of a concept.
type pageShare struct {
	page   int // place in View.Pages
	weight float64
}

// conceptCount is a concept with its number of pages.
type conceptCount struct {
	Key, Name string
	Pages     int
}

// of returns the digest of a view.
func (d *digests) of(v *explore.View, tree *ontology.Tree) *digest {
	d.mu.Lock()
	defer d.mu.Unlock()
	for i, one := range d.all {
		if one.same(v) && one.tree == tree {
			d.all = slices.Insert(slices.Delete(d.all, i, i+1), 0, one)
			return one
		}
	}
	one := digestOf(v, tree)
	d.all = slices.DeleteFunc(d.all, func(old *digest) bool { return old.view.Grouping.ID == v.Grouping.ID })
	d.all = slices.Insert(d.all, 0, one)
	d.all = d.all[:min(len(d.all), digestsKept)]
	return one
}

// same reports whether a view has the digest's pages. Each view is new, but its lists are shared.
func (d *digest) same(v *explore.View) bool {
	a, b := d.view.Pages, v.Pages
	return d.view.Grouping.ID == v.Grouping.ID && len(a) == len(b) && len(a) > 0 && &a[0] == &b[0]
}

func digestOf(v *explore.View, tree *ontology.Tree) *digest {
	d := &digest{view: v, tree: tree, pages: map[string][]pageShare{}}
	names := map[string]string{}
	for i, p := range v.Pages {
		for _, c := range p.Concepts {
			d.pages[c.Key] = append(d.pages[c.Key], pageShare{i, c.Weight})
			names[c.Key] = c.Name
		}
	}
	for key, pages := range d.pages {
		byWeight(pages)
		d.found = append(d.found, conceptCount{key, cmp.Or(names[key], key), len(pages)})
	}
	slices.SortFunc(d.found, func(a, b conceptCount) int {
		return cmp.Or(cmp.Compare(b.Pages, a.Pages), cmp.Compare(a.Name, b.Name), cmp.Compare(a.Key, b.Key))
	})
	if tree != nil {
		d.count()
	}
	return d
}

// byWeight sorts pages by weight; equal ones stay in their order.
func byWeight(pages []pageShare) {
	slices.SortStableFunc(pages, func(a, b pageShare) int { return cmp.Compare(b.weight, a.weight) })
}

// count counts the pages of each term. A page with several terms below one counts once there.
func (d *digest) count() {
	d.own, d.below = make([]int, d.tree.Len()), make([]int, d.tree.Len())
	seen := make([]int, d.tree.Len()) // number of the last page that was counted for a term, from 1
	for i, p := range d.view.Pages {
		for _, c := range p.Concepts {
			at, known := d.tree.ByKey(c.Key)
			if !known {
				continue
			}
			d.own[at]++
			for _, above := range d.tree.Above(at) {
				if seen[above] != i+1 {
					seen[above] = i + 1
					d.below[above]++
				}
			}
		}
	}
}

// wants returns a function that reports whether a key is among keys or below one of them.
func (d *digest) wants(keys ...string) func(string) bool {
	wanted := map[string]bool{}
	for _, key := range keys {
		wanted[key] = true
		if d.tree == nil {
			continue
		}
		if at, known := d.tree.ByKey(key); known {
			from, end := d.tree.Below(at)
			for i := from; i < end; i++ {
				wanted[d.tree.Term(i).Key] = true
			}
		}
	}
	return func(key string) bool { return wanted[key] }
}

// have are the pages that have a concept, or one below it, the weightiest first.
func (d *digest) have(key string) []pageShare {
	if d.tree == nil {
		return d.pages[key]
	}
	at, known := d.tree.ByKey(key)
	if !known {
		return d.pages[key]
	}
	best := map[int]float64{}
	from, end := d.tree.Below(at)
	for i := from; i < end; i++ {
		for _, one := range d.pages[d.tree.Term(i).Key] {
			best[one.page] = max(best[one.page], one.weight)
		}
	}
	all := make([]pageShare, 0, len(best))
	for page, weight := range best {
		all = append(all, pageShare{page, weight})
	}
	slices.SortFunc(all, func(a, b pageShare) int {
		return cmp.Or(cmp.Compare(b.weight, a.weight), cmp.Compare(a.page, b.page))
	})
	return all
}

// name returns the name of a concept.
func (d *digest) name(key string) string {
	if d.tree != nil {
		if at, known := d.tree.ByKey(key); known {
			return d.tree.Label(at)
		}
	}
	for _, c := range d.found {
		if c.Key == key {
			return c.Name
		}
	}
	return key
}

// widen adds the concepts below the given ones.
func (d *digest) widen(keys []string) []string {
	if d.tree == nil {
		return keys
	}
	var all []string
	wanted := d.wants(keys...)
	for _, c := range d.found {
		if wanted(c.Key) {
			all = append(all, c.Key)
		}
	}
	return all
}
