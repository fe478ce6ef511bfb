package frame

import (
	"net/http"
	"strconv"
	"strings"
)

// RowsPart is a part of a table, for its links.
type RowsPart struct {
	From, To int
	Shown    bool
}

// PartOf cuts lines into parts of some size and returns the one with line number from, which counts from 1. There are no
// parts when all lines fit into one.
func PartOf[T any](lines []T, from, size int) ([]T, []RowsPart) {
	begin := 0
	if from > 1 && from <= len(lines) {
		begin = (from - 1) / size * size
	}
	var parts []RowsPart
	for at := 0; at < len(lines) && len(lines) > size; at += size {
		parts = append(parts, RowsPart{at + 1, min(at+size, len(lines)), at == begin})
	}
	return lines[begin:min(begin+size, len(lines))], parts
}

// RowsShown is the number of rows that a table of pages shows at once.
const RowsShown = 30

// RowHref leads to a page's row in the table, of which the rows around number from are shown, 0 for the first ones. The picture
// beside it stays with its part, 0 when there is one picture.
func RowHref(page, from, part int) string {
	href := "#page-" + strconv.Itoa(page+1)
	rows := page / RowsShown
	if rows == max(0, from-1)/RowsShown {
		return href
	}
	href = "?from=" + strconv.Itoa(rows*RowsShown+1) + href
	if part > 0 {
		href = "?part=" + strconv.Itoa(part) + "&" + href[1:]
	}
	return href
}

// QueryInt reads a whole number of the address, 0 for none.
func QueryInt(r *http.Request, name string) int {
	n, err := strconv.Atoi(strings.TrimSpace(r.URL.Query().Get(name)))
	if err != nil {
		return 0
	}
	return n
}
