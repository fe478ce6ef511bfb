package pdftext

import (
	"strings"

	"github.com/ledongthuc/pdf"
)

// font is what is needed of a font, read once a page: the library's Page.Content looks each width up in the file anew, and
// ends each array of strings with a letter that is not there.
type font struct {
	decode func(raw string) []string // one string for each code
	width  func(code string) float64 // of a code, in thousandths of the size
	bytes  int                       // of a code
}

func loadFont(f pdf.Font) *font {
	out := &font{bytes: 1}
	enc := f.Encoder()
	plain := texText(f)
	known := map[string]string{}
	one := func(code string) string {
		s, ok := known[code]
		if !ok {
			if s = plain[code[0]]; s == "" {
				s = enc.Decode(code)
			}
			known[code] = s
		}
		return s
	}
	switch {
	case f.V.Key("Subtype").Name() == "Type0":
		out.bytes, out.width = 2, cidWidths(f.V.Key("DescendantFonts").Index(0))
	case f.V.Key("Widths").Len() == 0:
		out.width = standardWidths(f, one)
	default:
		out.width = widths(f)
	}
	out.decode = func(raw string) (all []string) {
		for len(raw) > 0 {
			n := min(out.bytes, len(raw))
			all = append(all, one(raw[:n]))
			raw = raw[n:]
		}
		return all
	}
	return out
}

// widths reads the widths of a font with codes of one byte.
func widths(f pdf.Font) func(string) float64 {
	var of [256]float64
	first := f.FirstChar()
	for i, w := range f.Widths() {
		if c := first + i; c >= 0 && c < len(of) {
			of[c] = w
		}
	}
	return func(code string) float64 { return of[code[0]] }
}

// cidWidths reads the widths of the font below one with codes of two bytes (ISO 32000-1, 9.7.4.3): of single codes,
// "c [w1 w2 …]", and of all from one code to another, "c1 c2 w". Codes count as numbers of glyphs, as they are with the encoding
// Identity-H that programs write; the lists of codes that other encodings name are not at hand.
func cidWidths(below pdf.Value) func(string) float64 {
	otherwise := 1000.0
	if dw := below.Key("DW"); !dw.IsNull() {
		otherwise = dw.Float64()
	}
	of := map[int]float64{}
	list := below.Key("W")
	left := maxWidths
	for i := 0; i+1 < list.Len() && left > 0; {
		first := int(list.Index(i).Float64())
		if each := list.Index(i + 1); each.Kind() == pdf.Array {
			for k := range min(each.Len(), left) {
				of[first+k] = each.Index(k).Float64()
			}
			left -= each.Len() + 1
			i += 2
			continue
		}
		last, w := int(list.Index(i+1).Float64()), list.Index(i+2).Float64()
		for c := first; c <= last && left > 0; c++ {
			of[c] = w
			left--
		}
		left--
		i += 3
	}
	return func(code string) float64 {
		cid := 0
		for _, b := range []byte(code) {
			cid = cid<<8 | int(b)
		}
		if w, ok := of[cid]; ok {
			return w
		}
		return otherwise
	}
}

// maxWidths is how many widths of a font are read at most: twice as many as codes of two bytes.
const maxWidths = 1 << 17

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
