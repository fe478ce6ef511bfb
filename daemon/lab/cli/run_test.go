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
