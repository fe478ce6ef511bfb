package charset

import (
	"strings"
	"unicode/utf8"

	"github.com/wlynxg/chardet"
	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/unicode/utf32"
)

// detectBytes is the part of a document that is examined; more takes longer and does not change the answer.
const detectBytes = 1 << 16

// unsure is the detector's confidence below which an answer of Apple Cyrillic may mean Arabic.
const unsure = 0.5

// nearlyUTF8 reports whether bytes that are not UTF-8 were meant to be: more than two of three sequences of bytes above 0x7f
// are. In text in another encoding, few are by chance.
func nearlyUTF8(body []byte) bool {
	good, bad := 0, 0
	for i := 0; i < len(body); {
		if body[i] < utf8.RuneSelf {
			if body[i] == 0 || body[i] == 0x1b { // UTF-16, UTF-32 and ISO 2022 are made of such bytes
				return false
			}
			i++
			continue
		}
		r, size := utf8.DecodeRune(body[i:])
		if r == utf8.RuneError && size == 1 {
			bad++
		} else {
			good++
		}
		i += size
	}
	return good > 2*bad
}

// detect guesses the encoding of bytes that are not UTF-8. It uses the detector's answer except where that is weak: the
// detector has no models for Arabic and for the languages that share their bytes with western ones. There the letters
// decide. Encodings that no browser knows (EUC-TW, Johab, ISO-2022-KR) are read as windows-1252.
func detect(body []byte) encoding.Encoding {
	head := body[:min(len(body), detectBytes)]
	found := chardet.Detect(head)
	name := strings.ToLower(found.Encoding)
	switch name {
	case "utf-32", "utf-32be":
		return utf32.UTF32(utf32.BigEndian, utf32.UseBOM)
	case "utf-32le":
		return utf32.UTF32(utf32.LittleEndian, utf32.UseBOM)
	case "cp949":
		name = "euc-kr"
	case "cp932":
		name = "shift_jis"
	case "ibm855":
		return charmap.CodePage855
	case "iso-8859-1", "windows-1252", "iso-8859-9", "windows-1254":
		return likeliest(head, latin)
	case "maccyrillic":
		if found.Confidence < unsure {
			return likeliest(head, arabicOrMac)
		}
		name = cyrillic(body)
	case "windows-1255", "iso-8859-8":
		if enc := likeliest(head, arabicOrHebrew); enc != charmap.Windows1255 {
			return enc
		}
	case "macroman":
		name = "macintosh"
	}
	if enc, ok := lookup(name); ok {
		return enc
	}
	return charmap.Windows1252
}

// cyrillic distinguishes two Cyrillic encodings that the detector confuses. They differ only in the capital letters, where
// the other has rare punctuation.
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
