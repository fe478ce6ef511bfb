package echo

import (
	"cmp"
	"math"
	"slices"

	"nightjar/crawler/weburl"
	"nightjar/daemon/learn/trainer"
	"nightjar/daemon/night/scheduler"
	"nightjar/model"
)

const (
	named  = 6    // most words and sites that are named
	matter = 0.02 // smallest change of a word that is named, as a share of the largest weight
)

// words returns the words of the marked pages whose weight in the judge the marks raised or lowered most; see the package
// comment for which are named.
func words(t *trainer.Trial) (gained, lost []string) {
	before, after := weights(t.Without), weights(t.With)
	scale := stretch(before, after, t.Moved)
	type change struct {
		word string
		by   float64
	}
	var all []change
	largest, noise := 0.0, 0.0
	see := func(term, written string) {
		was, is := before[term].weight, after[term].weight*scale
		largest = max(largest, math.Abs(was), math.Abs(is))
		switch by := is - was; {
		case t.Held[term]:
			all = append(all, change{cmp.Or(written, term), by})
		case !t.Moved[term]:
			noise = max(noise, math.Abs(by))
		}
	}
	for term, w := range after {
		see(term, w.written)
	}
	for term, w := range before {
		if _, seen := after[term]; !seen {
			see(term, w.written)
		}
	}
	least := max(noise, matter*largest)
	all = slices.DeleteFunc(all, func(c change) bool { return math.Abs(c.by) <= least })
	slices.SortFunc(all, func(a, b change) int {
		return cmp.Or(cmp.Compare(math.Abs(b.by), math.Abs(a.by)), cmp.Compare(a.word, b.word))
	})
	for _, c := range all {
		switch {
		case c.by > 0 && len(gained) < named:
			gained = append(gained, c.word)
		case c.by < 0 && len(lost) < named:
			lost = append(lost, c.word)
		}
	}
	return gained, lost
}

// stretch is the factor by which the weights after the marks come closest to those before, by least squares over the words that
// the marks did not move, or over all words when there are no such words. A training stretches all weights alike when it gets
// another page, which says nothing of any word.
func stretch(before, after map[string]weighed, moved map[string]bool) float64 {
	for _, skip := range []map[string]bool{moved, nil} {
		product, square := 0.0, 0.0
		for term, a := range after {
			if !skip[term] {
				product += a.weight * before[term].weight
				square += a.weight * a.weight
			}
		}
		if product > 0 {
			return product / square
		}
	}
	return 1
}

type weighed struct {
	written string
	weight  float64
}

// weights returns the judge's weights of a word in a page, by stem.
func weights(b *model.Bundle) map[string]weighed {
	all := make(map[string]weighed, len(b.Features.Terms))
	for i, term := range b.Features.Terms {
		written := ""
		if i < len(b.Features.Written) {
			written = b.Features.Written[i]
		}
		all[term] = weighed{written, float64(b.Judge.Weights[i]) * float64(b.Features.IDF[i])}
	}
	return all
}

// sites returns the sites whose number of links changed by more than least, the largest change first.
func sites(was, is []scheduler.PreviewLink, least int) []Site {
	counts := map[string]*Site{}
	at := func(url string) *Site {
		name := weburl.Site(url)
		if counts[name] == nil {
			counts[name] = &Site{Name: name}
		}
		return counts[name]
	}
	for _, l := range was {
		at(l.URL).Was++
	}
	for _, l := range is {
		at(l.URL).Is++
	}
	var all []Site
	for _, s := range counts {
		if s.by() > least {
			all = append(all, *s)
		}
	}
	slices.SortFunc(all, func(a, b Site) int {
		return cmp.Or(cmp.Compare(b.by(), a.by()), cmp.Compare(a.Name, b.Name))
	})
	return all[:min(named, len(all))]
}

// by is by how many links a site changed.
func (s *Site) by() int { return max(s.Is-s.Was, s.Was-s.Is) }

// difference is how unlike two previews are.
type difference struct {
	fresh int // of the first links, how many only one of the previews has
	moved int // places of the first links that hold another link
	site  int // the largest change of a site's number of links
}

// less reports whether the first links differ less than others do. Links that are new come before links in another order.
func (d difference) less(other difference) bool {
	return d.fresh < other.fresh || d.fresh == 0 && other.fresh == 0 && d.moved < other.moved
}

// differenceOf compares first links.
func differenceOf(a, b []scheduler.PreviewLink) (d difference) {
	has := func(all []scheduler.PreviewLink, url string) bool {
		return slices.ContainsFunc(all, func(l scheduler.PreviewLink) bool { return l.URL == url })
	}
	gone, fresh := 0, 0
	for i := range max(len(a), len(b)) {
		if i >= len(a) || i >= len(b) || a[i].URL != b[i].URL {
			d.moved++
		}
		if i < len(a) && !has(b, a[i].URL) {
			gone++
		}
		if i < len(b) && !has(a, b[i].URL) {
			fresh++
		}
	}
	d.fresh = max(gone, fresh)
	return d
}
