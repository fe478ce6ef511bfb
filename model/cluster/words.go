package cluster

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"nightjar/model/internal/parallel"
	"nightjar/model/text"
)

// Scored is a term with its score.
type Scored struct {
	Term  string
	Score float64
}

// Words returns for each cluster the terms that tell its documents best from all others, best first, at most count each,
// by two measures that [HMM] §2.2.2 and its appendix name without formulas. assign[i] is the cluster of document i, in
// [0, clusters); documents with a negative one are left out. Both measures count documents, not occurrences, so that a
// long page does not stand for its cluster. With a of the n documents in the cluster and b of the m others having the
// term:
//
//	log odds ratio      ln( (a+½)(m-b+½) / ((n-a+½)(b+½)) )                        (Haldane-Anscombe correction)
//	mutual information  Σ_{x,y∈{0,1}} P(x,y) log2( P(x,y) / (P(x)P(y)) )           x: has the term, y: in the cluster
//
// with P from the four counts a, b, n-a, m-b, each plus ½ (Manning, Raghavan & Schütze, Introduction to Information
// Retrieval, §13.5.1). Only terms that are more frequent inside than outside are listed: a missing term does not describe
// a cluster. The log odds ratio is large for any word that occurs nowhere else, so that it is taken only of terms in at
// least a tenth of the cluster's documents, and in two of them when the cluster has more than two. Ties are ordered by a,
// then by term.
func Words(docs text.Collection, assign []int, clusters, count int) (logOdds, mutual [][]Scored) {
	t := tally(docs, assign, clusters)
	logOdds, mutual = make([][]Scored, clusters), make([][]Scored, clusters)
	parallel.Each(clusters, func(c int) {
		byOdds, byInformation := ranking{count: count}, ranking{count: count}
		enough := t.documents[c] / 10
		if t.documents[c] > 2 {
			enough = max(enough, 2)
		}
		for term := range t.terms {
			inside := t.inside(c, term)
			f := t.table(c, term)
			if inside == 0 || f.rateInside() <= f.rateOutside() {
				continue
			}
			if inside >= enough {
				byOdds.offer(candidate{t.terms[term], f.logOdds(), inside})
			}
			byInformation.offer(candidate{t.terms[term], f.mutual(), inside})
		}
		logOdds[c], mutual[c] = byOdds.scored(), byInformation.scored()
	})
	return logOdds, mutual
}

// tallies counts documents: how many a cluster has, and in how many of them a term occurs.
type tallies struct {
	documents []int
	total     int
	terms     []string
	having    []int32 // terms×clusters
	anywhere  []int32 // by term
}

func (t tallies) inside(c, term int) int { return int(t.having[term*len(t.documents)+c]) }

func tally(docs text.Collection, assign []int, clusters int) tallies {
	t := tallies{
		documents: make([]int, clusters), terms: docs.Terms,
		having: make([]int32, len(docs.Terms)*clusters), anywhere: make([]int32, len(docs.Terms)),
	}
	for i, d := range docs.Docs {
		c := assign[i]
		if c < 0 {
			continue
		}
		t.documents[c]++
		t.total++
		for _, o := range d {
			t.having[int(o.Term())*clusters+c]++
			t.anywhere[o.Term()]++
		}
	}
	return t
}

// fourfold is a 2×2 table of documents, each count plus ½.
type fourfold struct {
	in, out       float64 // with the term, inside and outside the cluster
	inNot, outNot float64 // without it
}

func (t tallies) table(c, term int) fourfold {
	a, n := t.inside(c, term), t.documents[c]
	b, m := int(t.anywhere[term])-a, t.total-n
	return fourfold{
		in: float64(a) + 0.5, out: float64(b) + 0.5,
		inNot: float64(n-a) + 0.5, outNot: float64(m-b) + 0.5,
	}
}

func (f fourfold) rateInside() float64  { return f.in / (f.in + f.inNot) }
func (f fourfold) rateOutside() float64 { return f.out / (f.out + f.outNot) }

func (f fourfold) logOdds() float64 { return math.Log(f.in * f.outNot / (f.inNot * f.out)) }

func (f fourfold) mutual() float64 {
	total := f.in + f.out + f.inNot + f.outNot
	with, inside := f.in+f.out, f.in+f.inNot
	without, outside := total-with, total-inside
	part := func(joint, x, y float64) float64 { return joint / total * math.Log2(joint*total/(x*y)) }
	return part(f.in, with, inside) + part(f.out, with, outside) +
		part(f.inNot, without, inside) + part(f.outNot, without, outside)
}

// candidate is a term that may be listed.
type candidate struct {
	term   string
	score  float64
	inside int
}

// before is the order of a list: best first.
func (a candidate) before(b candidate) bool {
	return cmp.Or(cmp.Compare(b.score, a.score), b.inside-a.inside, strings.Compare(a.term, b.term)) < 0
}

// ranking keeps the first count of the candidates offered, in their order.
type ranking struct {
	count int
	list  []candidate
}

func (r *ranking) offer(c candidate) {
	at := len(r.list)
	for at > 0 && c.before(r.list[at-1]) {
		at--
	}
	if at == r.count {
		return
	}
	r.list = slices.Insert(r.list, at, c)
	r.list = r.list[:min(len(r.list), r.count)]
}

func (r *ranking) scored() []Scored {
	out := make([]Scored, len(r.list))
	for i, c := range r.list {
		out[i] = Scored{c.term, c.score}
	}
	return out
}
