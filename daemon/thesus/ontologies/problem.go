package ontologies

// Problem is what is wrong with what the person asked for. Its text is for the person, and says what to do next.
type Problem struct{ error }

// Unwrap is the error that says it.
func (p Problem) Unwrap() error { return p.error }

// problem makes a Problem of an error; nil stays nil.
func problem(err error) error {
	if err == nil {
		return nil
	}
	return Problem{err}
}
