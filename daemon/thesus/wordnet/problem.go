package wordnet

import (
	"errors"
	"fmt"
)

// Problem is an error that the person can mend: a file that is not WordNet's, a download that failed. Its text names the
// file and the next step.
type Problem struct{ Err error }

// Error is the text of the error.
func (p *Problem) Error() string { return p.Err.Error() }

// Unwrap is the error.
func (p *Problem) Unwrap() error { return p.Err }

func problemf(format string, args ...any) error { return &Problem{fmt.Errorf(format, args...)} }

// Errors of what cannot be done now.
var (
	ErrBusy    = &Problem{errors.New("WordNet is being downloaded or added already: wait until that is done")}
	ErrNothing = &Problem{errors.New("no WordNet was added to the data folder, so there is none to remove")}
)
