package source

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"nightjar/daemon/app"
)

// TestReleaseFiles: every file of the source that the packages are made of exists, and .ci/release makes the others.
func TestReleaseFiles(t *testing.T) {
	release := readDoc(t, "../../../.ci/release")
	sources := regexp.MustCompile(`src: ([^ ,}]+)`).FindAllStringSubmatch(readDoc(t, "../../../.ci/nfpm.yaml"), -1)
	if len(sources) < 5 {
		t.Fatalf("the package holds %d files", len(sources))
	}
	for _, m := range sources {
		if made, ok := strings.CutPrefix(m[1], "out/release/stage/"); ok {
			if !strings.Contains(release, made) {
				t.Errorf(".ci/release does not make %s", made)
			}
		} else if _, err := os.Stat(filepath.Join("../../..", m[1])); err != nil {
			t.Errorf(".ci/nfpm.yaml: %v", err)
		}
	}
}

// TestOneVersion: the program, the extension and its package have one version, and .ci/release finds it.
func TestOneVersion(t *testing.T) {
	for _, file := range []string{"../../../extension/src/manifest.json", "../../../extension/package.json"} {
		var of struct{ Version string }
		if err := json.Unmarshal([]byte(readDoc(t, file)), &of); err != nil || of.Version != app.Version {
			t.Errorf("%s has version %q, %v, the program %q", file, of.Version, err, app.Version)
		}
	}
	if !strings.Contains(readDoc(t, "../../app/app.go"), "\nvar Version = \""+app.Version+"\"\n") {
		t.Error(".ci/release does not find the version in daemon/app/app.go")
	}
}
