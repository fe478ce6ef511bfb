package source

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// largest is the size in bytes up to which a file may be part of the source.
const largest = 256 << 10

// TestNoLargeFiles: no program or recording was added by mistake.
func TestNoLargeFiles(t *testing.T) {
	cmd := exec.Command("git", "ls-files", "-z")
	cmd.Dir = root
	out, err := cmd.Output()
	names := strings.FieldsFunc(string(out), func(r rune) bool { return r == 0 })
	if err != nil || len(names) < 1000 {
		t.Fatalf("git lists %d files, %v", len(names), err)
	}
	for _, name := range names {
		info, err := os.Stat(filepath.Join(root, name))
		if err == nil && info.Size() > largest { // one that was deleted is not there
			t.Errorf("%s has %d bytes", name, info.Size())
		}
	}
}
