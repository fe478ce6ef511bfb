package charset

import (
	"testing"
	"unicode/utf8"
)

// TestQuery compares with the codecs of Python, or with the URL standard where these have more characters.
func TestQuery(t *testing.T) {
	for _, tt := range []struct{ encoding, query, want string }{
		{"windows-1252", "q=café", "q=caf%E9"},
		{"iso-8859-1", "d’été&b=潮", "d%92%E9t%E9&b=%26%2328526%3B"},
		{"windows-1251", "q=прилив&x=1", "q=%EF%F0%E8%EB%E8%E2&x=1"},
		{"koi8-r", "прилив", "%D0%D2%C9%CC%C9%D7"},
		{"iso-8859-2", "příliv", "p%F8%EDliv"},
		{"windows-1253", "παλίρροια", "%F0%E1%EB%DF%F1%F1%EF%E9%E1"},
		{"windows-1254", "şehır", "%FEeh%FDr"},
		{"windows-1256", "مد", "%E3%CF"},
		{"windows-874", "น้ำ", "%B9%E9%D3"},
		{"gb2312", "q=潮汐", "q=%B3%B1%CF%AB"},
		{"gbk", "丂潮", "%81@%B3%B1"},
		{"gb18030", "潮🌊", "%B3%B1%949%B08"},
		{"gbk", "潮🌊", "%B3%B1%26%23127754%3B"},
		{"big5", "潮汐", "%BC%E9%A6%C1"},
		{"shift_jis", "アソ潮汐", `%83A%83\%92%AA%8E%AC`},
		{"euc-jp", "潮汐", "%C4%AC%BC%AE"},
		{"euc-kr", "조수", "%C1%B6%BC%F6"},
		{"macintosh", "café", "caf%8E"},
		{"iso-2022-jp", "q=潮汐&a=b", "q=%1B$BD,%3C.%1B(B&a=b"},
		{"iso-2022-jp", "潮ø汐", "%1B$BD,%1B(B%26%23248%3B%1B$B%3C.%1B(B"},
		{"big5", "\u43f0", "%26%2317392%3B"},   // of Hong Kong only
		{"euc-jp", "\u4e02", "%26%2319970%3B"}, // of JIS X 0212
		{"windows-1252", "a%E9b&#x=1;'", "a%E9b&#x=1;'"},
	} {
		got := Query(tt.encoding)(tt.query)
		if got != tt.want {
			t.Errorf("%s, %q: %q; want %q", tt.encoding, tt.query, got, tt.want)
		}
	}
	for _, name := range []string{"utf-8", "UTF-8", "utf-16", "utf-16le", "utf-16be", "", "no encoding", "iso-2022-kr"} {
		if Query(name) != nil {
			t.Errorf("%s: queries are not those of the URL parser", name)
		}
	}
}

// TestDecodeNames: the name is that of the encoding that was used.
func TestDecodeNames(t *testing.T) {
	for _, tt := range []struct{ contentType, body, want string }{
		{"text/html; charset=gb2312", "\xb3\xb1", "gbk"},
		{"text/html; charset=iso-8859-1", "caf\xe9", "windows-1252"},
		{"text/html; charset=utf-8", "<meta charset=gbk>", "utf-8"},
		{"text/html", "<meta charset=koi8-r>\xd0", "koi8-r"},
		{"text/html", "plain", "utf-8"},
		{"text/html; charset=koi8-r", "\xef\xbb\xbfa", "utf-8"},
		{"text/html", "\xff\xfea\x00", "utf-16le"},
		{"text/html; charset=none", "caf\xe9 au lait \x80", "windows-1252"},
	} {
		if _, got := Decode(tt.contentType, []byte(tt.body)); got != tt.want {
			t.Errorf("%s, %q: %q; want %q", tt.contentType, tt.body, got, tt.want)
		}
	}
	for body, want := range map[string]string{
		"<meta charset=big5>": "big5", "<meta charset=utf-16>": "utf-8", "": "utf-8", "<?xml version='1.0' encoding='shift_jis'?>": "shift_jis",
		"<meta http-equiv=content-type content='text/html; charset=windows-1251'>": "windows-1251",
	} {
		if got := Declared([]byte(body)); got != want {
			t.Errorf("%q: %q; want %q", body, got, want)
		}
	}
}

// FuzzQuery: a query becomes ASCII, and one of ASCII stays as it is.
func FuzzQuery(f *testing.F) {
	names := []string{"windows-1252", "gbk", "gb18030", "big5", "shift_jis", "euc-jp", "iso-2022-jp", "euc-kr", "windows-1251", "x-user-defined", "macintosh"}
	f.Add(uint8(4), "q=\u6f6e\u00e9&x=%41#\U0001f30a")
	f.Add(uint8(6), "\u6f6ea\u6f6e\xff")
	f.Fuzz(func(t *testing.T, which uint8, query string) {
		got := Query(names[int(which)%len(names)])(query)
		ascii := true
		for i := range len(query) {
			ascii = ascii && query[i] < utf8.RuneSelf
		}
		for i := range len(got) {
			if got[i] >= utf8.RuneSelf {
				t.Fatalf("%q has the byte %x", got, got[i])
			}
		}
		if ascii && got != query {
			t.Fatalf("%q became %q", query, got)
		}
	})
}
