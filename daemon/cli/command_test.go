package cli

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"nightjar/daemon/base/command"
	"nightjar/daemon/lab/verb"
)

func mustRun(t *testing.T, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	var out, errs bytes.Buffer
	code = program().Run(t.Context(), &command.Env{Stdin: strings.NewReader(""), Stdout: &out, Stderr: &errs, Getenv: os.Getenv}, args)
	return code, out.String(), errs.String()
}

func TestEveryCommandHasHelp(t *testing.T) {
	for _, fault := range verb.HelpFaults(t.Context(), program()) {
		t.Error(fault)
	}
}

func TestWrongUsageIsToldWithTheNextStep(t *testing.T) {
	for _, args := range [][]string{
		{"frobnicate"}, {"serve", "--no-such-flag"}, {"serve", "surplus"}, {"import"}, {"export", "--model"},
		{"serve", "--listen", "0.0.0.0:4774"}, {"serve", "--listen", "nonsense"}, {"serve", "--listen", "192.168.1.1:80"},
	} {
		code, out, errs := mustRun(t, args...)
		if code != 2 || out != "" || !strings.HasPrefix(errs, "nightjar: error: ") || !strings.Contains(errs, "nightjar: hint: ") {
			t.Errorf("%v: code %d, stdout %q, stderr %q", args, code, out, errs)
		}
	}
}
