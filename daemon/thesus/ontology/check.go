package ontology

import "fmt"

// Limits of a term that CheckTerm allows.
const (
	MaxLabels = 50 // of a term
	MaxLevels = maxDepth
)

// CheckTerm checks the labels and senses that a person gives a term, so that WriteText can write them and Read reads the same
// again. The labels it returns lack control characters and white space around words; blank ones are left out.
func CheckTerm(labels, senses []string) ([]string, error) {
	var clean []string
	for _, l := range labels {
		c, cut := cleanLabel(l)
		switch {
		case cut:
			return nil, fmt.Errorf("the label %s has more than %d characters; shorten it", quoted(l), maxLabel)
		case c != "":
			clean = append(clean, c)
		}
	}
	switch {
	case len(clean) == 0:
		return nil, fmt.Errorf("a term needs a label; write its name")
	case len(clean) > MaxLabels:
		return nil, fmt.Errorf("a term has at most %d labels, not %d; remove some", MaxLabels, len(clean))
	}
	return clean, CheckSenses(senses)
}

// CheckSenses checks that senses are written as senses are.
func CheckSenses(senses []string) error {
	for _, s := range senses {
		if !sense.MatchString(s) {
			return fmt.Errorf("%s is not a WordNet sense; write one like wind.n.07", quoted(s))
		}
	}
	return nil
}
