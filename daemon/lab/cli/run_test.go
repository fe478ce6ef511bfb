package cli

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"nightjar/daemon/command"
)

func mustRun(t *testing.T, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	var out, errs bytes.Buffer
	code = program().Run(t.Context(), &command.Env{Stdin: strings.NewReader(""), Stdout: &out, Stderr: &errs, Getenv: os.Getenv}, args)
	return code, out.String(), errs.String()
}

// TestEveryCommandHasHelp: the overview lists each command for people, which says how it is used.
func TestEveryCommandHasHelp(t *testing.T) {
	_, overview, _ := mustRun(t, "--help")
	for _, c := range program().Verbs {
		if c.Summary == "" { // a part of the program runs it
			if strings.Contains(overview, c.Name) {
				t.Errorf("the overview tells people of %s", c.Name)
			}
			continue
		}
		code, out, _ := mustRun(t, c.Name, "--help")
		if code != 0 || !strings.HasPrefix(out, "usage: lab "+c.Name+" ") || len(out) < 100 {
			t.Errorf("%s --help: code %d, output %q", c.Name, code, out)
		}
		if !strings.Contains(overview, c.Summary) {
			t.Errorf("the overview lacks %s", c.Name)
		}
	}
}
