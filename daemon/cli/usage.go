package cli

import (
	"errors"
	"fmt"
	"io"

	"nightjar/daemon/app"
)

// usageError is the error of a wrong command line. The program ends with code 2.
type usageError struct{ text, hint string }

func (u *usageError) Error() string { return u.text }

func usagef(format string, args ...any) *usageError {
	return &usageError{text: fmt.Sprintf(format, args...)}
}

// report tells the person what went wrong and what to do next.
func report(w io.Writer, err error) {
	fmt.Fprintf(w, "nightjar: error: %v\n", err)
	hint := app.Hint(err)
	if u, ok := errors.AsType[*usageError](err); ok && hint == "" {
		hint = u.hint
	}
	if hint != "" {
		fmt.Fprintf(w, "nightjar: hint: %s\n", hint)
	}
}
