package pdftext

import (
	"math"
	"strings"

	"github.com/ledongthuc/pdf"
)

// glyph is a letter as it is drawn on a page, in points.
type glyph struct {
	s             string
	x, y, w, size float64
}

// maxGlyphs is the number of glyphs taken from a page.
const maxGlyphs = 200_000

// font is what is needed of a font, read once a page: the library's Page.Content looks each width up in the file anew, and
// ends each array of strings with a letter that is not there.
type font struct {
	decode func(raw string) []string // one string for each code
	width  [256]float64              // in thousandths of the size, of codes of one byte
	bytes  int                       // of a code
}

func loadFont(f pdf.Font) *font {
	out := &font{bytes: 1}
	if f.V.Key("Subtype").Name() == "Type0" {
		out.bytes = 2
	}
	first, widths := f.FirstChar(), f.Widths()
	for i, w := range widths {
		if c := first + i; c >= 0 && c < 256 {
			out.width[c] = w
		}
	}
	enc := f.Encoder()
	plain := texText(f)
	known := map[string]string{}
	out.decode = func(raw string) (all []string) {
		for len(raw) > 0 {
			n := min(out.bytes, len(raw))
			code := raw[:n]
			raw = raw[n:]
			s, ok := known[code]
			if !ok {
				if s = plain[code[0]]; s == "" {
					s = enc.Decode(code)
				}
				known[code] = s
			}
			all = append(all, s)
		}
		return all
	}
	return out
}

// ot1 is where TeX's old text encoding differs from ASCII. Fonts with it often do not say so.
var ot1 = map[byte]string{
	0x0b: "ff", 0x0c: "fi", 0x0d: "fl", 0x0e: "ffi", 0x0f: "ffl", 0x10: "ı", 0x11: "ȷ", 0x12: "`", 0x13: "´", 0x14: "ˇ",
	0x15: "˘", 0x16: "¯", 0x17: "˚", 0x18: "¸", 0x19: "ß", 0x1a: "æ", 0x1b: "œ", 0x1c: "ø", 0x1d: "Æ", 0x1e: "Œ", 0x1f: "Ø",
	'"': "”", '\\': "“", '{': "–", '|': "—", '}': "˝", '^': "ˆ", '_': "˙", '`': "‘", '\'': "’", '~': "˜", 0x7f: "¨",
}

// texText returns ot1 for the text fonts of TeX (Computer Modern) without an encoding, nil for all others.
func texText(f pdf.Font) map[byte]string {
	if !f.V.Key("Encoding").IsNull() || !f.V.Key("ToUnicode").IsNull() {
		return nil
	}
	_, name, ok := strings.Cut(f.BaseFont(), "+")
	if !ok {
		name = f.BaseFont()
	}
	for _, p := range []string{"CMR", "CMB", "CMTI", "CMSL", "CMSS", "CMCSC"} {
		if strings.HasPrefix(name, p) && !strings.HasPrefix(name, "CMBSY") {
			return ot1
		}
	}
	return nil
}

// affine is the matrix (a b; c d) and the shift (e f) of PDF.
type affine [6]float64

var identity = affine{1, 0, 0, 1, 0, 0}

func (m affine) times(n affine) affine {
	return affine{
		m[0]*n[0] + m[1]*n[2], m[0]*n[1] + m[1]*n[3], m[2]*n[0] + m[3]*n[2], m[2]*n[1] + m[3]*n[3],
		m[4]*n[0] + m[5]*n[2] + n[4], m[4]*n[1] + m[5]*n[3] + n[5],
	}
}

// state is the part of PDF's graphics state that places text (ISO 32000-1, 9.3).
type state struct {
	ctm                                         affine
	font                                        *font
	size, char, word, leading, horizontal, rise float64
}

// page draws the text of a page.
type page struct {
	p          pdf.Page
	fonts      map[string]*font
	now        state
	saved      []state
	text, line affine
	out        []glyph
}

