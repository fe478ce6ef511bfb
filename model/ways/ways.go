package ways

import (
	"nightjar/model/crf"
	"nightjar/model/measure"
)

// Labelling says what the labels of pages are.
type Labelling string

// The labellings.
const (
	Milestones Labelling = "milestones" // names that the person gave to pages, and pre-states of them, [CRF] §3.3
	Hops       Labelling = "hops"       // links to a useful page, as in [HMM] §3.1
)

// Reward says how the worth of a label is reckoned.
type Reward string

// The rewards. Printed is nearly blind to where a page stands: the last page's own words decide what the label before it
// is worth, whatever that label is, so that on WebKB "fail" (.291) is worth as much as "faculty" (.291), and only the goal
// (.835) stands out. Visits tells them apart (.015, .335), and leaves 0 for a label that was never met.
const (
	Visits  Reward = "visits"  // what paths through the label got, crf.Model.RewardVisits
	Printed Reward = "printed" // [CRF] §5.2.1 with its indices put right, crf.Model.RewardPrinted
)

// Ways is what was learned from paths: the field, and the facts of its training. It must not be changed.
type Ways struct {
	Labelling    Labelling
	Labels       []string // L names; "goal", "fail", "pre-NAME", names of milestones, or T0, T1 …
	Goal         int      // number of the label of useful pages
	PageFeatures []string // row f of Field.Pages, sorted
	LinkFeatures []string // row f of Field.Links, sorted
	HeadingSets  string   // the sets of headings that features were made with, as in their file
	Field        *crf.Model

	Gamma     float64   // discount of a link, in (0, 1)
	C2        float64   // of the penalty C2·‖w‖²
	Visits    []float64 // worth of each label, len L, in [0, 1]
	Printed   []float64 // the same as printed, len L, in [0, 1]
	Reward    Reward    // the one that crawls go by
	Threshold float64   // smallest P(goal) of a page that counts as relevant by the field alone

	Facts  Facts
	Report *Report // nil without enough paths to hold any back
	Shown  []Shown // paths with their labels, true and predicted, at most MaxShown
}

// Worth is the worth of each label by a reward: Visits for any but Printed.
func (w *Ways) Worth(r Reward) []float64 {
	if r == Printed {
		return w.Printed
	}
	return w.Visits
}

// Facts are the numbers of a training.
type Facts struct {
	Paths      map[Kind]int `cbor:"paths" json:"paths"`       // distinct ways of each kind
	Positive   int          `cbor:"positive" json:"positive"` // distinct ways that ended at a useful page
	Negative   int          `cbor:"negative" json:"negative"`
	Pages      int          `cbor:"pages" json:"pages"`                       // distinct pages on them
	Weights    int          `cbor:"weights" json:"weights"`                   // that were learned
	Dropped    int          `cbor:"dropped" json:"dropped"`                   // rare features that were left out because there were too many
	Unused     []string     `cbor:"unused,omitempty" json:"unused,omitempty"` // names of milestones that stand on no page of a way, sorted
	Objective  float64      `cbor:"objective" json:"objective"`               // F at the end
	Iterations int          `cbor:"iterations" json:"iterations"`
	Folds      []Fold       `cbor:"folds" json:"folds"`
}

// Fold is one choice of C2 and Gamma and how it did on the paths held back.
type Fold struct {
	C2    float64 `cbor:"c2" json:"c2"`
	Gamma float64 `cbor:"gamma" json:"gamma"`
	Loss  float64 `cbor:"loss" json:"loss"` // mean over the pages held back of the log loss of "is goal", natural logarithms
	// Rank is the probability that a link of a way to a useful page scores higher than one of a way that led nowhere, ties
	// counting half; N is how many links were compared. Zero when there were links of one kind only.
	Rank Figure `cbor:"rank" json:"rank"`
}

// Report says how well the field labels paths that it did not learn from.
type Report struct {
	Folds     int    `cbor:"folds" json:"folds"`
	HeldBy    string `cbor:"held_by" json:"held_by"` // HeldBySite or HeldByTree: what is held back together
	Pages     int    `cbor:"pages" json:"pages"`     // that were labelled
	Paths     int    `cbor:"paths" json:"paths"`     // that were labelled
	Precision Figure `cbor:"precision" json:"precision"`
	Recall    Figure `cbor:"recall" json:"recall"`
	F1        Figure `cbor:"f1" json:"f1"`             // precision, recall and F1 are of goal; N of F1 is how many pages are the goal
	Accuracy  Figure `cbor:"accuracy" json:"accuracy"` // of all labels
}

// Figure is a measured share with a 95 % interval.
type Figure = measure.Figure

// Values of Report.HeldBy.
const (
	HeldBySite = "site" // ways that end on the same site
	HeldByTree = "tree" // ways that begin with the same visit
)

// MaxShown is how many paths are kept to be shown.
const MaxShown = 200

// Shown is a path with its labels.
type Shown struct {
	Kind     Kind        `cbor:"kind"`
	Positive bool        `cbor:"positive"`
	Count    float64     `cbor:"count"`
	Held     bool        `cbor:"held"` // predicted by a field that did not learn from it
	Steps    []ShownStep `cbor:"steps"`
}

// ShownStep is a page of a shown path. Labels are numbers into Ways.Labels.
type ShownStep struct {
	URL         string  `cbor:"url"`
	Title       string  `cbor:"title"`
	Anchor      string  `cbor:"anchor"`
	True        int     `cbor:"true"`
	Predicted   int     `cbor:"predicted"`
	Probability float64 `cbor:"probability"` // of the predicted label
}
