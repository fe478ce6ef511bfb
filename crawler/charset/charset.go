package charset

import (
	"bytes"
	"cmp"
	"mime"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html"
	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/htmlindex"
	"golang.org/x/text/encoding/unicode/utf32"
)

// prescanBytes is the part of a document that may declare its encoding, as in the HTML standard.
const prescanBytes = 1024

// UTF8 returns body as valid UTF-8 without byte order mark and without control characters other than white space. The
// encoding is that of the byte order mark, else of contentType, else the one declared in the first 1,024 bytes or, if the
// body is not UTF-8, later, else UTF-8 if only some bytes of it are wrong, else the one detected from the bytes, else
// windows-1252. Wrong bytes become U+FFFD. The result may share memory with body.
func UTF8(contentType string, body []byte) []byte {
	out, _ := Decode(contentType, body)
	return out
}

// Decode is UTF8, and returns the name of the encoding in lower case as the Encoding standard has it: "utf-8", "gb18030"; "" for
// one that the standard lacks.
func Decode(contentType string, body []byte) (out []byte, name string) {
	enc := encodingOf(contentType, body)
	name = nameOf(enc)
	if enc != nil {
		if out, err := enc.NewDecoder().Bytes(body); err == nil {
			body = out
		} else {
			body, _ = charmap.Windows1252.NewDecoder().Bytes(body) // decodes any bytes
			name = "windows-1252"
		}
	}
	body = bytes.TrimPrefix(body, []byte("\ufeff"))
	if !utf8.Valid(body) {
		body = bytes.ToValidUTF8(body, []byte("\uFFFD"))
	}
	return stripControls(body), name
}

// nameOf is the name of an encoding in the Encoding standard, "" for one that the standard lacks. nil is UTF-8.
func nameOf(enc encoding.Encoding) string {
	if enc == nil {
		return "utf-8"
	}
	name, _ := htmlindex.Name(enc)
	return name
}

// stripControls removes C0 controls that are not white space. The input is not changed.
func stripControls(b []byte) []byte {
	if !slices.ContainsFunc(b, isControl) {
		return b
	}
	return slices.DeleteFunc(slices.Clone(b), isControl)
}

func isControl(c byte) bool {
	return c < ' ' && c != '\t' && c != '\n' && c != '\r' && c != '\f' || c == 0x7f
}

// encodingOf finds how a document is encoded; nil is UTF-8.
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
	if utf8.Valid(body) && !bytes.ContainsAny(body, "\x00\x1b") {
		return nil // text in another encoding is hardly ever valid UTF-8
	}
	if enc, ok := declared(body[:min(len(body), detectBytes)]); ok { // browsers restart when they find it
		return enc
	}
	if nearlyUTF8(body) {
		return nil
	}
	return detect(body)
}

func label(name string) func() encoding.Encoding {
	return func() encoding.Encoding { enc, _ := lookup(name); return enc }
}

// marks are the byte order marks; a longer one comes before its prefix.
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

// declared reads the encoding that a document declares in a meta element or an XML declaration.
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

// declaredAs looks up a declared label. A document whose declaration can be read byte by byte is not UTF-16.
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

// charsetParam is the charset in the content attribute of a meta element, in one of three groups by how it is quoted.
var charsetParam = regexp.MustCompile(`(?i)charset[ \t\n\f\r]*=[ \t\n\f\r]*(?:"([^"]*)"|'([^']*)'|([^; \t\n\f\r]*))`)

// charsetIn reads the charset from the content attribute of a meta element.
func charsetIn(content string) string {
	m := charsetParam.FindStringSubmatch(content)
	if m == nil {
		return ""
	}
	return cmp.Or(m[1:]...)
}

// xmlDeclaration is <?xml … encoding="…"?> at the very start.
var xmlDeclaration = regexp.MustCompile(`^[ \t\r\n]*<\?xml[^>]*?encoding[ \t\r\n=]*(?:"([^">]*)|'([^'>]*))`)

func xmlDeclared(head []byte) (encoding.Encoding, bool) {
	m := xmlDeclaration.FindSubmatch(head)
	if m == nil {
		return nil, false
	}
	return declaredAs(string(m[1]) + string(m[2]))
}
