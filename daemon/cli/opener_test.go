package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// fakeOpener puts a program in place of the one that opens a browser. It writes down its arguments and what others on the machine can
// read of it, a line a call; opened returns the lines.
func fakeOpener(t *testing.T) (opened func() []string) {
	t.Helper()
	dir := t.TempDir()
	said := filepath.Join(dir, "said")
	script := "#!/bin/sh\necho \"$@\" \"$(tr '\\0' ' ' < /proc/$$/cmdline 2>/dev/null)\" >> " + said + "\n"
	for _, name := range []string{"xdg-open", "open"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(script), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("PATH", dir+string(os.PathListSeparator)+os.Getenv("PATH"))
	return func() []string {
		text, err := os.ReadFile(said)
		if os.IsNotExist(err) {
			return nil
		}
		if err != nil {
			t.Fatal(err)
		}
		return strings.Split(strings.TrimSpace(string(text)), "\n")
	}
}
