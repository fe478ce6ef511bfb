package label

import (
	"cmp"
	"slices"
	"strings"

	"nightjar/model/cluster"
	"nightjar/model/text"
	"nightjar/model/tfidf"
)

// Options of the labels. The zero value is Nightjar's own way.
type Options struct {
	Plain    bool // as the paper: single words, in lower case, without expansions
	Unscaled bool // as the paper: (3.6) sums vectors of any length
	Count    int  // labels of a cluster at most; 0 means 5
	Listed   int  // words of Profile.Words at most; 0 means 30
}

// Profile is what the pages of a cluster are about.
type Profile struct {
	Labels []Label          // best first
	Words  []cluster.Scored // largest components of V_c, best first, words in lower case
}

// Label is a word or a phrase that names a cluster.
type Label struct {
	Text      string   // as shown
	Words     []string // in lower case: one, or the two or three of a phrase
	Score     float64  // its component of V_c, > 0; of a phrase, its own sum
	Pages     int      // pages of the cluster that have it
	Expansion string   // what an acronym stands for, as the pages say; "" when they do not
}

const (
	defaultCount  = 5
	defaultListed = 30
	longest       = 3 // words of a phrase
)

// Clusters names each cluster. texts are the texts of all pages, one line for each block; assign[i] is the cluster of
// page i, in [0, clusters), or negative: such pages count for the document frequencies only. A cluster gets fewer
// labels when it has fewer words with a weight, none when it has no page. The same input gives the same labels. It
// panics when the lengths differ.
//
//	V_c = Σ_{p∈c} v_p                                      [PANORAMA] §3.7, eq. (3.6)
//
// over words in place of stems, of which those in fewer than 1 % or more than 80 % of all pages are left out. Each v_p
// has length 1, unless Options.Unscaled says otherwise (see package spherical).
//
// Each page is read three times: for its words, for phrases around the words found, and for the forms in which labels
// are written.
func Clusters(texts []string, assign []int, clusters int, o Options) []Profile {
	if len(texts) != len(assign) {
		panic("label: texts and clusters of different length")
	}
	o.Count, o.Listed = cmp.Or(o.Count, defaultCount), cmp.Or(o.Listed, defaultListed)
	b := newBook(texts, assign, clusters, o.Unscaled)
	profiles := make([]Profile, clusters)
	for c := range profiles {
		profiles[c].Words = b.top(c, o.Listed)
	}
	if o.Plain {
		for c := range profiles {
			profiles[c].Labels = b.singles(c, b.top(c, o.Count))
		}
		return profiles
	}
	// A label takes at most three words, so that no more words are looked at.
	near := make([][]cluster.Scored, clusters)
	for c := range near {
		near[c] = b.top(c, longest*o.Count)
	}
	found := b.phrases(near)
	for c := range profiles {
		profiles[c].Labels = b.choose(c, near[c], found, o.Count)
	}
	b.write(profiles)
	return profiles
}

// book is the words of all pages.
type book struct {
	texts      []string
	language   text.Language // of most texts
	assign     []int
	vocabulary *tfidf.Vocabulary
	most       []int       // of each page: how often its most frequent word occurs
	norm       []float64   // of each page: what its vector is divided by, its length or 1; 0 without words
	sizes      []int       // pages of each cluster
	profile    [][]float64 // V_c, clusters×words
	pages      [][]int32   // pages of each cluster that have each word, clusters×words
}

func newBook(texts []string, assign []int, clusters int, unscaled bool) *book {
	b := &book{
		texts: texts, assign: assign, sizes: make([]int, clusters),
		most: make([]int, len(texts)), norm: make([]float64, len(texts)),
	}
	counts, language := countWords(texts)
	b.language = language
	b.vocabulary = tfidf.Fit(counts, tfidf.Clusters)
	for range clusters {
		b.profile = append(b.profile, make([]float64, b.vocabulary.Len()))
		b.pages = append(b.pages, make([]int32, b.vocabulary.Len()))
	}
	for i, page := range counts {
		v := b.vocabulary.Vector(page)
		if b.norm[i] = v.Norm(); unscaled && b.norm[i] > 0 {
			b.norm[i] = 1
		}
		for _, times := range page {
			b.most[i] = max(b.most[i], times)
		}
		c := assign[i]
		if c < 0 {
			continue
		}
		b.sizes[c]++
		if b.norm[i] == 0 {
			continue
		}
		v.AddTo(b.profile[c], 1/b.norm[i])
		for _, w := range v.Index {
			b.pages[c][w]++
		}
	}
	return b
}

