package ways

import (
	"errors"
	"fmt"
	"strings"
)

// Fewest ways that can be learned from.
const (
	MinPositive = 3
	MinNegative = 1
)

// TooFewError says that the person walked too few ways.
type TooFewError struct {
	Positive, Negative int // distinct ways there are
}

func (e *TooFewError) Error() string {
	if e.Positive < MinPositive {
		return fmt.Sprintf("%d ways to a useful page are needed, this topic has %s: mark more, or browse one more session", MinPositive, orNone(e.Positive))
	}
	return "a way that led nowhere is needed, this topic has none: turn back from a page that does not help, or mark a find Not useful"
}

func orNone(n int) string {
	if n == 0 {
		return "none"
	}
	return fmt.Sprint(n)
}

// NameCount is a label and how many distinct pages have it.
type NameCount struct {
	Name  string
	Pages int
}

// TooManyLabelsError says that the names of pages make more than MaxNames labels.
type TooManyLabelsError struct {
	Labels int
	Names  []NameCount // of the person's names, rarest first
}

func (e *TooManyLabelsError) Error() string {
	var list []string
	for _, n := range e.Names {
		list = append(list, fmt.Sprintf("%s (%d)", n.Name, n.Pages))
	}
	return fmt.Sprintf("the names of the pages make %d labels, at most %d can be learned: merge some of %s", e.Labels, MaxNames, strings.Join(list, ", "))
}

// ErrOneLabel says that all pages have the same label.
var ErrOneLabel = errors.New("all pages of the ways have the same label, so that there is nothing to tell apart: browse one more session")

// Unlearnable reports whether an error of Learn is due to the paths, not to the program. Its text tells the person what
// to do.
func Unlearnable(err error) bool {
	var few *TooFewError
	var many *TooManyLabelsError
	return errors.As(err, &few) || errors.As(err, &many) || errors.Is(err, ErrOneLabel)
}
