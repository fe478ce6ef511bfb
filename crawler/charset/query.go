package charset

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/htmlindex"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/traditionalchinese"
	"golang.org/x/text/encoding/unicode"
)

// Query returns a function that writes the query of a link as a browser sends it from a page in an encoding (URL standard,
// "percent-encode after encoding"): characters beyond ASCII become escaped bytes of that encoding, and those that it lacks
// become %26%23, their number, and %3B. ASCII characters, and so escapes, stay as they are. It returns nil where the URL parser
// does the same: for UTF-8 and UTF-16, and for a name that is not known.
func Query(name string) func(query string) string {
	enc, err := htmlindex.Get(name)
	if err != nil || enc == encoding.Replacement {
		return nil
	}
	switch enc {
	case unicode.UTF8, unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM), unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM):
		return nil
	}
	if n, _ := htmlindex.Name(enc); n == "utf-8" || strings.HasPrefix(n, "utf-16") {
		return nil
	}
	return func(query string) string {
		var b strings.Builder
		for query != "" {
			end := strings.IndexFunc(query, func(r rune) bool { return r >= utf8.RuneSelf })
			if end < 0 {
				end = len(query)
			}
			b.WriteString(query[:end])
			query = query[end:]
			end = strings.IndexFunc(query, func(r rune) bool { return r < utf8.RuneSelf })
			if end < 0 {
				end = len(query)
			}
			writeEscaped(&b, enc, query[:end])
			query = query[end:]
		}
		return b.String()
	}
}

// writeEscaped writes characters beyond ASCII.
func writeEscaped(b *strings.Builder, enc encoding.Encoding, run string) {
	if enc == japanese.ISO2022JP {
		writeShifted(b, run)
		return
	}
	for _, r := range run {
		if sent := encoded(enc, r); sent != nil {
			escapeBytes(b, sent)
		} else {
			writeNumber(b, r)
		}
	}
}

// ISO-2022-JP shifts between sets of characters by escape sequences. After each run of Japanese it returns to ASCII.
const (
	toJapanese = "\x1b$B"
	toASCII    = "\x1b(B"
)

func writeShifted(b *strings.Builder, run string) {
	shifted := false
	for _, r := range run {
		sent, err := japanese.ISO2022JP.NewEncoder().Bytes([]byte(string(r)))
		pair, ok := strings.CutPrefix(string(sent), toJapanese)
		pair = strings.TrimSuffix(pair, toASCII)
		if err != nil || !ok || len(pair) != 2 {
			if shifted {
				escapeBytes(b, []byte(toASCII))
				shifted = false
			}
			writeNumber(b, r)
			continue
		}
		if !shifted {
			escapeBytes(b, []byte(toJapanese))
			shifted = true
		}
		escapeBytes(b, []byte(pair))
	}
	if shifted {
		escapeBytes(b, []byte(toASCII))
	}
}

// encoded returns the bytes of a character, nil if the encoding lacks it. The encoders of the Encoding standard write less than
// their decoders read: Big5 without the characters of Hong Kong, EUC-JP without the third byte.
func encoded(enc encoding.Encoding, r rune) []byte {
	sent, err := enc.NewEncoder().Bytes([]byte(string(r)))
	switch {
	case err != nil || len(sent) == 0:
		return nil
	case enc == traditionalchinese.Big5 && sent[0] < 0xa1:
		return nil
	case enc == japanese.EUCJP && sent[0] == 0x8f:
		return nil
	case enc == simplifiedchinese.GBK && len(sent) > 2:
		return nil
	}
	return sent
}

// escapeBytes escapes the bytes that the URL parser would not leave alone in a query.
func escapeBytes(b *strings.Builder, sent []byte) {
	for _, c := range sent {
		if c <= ' ' || c >= 0x7f || strings.IndexByte(`"#<>'`, c) >= 0 {
			fmt.Fprintf(b, "%%%02X", c)
		} else {
			b.WriteByte(c)
		}
	}
}

func writeNumber(b *strings.Builder, r rune) { fmt.Fprintf(b, "%%26%%23%d%%3B", r) }

// Declared returns the name of the encoding that a document declares which is UTF-8 by now, "utf-8" if it declares none.
func Declared(body []byte) string {
	enc, _ := declared(body[:min(len(body), detectBytes)])
	return nameOf(enc)
}

// Known reports whether a document that declares an encoding by this label can be read.
func Known(label string) bool {
	_, ok := declaredAs(label)
	return ok
}