// countWords counts the words of each text that are no stop words of its language; each word is one string in memory. It
// returns the language of most texts, too.
func countWords(texts []string) (counts []text.Counts, most text.Language) {
	known := make(map[string]string)
	counts = make([]text.Counts, len(texts))
	in := make([]int, len(text.Languages()))
	for i, s := range texts {
		counts[i] = text.Counts{}
		language := text.LanguageOf("", s)
		if in[language]++; in[language] > in[most] {
			most = language
		}
		for w := range text.WordsIn(language, s) {
			word, ok := known[string(w)]
			if !ok {
				word = string(w)
				known[word] = word
			}
			counts[i][word]++
		}
	}
	return counts, most
}

// top lists the largest components of V_c, ties by word; components of 0 are not listed.
func (b *book) top(c, count int) []cluster.Scored {
	var all []int
	for w, x := range b.profile[c] {
		if x > 0 {
			all = append(all, w)
		}
	}
	slices.SortFunc(all, func(i, j int) int { // words are in the order of the alphabet
		return cmp.Or(cmp.Compare(b.profile[c][j], b.profile[c][i]), i-j)
	})
	list := make([]cluster.Scored, min(count, len(all)))
	for k := range list {
		list[k] = cluster.Scored{Term: b.vocabulary.Term(all[k]), Score: b.profile[c][all[k]]}
	}
	return list
}

// score is the component of V_c of a word, 0 when the vocabulary lacks it.
func (b *book) score(c int, word string) float64 {
	if w, ok := b.vocabulary.Index(word); ok {
		return b.profile[c][w]
	}
	return 0
}

// single is the label of a word of the vocabulary.
func (b *book) single(c int, s cluster.Scored) Label {
	w, _ := b.vocabulary.Index(s.Term)
	return Label{Text: s.Term, Words: []string{s.Term}, Score: s.Score, Pages: int(b.pages[c][w])}
}

func (b *book) singles(c int, words []cluster.Scored) (labels []Label) {
	for _, w := range words {
		labels = append(labels, b.single(c, w))
	}
	return labels
}

// choose fills the labels of a cluster: its words in the order of V_c, a phrase in the place of the best of its words.
func (b *book) choose(c int, near []cluster.Scored, found []phrase, count int) (labels []Label) {
	able := b.able(c, found)
	used := make(map[string]bool)
	free := func(p *phrase) bool {
		return !slices.ContainsFunc(p.words, func(w string) bool { return used[w] && !text.StopWordIn(b.language, w) })
	}
	for _, w := range near {
		if len(labels) == count {
			break
		}
		if used[w.Term] {
			continue
		}
		var best *phrase
		for _, p := range able {
			if slices.Contains(p.words, w.Term) && free(p) && (best == nil || p.score[c] > best.score[c]) {
				best = p
			}
		}
		if best == nil {
			used[w.Term] = true
			labels = append(labels, b.single(c, w))
			continue
		}
		best = whole(best, able, c, free)
		for _, w := range best.words {
			used[w] = true
		}
		text := strings.Join(best.words, " ")
		labels = append(labels, Label{Text: text, Words: best.words, Score: best.score[c], Pages: best.pages[c]})
	}
	return labels
}

// mostly is the share of a phrase's sum that a longer one must reach to take its place: then the shorter is a piece of
// it.
const mostly = .8

// whole gives the longer phrase that a phrase is a piece of.
func whole(p *phrase, able []*phrase, c int, free func(*phrase) bool) *phrase {
	inside := " " + strings.Join(p.words, " ") + " "
	best := p
	for _, q := range able {
		if len(q.words) > len(p.words) && q.score[c] >= mostly*p.score[c] && free(q) &&
			strings.Contains(" "+strings.Join(q.words, " ")+" ", inside) && (best == p || q.score[c] > best.score[c]) {
			best = q
		}
	}
	return best
}
