package pdftext

import (
	_ "embed" // of the widths
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/ledongthuc/pdf"
)

// face is the widths of a standard font in thousandths of the size, from space to tilde.
type face []float64

// standardTable has the widths of the 14 fonts that every reader of PDF has (Adobe Font Metrics of the core 14 fonts), a face a line
// after its name. Slanted Helvetica is as wide as the upright one, and all of Courier is 600 wide.
//
//go:embed standard.txt
var standardTable string

// faces reads standardTable.
var faces = sync.OnceValue(func() map[string]face {
	all := map[string]face{}
	for line := range strings.Lines(standardTable) {
		fields := strings.Fields(line)
		for _, field := range fields[1:] {
			width, err := strconv.ParseFloat(field, 64)
			if err != nil {
				panic("pdftext: " + err.Error())
			}
			all[fields[0]] = append(all[fields[0]], width)
		}
	}
	return all
})

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
	serif := has("times", "serif", "roman", "georgia", "garamond") && !has("sans") || flags&serifs != 0
	family := "sans"
	if serif {
		family = "serif"
	}
	if has("bold", "black") {
		family += "Bold"
	}
	if serif && has("italic", "oblique") {
		family += "Italic"
	}
	of := faces()[family]
	return func(code string) float64 { return of.width(decode(code)) }
}

func (f face) width(s string) float64 {
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
