package model

import (
	"sync"

	"nightjar/model/logistic"
	"nightjar/model/text"
)

// candidates are the links of a page to choose from.
type candidates struct {
	link  []logistic.Row // words of each anchor
	right []bool         // leads one link nearer to a useful page, by a page that was held back
}

// links lists the links to choose from for each page of the session that has a right link: all its links, visited or not.
// A link is right when it leads to a page that was held back and is one link nearer to a useful page. A link that leads
// nearer by way of a known page is left out, as the model has seen where it leads.
func (a *assessment) links(f fold) []candidates {
	out := make([]bool, len(a.set.Pages))
	for _, i := range f.out {
		out[i] = true
	}
	var all []candidates
	for i, p := range a.set.Pages {
		var c candidates
		any := false
		for _, l := range p.Links {
			nearer := l.To >= 0 && a.state[i] > 0 && a.state[l.To] == a.state[i]-1
			if nearer && !out[l.To] {
				continue
			}
			any = any || nearer
			c.link, c.right = append(c.link, a.anchors.row(a.language[i], l.Anchor)), append(c.right, nearer)
		}
		if any && len(c.link) > 1 {
			all = append(all, c)
		}
	}
	return all
}

// values is the value of each link. The hidden Markov model's prediction is the same for all links of a page, so that only
// the judge's score of their anchor texts tells them apart.
func (a *assessment) values(l *learned, c candidates) []float64 {
	v := make([]float64, len(c.link))
	for i, r := range c.link {
		v[i] = l.judge.score(r)
	}
	return v
}

// cosines is the largest cosine of each link's anchor text to a known target.
func (a *assessment) cosines(c candidates, known []int) []float64 {
	v := make([]float64, len(c.link))
	for i, r := range c.link {
		for _, t := range known {
			v[i] = max(v[i], cosine(r, a.rows[t]))
		}
	}
	return v
}

// anchors remembers the words of anchor texts; it is safe for concurrent use.
type anchors struct {
	features *Features
	index    map[string]int32
	words    *text.Counter
	mu       sync.Mutex
	rows     map[anchorText]logistic.Row
}

// anchorText is an anchor text and the language of the page that holds it.
type anchorText struct {
	language text.Language
	text     string
}

func newAnchors(f *Features) *anchors {
	return &anchors{features: f, index: f.index(), words: text.NewCounter(), rows: map[anchorText]logistic.Row{}}
}

func (a *anchors) row(l text.Language, anchor string) logistic.Row {
	a.mu.Lock()
	defer a.mu.Unlock()
	key := anchorText{l, anchor}
	r, ok := a.rows[key]
	if !ok {
		r = a.features.Row(countFeatures(a.words.CountIn(l, anchor), a.index))
		a.rows[key] = r
	}
	return r
}
