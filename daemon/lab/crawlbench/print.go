package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"text/tabwriter"

	"nightjar/daemon/lab/devtool"
)

// print writes the tables that people read.
func (r *result) print(to io.Writer) error {
	w := tabwriter.NewWriter(to, 0, 0, 2, ' ', 0)
	fmt.Fprintf(w, "%s\n%s, %s, seed %d\n", r.heading(), r.Machine, r.Go, r.Seed)
	for _, t := range r.tables() {
		fmt.Fprintf(w, "\n%s\n", t.title)
		for _, row := range t.rows {
			fmt.Fprintln(w, "  "+strings.Join(row, "\t"))
		}
	}
	return w.Flush()
}

func (r *result) heading() string {
	if len(r.Contenders) == 0 {
		return fmt.Sprintf("No contenders, %d cores", r.Cores)
	}
	pages := "made-up pages"
	if r.Source == "corpora" {
		pages = "real pages"
	}
	return fmt.Sprintf("Crawls of %d %s (%.0f kB on average) on %d hosts, %d workers, %d cores", r.Pages, pages, float64(r.PageBytes)/1000, r.Hosts, r.Workers, r.Cores)
}

// table is a title and rows, the first of them the heads.
type table struct {
	title string
	rows  [][]string
}

func (r *result) tables() (all []table) {
	if len(r.Contenders) > 0 {
		t := table{"Contenders", [][]string{{"", "pages/s", "of bare", "of Colly", "CPU ms/page", "of bare", "of Colly", "peak MiB", "links", "kept MB"}}}
		for _, c := range r.Contenders {
			t.rows = append(t.rows, []string{c.Name, number(c.Rate, 0), number(c.OfBare, 2), number(c.OfColly, 2), number(c.CPU, 2),
				number(c.CPUBare, 2), number(c.CPUUs, 2), number(mebibytes(c.Peak), 0), fmt.Sprint(c.Links), number(float64(c.Kept)/1e6, 1)})
		}
		all = append(all, t)
	}
	if f := r.Frontier; f != nil {
		all = append(all, table{"Frontier", [][]string{
			{"links", "hosts", "peak MiB", "pop p50 ms", "pop p99 ms", "pop max ms", "CPU ms a page of 50 links", "CPU ms to reorder all", "note bytes"},
			{fmt.Sprint(f.Queued), fmt.Sprint(f.Hosts), number(mebibytes(f.Peak), 0), fmt.Sprintf("%.4f", f.PopP50), fmt.Sprintf("%.4f", f.PopP99),
				fmt.Sprintf("%.3f", f.PopMax), number(f.Page, 3), number(f.Reorder, 0), number(f.NoteAvg, 0)}}})
	}
	if p := r.Polite; p != nil {
		all = append(all, table{"Polite crawl", [][]string{
			{"hosts", "delay s", "seconds", "pages", "pages/s", "possible", "share", "too soon", "overlapping", "least gap s", "CPU ms/page", "peak MiB"},
			{fmt.Sprint(p.Hosts), number(p.Delay, 1), number(p.Seconds, 0), fmt.Sprint(p.Pages), number(p.Rate, 1), number(p.Possible, 1), number(p.Share, 3),
				fmt.Sprint(p.Sooner), fmt.Sprint(p.Overlapped), fmt.Sprintf("%.3f", p.MinGap), number(p.CPU, 2), number(mebibytes(p.Peak), 0)}}})
	}
	aims := table{"Aims", [][]string{{"", "measured", "wanted", ""}}}
	for _, a := range r.Aims {
		sign, verdict := "at least", "met"
		if a.Most {
			sign = "at most"
		}
		if !a.Met {
			verdict = "missed"
		}
		aims.rows = append(aims.rows, []string{a.Aim, strings.TrimSpace(fmt.Sprintf("%.3g %s", a.Value, a.Unit)), strings.TrimSpace(fmt.Sprintf("%s %g %s", sign, a.Limit, a.Unit)), verdict})
	}
	return append(all, aims)
}

// number writes a value; 0, which stands for what was not measured, as a dash.
func number(x float64, digits int) string {
	if x == 0 {
		return "-"
	}
	return fmt.Sprintf("%.*f", digits, x)
}

// report is where the report is, from the root of the source tree.
const report = "docs/CRAWL.md"

// writeReport writes the tables as a page of the documentation.
func (r *result) writeReport() error {
	root, err := devtool.Root()
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(root, filepath.FromSlash(report)), r.markdown(), 0o644)
}

func (r *result) markdown() []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "# How quick the crawl is\n\n%s\n\n", intro)
	fmt.Fprintf(&b, "Measured on %s by\n\n    %s\n\non %s, %s.\n%s, seed %d, %d runs of each.\n", r.Date, r.Command, r.Machine, r.Go, r.heading(), r.Seed, r.runs())
	for _, t := range r.tables() {
		fmt.Fprintf(&b, "\n## %s\n\n", t.title)
		for i, row := range t.rows {
			fmt.Fprintf(&b, "| %s |\n", strings.Join(row, " | "))
			if i == 0 {
				fmt.Fprintf(&b, "|%s\n", strings.Repeat(" --- |", len(row)))
			}
		}
	}
	return b.Bytes()
}

const intro = `One farm of hosts on loopback addresses serves the pages from a process of its own. Nightjar does all that it does in a
night: fetch, parse, classify, score, keep in the database, archive. Colly and the bare loop (net/http and
golang.org/x/net/html) fetch and parse the same pages, extract their links and keep nothing. Rates and processor times are
medians over the runs, ratios medians over the ratios of each round; peak memory is the most of any run. The server shares
the processors with the contenders, which brings rates nearer to each other; processor times are of the contender alone.`

func (r *result) runs() int {
	if len(r.Contenders) == 0 {
		return 1
	}
	return len(r.Contenders[0].Runs)
}
