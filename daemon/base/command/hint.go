package command

import (
	"errors"
	"fmt"
)

// hinter is an error that says what the person can do next.
type hinter interface {
	error
	Hint() string
}

// hinted is an error with advice for the person.
type hinted struct {
	error
	hint string
}

func (h *hinted) Unwrap() error { return h.error }

// Hint says what the person can do next.
func (h *hinted) Hint() string { return h.hint }

// WithHint adds to an error what the person can do next. A Program prints it below the error.
func WithHint(err error, format string, args ...any) error {
	return &hinted{err, fmt.Sprintf(format, args...)}
}

// Hint returns what the person can do next about an error; "" when it does not say.
func Hint(err error) string {
	if h, ok := errors.AsType[hinter](err); ok {
		return h.Hint()
	}
	return ""
}
