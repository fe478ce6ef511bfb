package page

import (
	"bytes"
	"mime"
	"strings"
	"unicode/utf8"

	"github.com/wlynxg/chardet"
	"golang.org/x/net/html"
	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/htmlindex"
	"golang.org/x/text/encoding/unicode/utf32"
)

const (
	prescanBytes = 1024    // how far a document may declare its encoding, as in the HTML standard
	detectBytes  = 1 << 16 // how much the detector reads; it is slow, and more does not change its mind
)

// UTF8 returns body as valid UTF-8 without byte order mark, NUL and the other control characters that are not white
// space. The encoding is taken from the byte order mark, else from the content type's charset, else from what the
// document declares in its first 1,024 bytes, else by looking at the bytes, and is windows-1252 when all fail.
func UTF8(contentType string, body []byte) []byte {
	var out []byte
	switch enc := encodingOf(contentType, body); enc {
	case nil:
		out = bytes.ToValidUTF8(bytes.TrimPrefix(body, []byte("\xef\xbb\xbf")), []byte("\uFFFD"))
	default:
		var err error
		if out, err = enc.NewDecoder().Bytes(body); err != nil {
			out, _ = charmap.Windows1252.NewDecoder().Bytes(body) // decodes whatever it is given
		}
		out = bytes.TrimPrefix(bytes.ToValidUTF8(out, []byte("\uFFFD")), []byte("\ufeff"))
	}
	return stripControls(out)
}

// stripControls removes C0 controls that are not white space. The input is not changed.
func stripControls(b []byte) []byte {
	bad := func(r rune) bool { return r < ' ' && r != '\t' && r != '\n' && r != '\r' && r != '\f' || r == 0x7f }
	if bytes.IndexFunc(b, bad) < 0 {
		return b
	}
	return bytes.Map(func(r rune) rune {
		if bad(r) {
			return -1
		}
		return r
	}, b)
}

// encodingOf finds the encoding of a document; nil is UTF-8.
func encodingOf(contentType string, body []byte) encoding.Encoding {
	for _, mark := range marks {
		if bytes.HasPrefix(body, mark.bytes) {
			return mark.enc()
		}
	}
	if _, params, err := mime.ParseMediaType(contentType); err == nil {
		if enc, ok := lookup(params["charset"]); ok {
			return enc
		}
	}
	if enc, ok := declared(body[:min(len(body), prescanBytes)]); ok {
		return enc
	}
	return detect(body)
}

func label(name string) func() encoding.Encoding {
	return func() encoding.Encoding { enc, _ := lookup(name); return enc }
}

// marks are the byte order marks, the longer before its prefix.
var marks = []struct {
	bytes []byte
	enc   func() encoding.Encoding
}{
	{[]byte{0xef, 0xbb, 0xbf}, label("utf-8")},
	{[]byte{0xff, 0xfe, 0, 0}, func() encoding.Encoding { return utf32.UTF32(utf32.LittleEndian, utf32.ExpectBOM) }},
	{[]byte{0, 0, 0xfe, 0xff}, func() encoding.Encoding { return utf32.UTF32(utf32.BigEndian, utf32.ExpectBOM) }},
	{[]byte{0xfe, 0xff}, label("utf-16be")},
	{[]byte{0xff, 0xfe}, label("utf-16le")},
}

// lookup finds an encoding by a label of the Encoding standard. ok is false for unknown labels and for those that
// the standard answers with nothing but U+FFFD.
func lookup(name string) (enc encoding.Encoding, ok bool) {
	enc, err := htmlindex.Get(name)
	if err != nil || enc == encoding.Replacement {
		return nil, false
	}
	if canonical, _ := htmlindex.Name(enc); canonical == "utf-8" {
		return nil, true
	}
	return enc, true
}

