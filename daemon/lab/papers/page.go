package papers

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"nightjar/daemon/lab/bench/report"
	"nightjar/daemon/lab/devtool"
	"nightjar/model/measure"
)

// Verdicts.
const (
	reached = "**reached**"
	inKind  = "reached in kind"
	missed  = "**not reached**"
)

// row is a claim of a paper and what was measured of it.
type row struct{ Where, Printed, Ours, On, Verdict string }

// picture is curves beside a figure of a paper.
type picture struct {
	File, Title, About, X string
	Beside                string // what the paper's figure shows
	Curves                []report.Curve
}

// section is a paper on the page.
type section struct {
	Title, Source string
	Rows          []row
	Note          string // what to know before the tables
	Tables        []devtool.Table
	Pictures      []picture
}

// claim is the part of a row that is known before anything is measured.
type claim struct{ where, printed string }

// cannot is a section whose claims cannot be measured, and why.
func (s section) cannot(why string, claims ...claim) section {
	for _, c := range claims {
		s.Rows = append(s.Rows, row{c.where, c.printed, "–", "–", "cannot be run here: " + why})
	}
	return s
}

// add adds a row of a claim.
func (s *section) add(c claim, ours, on, verdict string) {
	s.Rows = append(s.Rows, row{c.where, c.printed, ours, on, verdict})
}

// amount is the verdict on a difference that is printed: reached when it is beyond chance and at least as large,
// reached in kind when it is beyond chance but smaller.
func amount(f measure.Figure, printed float64) string {
	switch {
	case f.Low <= 0:
		return missed
	case f.Value >= printed:
		return reached
	}
	return inKind
}

// order is the verdict on an order that is printed: reached when the first is ahead of each other beyond chance, reached in kind when
// it is ahead on average.
func order(ahead ...measure.Figure) string {
	verdict := reached
	for _, f := range ahead {
		if f.Value <= 0 {
			return missed
		}
		if f.Low <= 0 {
			verdict = inKind
		}
	}
	return verdict
}

// percent writes a share with its interval.
func percent(f measure.Figure) string {
	return fmt.Sprintf("%.0f %% [%.0f, %.0f]", 100*f.Value, 100*f.Low, 100*f.High)
}

// signed writes a difference or gain in percent, with its interval.
func signed(f measure.Figure) string {
	return minus(fmt.Sprintf("%+.0f %% [%+.0f, %+.0f]", 100*f.Value, 100*f.Low, 100*f.High))
}

func minus(s string) string { return strings.ReplaceAll(s, "-", "−") }

// results is everything that was measured.
type results struct {
	Quick    bool
	Measured string // when, by which command and where
	Sections []section
}

const intro = `What the headline of each of the five papers behind Nightjar rests on, and what the same measurement gives here, on public
recordings. The papers' own data are gone: their crawls were of the web of 1999 to 2008.

- **Reached**: the difference is in the paper's direction beyond chance, and ours is at least what is printed. Where the
  paper prints only a picture, the order of its curves at the end holds beyond chance.
- **Reached in kind**: in the paper's direction, but smaller than printed, or, of an order, not beyond chance.
- **Not reached**: no difference beyond chance, or one in the other direction.

In square brackets is the 95 % interval, n the number of crawls, documents or pages. Relevant pages are those with a label that people
gave (WebKB, Wikispeedia), unless the row says otherwise; pages of the session never count. Links that a recording lacks cost nothing.
Places in the papers are sections, tables and figures: the copies at hand have no page numbers.

The data are described in [BENCHMARKS](../daemon/lab/reports/BENCHMARKS.md#how-to-run-it-again). WebKB: learn on two universities,
crawl the third. Wikispeedia: learn from people's navigation games to half of a category, find the other half.
`

// Markdown writes the page.
func (p *results) Markdown() []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "# The five papers, measured\n\n%s\n%s", intro, p.Measured)
	if p.Quick {
		b.WriteString("\nThis was the quick run: fewer tasks, seeds and documents, and shorter crawls. Its intervals are wide.\n")
	} else {
		b.WriteString("\nThis was the full run.\n")
	}
	p.against(&b)
	for _, s := range p.Sections {
		fmt.Fprintf(&b, "\n## %s\n\n%s\n\n| where | printed | measured here | on | verdict |\n|---|---|---|---|---|\n", s.Title, s.Source)
		for _, r := range s.Rows {
			fmt.Fprintf(&b, "| %s | %s | %s | %s | %s |\n", r.Where, r.Printed, r.Ours, r.On, r.Verdict)
		}
		if s.Note != "" {
			fmt.Fprintf(&b, "\n%s\n", s.Note)
		}
		for _, pic := range s.Pictures {
			fmt.Fprintf(&b, "\n![%s](papers/%s)\n\n%s\n", pic.Title, pic.File, pic.Beside)
		}
		for _, t := range s.Tables {
			b.WriteString(t.Markdown("###"))
		}
	}
	return b.Bytes()
}

// against says how many claims were reached, and names those that were not.
func (p *results) against(b *bytes.Buffer) {
	count, all := map[string]int{}, 0
	var failed strings.Builder
	for _, s := range p.Sections {
		var where []string
		for _, r := range s.Rows {
			all++
			kind, _, _ := strings.Cut(r.Verdict, ":")
			if count[kind]++; kind == missed && !slices.Contains(where, r.Where) {
				where = append(where, r.Where)
			}
		}
		if len(where) > 0 {
			key, _, _ := strings.Cut(s.Title, "]")
			fmt.Fprintf(&failed, "- %s]: %s\n", key, strings.Join(where, "; "))
		}
	}
	fmt.Fprintf(b, "\n## In short\n\nOf %d rows, %d are reached, %d reached in kind, %d not reached, and %d cannot be run here.\n", all,
		count[reached], count[inKind], count[missed], count["cannot be run here"])
	if failed.Len() > 0 {
		fmt.Fprintf(b, "\nNot reached, at least on some of the webs:\n\n%s", failed.String())
	}
}

// write writes the page and its pictures below a folder, in place of the pictures of an earlier run.
func (p *results) write(docs string) error {
	folder := filepath.Join(docs, "papers")
	if err := os.RemoveAll(folder); err != nil {
		return err
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	for _, s := range p.Sections {
		for _, pic := range s.Pictures {
			var svg bytes.Buffer
			if err := report.Curves(&svg, pic.Title, pic.About, pic.X, pic.Curves); err != nil {
				return err
			}
			if err := os.WriteFile(filepath.Join(folder, pic.File), svg.Bytes(), 0o644); err != nil {
				return err
			}
		}
	}
	return os.WriteFile(filepath.Join(docs, "PAPERS.md"), p.Markdown(), 0o644)
}
