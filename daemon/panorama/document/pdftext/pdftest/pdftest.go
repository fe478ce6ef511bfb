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

// Write returns a PDF with a page for each list of lines, in a font with codes of one byte, as TeX has them. extra is put into
// its trailer.
func Write(pages [][]Line, extra string) []byte { return write(pages, extra, simple) }

// WriteCID is Write with a font whose codes have two bytes and whose widths are those of another font below it, as browsers
// and office programs have them. Each letter has a place of its own, as browsers draw it.
func WriteCID(pages [][]Line) []byte { return write(pages, "", composite) }

// WriteStandard is Write with a standard font that does not say its widths.
func WriteStandard(pages [][]Line, name string) []byte {
	f := simple
	f.objects = []string{"<< /Type /Font /Subtype /Type1 /BaseFont /" + name + " /Encoding /WinAnsiEncoding >>"}
	f.show = func(l Line) string { return fmt.Sprintf("1 0 0 1 %g %g Tm (%s) Tj", l.X, l.Y, l.Text) }
	return write(pages, "", f)
}

// face is how a font is written.
type face struct {
	objects []string // the font and what it refers to, as objects from 3 on
	show    func(l Line) string
}

var simple = face{
	objects: []string{"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding /FirstChar 32 /LastChar 126 /Widths [ " +
		strings.Repeat("500 ", 95) + "] >>"},
	show: func(l Line) string {
		text := strings.NewReplacer(`\`, `\\`, "(", `\(`, ")", `\)`, " ", ") -333 (").Replace(l.Text)
		return fmt.Sprintf("1 0 0 1 %g %g Tm [(%s)] TJ", l.X, l.Y, text)
	},
}

// below is the code of a letter below its number in ASCII.
const below = 29

const toUnicode = `/CIDInit /ProcSet findresource begin
12 dict begin
begincmap
/CMapName /Test def
/CMapType 2 def
1 begincodespacerange
<0000> <FFFF>
endcodespacerange
1 beginbfrange
<0003> <0061> <0020>
endbfrange
endcmap
end
end`

// small are the widths of a to m.
var small = []float64{550, 560, 570, 580, 590, 600, 610, 620, 300, 310, 580, 300, 900}

var composite = face{
	objects: []string{
		"<< /Type /Font /Subtype /Type0 /BaseFont /Test /Encoding /Identity-H /DescendantFonts [4 0 R] /ToUnicode 5 0 R >>",
		// One width for the capitals, a width each for a to m, and the default for all others.
		"<< /Type /Font /Subtype /CIDFontType2 /BaseFont /Test /CIDToGIDMap /Identity /DW 500 " +
			fmt.Sprintf("/W [36 61 700 68 %v] >>", small),
		fmt.Sprintf("<< /Length %d >>\nstream\n%s\nendstream", len(toUnicode), toUnicode),
	},
	show: func(l Line) string {
		var b strings.Builder
		for x, rest := l.X, l.Text; rest != ""; rest = rest[1:] {
			fmt.Fprintf(&b, "1 0 0 1 %g %g Tm <%04x> Tj ", x, l.Y, rest[0]-below)
			x += width(rest[0]) * l.Size / 1000
		}
		return b.String()
	},
}

// width is how wide composite draws a letter, in thousandths of its size.
func width(letter byte) float64 {
	switch {
	case letter >= 'A' && letter <= 'Z':
		return 700
	case letter >= 'a' && letter <= 'm':
		return small[letter-'a']
	}
	return 500
}

func write(pages [][]Line, extra string, f face) []byte {
	first, kids := 3+len(f.objects), ""
	for i := range pages {
		kids += fmt.Sprintf("%d 0 R ", first+2*i)
	}
	all := []string{"<< /Type /Catalog /Pages 2 0 R >>", fmt.Sprintf("<< /Type /Pages /Count %d /Kids [ %s] >>", len(pages), kids)}
	all = append(all, f.objects...)
	for i, lines := range pages {
		s := content(lines, f.show)
		all = append(all, fmt.Sprintf("<< /Type /Page /Parent 2 0 R /Contents %d 0 R /Resources << /Font << /F1 3 0 R >> >> >>", first+2*i+1),
			fmt.Sprintf("<< /Length %d >>\nstream\n%s\nendstream", len(s), s))
	}
	return Assemble(all, extra)
}

// Assemble writes a file with objects, numbered from 1.
func Assemble(all []string, extra string) []byte {
	var b bytes.Buffer
	b.WriteString("%PDF-1.4\n")
	at := make([]int, len(all))
	for i, o := range all {
		at[i] = b.Len()
		fmt.Fprintf(&b, "%d 0 obj\n%s\nendobj\n", i+1, o)
	}
	start := b.Len()
	fmt.Fprintf(&b, "xref\n0 %d\n0000000000 65535 f \n", len(at)+1)
	for _, p := range at {
		fmt.Fprintf(&b, "%010d 00000 n \n", p)
	}
	fmt.Fprintf(&b, "trailer\n<< /Size %d /Root 1 0 R %s>>\nstartxref\n%d\n%%%%EOF\n", len(at)+1, extra, start)
	return b.Bytes()
}

func content(lines []Line, show func(Line) string) string {
	var b strings.Builder
	for _, l := range lines {
		fmt.Fprintf(&b, "BT /F1 %g Tf %s ET\n", l.Size, show(l))
	}
	return b.String()
}
