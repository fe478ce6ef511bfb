package bench

import "fmt"

// Problem is an error that the person can fix.
type Problem struct {
	Err  error
	Hint string // the next step
}

func (p *Problem) Error() string { return p.Err.Error() }
func (p *Problem) Unwrap() error { return p.Err }

func problemf(hint, format string, args ...any) error {
	return &Problem{Err: fmt.Errorf(format, args...), Hint: hint}
}
