package ways

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Names of labels that no person gave.
const (
	goalLabel = "goal"
	failLabel = "fail"
	preLabel  = "pre-" // followed by the label that comes next
)

// Fewest names, and pages of each, that make milestones.
const (
	minNames     = 2
	minNamePages = 2
)

// Labelled says which label each page of the paths has.
type Labelled struct {
	Labelling Labelling
	Labels    []string // L names, the goal first, then in order
	Goal      int      // number of the label of useful pages
	Of        [][]int  // for each path and page its label, in [0, L)
}

// LabelPaths labels the pages of paths: by milestones where at least two names stand on at least two pages each, otherwise by
// hops. states is n, the number of hop labels; hops are counted up to n-1. 0 means as many as occur.
//
// The last page of a positive path is the goal, and so is any page on the way that the person marked Useful.
//
// With milestones, the last page of a negative path is "fail", and pages without a name between two labelled pages, or
// before the first, are "pre-x": "all unlabelled pages before a labelled page", [CRF] §3.3, where x is the label of the
// second. With hops, a leaf of a negative path keeps its layer; there is no label of its own for it.
//
// The error is ErrOneLabel, a TooManyLabelsError, or says that there are too many states.
func LabelPaths(paths []Path, states int) (*Labelled, error) {
	names := namesOn(paths)
	labelling, enough := Hops, 0
	for _, n := range names {
		if n.Pages >= minNamePages {
			enough++
		}
	}
	if enough >= minNames {
		labelling = Milestones
	}
	of := make([][]string, len(paths))
	goal := goalLabel
	if labelling == Hops {
		goal = hopLabel(0)
	}
	for i := range paths {
		if labelling == Hops {
			of[i] = hops(&paths[i], deepest(paths, states))
		} else {
			of[i] = milestones(&paths[i])
		}
	}
	l := number(of, goal)
	l.Labelling = labelling
	switch {
	case len(l.Labels) > MaxNames && labelling == Milestones:
		return nil, &TooManyLabelsError{Labels: len(l.Labels), Names: names}
	case len(l.Labels) > MaxNames:
		return nil, fmt.Errorf("%d hop labels are more than %d: train with fewer states", len(l.Labels), MaxNames)
	case len(l.Labels) < 2:
		return nil, ErrOneLabel
	}
	return l, nil
}

// namesOn lists the person's names with the number of distinct pages that have them, rarest first.
func namesOn(paths []Path) []NameCount {
	pages := map[string]map[string]bool{}
	for _, p := range paths {
		for _, s := range p.Steps {
			if s.Name == "" {
				continue
			}
			if pages[s.Name] == nil {
				pages[s.Name] = map[string]bool{}
			}
			pages[s.Name][s.URL] = true
		}
	}
	var list []NameCount
	for name, on := range pages {
		list = append(list, NameCount{name, len(on)})
	}
	slices.SortFunc(list, func(a, b NameCount) int {
		return cmp.Or(cmp.Compare(a.Pages, b.Pages), cmp.Compare(a.Name, b.Name))
	})
	return list
}

// milestones labels the pages of a path from its end, so that a page without a name knows the label that comes next.
func milestones(p *Path) []string {
	labels := make([]string, len(p.Steps))
	next := ""
	for i, s := range slices.Backward(p.Steps) {
		last := i == len(p.Steps)-1
		switch {
		case last && !p.Positive:
			next = failLabel
		case last || s.Hop == 0:
			next = goalLabel
		case s.Name != "":
			next = nameLabel(s.Name)
		default:
			labels[i] = preLabel + next
			continue
		}
		labels[i] = next
	}
	return labels
}

// nameLabel is the label of a name, in quotes when it could be taken for one that no person gave.
func nameLabel(name string) string {
	if name == goalLabel || name == failLabel || strings.HasPrefix(name, preLabel) {
		return "“" + name + "”"
	}
	return name
}

// deepest is the number of the last hop label.
func deepest(paths []Path, states int) int {
	if states > 0 {
		return states - 1
	}
	most := 1
	for _, p := range paths {
		for _, s := range p.Steps {
			most = max(most, s.Hop)
		}
	}
	return most
}

// hops labels the pages of a path by their distance to a useful page. What the person left is no useful page, whatever
// its layer says.
func hops(p *Path, last int) []string {
	labels := make([]string, len(p.Steps))
	for i, s := range p.Steps {
		hop := max(0, min(s.Hop, last))
		if i == len(p.Steps)-1 {
			switch {
			case p.Positive:
				hop = 0
			case hop == 0:
				hop = last
			}
		}
		labels[i] = hopLabel(hop)
	}
	return labels
}

func hopLabel(hop int) string { return "T" + strconv.Itoa(hop) }

// Hop is the number of links that a label of the labelling Hops stands for; false for any other.
func Hop(label string) (int, bool) {
	digits, found := strings.CutPrefix(label, "T")
	hop, err := strconv.Atoi(digits)
	return hop, found && err == nil && hop >= 0 && hopLabel(hop) == label
}

// number gives each label its number: the goal is 0.
func number(of [][]string, goal string) *Labelled {
	met := map[string]bool{goal: true}
	for _, labels := range of {
		for _, label := range labels {
			met[label] = true
		}
	}
	l := &Labelled{Of: make([][]int, len(of))}
	for label := range met {
		l.Labels = append(l.Labels, label)
	}
	slices.SortFunc(l.Labels, func(a, b string) int {
		if a == goal || b == goal {
			return cmp.Compare(b2i(a != goal), b2i(b != goal))
		}
		x, isHop := Hop(a)
		y, both := Hop(b)
		if isHop && both {
			return cmp.Compare(x, y)
		}
		return cmp.Compare(a, b)
	})
	at := map[string]int{}
	for i, label := range l.Labels {
		at[label] = i
	}
	for i, labels := range of {
		for _, label := range labels {
			l.Of[i] = append(l.Of[i], at[label])
		}
	}
	return l
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}
