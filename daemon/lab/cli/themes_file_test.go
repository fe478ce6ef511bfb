package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestReadThemes: an ontology in a file; what is wrong with it names the file.
func TestReadThemes(t *testing.T) {
	const tunes = "music\n  instrument | instruments\n    flute\n  genre\n"
	dir := t.TempDir()
	write := func(name, text string) string {
		file := filepath.Join(dir, name)
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return file
	}
	got, report, err := readThemes(write("my music.txt", tunes), nil)
	if err != nil || got.Name() != "my music" || len(report) > 0 {
		t.Errorf("%+v, %q, %v", got, report, err)
	}
	if _, report, err := readThemes(write("two.txt", "music\nweather\n"), nil); err != nil || len(report) != 1 || !strings.Contains(report[0], "a term was added above them") {
		t.Errorf("two roots: %q, %v", report, err)
	}
	for _, file := range []string{write("empty.txt", ""), write("bad.ttl", "@prefix : <x> . :a :b"), filepath.Join(dir, "none")} {
		if got, _, err := readThemes(file, nil); err == nil || !strings.Contains(err.Error(), filepath.Base(file)) {
			t.Errorf("%s: %+v, %v", file, got, err)
		}
	}
}
