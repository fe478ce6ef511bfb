// Package devtool holds what the measurements share: tables and reports, what a process used, the
// source tree, and a visitor of the dashboard.
package devtool

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"text/tabwriter"
	"time"
)

// Table is a title above rows of cells. The first row holds the headings.
type Table struct {
	Title string
	Rows  [][]string
}

// Add adds a row.
func (t *Table) Add(cells ...any) {
	row := make([]string, len(cells))
	for i, c := range cells {
		row[i] = fmt.Sprint(c)
	}
	t.Rows = append(t.Rows, row)
}

// WriteText writes a heading and tables for a terminal.
func WriteText(to io.Writer, heading string, tables []Table) error {
	w := tabwriter.NewWriter(to, 0, 0, 2, ' ', 0)
	fmt.Fprintf(w, "%s\n", heading)
	for _, t := range tables {
		fmt.Fprintf(w, "\n%s\n", t.Title)
		for _, row := range t.Rows {
			fmt.Fprintln(w, "  "+strings.Join(row, "\t"))
		}
	}
	return w.Flush()
}

// Markdown is the table below a heading, which begins with marks such as ##.
func (t Table) Markdown(marks string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "\n%s %s\n\n", marks, t.Title)
	for i, row := range t.Rows {
		fmt.Fprintf(&b, "| %s |\n", strings.Join(row, " | "))
		if i == 0 {
			fmt.Fprintf(&b, "|%s\n", strings.Repeat(" --- |", len(row)))
		}
	}
	return b.String()
}

// Measured says in Markdown when, by which command and where something was measured.
func Measured(line string) string {
	return fmt.Sprintf("Measured on %s by\n\n    %s\n\non %s, %s.\n", time.Now().UTC().Format(time.DateOnly), line, Processor(), runtime.Version())
}

// Markdown is a page of the reports: an introduction, how and where it was measured, a remark, and tables.
func Markdown(title, intro, line, remark string, tables []Table) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "# %s\n\n%s\n\n%s%s", title, intro, Measured(line), remark)
	for _, t := range tables {
		b.WriteString(t.Markdown("##"))
	}
	return b.Bytes()
}

// WritePage writes a file of daemon/lab/reports.
func WritePage(name string, text []byte) error {
	root, err := Root()
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(root, "daemon", "lab", "reports", filepath.FromSlash(name)), text, 0o644)
}

// Milliseconds converts a duration.
func Milliseconds(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

// Load1 is the mean number of processes that wanted a processor in the last minute, as Linux counts it; 0 where that is unknown.
func Load1() (load float64) {
	text, err := os.ReadFile("/proc/loadavg")
	if err == nil {
		_, err = fmt.Sscan(string(text), &load)
	}
	if err != nil {
		return 0
	}
	return load
}
