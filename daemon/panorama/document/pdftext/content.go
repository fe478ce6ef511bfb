package pdftext

import (
	"math"

	"github.com/ledongthuc/pdf"
)

// glyph is a letter as it is drawn on a page, in points.
type glyph struct {
	s             string
	x, y, w, size float64
}

// maxGlyphs is the number of glyphs taken from a page.
const maxGlyphs = 200_000

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
	for _, s := range f.decode(raw) {
		code := raw[:min(f.bytes, len(raw))]
		raw = raw[len(code):]
		at := affine{d.now.size * d.now.horizontal, 0, 0, d.now.size, 0, d.now.rise}.times(d.text).times(d.now.ctm)
		wide := f.width(code) / 1000
		// Text that is turned has its size beside the diagonal: it is left out.
		if size := math.Abs(at[0]); len(d.out) < maxGlyphs && size >= 1 && finite(at) {
			d.out = append(d.out, glyph{s: s, x: at[4], y: at[5], w: wide * at[0], size: size})
		}
		step := wide*d.now.size + d.now.char
		if code == " " {
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
