package night

import (
	_ "embed"
	"fmt"
	"io"
	"text/template"
	"time"
)

//go:embed report.md.tmpl
var reportText string

var reportTemplate = template.Must(template.New("report").Funcs(template.FuncMap{
	"bytes": megabytes, "clock": func(t time.Time) string { return t.Format("15:04:05") }, "verdict": verdict,
}).Parse(reportText))

// report is everything that the report shows.
type report struct {
	*options
	Command  string
	Machine  string
	Real     time.Duration
	Pages    int // of the farm
	Kills    int // that happened
	Toxics   int
	Peak     int64
	Account  *account
	Happened []happening // without toxics
	Checks   []check
	Top      []contact
	Purposes []contact
}

func (r *report) write(w io.Writer) error {
	if err := reportTemplate.Execute(w, r); err != nil {
		return fmt.Errorf("write report: %w", err)
	}
	return nil
}

func verdict(good bool) string {
	if good {
		return "kept"
	}
	return "**broken**"
}

func megabytes(n int64) string { return fmt.Sprintf("%.1f MB", float64(n)/1e6) }
