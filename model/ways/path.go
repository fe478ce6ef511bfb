// Package ways learns from the ways that a person took to useful pages, and from those that led nowhere, which links to
// follow: [CRF] ch. 3 and 5. Start with Learn, which turns labelled paths into Ways.
//
//	Path -> LabelPaths -> crf.Sequence -> crf.Fit -> Ways
package ways

// Kind says where a path comes from.
type Kind string

// The kinds of paths.
const (
	Marked Kind = "marked" // walked by the person, to a page marked Useful
	Left   Kind = "left"   // walked by the person, who turned back or went elsewhere
	Find   Kind = "find"   // the trail of a find that the person marked
	Graph  Kind = "graph"  // the shortest way in the session's web graph, not walked
)

// Path is a way from the page where it began to its last page.
type Path struct {
	Steps    []Step  // at least one; the last MaxSteps when there were more
	Kind     Kind    // Marked and Graph are positive, Left is negative, Find may be either
	Positive bool    // the last page was marked Useful
	Count    float64 // m, how many equal ways there were; above 0
	Tree     string  // what it began with; paths with the same Tree share pages
}

// Step is one page of a path and the link that led to it.
type Step struct {
	URL      string // canonical
	Title    string
	Anchor   string   // of the link, "" for the first page and a link without text
	Position int      // of the link among those of the page before, from 0; -1 for the first page and a link that is not there
	Name     string   // the milestone that the person called the page, "" for none
	Hop      int      // links from here to a useful page; the last layer means that many, more or no way known
	Page     []string // features of the page, sorted, each once
	Link     []string // features of the link, sorted, each once; nil for the first page
}

// Limits on paths.
const (
	MaxSteps = 20   // pages of a path
	MaxPaths = 2000 // of a topic, the newest
	MaxNames = 40   // labels of a model
)