// declared reads the encoding that a document declares of itself, in a meta element or an XML declaration.
func declared(head []byte) (encoding.Encoding, bool) {
	if enc, ok := xmlDeclared(head); ok {
		return enc, true
	}
	z := html.NewTokenizer(bytes.NewReader(head))
	for {
		switch z.Next() {
		case html.ErrorToken:
			return nil, false
		case html.StartTagToken, html.SelfClosingTagToken:
			name, more := z.TagName()
			if string(name) != "meta" {
				continue
			}
			var charset, content string
			var pragma bool
			for more {
				var key, value []byte
				key, value, more = z.TagAttr()
				switch string(key) {
				case "charset":
					charset = string(value)
				case "content":
					content = charsetIn(string(value))
				case "http-equiv":
					pragma = strings.EqualFold(string(value), "content-type")
				}
			}
			if charset == "" && pragma {
				charset = content
			}
			if enc, ok := declaredAs(charset); ok {
				return enc, true
			}
		}
	}
}

// declaredAs looks a declared label up. A document whose declaration could be read byte by byte is not UTF-16.
func declaredAs(label string) (encoding.Encoding, bool) {
	label = strings.ToLower(strings.TrimSpace(label))
	switch {
	case strings.HasPrefix(label, "utf-16"):
		return nil, true
	case label == "x-user-defined":
		return charmap.Windows1252, true
	}
	return lookup(label)
}

// charsetIn reads the charset from the content attribute of a meta element.
func charsetIn(s string) string {
	lower := strings.ToLower(s)
	for {
		_, rest, ok := strings.Cut(lower, "charset")
		if !ok {
			return ""
		}
		lower = rest
		rest, ok = strings.CutPrefix(strings.TrimLeft(rest, " \t\n\f\r"), "=")
		if !ok {
			continue
		}
		rest = strings.TrimLeft(rest, " \t\n\f\r")
		if rest == "" {
			return ""
		}
		if q := rest[:1]; q == `"` || q == `'` {
			value, _, closed := strings.Cut(rest[1:], q)
			if !closed {
				return ""
			}
			return value
		}
		if i := strings.IndexAny(rest, "; \t\n\f\r"); i >= 0 {
			rest = rest[:i]
		}
		return rest
	}
}

// xmlDeclared reads <?xml … encoding="…"?> at the very start.
func xmlDeclared(head []byte) (encoding.Encoding, bool) {
	head = bytes.TrimLeft(head, " \t\r\n")
	if !bytes.HasPrefix(head, []byte("<?xml")) {
		return nil, false
	}
	decl, _, _ := strings.Cut(string(head), ">")
	_, rest, ok := strings.Cut(decl, "encoding")
	if !ok {
		return nil, false
	}
	rest = strings.TrimLeft(rest, " \t\r\n=")
	if rest == "" || rest[0] != '"' && rest[0] != '\'' {
		return nil, false
	}
	value, _, _ := strings.Cut(rest[1:], rest[:1])
	return declaredAs(value)
}

// detect guesses the encoding from the bytes. Valid UTF-8 is taken for UTF-8: other text hardly ever is by accident.
func detect(body []byte) encoding.Encoding {
	if utf8.Valid(body) && !bytes.ContainsAny(body, "\x00\x1b") {
		return nil
	}
	found := chardet.Detect(body[:min(len(body), detectBytes)])
	name := strings.ToLower(found.Encoding)
	switch name {
	case "utf-32", "utf-32be":
		return utf32.UTF32(utf32.BigEndian, utf32.UseBOM)
	case "utf-32le":
		return utf32.UTF32(utf32.LittleEndian, utf32.UseBOM)
	case "cp949", "johab":
		name = "euc-kr"
	case "cp932":
		name = "shift_jis"
	case "maccyrillic":
		name = cyrillic(body)
	case "macroman":
		name = "macintosh"
	}
	if enc, ok := lookup(name); ok {
		return enc
	}
	return charmap.Windows1252
}

// cyrillic tells the two Cyrillic encodings that the detector mixes up, which differ in the capital letters only: where
// one has them, the other has rare punctuation.
func cyrillic(body []byte) string {
	mac, windows := 0, 0
	for _, b := range body {
		switch {
		case 0x80 <= b && b < 0xa0:
			mac++
		case 0xc0 <= b && b < 0xdf:
			windows++
		}
	}
	if windows >= mac {
		return "windows-1251"
	}
	return "x-mac-cyrillic"
}
