package app

import (
	"errors"
	"fmt"
)

// hinted is an error with advice for the person.
type hinted struct {
	error
	hint string
}

func (h *hinted) Unwrap() error { return h.error }

// Hint says what the person can do next.
func (h *hinted) Hint() string { return h.hint }

// WithHint adds to an error what the person can do next.
func WithHint(err error, format string, args ...any) error {
	return &hinted{err, fmt.Sprintf(format, args...)}
}

// Hint returns the hint of an error; "" when it has none.
func Hint(err error) string {
	if h, ok := errors.AsType[*hinted](err); ok {
		return h.hint
	}
	return ""
}
