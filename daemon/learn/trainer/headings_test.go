package trainer

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"nightjar/crawler/feature"
)

func TestHeadingSets(t *testing.T) {
	data := t.TempDir()
	read := func() string {
		sets, err := HeadingSets(data)
		if err != nil {
			return err.Error()
		}
		return sets.String()
	}
	if got := read(); got != feature.DefaultSets().String() {
		t.Errorf("without a file: %q", got)
	}
	write := func(text string) {
		if err := os.WriteFile(filepath.Join(data, HeadingsFile), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("# mine\nrecipe: ingredients, method\n")
	if got := read(); got != "# mine\nrecipe: ingredients, method\n" {
		t.Errorf("with a file: %q", got)
	}
	write("recipe: ingredients, method\nshop\n")
	if got := read(); !strings.Contains(got, filepath.Join(data, HeadingsFile)) || !strings.Contains(got, "line 2") {
		t.Errorf("with a wrong file: %q", got)
	}
	if err := os.Remove(filepath.Join(data, HeadingsFile)); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(data, HeadingsFile), 0o700); err != nil {
		t.Fatal(err)
	}
	if got := read(); !strings.Contains(got, "read heading sets") {
		t.Errorf("with a folder in its place: %q", got)
	}
}
