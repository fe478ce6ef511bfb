package charset

import (
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
)

const russian = "Хоккей с шайбой — командная спортивная игра на льду, заключающаяся в противоборстве двух команд."

func TestUTF8(t *testing.T) {
	koi, _ := charmap.KOI8R.NewEncoder().String(strings.ReplaceAll(russian, "—", "-"))
	win, _ := charmap.Windows1251.NewEncoder().String(russian)
	euc, _ := japanese.EUCJP.NewEncoder().String("アイスホッケー")
	for _, c := range []struct{ name, contentType, body, want string }{
		{"ascii", "", "plain", "plain"},
		{"utf-8 by look", "", "é", "é"},
		{"mark over header", "text/html; charset=windows-1252", "\xef\xbb\xbfé", "é"},
		{"utf-16 mark", "", "\xff\xfeh\x00i\x00", "hi"},
		{"utf-16be mark", "text/html; charset=utf-8", "\xfe\xff\x00h\x00i", "hi"},
		{"utf-32 mark", "", "\xff\xfe\x00\x00h\x00\x00\x00", "h"},
		{"header over meta", "text/html; charset=iso-8859-1", "<meta charset=utf-8>\xe9", "<meta charset=utf-8>é"},
		{"unknown header", "text/html; charset=none", "<meta charset=windows-1251>\xe9", "<meta charset=windows-1251>й"},
		{"broken header", "text/html; charset", "\xe9t\xe9", "été"},
		{"meta", "text/html", "<meta charset=windows-1251>\xe9", "<meta charset=windows-1251>й"},
		{"meta pragma", "", "<meta content='text/html; charset=\"koi8-r\"' http-equiv=Content-Type>\xc1", "<meta content='text/html; charset=\"koi8-r\"' http-equiv=Content-Type>а"},
		{"meta without pragma", "", "<meta content='text/html; charset=koi8-r'>\xe9t\xe9 fran\xe7ais", "<meta content='text/html; charset=koi8-r'>été français"},
		{"meta utf-16 cannot be", "", "<meta charset=utf-16>é", "<meta charset=utf-16>é"},
		{"xml declaration", "", "<?xml version='1.0' encoding='euc-jp'?>" + euc, "<?xml version='1.0' encoding='euc-jp'?>アイスホッケー"},
		{"detector", "text/html", win, russian},
		{"detector koi8", "", koi, strings.ReplaceAll(russian, "—", "-")},
		{"replacement label", "text/html; charset=iso-2022-kr", "abc", "abc"},
		{"invalid utf-8", "text/html; charset=utf-8", "a\xffb", "a\uFFFDb"},
		{"controls", "text/html; charset=utf-8", "a\x00b\x01\tc\x7f\n", "ab\tc\n"},
		{"empty", "", "", ""},
	} {
		if got := string(UTF8(c.contentType, []byte(c.body))); got != c.want {
			t.Errorf("%s: %q; want %q", c.name, got, c.want)
		}
	}
}

// TestControls: each control character goes wherever it stands, and nothing else does.
func TestControls(t *testing.T) {
	const text = "é text of\n21 bytes\t…"
	for c := range rune(0x80) {
		for i, r := range text + " " {
			want := text[:i] + string(c) + text[i:]
			if c < ' ' && !strings.ContainsRune("\t\n\f\r", c) || c == 0x7f {
				want = text
			}
			if got := string(UTF8("text/html; charset=utf-8", []byte(text[:i]+string(c)+text[i:]))); got != want {
				t.Fatalf("%q before %q: %q, want %q", c, r, got, want)
			}
		}
	}
}

// TestPrescan holds the rules of the HTML standard, 13.2.3.2 (prescan a byte stream to determine its encoding). The byte
// E9 is another letter in each encoding: И in KOI8-R, й in windows-1251, é in windows-1252.
func TestPrescan(t *testing.T) {
	for _, c := range []struct{ name, head, want string }{
		{"letters of any case", "<META CHARSET=Windows-1251>", "й"},
		{"double quotes", `<meta charset="windows-1251">`, "й"},
		{"single quotes", "<meta charset='windows-1251'>", "й"},
		{"space around the sign", "<meta charset = windows-1251 >", "й"},
		{"a slash for a space", "<meta/charset=windows-1251>", "й"},
		{"after other attributes", "<meta name=x data-a='b>c' charset=windows-1251>", "й"},
		{"after tags and a declaration", "<!doctype html><html lang=ru><head><meta charset=windows-1251>", "й"},
		{"a comment is skipped", "<!-- <meta charset=windows-1251> --><meta charset=koi8-r>", "И"},
		{"the shortest comment", "<!--><meta charset=windows-1251>", "й"},
		{"an attribute's value is no tag", "<a title='<meta charset=windows-1251>'><meta charset=koi8-r>", "И"},
		{"another element", "<metadata charset=windows-1251><meta charset=koi8-r>", "И"},
		{"the first of two attributes", "<meta charset=koi8-r charset=windows-1251>", "И"},
		{"the first of two elements", "<meta charset=koi8-r><meta charset=windows-1251>", "И"},
		{"an unknown label is passed over", "<meta charset=none><meta charset=koi8-r>", "И"},
		{"pragma after its content", `<meta content="text/html;charset=koi8-r" http-equiv=content-type>`, "И"},
		{"pragma with quotes", `<meta http-equiv=content-type content='text/html; charset = "koi8-r"'>`, "И"},
		{"another pragma", "<meta http-equiv=refresh content='0; charset=windows-1251'><meta charset=koi8-r>", "И"},
		{"x-user-defined is windows-1252", "<meta charset=x-user-defined>", "é"},
	} {
		if got := string(UTF8("", []byte(c.head+"\xe9"))); got != c.head+c.want {
			t.Errorf("%s: %q; want %s", c.name, got, c.want)
		}
	}
}

func FuzzUTF8(f *testing.F) {
	f.Add("text/html; charset=shift_jis", []byte("\x82\xa0\x00"))
	f.Add("", []byte("\x1b$B"))
	f.Fuzz(func(t *testing.T, contentType string, body []byte) {
		got := UTF8(contentType, body)
		if !utf8.Valid(got) {
			t.Fatalf("%q is not UTF-8", got)
		}
		for _, b := range got {
			if b < ' ' && !strings.ContainsRune("\t\n\r\f", rune(b)) {
				t.Fatalf("%q holds a control character", got)
			}
		}
	})
}
