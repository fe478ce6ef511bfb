package model

import "nightjar/model/measure"

// Report says how reliable a model is, measured on folds of its own session. Each fold holds back some targets and the
// pages that lead to no other targets, is trained on the rest in the same LSI space, and is asked about the pages held
// back.
type Report struct {
	Folds int `json:"folds"` // 0 when there was too little to measure

	// Reciprocal rank of the best right link among the links of a page. A right link leads one link nearer to a useful page.
	LinkMRR   measure.Figure `json:"link_mrr"`   // links ordered by the judge's score of their anchor text
	AnchorMRR measure.Figure `json:"anchor_mrr"` // links ordered by the cosine of their anchor text to the targets
	ChanceMRR measure.Figure `json:"chance_mrr"` // links in random order

	HopConfusion [][]int        `json:"hop_confusion"` // n×n pages: rows the real state, columns the predicted one
	HopAgreement measure.Figure `json:"hop_agreement"` // share of pages whose predicted state is the real one
	HopBaseline  float64        `json:"hop_baseline"`  // share when the most common state is predicted for every page

	AUC       AUC            `json:"auc"`
	Brier     measure.Figure `json:"brier"`      // mean squared error of the judge's probability
	BrierBase measure.Figure `json:"brier_base"` // when the share of useful pages is predicted for every page

	// Reliability compares the judge's probabilities with the share of useful pages, band by band.
	Reliability []Band `json:"reliability"`

	// Rehearsal is what test crawls found; nil when there were none.
	Rehearsal *Rehearsal `json:"rehearsal,omitempty"`

	Choice  Choice `json:"choice"`
	Verdict string `json:"verdict"` // in words, for the person
}

// AUC is the area under the ROC curve of useful pages against others: 1 tells them apart, 0.5 is chance.
type AUC struct {
	Cosine measure.Figure `json:"lsi_cosine"` // by the largest LSI cosine to a target
	Judge  measure.Figure `json:"judge"`      // by the judge
}

// Band is one band of a reliability diagram.
type Band struct {
	Low    float64 `json:"low"`    // probabilities from here
	High   float64 `json:"high"`   // up to here
	Said   float64 `json:"said"`   // mean probability
	Useful float64 `json:"useful"` // share that is useful
	N      int     `json:"n"`
}

// Choice says which of two tests of relevance to use, as measured on the session itself: by the training first, then by the report.
type Choice struct {
	Relevance string `json:"judge"`    // RelevantByCosine or RelevantByJudge
	Measured  bool   `json:"measured"` // otherwise the default
	Why       string `json:"why"`      // in words
}

// Values of Choice.Relevance.
const (
	RelevantByCosine = "cosine" // relevant when the LSI cosine to a target is at least γ
	RelevantByJudge  = "judge"  // relevant when the judge's probability is at least its threshold
)
