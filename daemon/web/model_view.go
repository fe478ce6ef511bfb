package web

import (
	"fmt"
	"strconv"

	"nightjar/daemon/web/chart"
	"nightjar/model"
)

// relevantView says which pages count as relevant.
type relevantView struct {
	Name      string // of the method that decides
	Symbol    string // of its threshold, "" for none
	Value     string
	Meaning   string
	How       string
	Tag       string // a warning, "" for none
	Other     string // threshold of the other method, "" when there is none
	OtherName string
}

// clusterCard is a cluster with the words that set it apart.
type clusterCard struct {
	N      int
	Class  string
	Name   string
	Size   int
	Odds   []string
	Mutual []string
}

// matrix is a heat map with its headings.
type matrix struct {
	Caption string
	Corner  string // heading of the rows
	Columns []string
	Rows    []matrixRow
}

type matrixRow struct {
	Name  string
	Cells []matrixCell
}

// matrixCell is a cell of a heat map: Text with a small Note below it; Share sets the colour.
type matrixCell struct {
	Share float64
	Text  string
	Note  string
	Class string // in addition to the colour's
}

type modelPageLine struct {
	Link    link
	Cluster int
	Class   string
	State   int
	Words   int
}

// show fills the page with the tables and pictures of a bundle.
func (p *modelPage) show(b *model.Bundle) {
	p.Bundle = b
	for k, c := range b.Clusters {
		p.Clusters = append(p.Clusters, clusterCard{k, chart.ClusterClass(k), clusterName(k), c.Size, words(c.LogOdds, 30), words(c.MutualInformation, 30)})
	}
	p.Relevant = relevantOf(b)
	p.Words = wordsOf(b)
	p.showConcept(b)
	p.States = graphView{ID: "states", Class: "states fit", Title: "Hidden states, and how likely a link leads from one to another",
		Picture: chart.States(b.Transition),
		Caption: "Arcs above lead towards useful pages, arcs below lead away from them. Probabilities under 1 % are not drawn."}
	p.A, p.B = matrices(b)
}

// showConcept draws the concept graph and lists its pages.
func (p *modelPage) showConcept(b *model.Bundle) {
	var nodes []chart.ConceptPage
	for _, f := range b.Pages {
		name := titleOr(f.Title, f.URL)
		nodes = append(nodes, chart.ConceptPage{Title: name, URL: f.URL, Cluster: f.Cluster, State: f.State})
		p.Pages = append(p.Pages, modelPageLine{link{f.URL, name}, f.Cluster, chart.ClusterClass(f.Cluster), f.State, f.Words})
	}
	picture, whole := chart.Concept(nodes, b.Edges, len(b.Transition))
	p.Concept = graphView{ID: "concept", Class: "concept", Title: "Concept graph with hop labels", Picture: picture,
		Caption: "Each training page is in the column of its state; the number is its cluster. Blue arrows lead nearer to a useful page."}
	if !whole {
		p.Concept.Caption = fmt.Sprintf("Training pages are in the columns of their states; the number and the colour show the cluster. "+
			"Only one shortest path from each page to a useful one is drawn of the %s links, through the page that most others lead to. "+
			"A page without a line has no link that leads nearer. Point at a page to see its title; the table below lists all pages.", number(len(b.Edges)))
	}
	if picture.Width < 1400 {
		p.Concept.Class += " roomy"
	}
}

// matrices returns A and B with the farthest state first, as in the pictures.
func matrices(b *model.Bundle) (transition, emission matrix) {
	states := len(b.Transition)
	transition = matrix{Corner: "From", Caption: "A: how often a link leads from a state (row) to a state (column)"}
	emission = matrix{Corner: "State", Caption: "B: how often a page in a state (row) is in a cluster (column)"}
	for k := range b.Clusters {
		emission.Columns = append(emission.Columns, clusterName(k))
	}
	for i := states - 1; i >= 0; i-- {
		transition.Columns = append(transition.Columns, "to "+stateName(i))
		var to, of matrixRow
		to.Name, of.Name = stateName(i), stateName(i)
		for j := states - 1; j >= 0; j-- {
			to.Cells = append(to.Cells, probability(b.Transition[i][j]))
		}
		for _, p := range b.Emission[i] {
			of.Cells = append(of.Cells, probability(p))
		}
		transition.Rows, emission.Rows = append(transition.Rows, to), append(emission.Rows, of)
	}
	return transition, emission
}

func probability(p float64) matrixCell { return matrixCell{Share: p, Text: percent(p)} }

func stateName(i int) string { return "T" + strconv.Itoa(i) }

func clusterName(k int) string {
	if k == 0 {
		return "Useful"
	}
	return strconv.Itoa(k)
}

func words(scored []model.Word, count int) []string {
	var all []string
	for _, w := range scored[:min(count, len(scored))] {
		all = append(all, w.Word)
	}
	return all
}

// relevantOf describes the method and the threshold by which the model calls a page relevant.
func relevantOf(b *model.Bundle) relevantView {
	cosine := relevantView{Name: "LSI cosine", Symbol: "γ", Value: decimal(b.Gamma.Value), How: b.Gamma.How,
		Meaning: "A page counts as relevant when it is at least this similar to a page you marked Useful."}
	if !b.Gamma.Calibrated {
		cosine.Tag = "not calibrated"
	}
	if len(b.Judge.Weights) == 0 {
		return cosine
	}
	judge := relevantView{Name: "judge", Value: percent(b.Judge.Threshold), How: b.Judge.How,
		Meaning: "A page counts as relevant when the judge gives it at least this probability of being one you would mark Useful."}
	if b.Choice.Relevance == model.RelevantByJudge {
		judge.OtherName, judge.Other = "The LSI cosine", "γ "+cosine.Value
		return judge
	}
	cosine.OtherName, cosine.Other = "The judge", judge.Value
	return cosine
}