// content returns the glyphs of a page in the order in which they are drawn.
func content(p pdf.Page) []glyph {
	d := &page{p: p, fonts: map[string]*font{}, now: state{ctm: identity, horizontal: 1}, text: identity, line: identity}
	if c := p.V.Key("Contents"); !c.IsNull() {
		pdf.Interpret(c, func(stk *pdf.Stack, op string) {
			args := make([]pdf.Value, stk.Len())
			for i := len(args) - 1; i >= 0; i-- {
				args[i] = stk.Pop()
			}
			d.do(op, args)
		})
	}
	return d.out
}

func number(args []pdf.Value, i int) float64 {
	if i >= len(args) {
		return 0
	}
	return args[i].Float64()
}

func matrix(args []pdf.Value) (m affine) {
	for i := range m {
		m[i] = number(args, i)
	}
	return m
}

func (d *page) do(op string, args []pdf.Value) {
	switch op {
	case "cm":
		d.now.ctm = matrix(args).times(d.now.ctm)
	case "q":
		if len(d.saved) < 1000 {
			d.saved = append(d.saved, d.now)
		}
	case "Q":
		if n := len(d.saved) - 1; n >= 0 {
			d.now, d.saved = d.saved[n], d.saved[:n]
		}
	case "BT":
		d.text, d.line = identity, identity
	case "Tm":
		d.line = matrix(args)
		d.text = d.line
	case "TD":
		d.now.leading = -number(args, 1)
		d.move(number(args, 0), number(args, 1))
	case "Td":
		d.move(number(args, 0), number(args, 1))
	case "T*":
		d.move(0, -d.now.leading)
	case "Tf":
		if len(args) == 2 {
			d.now.font, d.now.size = d.load(args[0].Name()), args[1].Float64()
		}
	case "Tc":
		d.now.char = number(args, 0)
	case "Tw":
		d.now.word = number(args, 0)
	case "TL":
		d.now.leading = number(args, 0)
	case "Ts":
		d.now.rise = number(args, 0)
	case "Tz":
		d.now.horizontal = number(args, 0) / 100
	case "Tj", "'", "\"", "TJ":
		d.shown(op, args)
	}
}

func (d *page) load(name string) *font {
	if f, ok := d.fonts[name]; ok {
		return f
	}
	f := loadFont(d.p.Font(name))
	d.fonts[name] = f
	return f
}

func (d *page) move(x, y float64) {
	d.line = affine{1, 0, 0, 1, x, y}.times(d.line)
	d.text = d.line
}

// shown draws the last argument of an operator that shows text.
func (d *page) shown(op string, args []pdf.Value) {
	if op == "\"" && len(args) == 3 {
		d.now.word, d.now.char = args[0].Float64(), args[1].Float64()
	}
	if op == "'" || op == "\"" {
		d.move(0, -d.now.leading)
	}
	if len(args) == 0 || d.now.font == nil {
		return
	}
	last := args[len(args)-1]
	if op != "TJ" {
		d.draw(last.RawString())
		return
	}
	for i := range last.Len() {
		if v := last.Index(i); v.Kind() == pdf.String {
			d.draw(v.RawString())
		} else {
			d.advance(-v.Float64() / 1000 * d.now.size)
		}
	}
}

func (d *page) advance(x float64) {
	d.text = affine{1, 0, 0, 1, x * d.now.horizontal, 0}.times(d.text)
}

func (d *page) draw(raw string) {
	f := d.now.font
	for i, s := range f.decode(raw) {
		at := affine{d.now.size * d.now.horizontal, 0, 0, d.now.size, 0, d.now.rise}.times(d.text).times(d.now.ctm)
		wide := 0.0
		if f.bytes == 1 {
			wide = f.width[raw[i]] / 1000
		}
		// Text that is turned has its size beside the diagonal: it is left out.
		if size := math.Abs(at[0]); len(d.out) < maxGlyphs && size >= 1 && finite(at) {
			d.out = append(d.out, glyph{s: s, x: at[4], y: at[5], w: wide * at[0], size: size})
		}
		step := wide*d.now.size + d.now.char
		if f.bytes == 1 && raw[i] == ' ' {
			step += d.now.word
		}
		d.advance(step)
	}
}

func finite(m affine) bool {
	sum := 0.0
	for _, v := range m {
		sum += v
	}
	return !math.IsNaN(sum) && !math.IsInf(sum, 0)
}
