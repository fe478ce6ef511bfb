package label

import (
	"math"
	"slices"
	"strings"

	"nightjar/model/cluster"
	"nightjar/model/text"
	"nightjar/model/tfidf"
)

const (
	fewestPages = 3   // of a cluster that have a phrase
	leastShare  = .01 // of the cluster's pages
	half        = .5  // of the sum of its better word, which a phrase must reach to replace its words
)

// phrase is two or three words that follow each other.
type phrase struct {
	words []string
	df    int       // pages that have it
	pages []int     // of each cluster
	score []float64 // of each cluster: its TF-IDF sum
}

// able lists the phrases that may replace their words in a cluster, in the order of their words.
func (b *book) able(c int, found []phrase) (able []*phrase) {
	for i := range found {
		p := &found[i]
		better := 0.0
		for _, w := range p.words {
			better = max(better, b.score(c, w))
		}
		if p.pages[c] >= fewestPages && float64(p.pages[c])/float64(b.sizes[c]) >= leastShare &&
			float64(p.df)/float64(len(b.texts)) <= tfidf.Clusters.Most && better > 0 && p.score[c] >= half*better {
			able = append(able, p)
		}
	}
	slices.SortFunc(able, func(p, q *phrase) int { return slices.Compare(p.words, q.words) })
	return able
}

// token is a word of a text with its number.
type token struct {
	id     int32
	at     text.Span
	stop   bool
	near   bool // one of the words that phrases are looked for around
	joined bool // nothing but what may be inside of a phrase stands between the word before and this one
}

// tokens numbers the words of texts.
type tokens struct {
	language text.Language // whose stop words there are
	ids      map[string]int32
	words    []string
	stop     []bool
	near     []bool
	list     []token // of the text read last
}

func newTokens(l text.Language, near [][]cluster.Scored) *tokens {
	t := &tokens{language: l, ids: make(map[string]int32)}
	for _, list := range near {
		for _, w := range list {
			id := t.number([]byte(w.Term))
			t.near[id] = true
		}
	}
	return t
}

func (t *tokens) number(word []byte) int32 {
	id, ok := t.ids[string(word)]
	if !ok {
		id = int32(len(t.words))
		w := string(word)
		t.ids[w] = id
		t.words, t.stop, t.near = append(t.words, w), append(t.stop, text.StopWordIn(t.language, w)), append(t.near, false)
	}
	return id
}

func (t *tokens) read(s string) {
	t.list = t.list[:0]
	var last text.Span
	for w, at := range text.Separated(s) {
		id := t.number(w)
		t.list = append(t.list, token{id, at, t.stop[id], t.near[id], len(t.list) > 0 && joins(s, last, at)})
		last = at
	}
}

// joins reports whether what stands between two words leaves them in one phrase: spaces, or a hyphen or apostrophe. Words of
// a script without spaces overlap.
func joins(s string, a, b text.Span) bool {
	if b.From < a.To {
		return true
	}
	gap := s[a.To:b.From]
	switch gap {
	case " ", "-", "'", "’", "\u2010", "\u2011":
		return true
	}
	return gap != "" && strings.Trim(gap, " \t\u00a0") == ""
}

// each calls do for every phrase of the text read last that has a word that phrases are looked for around: its words,
// with -1 in the place of a third that is not there, and where it stands.
func (t *tokens) each(do func(key [longest]int32, at text.Span)) {
	for i, first := range t.list {
		if first.stop {
			continue
		}
		key, near := [longest]int32{first.id, -1, -1}, first.near
		for n := 1; n < longest && i+n < len(t.list) && t.list[i+n].joined; n++ {
			last := t.list[i+n]
			if slices.Contains(key[:n], last.id) {
				break // no name says a word twice, but menus do
			}
			key[n], near = last.id, near || last.near
			if !last.stop && near {
				do(key, text.Span{From: first.at.From, To: last.at.To})
			}
		}
	}
}

// tally is what a phrase has so far. Its weight in a page is that of a word as frequent, on the page's scale, so that
// sums of phrases and words compare:
//
//	(0.5 + 0.5·tf / max_{s'} tf_s'p) · ln(|C| / df) / ‖v_p‖
type tally struct {
	df, page, times int       // page: the one that times is of, from 1
	pages           []int     // of each cluster
	tf              []float64 // of each cluster: Σ of the weights but for ln(|C|/df)
}

// phrases finds the phrases around some words of the clusters.
func (b *book) phrases(near [][]cluster.Scored) (found []phrase) {
	t := newTokens(b.language, near)
	all := make(map[[longest]int32]*tally)
	var touched []*tally
	for i, s := range b.texts {
		if b.norm[i] == 0 {
			continue
		}
		t.read(s)
		touched = touched[:0]
		t.each(func(key [longest]int32, _ text.Span) {
			p := all[key]
			if p == nil {
				p = &tally{pages: make([]int, len(b.sizes)), tf: make([]float64, len(b.sizes))}
				all[key] = p
			}
			if p.page != i+1 {
				p.page, p.times = i+1, 0
				p.df++
				touched = append(touched, p)
			}
			p.times++
		})
		for c := b.assign[i]; c >= 0 && len(touched) > 0; touched = touched[:len(touched)-1] {
			p := touched[len(touched)-1]
			p.pages[c]++
			p.tf[c] += tfidf.TF(min(p.times, b.most[i]), b.most[i]) / b.norm[i]
		}
	}
	for key, p := range all {
		if slices.Max(p.pages) < fewestPages {
			continue
		}
		out := phrase{df: p.df, pages: p.pages, score: p.tf}
		for _, id := range key {
			if id >= 0 {
				out.words = append(out.words, t.words[id])
			}
		}
		for c := range out.score {
			out.score[c] *= math.Log(float64(len(b.texts)) / float64(p.df))
		}
		found = append(found, out)
	}
	return found
}
