package report

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"nightjar/daemon/web/chart"
)

// table is a Markdown table whose first column is text and whose others are numbers. Cells are Markdown already.
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

// emphasis keeps the best of each column bold.
type emphasis struct{ columns [][]float64 }

// see tells of a value in a column.
func (e *emphasis) see(column int, v float64) {
	for len(e.columns) <= column {
		e.columns = append(e.columns, nil)
	}
	e.columns[column] = append(e.columns[column], v)
}

// mark writes a cell bold when no value seen in its column is larger.
func (e *emphasis) mark(column int, v float64, cell string) string {
	if slices.Max(e.columns[column]) <= v {
		return "**" + cell + "**"
	}
	return cell
}

// none is a cell for what was not measured.
const none = "–"

// special are the characters that mean something inside a line of Markdown, or of HTML, wherever they stand.
var special = func() *strings.Replacer {
	pairs := []string{"://", "&#58;//", "www.", "www&#46;"} // addresses would become links
	for _, c := range "\\`*[]|<>!~$&@#{}" {
		pairs = append(pairs, string(c), fmt.Sprintf("&#%d;", c))
	}
	return strings.NewReplacer(pairs...)
}()

// edge matches underscores that are not between letters or digits: only those mean something.
var edge = regexp.MustCompile(`(?:^|[^\pL\pN_])_+|_+(?:$|[^\pL\pN_])`)

// text writes a name as Markdown text on one line: it is shown as it is, whatever is in it.
func text(s string) string {
	s = plain(s)
	if s == "" {
		return none
	}
	s = edge.ReplaceAllStringFunc(special.Replace(s), func(m string) string { return strings.ReplaceAll(m, "_", "&#95;") })
	return begin.ReplaceAllStringFunc(s, func(m string) string { return m[:len(m)-1] + fmt.Sprintf("&#%d;", m[len(m)-1]) })
}

// begin matches what begins a list or a heading at the beginning of a line.
var begin = regexp.MustCompile(`^(?:[-+=]|\d+[.)])`)

// code writes a name as Markdown code on one line.
func code(s string) string {
	s = plain(s)
	if s == "" {
		return none
	}
	if strings.ContainsAny(s, "`|\\") {
		return text(s) // inside of code nothing can be escaped
	}
	return "`" + s + "`"
}

// share writes a share of the oracle's area.
func share(v float64) string {
	return finite(v, func() string { return strconv.FormatFloat(v, 'f', 2, 64) })
}

// difference writes how much more it is, with its sign.
func difference(v float64) string {
	return finite(v, func() string {
		s := strconv.FormatFloat(math.Abs(v), 'f', 3, 64)
		switch {
		case s == "0.000":
			return s
		case v < 0:
			return "−" + s
		}
		return "+" + s
	})
}

// percent writes a share in percent.
func percent(v float64) string {
	return finite(v, func() string { return strconv.FormatFloat(v*100, 'f', 1, 64) + " %" })
}

// within adds the interval to a value, unless it has no width.
func within(v, low, high float64, write func(float64) string) string {
	if low == high {
		return write(v)
	}
	return write(v) + " [" + write(low) + ", " + write(high) + "]"
}

func finite(v float64, write func() string) string {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return none
	}
	return write()
}

// seconds writes a time; 0 was not measured.
func seconds(v float64) string {
	if v <= 0 {
		return none
	}
	return finite(v, func() string { return strconv.FormatFloat(v, 'f', 1, 64) })
}

// megabytes writes a size; 0 was not measured.
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
