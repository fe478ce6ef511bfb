package report

import (
	"fmt"
	"maps"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"nightjar/daemon/chart"
)

// table is a Markdown table; the first column is text, the others are numbers. Cells are Markdown.
type table struct {
	Head []string
	Rows [][]string
}

func (t table) String() string {
	var b strings.Builder
	row := func(cells []string) { b.WriteString("| " + strings.Join(cells, " | ") + " |\n") }
	row(t.Head)
	b.WriteString("|---" + strings.Repeat("|---:", len(t.Head)-1) + "|\n")
	for _, cells := range t.Rows {
		row(cells)
	}
	return b.String()
}

// emphasis makes the best value of each column bold. It holds values by column and row.
type emphasis map[int]map[int]float64

// see adds the value of a cell.
func (e emphasis) see(row, column int, v float64) {
	if e[column] == nil {
		e[column] = map[int]float64{}
	}
	e[column][row] = v
}

// in makes the cells with the largest value of their column bold.
func (e emphasis) in(t table) table {
	for column, values := range e {
		most := slices.Max(slices.Collect(maps.Values(values)))
		for row, v := range values {
			if most <= v {
				t.Rows[row][column] = "**" + t.Rows[row][column] + "**"
			}
		}
	}
	return t
}

// none is the cell of a missing value.
const none = "–"

// special escapes the characters with a meaning anywhere in a line of Markdown or HTML.
var special = func() *strings.Replacer {
	pairs := []string{"://", "&#58;//", "www.", "www&#46;"} // addresses would become links
	for _, c := range "\\`*[]|<>!~$&@#{}" {
		pairs = append(pairs, string(c), fmt.Sprintf("&#%d;", c))
	}
	return strings.NewReplacer(pairs...)
}()

// edge matches underscores that are not between letters or digits; only those have a meaning.
var edge = regexp.MustCompile(`(?:^|[^\pL\pN_])_+|_+(?:$|[^\pL\pN_])`)

// text escapes a name as Markdown text in one line.
func text(s string) string {
	s = plain(s)
	if s == "" {
		return none
	}
	s = edge.ReplaceAllStringFunc(special.Replace(s), func(m string) string { return strings.ReplaceAll(m, "_", "&#95;") })
	return begin.ReplaceAllStringFunc(s, func(m string) string { return m[:len(m)-1] + fmt.Sprintf("&#%d;", m[len(m)-1]) })
}

// begin matches the start of a list or heading at the start of a line.
var begin = regexp.MustCompile(`^(?:[-+=]|\d+[.)])`)

// code formats a name as Markdown code in one line.
func code(s string) string {
	s = plain(s)
	if s == "" {
		return none
	}
	if strings.ContainsAny(s, "`|\\") {
		return text(s) // code has no escapes
	}
	return "`" + s + "`"
}

// share formats a share of the oracle's area.
func share(v float64) string { return decimal(v, 2) }

// difference formats a difference with its sign.
func difference(v float64) string {
	s := decimal(math.Abs(v), 3)
	switch {
	case s == "0.000" || s == none:
		return s
	case v < 0:
		return "−" + s
	}
	return "+" + s
}

// percent formats a share in percent.
func percent(v float64) string {
	if s := decimal(v*100, 1); s != none {
		return s + " %"
	}
	return none
}

// within formats a value with its interval, unless that has no width.
func within(v, low, high float64, write func(float64) string) string {
	if low == high {
		return write(v)
	}
	return write(v) + " [" + write(low) + ", " + write(high) + "]"
}

// decimal formats a number; none stands for one that is not finite.
func decimal(v float64, decimals int) string {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return none
	}
	return strconv.FormatFloat(v, 'f', decimals, 64)
}

// seconds formats a time; 0 means not measured.
func seconds(v float64) string {
	if v <= 0 {
		return none
	}
	return decimal(v, 1)
}

// megabytes formats a size; 0 means not measured.
func megabytes(n int64) string {
	if n <= 0 {
		return none
	}
	return chart.Thousands(int((n + 500_000) / 1_000_000))
}

// list joins words: "a", "a and b", "a, b and c".
func list(words []string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:len(words)-1], ", ") + " and " + words[len(words)-1]
}
