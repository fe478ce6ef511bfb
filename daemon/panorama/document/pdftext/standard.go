package pdftext

import (
	"strings"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/ledongthuc/pdf"
)

// face is the widths of a standard font in thousandths of the size, from space to tilde.
type face [95]float64

// The widths of the 14 fonts that every reader of PDF has (Adobe Font Metrics of the core 14 fonts). Slanted Helvetica is as wide
// as the upright one, and all of Courier is 600 wide.
var (
	sans = face{
		278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278, 556, 556, 556, 556, 556, 556, 556, 556,
		556, 556, 278, 278, 584, 584, 584, 556, 1015, 667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667, 556, 833, 722, 778,
		667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469, 556, 333, 556, 556, 500, 556, 556, 278, 556,
		556, 222, 222, 500, 222, 833, 556, 556, 556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584,
	}
	sansBold = face{
		278, 333, 474, 556, 556, 889, 722, 238, 333, 333, 389, 584, 278, 333, 278, 278, 556, 556, 556, 556, 556, 556, 556, 556,
		556, 556, 333, 333, 584, 584, 584, 611, 975, 722, 722, 722, 722, 667, 611, 778, 722, 278, 556, 722, 611, 833, 722, 778,
		667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 333, 278, 333, 584, 556, 333, 556, 611, 556, 611, 556, 333, 611,
		611, 278, 278, 556, 278, 889, 611, 611, 611, 611, 389, 556, 333, 611, 556, 778, 556, 556, 500, 389, 280, 389, 584,
	}
	serif = face{
		250, 333, 408, 500, 500, 833, 778, 180, 333, 333, 500, 564, 250, 333, 250, 278, 500, 500, 500, 500, 500, 500, 500, 500,
		500, 500, 278, 278, 564, 564, 564, 444, 921, 722, 667, 667, 722, 611, 556, 722, 722, 333, 389, 722, 611, 889, 722, 722,
		556, 722, 667, 556, 611, 722, 722, 944, 722, 722, 611, 333, 278, 333, 469, 500, 333, 444, 500, 444, 500, 444, 333, 500,
		500, 278, 278, 500, 278, 778, 500, 500, 500, 500, 333, 389, 278, 500, 500, 722, 500, 500, 444, 480, 200, 480, 541,
	}
	serifBold = face{
		250, 333, 555, 500, 500, 1000, 833, 278, 333, 333, 500, 570, 250, 333, 250, 278, 500, 500, 500, 500, 500, 500, 500, 500,
		500, 500, 333, 333, 570, 570, 570, 500, 930, 722, 667, 722, 722, 667, 611, 778, 778, 389, 500, 778, 667, 944, 722, 778,
		611, 778, 722, 556, 667, 722, 722, 1000, 722, 722, 667, 333, 278, 333, 581, 500, 333, 500, 556, 444, 556, 444, 333, 500,
		556, 278, 333, 556, 278, 833, 556, 500, 556, 556, 444, 389, 333, 556, 500, 722, 500, 500, 444, 394, 220, 394, 520,
	}
	serifItalic = face{
		250, 333, 420, 500, 500, 833, 778, 214, 333, 333, 500, 675, 250, 333, 250, 278, 500, 500, 500, 500, 500, 500, 500, 500,
		500, 500, 333, 333, 675, 675, 675, 500, 920, 611, 611, 667, 722, 611, 611, 722, 722, 333, 444, 667, 556, 833, 667, 722,
		611, 722, 611, 500, 556, 722, 611, 833, 611, 556, 556, 389, 278, 389, 422, 500, 333, 500, 500, 444, 500, 444, 278, 500,
		500, 278, 278, 444, 278, 722, 500, 500, 500, 500, 389, 389, 278, 500, 444, 667, 444, 444, 389, 400, 275, 400, 541,
	}
	serifBoldItalic = face{
		250, 389, 555, 500, 500, 833, 778, 278, 333, 333, 500, 570, 250, 333, 250, 278, 500, 500, 500, 500, 500, 500, 500, 500,
		500, 500, 333, 333, 570, 570, 570, 500, 832, 667, 667, 667, 722, 667, 667, 722, 778, 389, 500, 667, 611, 889, 722, 722,
		611, 722, 667, 556, 611, 722, 667, 889, 667, 611, 611, 333, 278, 333, 570, 500, 333, 500, 500, 444, 500, 444, 333, 500,
		556, 278, 278, 500, 278, 778, 556, 500, 500, 500, 389, 389, 278, 556, 444, 667, 500, 444, 389, 348, 220, 348, 570,
	}
)

// monospaced is the width of all letters of Courier.
const monospaced = 600

// signs has the widths of letters that are none of ASCII with an accent, about the same in all faces.
var signs = map[rune]float64{'‘': 250, '’': 250, '‚': 250, '“': 400, '”': 400, '„': 400, '–': 530, '—': 1000, '…': 1000, '•': 350, '\u00ad': 333,
	'ﬁ': 530, 'ﬂ': 530, 'æ': 750, 'œ': 800, 'Æ': 950, 'Œ': 950, 'ß': 550, 'ı': 278, '·': 265, '°': 400, '«': 528, '»': 528, '\u00a0': 265}

// usual is the width of letters that no table has.
const usual = 550

// standardWidths returns the widths of a font that does not say them: those of the standard font that it is, or is like.
func standardWidths(f pdf.Font, decode func(code string) string) func(code string) float64 {
	name := strings.ToLower(f.BaseFont())
	has := func(words ...string) bool {
		for _, w := range words {
			if strings.Contains(name, w) {
				return true
			}
		}
		return false
	}
	const fixed, serifs = 1, 2 // flags (ISO 32000-1, table 123)
	flags := f.V.Key("FontDescriptor").Key("Flags").Int64()
	if has("courier", "mono") || flags&fixed != 0 {
		return func(string) float64 { return monospaced }
	}
	bold, italic := has("bold", "black"), has("italic", "oblique")
	of := &sans
	switch withSerifs := has("times", "serif", "roman", "georgia", "garamond") && !has("sans") || flags&serifs != 0; {
	case withSerifs && bold && italic:
		of = &serifBoldItalic
	case withSerifs && bold:
		of = &serifBold
	case withSerifs && italic:
		of = &serifItalic
	case withSerifs:
		of = &serif
	case bold:
		of = &sansBold
	}
	return func(code string) float64 { return of.width(decode(code)) }
}

func (f *face) width(s string) float64 {
	r, _ := utf8.DecodeRuneInString(s)
	if w, ok := signs[r]; ok {
		return w
	}
	if r >= utf8.RuneSelf { // a letter with an accent is as wide as without
		r, _ = utf8.DecodeRuneInString(norm.NFD.String(s))
	}
	if i := int(r) - ' '; i >= 0 && i < len(f) {
		return f[i]
	}
	return usual
}
