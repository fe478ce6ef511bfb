package ways

import "nightjar/model/crf"

// Labelling says what the labels of pages are.
type Labelling string

// The labellings.
const (
	Milestones Labelling = "milestones" // names that the person gave to pages, and pre-states of them, [CRF] §3.3
	Hops       Labelling = "hops"       // links to a useful page, as in [HMM] §3.1
)

// Reward says how the worth of a label is reckoned.
type Reward string

// The rewards.
const (
	Visits  Reward = "visits"  // what paths through the label got, crf.Model.RewardVisits
	Printed Reward = "printed" // [CRF] §5.2.1, crf.Model.RewardPrinted
)

// Ways is what was learned from paths: the field, and the facts of its training.
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
	Reward    Reward    // the one that crawls go by unless told otherwise
	Threshold float64   // smallest P(goal) of a page that counts as relevant by the field alone

	Facts  Facts
	Report *Report // nil without enough paths to hold any back
	Shown  []Shown // paths with their labels, true and predicted, at most MaxShown
}

// Facts are the numbers of a training.
type Facts struct {
	Paths      map[Kind]int // distinct ways of each kind
	Positive   int          // distinct ways that ended at a useful page
	Negative   int
	Pages      int     // distinct pages on them
	Weights    int     // that were learned
	Dropped    int     // rare features that were left out because there were too many
	Objective  float64 // F at the end
	Iterations int
	Folds      []Fold
}

// Fold is one choice of C2 and Gamma and how it did on the paths held back.
type Fold struct {
	C2, Gamma float64
	Loss      float64 // mean over the pages held back of the log loss of "is goal", natural logarithms
}

// Report says how well the field labels paths that it did not learn from.
type Report struct {
	Folds                 int
	HeldBy                string // "site" or "tree": what is held back together
	Pages, Paths          int    // pages and paths that were labelled
	Precision, Recall, F1 Figure // of goal
	Accuracy              Figure // of all labels
}

// Figure is a measured share with a 95 % interval.
type Figure struct {
	Value, Low, High float64
	N                int // of what it is a share
}

// MaxShown is how many paths are kept to be shown.
const MaxShown = 200

// Shown is a path with its labels.
type Shown struct {
	Kind     Kind
	Positive bool
	Count    float64
	Steps    []ShownStep
}

// ShownStep is a page of a shown path. Labels are numbers into Ways.Labels.
type ShownStep struct {
	URL, Title, Anchor string
	True, Predicted    int
	Probability        float64 // of the predicted label
}
