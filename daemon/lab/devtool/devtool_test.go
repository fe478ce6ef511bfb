package devtool

import (
	"errors"
	"flag"
	"fmt"
	"strings"
	"testing"
)

func TestCode(t *testing.T) {
	for _, tt := range []struct {
		err  error
		code int
		says string
	}{
		{nil, 0, ""},
		{fmt.Errorf("parse: %w", flag.ErrHelp), 0, ""},
		{fmt.Errorf("%w: no such flag", ErrUsage), 2, "tool: error: wrong usage: no such flag\n"},
		{errors.New("disk full"), 1, "tool: error: disk full\n"},
	} {
		var b strings.Builder
		if code := Code("tool", tt.err, &b); code != tt.code || b.String() != tt.says {
			t.Errorf("%v: %d, %q", tt.err, code, b.String())
		}
	}
}
