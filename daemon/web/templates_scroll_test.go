package web

import (
	"io/fs"
	"regexp"
	"strings"
	"testing"
)

// TestTablesTakeFocus: a table in a box that scrolls sideways can be reached and moved by the keyboard, and has a name.
func TestTablesTakeFocus(t *testing.T) {
	box := regexp.MustCompile(`<div class="(?:[a-z-]+ )*table(?: [a-z-]+)*"[^>]*>`)
	seen := 0
	err := fs.WalkDir(templateFiles, "templates", func(path string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".html") {
			return err
		}
		text, err := fs.ReadFile(templateFiles, path)
		for _, tag := range box.FindAllString(string(text), -1) {
			seen++
			if !strings.Contains(tag, `tabindex="0"`) || !strings.Contains(tag, `role="region"`) || !strings.Contains(tag, "aria-label") {
				t.Errorf("%s: %s", path, tag)
			}
		}
		return err
	})
	if err != nil || seen < 10 {
		t.Fatal(seen, err)
	}
}
