package crf

// Step is one page of a path and the link that led to it.
type Step struct {
	Page []int32 // numbers of the page's features, ascending, each once
	Link []int32 // numbers of the link's features, ascending, each once; ignored for the first page
}

// Sequence is a labelled path.
type Sequence struct {
	Steps    []Step  // at least one
	Labels   []int   // one for each step, in [0, L)
	Count    float64 // m, how often the path was met; above 0
	Positive bool    // it ended at a useful page; only the rewards read this
}

// Model is a field over L labels. A weight that training never met is 0.
type Model struct {
	Labels int       // L, at least 1
	Pages  Table     // U, a row for each page feature
	Links  Table     // V, a row for each link feature
	Steps  []float64 // A, L×L, row-major: from label (row) to label (column)
}

// Table is a sparse matrix of weights with L columns. Row f is Label[Start[f]:Start[f+1]] and the same of Weight.
type Table struct {
	Start  []int32   // one more than there are rows, ascending from 0
	Label  []int32   // columns, ascending in each row
	Weight []float64 // of each entry
}

// Rows is the number of features.
func (t *Table) Rows() int { return max(0, len(t.Start)-1) }

// State is what a crawl knows of a path after its last page or link: natural logarithms for each label, of which only the
// differences matter.
type State struct {
	Alpha []float64 // log of the sum over all labellings of the path; log-sum-exp is 0
	Delta []float64 // log of the best labelling's weight; the largest is 0
}
