package pdftext

import (
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Distances between glyphs, in font sizes, that say what is between them. PDF has no lines and often no spaces.
const (
	lineMove  = 0.5  // up or down: a new line
	spaceGap  = 0.15 // to the right: a space
	columnGap = 3.0  // to the right: a line of another column
	backGap   = 1.0  // to the left: a line drawn after what stands right of it
	sameX     = 0.1  // beside the same letter: drawn twice
	sameY     = 0.2  // above or below it
)

// join makes lines of the glyphs of a page.
func join(glyphs []glyph, page int) (lines []Line) {
	for _, run := range inColumns(rows(once(glyphs))) {
		if l, ok := line(run, page); ok {
			lines = append(lines, l)
		}
	}
	return lines
}

// rows parts glyphs where the next one does not stand right of the one before.
func rows(glyphs []glyph) (all [][]glyph) {
	from := 0
	for i := 1; i <= len(glyphs); i++ {
		if i == len(glyphs) || newRow(glyphs[i-1], glyphs[i]) {
			all = append(all, glyphs[from:i])
			from = i
		}
	}
	return all
}

func newRow(a, b glyph) bool {
	size := max(a.size, b.size)
	return math.Abs(b.y-a.y) > lineMove*size || gap(a, b) < -backGap*size-a.w
}

func gap(a, b glyph) float64 { return b.x - a.x - a.w }

// once leaves out glyphs without a letter, and those that stand nearly where the same letter stands already: some programs
// draw bold text twice.
func once(glyphs []glyph) []glyph {
	type cell struct {
		s    string
		x, y int
	}
	known := map[cell][]glyph{}
	kept := glyphs[:0:0]
	for _, g := range glyphs {
		if g.s == "" {
			continue
		}
		wide, high := sameX*g.size, sameY*g.size
		at := cell{g.s, int(g.x / wide), int(g.y / high)}
		twice := false
		for i := range 9 {
			twice = twice || slices.ContainsFunc(known[cell{g.s, at.x + i%3 - 1, at.y + i/3 - 1}], func(k glyph) bool {
				return k.size == g.size && math.Abs(k.x-g.x) < wide && math.Abs(k.y-g.y) < high
			})
		}
		if !twice {
			known[at] = append(known[at], g)
			kept = append(kept, g)
		}
	}
	return kept
}

func line(row []glyph, page int) (Line, bool) {
	var b strings.Builder
	sizes := map[float64]int{}
	for i, g := range row {
		if i > 0 && gap(row[i-1], g) > spaceGap*min(g.size, row[i-1].size) {
			b.WriteByte(' ')
		}
		if spaceGlyph(row, i) {
			b.WriteByte(' ')
			continue
		}
		b.WriteString(g.s)
		sizes[math.Round(g.size*10)/10]++
	}
	text := strings.Join(strings.Fields(norm.NFKC.String(accents(b.String()))), " ")
	text = strings.ReplaceAll(text, "\u2010", "-") // a hyphen as typed
	if text == "" {
		return Line{}, false
	}
	l := Line{Page: page, Text: strings.ToValidUTF8(text, ""), X: row[0].x, Y: row[0].y}
	for s, n := range sizes {
		if m := sizes[l.Size]; n > m || n == m && s > l.Size {
			l.Size = s
		}
	}
	return l, true
}

// spaceGlyph reports whether a glyph is a space that the font calls something else: as wide as a space, between words of
// another script.
func spaceGlyph(row []glyph, i int) bool {
	g := row[i]
	r, _ := utf8.DecodeRuneInString(g.s)
	if !unicode.IsLetter(r) || unicode.Is(unicode.Latin, r) || g.w < .2*g.size || g.w > .35*g.size {
		return false
	}
	for _, j := range []int{i - 1, i + 1} {
		if j < 0 || j >= len(row) {
			continue
		}
		n, _ := utf8.DecodeRuneInString(row[j].s)
		if unicode.IsLetter(n) && !unicode.Is(unicode.Latin, n) {
			return false
		}
	}
	return true
}

// combining has the combining form of accents that TeX draws as glyphs of their own, before the letter.
var combining = map[rune]rune{
	'`': 0x300, '´': 0x301, 'ˆ': 0x302, '˜': 0x303, '¯': 0x304, '˘': 0x306, '˙': 0x307, '¨': 0x308, '˚': 0x30A, '˝': 0x30B,
	'ˇ': 0x30C, '¸': 0x327, '˛': 0x328,
}

// accents joins accents with the letters after them, dotless i included.
func accents(s string) string {
	if !strings.ContainsFunc(s, func(r rune) bool { return combining[r] != 0 }) {
		return s
	}
	in := []rune(s)
	out := make([]rune, 0, len(in))
	for i := 0; i < len(in); i++ {
		mark := combining[in[i]]
		next := i + 1
		if mark != 0 && next < len(in) && in[next] == ' ' && next+1 < len(in) && in[i] != '`' {
			next++ // the letter is drawn back under the accent
		}
		if mark == 0 || next >= len(in) || !unicode.IsLetter(in[next]) {
			out = append(out, in[i])
			continue
		}
		letter := in[next]
		switch letter {
		case 'ı':
			letter = 'i'
		case 'ȷ':
			letter = 'j'
		}
		out = append(out, letter, mark)
		i = next
	}
	return string(out)
}
