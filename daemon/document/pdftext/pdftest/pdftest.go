// Package pdftest writes small PDFs for tests.
package pdftest

import (
	"bytes"
	"fmt"
	"strings"
)

// Line is a line of text at a place of a page, in points.
type Line struct {
	X, Y, Size float64
	Text       string // of ASCII; a space is drawn as a gap, as TeX does
}

// Write returns a PDF with a page for each list of lines. extra is put into its trailer.
func Write(pages [][]Line, extra string) []byte {
	var b bytes.Buffer
	var at []int
	object := func(format string, args ...any) {
		at = append(at, b.Len())
		fmt.Fprintf(&b, "%d 0 obj\n", len(at))
		fmt.Fprintf(&b, format, args...)
		b.WriteString("\nendobj\n")
	}
	b.WriteString("%PDF-1.4\n")
	kids := ""
	for i := range pages {
		kids += fmt.Sprintf("%d 0 R ", 4+2*i)
	}
	object("<< /Type /Catalog /Pages 2 0 R >>")
	object("<< /Type /Pages /Count %d /Kids [ %s] >>", len(pages), kids)
	object("<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding /FirstChar 32 /LastChar 126 /Widths [ %s] >>",
		strings.Repeat("500 ", 95))
	for i, lines := range pages {
		object("<< /Type /Page /Parent 2 0 R /Contents %d 0 R /Resources << /Font << /F1 3 0 R >> >> >>", 5+2*i)
		s := content(lines)
		object("<< /Length %d >>\nstream\n%s\nendstream", len(s), s)
	}
	start := b.Len()
	fmt.Fprintf(&b, "xref\n0 %d\n0000000000 65535 f \n", len(at)+1)
	for _, p := range at {
		fmt.Fprintf(&b, "%010d 00000 n \n", p)
	}
	fmt.Fprintf(&b, "trailer\n<< /Size %d /Root 1 0 R %s>>\nstartxref\n%d\n%%%%EOF\n", len(at)+1, extra, start)
	return b.Bytes()
}

func content(lines []Line) string {
	escape := strings.NewReplacer(`\`, `\\`, "(", `\(`, ")", `\)`)
	var b strings.Builder
	for _, l := range lines {
		words := strings.ReplaceAll(escape.Replace(l.Text), " ", ") -333 (")
		fmt.Fprintf(&b, "BT /F1 %g Tf 1 0 0 1 %g %g Tm [(%s)] TJ ET\n", l.Size, l.X, l.Y, words)
	}
	return b.String()
}
