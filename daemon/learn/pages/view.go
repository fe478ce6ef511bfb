package pages

import (
	"strconv"

	"nightjar/daemon/chart"
	"nightjar/daemon/web/frame"
	"nightjar/model"
)

// relevantView says which pages count as relevant.
type relevantView struct {
	Name      string // of the method that decides
	Symbol    string // of its threshold, "" for none
	Value     string
	Meaning   string
	Plain     string // the same in plain words
	How       string
	Tag       string // a warning, "" for none
	Other     string // threshold of the other method, "" when there is none
	OtherName string
}

// clusterCard is a cluster with the words that set it apart.
type clusterCard struct {
	N      int
	Class  string
	Shape  int // of its symbol in pictures
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
	N       int
	Link    frame.Link
	Cluster int
	Class   string
	State   int
	Words   int
}

// show fills the page with the tables and pictures of a bundle.
func (p *modelPage) show(b *model.Bundle) {
	p.Bundle = b
	for k, c := range b.Clusters {
		if k > 0 && c.Size < 2 {
			continue // see Bundle.ClusterWords
		}
		p.Clusters = append(p.Clusters, clusterCard{k, chart.ClusterClass(k), chart.ClusterShape(k), clusterName(k), c.Size, model.Texts(c.LogOdds, 30), model.Texts(c.MutualInformation, 30)})
	}
	p.Relevant = relevantOf(b)
	p.Words = wordsOf(b)
	p.States = statesOf(b.Transition)
	p.A, p.B = matrices(b)
}

// statesView is the state diagram, drawn as a row and as a column for narrow windows.
type statesView struct {
	Row, Column graphView
	Long        bool
	Caption     string
}

func statesOf(transition [][]float64) statesView {
	const title = "Hidden states, and how likely a link leads from one to another"
	return statesView{Long: len(transition) >= chart.LongStates,
		Row:     graphView{ID: "states-row", Class: "row-of", Title: title, Picture: chart.States(transition, false)},
		Column:  graphView{ID: "states-column", Class: "column-of", Title: title, Picture: chart.States(transition, true)},
		Caption: "Blue arcs lead towards useful pages, grey arcs lead away from them. Probabilities under 1 % are not drawn; the table has them all."}
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

func probability(p float64) matrixCell { return matrixCell{Share: p, Text: frame.Percent(p)} }

func stateName(i int) string { return "T" + strconv.Itoa(i) }

func clusterName(k int) string {
	if k == 0 {
		return "Useful"
	}
	return strconv.Itoa(k)
}

// relevantOf describes the method and the threshold by which the model calls a page relevant.
func relevantOf(b *model.Bundle) relevantView {
	cosine := relevantView{Name: "LSI cosine", Symbol: "γ", Value: frame.Decimal(b.Gamma.Value), How: b.Gamma.How,
		Plain:   "A page becomes a find when its text is similar enough to one that you marked Useful.",
		Meaning: "A page counts as relevant when it is at least this similar to a page you marked Useful."}
	if !b.Gamma.Calibrated {
		cosine.Tag = "not calibrated"
	}
	if len(b.Judge.Weights) == 0 {
		return cosine
	}
	judge := relevantView{Name: "judge", Value: frame.Percent(b.Judge.Threshold), How: b.Judge.How,
		Plain:   "A page becomes a find when it is at least " + frame.Percent(b.Judge.Threshold) + " likely that you would mark it Useful.",
		Meaning: "A page counts as relevant when the judge gives it at least this probability of being one you would mark Useful."}
	if b.Choice.Relevance == model.RelevantByJudge {
		judge.OtherName, judge.Other = "The LSI cosine", "γ "+cosine.Value
		return judge
	}
	cosine.OtherName, cosine.Other = "The judge", judge.Value
	return cosine
}

type graphView struct {
	ID      string
	Class   string
	Title   string
	Picture chart.Picture
}
