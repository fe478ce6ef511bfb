package web

import (
	"testing"

	"nightjar/daemon/lab/webtest"
)

func TestTablesTakeFocus(t *testing.T) {
	if seen := webtest.TablesTakeFocus(t, newFixture(t).Templates); seen < 10 {
		t.Fatal(seen)
	}
}

// TestTablesAreLabelled: on real pages, each cell of a table with headings has one.
func TestTablesAreLabelled(t *testing.T) {
	s := seed(t)
	for _, path := range []string{"/sessions", "/sessions/" + s.Session, "/crawls/1", s.ModelPart("versions")} {
		d := s.Page(t, path)
		cells := d.Find(".table > table:not(.heat) > tbody > tr > td")
		if cells.Length() == 0 || cells.Length() != d.Find(".table > table:not(.heat) > tbody > tr > td[data-label]").Length() {
			t.Errorf("%s: %d cells, not all with a label", path, cells.Length())
		}
	}
}
