package devtool

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"runtime"
	"strings"
	"text/tabwriter"
	"time"

	"nightjar/daemon/machine"
)

// Table is a title above rows of cells. The first row holds the headings.
type Table struct {
	Title string
	Rows  [][]string
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

// Markdown is a page of the documentation: an introduction, how and where it was measured, a remark, and tables.
func Markdown(title, intro, command, remark string, tables []Table) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "# %s\n\n%s\n\nMeasured on %s by\n\n    %s\n\non %s, %s.\n%s",
		title, intro, time.Now().UTC().Format(time.DateOnly), command, machine.Processor(), runtime.Version(), remark)
	for _, t := range tables {
		fmt.Fprintf(&b, "\n## %s\n\n", t.Title)
		for i, row := range t.Rows {
			fmt.Fprintf(&b, "| %s |\n", strings.Join(row, " | "))
			if i == 0 {
				fmt.Fprintf(&b, "|%s\n", strings.Repeat(" --- |", len(row)))
			}
		}
	}
	return b.Bytes()
}

// WriteJSON writes a value as indented JSON.
func WriteJSON(to io.Writer, value any) error {
	out := json.NewEncoder(to)
	out.SetIndent("", "  ")
	return out.Encode(value)
}

// MiB converts bytes.
func MiB(bytes int64) float64 { return float64(bytes) / (1 << 20) }

// Milliseconds converts a duration.
func Milliseconds(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }
