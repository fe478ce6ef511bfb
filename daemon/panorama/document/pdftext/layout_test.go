package pdftext

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"nightjar/daemon/panorama/document/pdftext/pdftest"
)

func mustLines(t *testing.T, body []byte) (all []string) {
	t.Helper()
	r, err := Lines(t.Context(), body)
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range r.Lines {
		all = append(all, l.Text)
	}
	return all
}

// TestStandardFonts: each letter has a place of its own, and the font does not say how wide it is.
func TestStandardFonts(t *testing.T) {
	const said = "Letters that stand alone make words, World-wide (1977) & so on."
	for name, of := range map[string]face{"Helvetica": faces()["sans"], "ABCDEF+Arial,Bold": faces()["sansBold"], "Times-Roman": faces()["serif"],
		"Times-BoldItalic": faces()["serifBoldItalic"], "TimesNewRomanPS-ItalicMT": faces()["serifItalic"], "Courier": nil} {
		var page []pdftest.Line
		x := 60.0
		for _, r := range said {
			w := 600.0
			if of != nil {
				w = of[r-' ']
			}
			if r != ' ' {
				page = append(page, pdftest.Line{X: x, Y: 700, Size: 10, Text: strings.NewReplacer("(", `\(`, ")", `\)`).Replace(string(r))})
			}
			x += w / 100
		}
		if got := mustLines(t, pdftest.WriteStandard([][]pdftest.Line{page}, name)); !slices.Equal(got, []string{said}) {
			t.Errorf("%s: %q", name, got)
		}
	}
	if w := faces()["sans"].width("é"); w != faces()["sans"].width("e") {
		t.Errorf("é is %g wide", w)
	}
}

// TestTwice: bold text that is drawn twice is read once. Letters that stand beside the same letter stay.
func TestTwice(t *testing.T) {
	for _, c := range []struct {
		x, y  float64
		times int
	}{{.3, 0, 1}, {0, .2, 1}, {-.4, .1, 1}, {0, 0, 1}, {0, -12, 2}, {200, 0, 2}} {
		page := []pdftest.Line{{X: 60, Y: 700, Size: 10, Text: "All small illnesses are still hilly"}, {X: 60, Y: 660, Size: 10, Text: "The rest of it is read once."}}
		page = slices.Insert(page, 1, pdftest.Line{X: 60 + c.x, Y: 700 + c.y, Size: 10, Text: page[0].Text})
		got := mustLines(t, pdftest.WriteStandard([][]pdftest.Line{page}, "Helvetica-Bold"))
		if n := strings.Count(strings.Join(got, "\n"), page[0].Text); n != c.times || len(got) != c.times+1 {
			t.Errorf("drawn again %g beside and %g above: %q", c.x, c.y, got)
		}
	}
}

// TestColumnsByRows: columns that are drawn row by row are read one after the other.
func TestColumnsByRows(t *testing.T) {
	text := func(column, row int) string { return fmt.Sprintf("column %d has text in its row %d", column, row) }
	for name, c := range map[string]struct {
		at   []float64
		rows int
	}{"two": {[]float64{60, 320}, 12}, "a narrow gutter": {[]float64{60, 210}, 12}, "three": {[]float64{40, 200, 360}, 9}} {
		page := []pdftest.Line{{X: 60, Y: 740, Size: 18, Text: "A title that stands across all of the columns of this page, and is long"}}
		want := []string{page[0].Text}
		for row := range c.rows {
			for i, x := range c.at {
				if i == 1 && row > c.rows-3 {
					continue // one column ends earlier
				}
				page = append(page, pdftest.Line{X: x, Y: float64(700 - 13*row), Size: 10, Text: text(i, row)})
			}
		}
		for i := range c.at {
			for row := range c.rows {
				if i != 1 || row <= c.rows-3 {
					want = append(want, text(i, row))
				}
			}
		}
		page = append(page, pdftest.Line{X: 60, Y: 400, Size: 10, Text: "A line below all of the columns, which is as wide as they all are together, and ends the page"})
		want = append(want, page[len(page)-1].Text)
		if got := mustLines(t, pdftest.WriteStandard([][]pdftest.Line{page}, "Helvetica")); !slices.Equal(got, want) {
			t.Errorf("%s: %s", name, strings.Join(got, "\n"))
		}
	}
}

// TestRowsStay: a table of short cells, numbered lines and columns drawn one after the other are read as they are drawn.
func TestRowsStay(t *testing.T) {
	var table, labels, columns []pdftest.Line
	for row := range 8 {
		y := float64(700 - 13*row)
		table = append(table, pdftest.Line{X: 60, Y: y, Size: 10, Text: fmt.Sprint("cell ", row)}, pdftest.Line{X: 160, Y: y, Size: 10, Text: fmt.Sprint("value ", row)})
		labels = append(labels, pdftest.Line{X: 60, Y: y, Size: 10, Text: fmt.Sprintf("[%d]", row)}, pdftest.Line{X: 90, Y: y, Size: 10, Text: "A long line of text after its label"})
		columns = append(columns, pdftest.Line{X: 60, Y: y, Size: 10, Text: fmt.Sprint("the left column, row ", row)})
	}
	for row := range 8 {
		columns = append(columns, pdftest.Line{X: 320, Y: float64(700 - 13*row), Size: 10, Text: fmt.Sprint("the right column, row ", row)})
	}
	for name, page := range map[string][]pdftest.Line{"table": table, "labels": labels, "columns": columns} {
		got := strings.Join(mustLines(t, pdftest.WriteStandard([][]pdftest.Line{page}, "Helvetica")), " ")
		var want []string
		for _, l := range page {
			want = append(want, l.Text)
		}
		if got != strings.Join(want, " ") {
			t.Errorf("%s: %s", name, got)
		}
	}
}
