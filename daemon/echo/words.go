package echo

import (
	"cmp"
	"maps"
	"math"
	"slices"

	"nightjar/crawler/weburl"
	"nightjar/daemon/scheduler"
	"nightjar/model"
)

const (
	named  = 6    // most words and sites that are named
	matter = 0.02 // smallest change of a word that is named, as a share of the largest weight
)

// words returns the words whose weight in the judge rose or fell most between two models. Each model's weights are first
// scaled to length 1: calibration stretches all of them alike.
func words(was, is *model.Bundle) (gained, lost []string) {
	before, after := weights(was), weights(is)
	type change struct {
		word string
		by   float64
	}
	largest := 0.0
	var all []change
	for term := range union(before, after) {
		a, b := before[term], after[term]
		largest = max(largest, math.Abs(a.weight), math.Abs(b.weight))
		all = append(all, change{cmp.Or(b.written, a.written, term), b.weight - a.weight})
	}
	all = slices.DeleteFunc(all, func(c change) bool { return math.Abs(c.by) < matter*largest })
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

// weighed is a word of the judge.
type weighed struct {
	written string
	weight  float64
}

// weights returns the judge's weights of a word in a page, scaled to length 1, by stem.
func weights(b *model.Bundle) map[string]weighed {
	all := make(map[string]weighed, len(b.Features.Terms))
	sum := 0.0
	for i, term := range b.Features.Terms {
		w := float64(b.Judge.Weights[i]) * float64(b.Features.IDF[i])
		sum += w * w
		written := ""
		if i < len(b.Features.Written) {
			written = b.Features.Written[i]
		}
		all[term] = weighed{written, w}
	}
	if sum == 0 {
		return all
	}
	for term, w := range all {
		all[term] = weighed{w.written, w.weight / math.Sqrt(sum)}
	}
	return all
}

func union(a, b map[string]weighed) map[string]struct{} {
	all := map[string]struct{}{}
	for k := range maps.Keys(a) {
		all[k] = struct{}{}
	}
	for k := range maps.Keys(b) {
		all[k] = struct{}{}
	}
	return all
}

// sites returns the sites whose number of links changed, the largest change first.
func sites(was, is []scheduler.PreviewLink) []Site {
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
		if s.Was != s.Is {
			all = append(all, *s)
		}
	}
	slices.SortFunc(all, func(a, b Site) int {
		return cmp.Or(cmp.Compare(abs(b.Is-b.Was), abs(a.Is-a.Was)), cmp.Compare(a.Name, b.Name))
	})
	return all[:min(named, len(all))]
}

func abs(n int) int { return max(n, -n) }
