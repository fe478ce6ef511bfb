package web

import (
	"regexp"
	"strings"
	"testing"
)

// TestTablesTakeFocus: a table in a box that scrolls sideways can be reached and moved by the keyboard, and has a name.
func TestTablesTakeFocus(t *testing.T) {
	box := regexp.MustCompile(`<div class="(?:[a-z-]+ )*table(?: [a-z-]+)*"[^>]*>`)
	seen := 0
	for name, page := range newFixture(t).Templates {
		var all strings.Builder
		for _, part := range page().Templates() {
			all.WriteString(part.Tree.Root.String())
		}
		for _, tag := range box.FindAllString(all.String(), -1) {
			seen++
			if !strings.Contains(tag, `tabindex="0"`) || !strings.Contains(tag, `role="region"`) || !strings.Contains(tag, "aria-label") {
				t.Errorf("%s: %s", name, tag)
			}
		}
	}
	if seen < 10 {
		t.Fatal(seen)
	}
}

// TestTablesAreLabelled: on real pages, each cell of a table with headings has one.
func TestTablesAreLabelled(t *testing.T) {
	s := seed(t)
	for _, path := range []string{"/sessions", "/sessions/" + s.session, "/crawls/1", s.modelPart("versions")} {
		d := s.page(t, path)
		cells := d.Find(".table > table:not(.heat) > tbody > tr > td")
		if cells.Length() == 0 || cells.Length() != d.Find(".table > table:not(.heat) > tbody > tr > td[data-label]").Length() {
			t.Errorf("%s: %d cells, not all with a label", path, cells.Length())
		}
	}
}
