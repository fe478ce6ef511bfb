package senses

import (
	"cmp"
	"slices"

	"nightjar/model/wordnet"
)

// Defaults of a Describer.
const (
	DefaultWords         = 8
	DefaultMinSimilarity = .7

	maxWords = 64 // of a description, whatever Describer.Words says
)

// Ontology is what words are mapped to. Terms are numbered from 0.
type Ontology interface {
	// Nearest is the term with the sense most similar to s, that sense, and their similarity. The term is -1 when no term
	// has a sense.
	Nearest(s wordnet.Sense) (term int, of wordnet.Sense, similarity float64)

	// Labelled is the term with a label that is the word.
	Labelled(word string) (term int, ok bool)
}

// Describer describes pages. It may be used from several goroutines at the same time if its Ontology may.
type Describer struct {
	Net           *wordnet.Net // nil: words match labels only
	Ontology      Ontology     // nil: words are not mapped
	Words         int          // words of a page that take part; 0: DefaultWords
	MinSimilarity float64      // a word with a smaller similarity to its term is not mapped; 0: DefaultMinSimilarity
	Choose        Options
}

// Keyword is a word that links use for a page, n_j in [THESUS] §5.3.3. The words of a page are in base form, each there
// once.
type Keyword struct {
	Word string
	N    int // pages that use it in links to the page
}

// Word is a keyword with what it was taken for.
type Word struct {
	Keyword
	Base       string        // the form in which WordNet has it; Word itself if WordNet lacks it
	Sense      wordnet.Sense // chosen; wordnet.None if WordNet lacks the word
	Rank       int           // place of the sense among those of the word, from 0; -1 without a sense
	Term       int           // to which it is mapped; -1: to none
	TermSense  wordnet.Sense // the term's sense that is most similar; wordnet.None if the word is a label
	Similarity float64       // s_j in [0, 1], to that sense, also when the word is not mapped; 1 if the word is a label
}

// Term is a term of the ontology with its weight for a page.
type Term struct {
	Term   int
	Weight float64 // r_i in (0, 1]
	Words  []int   // the words mapped to it: places in Description.Words, ascending
}

// Description is what links say about a page.
type Description struct {
	Words  []Word // that took part, the most used first
	Terms  []Term // ascending
	Choice Choice // of the senses of Words
}

// Describe chooses senses for the keywords that most pages use, of several the alphabetically first, and maps them to
// terms. Keywords without a word or with N < 1 are left out. The weight of a term is the mean similarity of the words
// mapped to it, weighted by the number of pages that use them:
//
//	r_i = Σ_j n_j·s_j / Σ_j n_j over the words k_j mapped to t_i            [THESUS] §5.3.3, eq. (1)
//
// The formula is lost in the copy at hand, and is restored from the sentence that introduces it. The paper has no smallest
// similarity, yet says that words about the weather map to no term of an ontology of music.
func (d *Describer) Describe(keywords []Keyword) Description {
	var of Description
	var lists [][]wordnet.Sense
	for _, k := range d.most(keywords) {
		w := Word{Keyword: k, Base: k.Word, Sense: wordnet.None, Rank: -1, Term: -1, TermSense: wordnet.None}
		var senses []wordnet.Sense
		if base, found := Lookup(d.Net, k.Word); len(found) > 0 {
			w.Base, senses = base, found
		}
		of.Words, lists = append(of.Words, w), append(lists, senses)
	}
	if d.Net != nil {
		of.Choice = Choose(lists, d.Net.Similarity, d.Choose)
	} else {
		of.Choice = Choose(lists, nil, d.Choose)
	}
	for i, rank := range of.Choice.Ranks {
		if w := &of.Words[i]; rank >= 0 {
			w.Rank, w.Sense = rank, lists[i][rank]
		}
		if d.Ontology != nil {
			d.place(&of.Words[i])
		}
	}
	of.Terms = weigh(of.Words)
	return of
}

// most lists the keywords that take part.
func (d *Describer) most(keywords []Keyword) []Keyword {
	all := slices.DeleteFunc(slices.Clone(keywords), func(k Keyword) bool { return k.Word == "" || k.N < 1 })
	slices.SortFunc(all, func(a, b Keyword) int { return cmp.Or(cmp.Compare(b.N, a.N), cmp.Compare(a.Word, b.Word)) })
	return all[:min(len(all), cmp.Or(d.Words, DefaultWords), maxWords)]
}

// Lookup finds the base form of a word and its senses: those of the noun, or of the verb when there is no noun. There are
// none when net is nil or lacks the word.
func Lookup(net *wordnet.Net, word string) (base string, senses []wordnet.Sense) {
	if net == nil {
		return "", nil
	}
	for _, pos := range []wordnet.POS{wordnet.Noun, wordnet.Verb} {
		if bases := net.Morphy(word, pos); len(bases) > 0 {
			return bases[0], net.Senses(bases[0], pos)
		}
	}
	return "", nil
}

// place maps a word to a term: by its sense, or by its label when WordNet lacks it.
func (d *Describer) place(w *Word) {
	if w.Sense == wordnet.None {
		if term, ok := d.Ontology.Labelled(w.Word); ok {
			w.Term, w.Similarity = term, 1
		}
		return
	}
	term, of, s := d.Ontology.Nearest(w.Sense)
	if term < 0 {
		return
	}
	w.TermSense, w.Similarity = of, s
	if s >= cmp.Or(d.MinSimilarity, DefaultMinSimilarity) {
		w.Term = term
	}
}

// weigh is equation 1.
func weigh(words []Word) []Term {
	at := map[int]int{}
	var terms []Term
	var pages []float64 // [term]: Σ n_j
	for i, w := range words {
		if w.Term < 0 {
			continue
		}
		k, ok := at[w.Term]
		if !ok {
			k = len(terms)
			at[w.Term] = k
			terms, pages = append(terms, Term{Term: w.Term}), append(pages, 0)
		}
		terms[k].Words = append(terms[k].Words, i)
		terms[k].Weight += float64(w.N) * w.Similarity
		pages[k] += float64(w.N)
	}
	for k := range terms {
		terms[k].Weight = min(terms[k].Weight/pages[k], 1)
	}
	slices.SortFunc(terms, func(a, b Term) int { return cmp.Compare(a.Term, b.Term) })
	return terms
}

// Concept is a sense with its weight for a page.
type Concept struct {
	Sense  wordnet.Sense
	Weight float64 // in (0, 1]; 1 for the one that most pages use
}

// Concepts are the chosen senses themselves with weights n_j / max n, ascending by sense: the description by keywords of
// [THESUS] §6.3, table 2. Of words with the same sense the one that most pages use counts.
func (of *Description) Concepts() []Concept {
	top := 0
	most := map[wordnet.Sense]int{}
	for _, w := range of.Words {
		if w.Sense != wordnet.None {
			most[w.Sense] = max(most[w.Sense], w.N)
			top = max(top, w.N)
		}
	}
	all := make([]Concept, 0, len(most))
	for s, n := range most {
		all = append(all, Concept{Sense: s, Weight: float64(n) / float64(top)})
	}
	slices.SortFunc(all, func(a, b Concept) int { return cmp.Compare(a.Sense, b.Sense) })
	return all
}
