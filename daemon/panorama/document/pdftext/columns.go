package pdftext

import (
	"math"
	"slices"
)

// What shows that text in columns is drawn row by row, across the columns. Lengths are in font sizes.
const (
	gutterGap   = 0.8 // between two columns, at least
	columnWidth = 8.0 // of the text on either side, at least: tables have narrower ones
	gutterRows  = 4   // rows in which a column begins at the same place
	maxGutters  = 12  // places where columns may begin; more are letters that stand alone
	ragged      = 1.5 // points by which the beginnings of lines of a column differ
)

// inColumns parts rows where columns do, and returns the parts in the order in which people read them: where columns are drawn
// row by row, one column after the other.
func inColumns(rows [][]glyph) (lines [][]glyph) {
	gutters := gutters(rows)
	columns := make([][][]glyph, len(gutters)+1)
	split := 0
	var drawn [][]glyph // the same text as in columns, as it is drawn
	flush := func() {
		if split >= gutterRows {
			for _, c := range columns {
				lines = append(lines, c...)
			}
		} else {
			lines = append(lines, drawn...)
		}
		split, drawn = 0, nil
		for i := range columns {
			columns[i] = nil
		}
	}
	for _, row := range rows {
		parts := parted(row, gutters)
		across := false
		for _, part := range parts {
			across = across || crosses(part, gutters)
		}
		if across {
			flush()
			lines = append(lines, parted(row, nil)...)
			continue
		}
		last := -1
		for _, part := range parts {
			c := column(part[0].x, gutters)
			columns[c] = append(columns[c], part)
			if last >= 0 && c > last {
				split++
			}
			last = c
		}
		drawn = append(drawn, parted(row, nil)...)
	}
	flush()
	return lines
}

// gutters returns where columns begin that are right of others, from left to right, in rows that are drawn across them.
func gutters(rows [][]glyph) (all []float64) {
	times := map[int]int{}
	for _, row := range rows {
		end := row[len(row)-1].x + row[len(row)-1].w
		for i := 1; i < len(row); i++ {
			a, b := row[i-1], row[i]
			size := max(a.size, b.size)
			if gap(a, b) > gutterGap*size && a.x+a.w-row[0].x > columnWidth*size && end-b.x > columnWidth*size {
				times[int(math.Round(b.x))]++
			}
		}
	}
	near := func(x int) int { return times[x-1] + times[x] + times[x+1] }
	for x := range times {
		if near(x) >= gutterRows && times[x] > times[x-1] && times[x] >= times[x+1] {
			all = append(all, float64(x))
		}
	}
	if len(all) > maxGutters {
		return nil
	}
	all = slices.DeleteFunc(all, func(x float64) bool { return near(int(x)) < acrossGutter(rows, x) })
	slices.Sort(all)
	return all
}

// acrossGutter counts the rows with text over a place.
func acrossGutter(rows [][]glyph, x float64) (n int) {
	for _, row := range rows {
		for _, part := range parted(row, []float64{x}) {
			if crosses(part, []float64{x}) {
				n++
			}
		}
	}
	return n
}

// parted parts a row at wide gaps and where columns begin.
func parted(row []glyph, gutters []float64) (parts [][]glyph) {
	from := 0
	for i := 1; i <= len(row); i++ {
		if i == len(row) || partsAt(row[i-1], row[i], gutters) {
			parts = append(parts, row[from:i])
			from = i
		}
	}
	return parts
}

func partsAt(a, b glyph, gutters []float64) bool {
	size := max(a.size, b.size)
	wide := gap(a, b)
	if wide > columnGap*size {
		return true
	}
	for _, x := range gutters {
		if math.Abs(b.x-x) < ragged && wide > gutterGap*size {
			return true
		}
	}
	return false
}

// crosses reports whether text stands on both sides of where a column begins.
func crosses(part []glyph, gutters []float64) bool {
	last := part[len(part)-1]
	for _, x := range gutters {
		if part[0].x < x-ragged && last.x+last.w > x+ragged {
			return true
		}
	}
	return false
}

// column returns the number of the column in which a line begins.
func column(x float64, gutters []float64) (n int) {
	for _, g := range gutters {
		if x >= g-ragged {
			n++
		}
	}
	return n
}
