package pages

import (
	"context"

	"nightjar/daemon/chart"
	"nightjar/daemon/morning/search"
	"nightjar/daemon/thesus/explore"
	"nightjar/daemon/web/frame"
)

// mostAsked is the maximal number of letters of a question.
const mostAsked = 200

// answerView is what was found for words.
type answerView struct {
	Words    []saidWord
	Groups   []answerGroup
	Unmapped []string
	Found    []answerHit
	Any      bool
}

// saidWord is a word with what it was taken for.
type saidWord struct {
	Word  string
	N     int
	Sense string // in words; "" without
	Term  string // in words; "" if it was mapped to none
	Href  string // of the term; "" where there is no page of it
	Sure  string // similarity of the two
	Wide  int    // of its bar, in percent of the largest
	Now   bool   // it is the current one
	Pick  string // address of the links that have it
}

// answerGroup is pages of one cluster that fit.
type answerGroup struct {
	Name  string
	Href  string // of the cluster; "" for pages in none
	Class string
	N     int
	Near  string
	Pages []groupedPage
	More  int // pages that are not listed
}

// answerHit is a page whose text has words that describe nothing here.
type answerHit struct {
	Link    frame.Link
	Path    string
	Snippet []search.SnippetPart
}

const (
	answersEach  = 6 // pages listed of a cluster
	answerGroups = 12
	answerHits   = 20
)

// answerOf finds what fits words.
func (s *server) answerOf(ctx context.Context, p *groupingPage, d *digest) (*answerView, error) {
	a, err := s.Explore.Ask(ctx, p.Line.ID, p.Text)
	if err != nil {
		return nil, err
	}
	at := explorePlace{grouping: p.Line.ID, level: d.view.Default, cluster: -1}
	v := &answerView{Unmapped: a.Unmapped}
	for _, word := range a.Words {
		v.Words = append(v.Words, s.wordOf(word, d, at))
	}
	for _, g := range a.Groups[:min(len(a.Groups), answerGroups)] {
		one := answerGroup{Name: frame.Printable(g.Label), Near: frame.Decimal(g.Similarity), More: max(0, len(g.Pages)-answersEach)}
		shown := g.Pages[:len(g.Pages)-one.More]
		one.More += g.More
		if g.Cluster >= 0 {
			one.Href, one.Class, one.N = at.of(d.view.Default, g.Cluster).href(), clusterClass(g.Cluster), g.Cluster+1
		}
		for _, page := range shown {
			one.Pages = append(one.Pages, groupedPageOf(page.Page, at, page.Similarity))
		}
		v.Groups = append(v.Groups, one)
	}
	terms := search.Terms(a.Unmapped...)
	for _, h := range a.Found[:min(len(a.Found), answerHits)] {
		v.Found = append(v.Found, answerHit{frame.LinkTo(h.URL, h.Title), chart.Shorten(80, frame.PathOf(h.URL)),
			search.Mark(chart.Shorten(600, h.Snippet), terms)})
	}
	v.Any = len(v.Groups)+len(v.Found) > 0
	return v, nil
}

// wordOf says what a word was taken for.
func (s *server) wordOf(word explore.SaidWord, d *digest, at explorePlace) saidWord {
	w := saidWord{Word: frame.Printable(word.Word), N: word.N, Sense: frame.Printable(word.Sense)}
	key := word.Term
	if key == "" && d.tree == nil {
		key = word.Sense
	}
	if key == "" {
		return w
	}
	w.Term = frame.Printable(d.name(key))
	if _, known := d.pages[key]; known || d.tree != nil {
		w.Href = at.about(key).href()
	}
	if word.Similarity > 0 {
		w.Sure = frame.Decimal(word.Similarity)
	}
	return w
}
