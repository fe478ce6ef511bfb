package ways

import (
	"nightjar/model/ways"
)

// labelled counts how a field labelled the ways of a university that it did not learn from.
type labelled struct {
	Paths, Positive     int
	Pages, Right        int // all pages, and those with the right label
	Goals, Said, Agreed int // pages of the label goal, pages said to be, and both
	Labels, Features    int
	Iterations          int
	C2, Gamma           float64
	Learned, Positives  int // ways that were learned from
}

// label labels the test ways of a task.
func (l *learned) label(w *ways.Ways, states int) (labelled, error) {
	set, err := sequences(w, l.test, states)
	if err != nil {
		return labelled{}, err
	}
	c := labelled{
		Labels: len(w.Labels), Features: len(w.PageFeatures) + len(w.LinkFeatures), Iterations: w.Facts.Iterations, C2: w.C2, Gamma: w.Gamma,
		Learned: w.Facts.Positive + w.Facts.Negative, Positives: w.Facts.Positive,
	}
	for _, s := range set {
		c.Paths++
		if s.Positive {
			c.Positive++
		}
		said, _ := w.Field.Viterbi(s.Steps)
		for i, truth := range s.Labels {
			c.Pages++
			c.Right += count(said[i] == truth)
			c.Goals += count(truth == w.Goal)
			c.Said += count(said[i] == w.Goal)
			c.Agreed += count(truth == w.Goal && said[i] == w.Goal)
		}
	}
	return c, nil
}

func (c *labelled) precision() float64 { return share(c.Agreed, c.Said) }
func (c *labelled) recall() float64    { return share(c.Agreed, c.Goals) }
func (c *labelled) accuracy() float64  { return share(c.Right, c.Pages) }

// f1 is the harmonic mean of precision and recall of goal.
func (c *labelled) f1() float64 { return share(2*c.Agreed, c.Goals+c.Said) }

func count(yes bool) int {
	if yes {
		return 1
	}
	return 0
}

func share(part, whole int) float64 {
	if whole == 0 {
		return 0
	}
	return float64(part) / float64(whole)
}
