package weburl

import (
	"errors"
	"math/rand/v2"
	"strings"
	"testing"
)

func TestCanonical(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"http://Example.COM", "http://example.com/"},
		{"HTTP://example.com:80/a#b", "http://example.com/a"},
		{"https://example.com:443/", "https://example.com/"},
		{"http://example.com:443/", "http://example.com:443/"},
		{" \t http://example.com/a b\n", "http://example.com/a%20b"},
		{"http://example.com/a/./b/../c", "http://example.com/a/c"},
		{"http://example.com/%7Euser/%25/%2f%41", "http://example.com/%7Euser/%25/%2f%41"},
		{"http://example.com/%252e", "http://example.com/%252e"},
		{"http://example.com/index.html", "http://example.com/index.html"},
		{"http://example.com/?", "http://example.com/"},
		{"http://example.com/?b=2&a=1", "http://example.com/?b=2&a=1"},
		{"http://example.com/?utm_source=x&id=7&UTM_Medium=y&gclid=1", "http://example.com/?id=7"},
		{"http://example.com/?fbclid=1", "http://example.com/"},
		{"http://example.com/?utm%5Fsource=x&q=1", "http://example.com/?q=1"},
		{"http://example.com/?PHPSESSID=1f&sid=5f4dcc3b5aa765d61d8327deb882cf99&x", "http://example.com/?x"},
		{"http://example.com/?side=2&utmost=3", "http://example.com/?side=2&utmost=3"},
		{"http://example.com/a;jsessionid=A1B2?x=1", "http://example.com/a?x=1"},
		{"http://example.com/a;JSESSIONID=A1;v=2/b", "http://example.com/a;v=2/b"},
		{"http://example.com/a/..;jsessionid=1/b", "http://example.com/b"},
		{"http://example.com/(S(lit3py55t21z5v55vlm25s55))/default.aspx", "http://example.com/default.aspx"},
		{"http://example.com/app/(X(1)S(lit3py55))/a/b.aspx?id=1", "http://example.com/app/a/b.aspx?id=1"},
		{"http://example.com/app/(A(x)F(y))", "http://example.com/app/"},
		{"http://example.com/wiki/Go_(game)/(S)/x", "http://example.com/wiki/Go_(game)/(S)/x"},
		{"http://example.com/a/(S(x))/../b", "http://example.com/a/b"},
		{"http://example.com/a;cfid=1;cftoken=2/b;PHPSESSID=3", "http://example.com/a/b"},
		{"http://example.com/?ASPSESSIONIDQQ=1&CFID=2&CFTOKEN=3&jsessionid=4&osCsid=5f4dcc3b5aa765d61d8327deb882cf99&zenid=5f4dcc3b5aa765d61d8327deb882cf99&id=7", "http://example.com/?id=7"},
		{"http://example.com/?s=5f4dcc3b5aa765d61d8327deb882cf99&t=12", "http://example.com/?t=12"},
		{"http://example.com/?s=hockey", "http://example.com/?s=hockey"},
		{"http://example.com/?sid=1234&session_id=3B&trk=7&cfid=12&itm_no=4", "http://example.com/?sid=1234&session_id=3B&trk=7&cfid=12&itm_no=4"},
		{"http://example.com/a;sid=12/b", "http://example.com/a;sid=12/b"},
		{"http://example.com/a;sid=5f4dcc3b5aa765d61d8327deb882cf99/b", "http://example.com/a/b"},
		{"http://example.com/?trk=public_jobs_search-card&spm=a2g0o.home.0.1&id=7", "http://example.com/?id=7"},
		{"http://example.com/?mbid=b10bbbfc-cf9e-42e0-be17-e2c3e1d2600d", "http://example.com/?mbid=b10bbbfc-cf9e-42e0-be17-e2c3e1d2600d"},
		{"http://example.com/?pk_campaign=a&mtm_kwd=b&hsa_acc=1&srsltid=2&gad_source=1&ref_src=x&a=1", "http://example.com/?a=1"},
		{"http://example.com\\a\\b", "http://example.com/a/b"},
		{"http:example.com/a", "http://example.com/a"},
		{"http://0x7f.1/", "http://127.0.0.1/"},
		{"http://2130706433/", "http://127.0.0.1/"},
		{"http://[::FFFF:7f00:1]/", "http://[::ffff:7f00:1]/"},
		{"http://bücher.example/ü?ü", "http://xn--bcher-kva.example/%C3%BC?%C3%BC"},
		{"http://u:p@example.com/", "http://u:p@example.com/"},
		{"http://example.com./", "http://example.com./"},
		{"http://Example.com/app#/teams/7?sort=name", "http://example.com/app#/teams/7?sort=name"},
		{"http://example.com/app#!/teams/7", "http://example.com/app#!/teams/7"},
		{"http://example.com/app#!topic/ice", "http://example.com/app#!topic/ice"},
		{"http://example.com/app#/teams/7#players", "http://example.com/app#/teams/7"},
		{"http://example.com/app#/a b/ü", "http://example.com/app#/a%20b/%C3%BC"},
		{"http://example.com/app#/teams?utm_source=x&id=7&PHPSESSID=1", "http://example.com/app#/teams?id=7"},
		{"http://example.com/app?utm_source=x#/teams", "http://example.com/app#/teams"},
		{"http://example.com/app;jsessionid=1#/teams", "http://example.com/app#/teams"},
		{"http://example.com/app#/", "http://example.com/app"},
		{"http://example.com/app#!/?utm_source=x", "http://example.com/app"},
		{"http://example.com/app#!", "http://example.com/app"},
		{"http://example.com/app#teams/7", "http://example.com/app"},
		{"http://example.com/app#%2Fteams", "http://example.com/app"},
	} {
		got, err := Canonical(c.in)
		if err != nil || got != c.want {
			t.Errorf("Canonical(%q) = %q, %v; want %q", c.in, got, err, c.want)
		}
	}
}

func TestCanonicalRefuses(t *testing.T) {
	for _, c := range []struct {
		in   string
		want error
	}{
		{"", ErrURL},
		{"/relative", ErrURL},
		{"example.com/a", ErrURL},
		{"http://", ErrURL},
		{"http://a b/", ErrURL},
		{"http://[::1/", ErrURL},
		{"http://1.2.3.256/", ErrURL},
		{"ftp://example.com/", ErrScheme},
		{"file:///etc/passwd", ErrScheme},
		{"javascript:alert(1)", ErrScheme},
		{"mailto:a@example.com", ErrScheme},
		{"about:blank", ErrScheme},
		{"http://example.com/" + strings.Repeat("a", MaxLength), ErrLong},
		{"http://example.com/" + strings.Repeat("a", 10*MaxLength), ErrLong},
	} {
		if got, err := Canonical(c.in); !errors.Is(err, c.want) {
			t.Errorf("Canonical(%.40q) = %q, %v; want error %v", c.in, got, err, c.want)
		}
	}
	long := "http://example.com/?utm_source=" + strings.Repeat("a", MaxLength) + "&q=1"
	if got, err := Canonical(long); got != "http://example.com/?q=1" {
		t.Errorf("a long tracking parameter: %q, %v", got, err)
	}
}

// TestHostNames holds the rules of the URL standard for hosts (3.5), UTS 46 for names, and RFC 5952 for IPv6 addresses.
func TestHostNames(t *testing.T) {
	for in, want := range map[string]string{
		"EXAMPLE.Com": "example.com", "ｅｘａｍｐｌｅ.com": "example.com", "example。com": "example.com", "exa\u00admple.com": "example.com",
		"%65x%41mple.com": "example.com", "straße.example": "xn--strae-oqa.example", "日本.example": "xn--wgv71a.example",
		"xn--wgv71a.example": "xn--wgv71a.example", "1": "0.0.0.1", "1.2": "1.0.0.2", "0300.0.0.1": "192.0.0.1", "0x1.0x2.3": "1.2.0.3",
		"[1:0:0:0:0:0:0:2]": "[1::2]", "[0:0::0]": "[::]", "[2001:DB8:0:0:1:0:0:1]": "[2001:db8::1:0:0:1]",
	} {
		if got, err := Canonical("https://" + in + "/"); err != nil || got != "https://"+want+"/" {
			t.Errorf("%q: %q, %v; want %s", in, got, err, want)
		}
	}
	for _, in := range []string{"a b", "a<b", "a^b", "a%00b", "a%2fb", "a%", "1.2.3.4.5", "0x100000000", "1.2.3.09", "xn--", "[1::2::3]", "[1:2]", "[::g]"} {
		if got, err := Canonical("https://" + in + "/"); err == nil {
			t.Errorf("%q: %q; want an error", in, got)
		}
	}
}

// TestPercentEncoding holds the percent-encode sets of the URL standard (1.3) for paths and queries, in UTF-8.
func TestPercentEncoding(t *testing.T) {
	for _, c := range []struct{ in, path, query string }{
		{"ä", "%C3%A4", "%C3%A4"}, {"€", "%E2%82%AC", "%E2%82%AC"}, {"🏒", "%F0%9F%8F%92", "%F0%9F%8F%92"},
		{" ", "%20", "%20"}, {`"`, "%22", "%22"}, {"<", "%3C", "%3C"}, {">", "%3E", "%3E"}, {"\x7f", "%7F", "%7F"},
		{"'", "'", "%27"}, {"`", "%60", "`"}, {"{", "%7B", "{"}, {"}", "%7D", "}"}, {"%zz", "%zz", "%zz"}, {"!$()*,:@~", "!$()*,:@~", "!$()*,:@~"},
	} {
		want := "http://a.test/x" + c.path + "x?x" + c.query + "x"
		if got, err := Canonical("http://a.test/x" + c.in + "x?x" + c.in + "x"); err != nil || got != want {
			t.Errorf("%q: %q, %v; want %q", c.in, got, err, want)
		}
	}
}

func TestResolve(t *testing.T) {
	const base = "http://example.com/a/b.html?q=1"
	for _, c := range []struct{ ref, want string }{
		{"", "http://example.com/a/b.html?q=1"},
		{"#top", "http://example.com/a/b.html?q=1"},
		{"c.html", "http://example.com/a/c.html"},
		{"../c", "http://example.com/c"},
		{"/c?PHPSESSID=9", "http://example.com/c"},
		{"?p=2", "http://example.com/a/b.html?p=2"},
		{"//other.example/x", "http://other.example/x"},
		{"https:c", "https://c/"},
		{"ht\ntp://x.example/\ty", "http://x.example/y"},
		{"#/teams", "http://example.com/a/b.html?q=1#/teams"},
		{"c.html#!/teams", "http://example.com/a/c.html#!/teams"},
		{"#!", "http://example.com/a/b.html?q=1"},
	} {
		if got, err := Resolve(base, c.ref); err != nil || got != c.want {
			t.Errorf("Resolve(%q) = %q, %v; want %q", c.ref, got, err, c.want)
		}
	}
	for _, ref := range []string{"javascript:void(0)", "mailto:x@y", "data:text/html,x", "tel:1", "http://"} {
		if got, err := Resolve(base, ref); err == nil {
			t.Errorf("Resolve(%q) = %q; want an error", ref, got)
		}
	}
}

// checkCanonical checks the invariants of every canonical URL.
func checkCanonical(t *testing.T, in string) {
	t.Helper()
	u, err := Canonical(in)
	if err != nil {
		return
	}
	again, err := Canonical(u)
	if err != nil || again != u {
		t.Fatalf("Canonical(%q) = %q, whose canonical form is %q, %v", in, u, again, err)
	}
	if !strings.HasPrefix(u, "http://") && !strings.HasPrefix(u, "https://") || len(u) > MaxLength {
		t.Fatalf("Canonical(%q) = %q", in, u)
	}
	if _, fragment, has := strings.Cut(u, "#"); has && (strings.Trim(fragment, "/!") == "" || !strings.ContainsAny(fragment[:1], "/!") || strings.Contains(fragment, "#")) {
		t.Fatalf("Canonical(%q) = %q, whose fragment is no route", in, u)
	}
	if d := Document(u); strings.Contains(d, "#") || !strings.HasPrefix(u, d) || Document(d) != d {
		t.Fatalf("Document(%q) = %q", u, d)
	}
	if Host(u) == "" || Site(u) == "" || !strings.HasSuffix(strings.TrimSuffix(Host(u), "."), Site(u)) {
		t.Fatalf("%q: host %q, site %q", u, Host(u), Site(u))
	}
}

var urlPieces = strings.Fields(`http:// https:// // / \ ? # & = ; : @ . .. %25 %2e %2F %41 ü example.com a.test [::1] 127.1
	:80 :443 utm_source=1 ;jsessionid=1 sid=2 ;sid= /(S(x)) (S(a)F(b))/ #/ #! #/a?b #!c index.html a B ~ | ' " < {`)

func TestCanonicalProperties(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 20000 {
		s := "http://example.com/"
		if rng.IntN(2) == 0 {
			s = "http://"
		}
		for range rng.IntN(12) {
			s += urlPieces[rng.IntN(len(urlPieces))]
		}
		checkCanonical(t, s)
	}
}

func FuzzCanonical(f *testing.F) {
	for _, s := range []string{"http://a/..;sid=1/b", "http://u:p@h:81/?utm_a=1&b#c", "https://[::ffff:1.2.3.4]/%", "http://\u3002a", "http://a/(S(x))/..;sid=1/(A(b))/?s=5f4dcc3b5aa765d61d8327deb882cf99"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		checkCanonical(t, s)
		Action(s)
		SearchEngine(s)
	})
}

func TestHostAndSite(t *testing.T) {
	for _, c := range []struct{ url, host, site string }{
		{"http://www.example.com/", "www.example.com", "example.com"},
		{"https://a.b.example.co.uk:8443/x", "a.b.example.co.uk", "example.co.uk"},
		{"http://u:p@Example.org/?a@b", "example.org", "example.org"},
		{"http://me.github.io/", "me.github.io", "me.github.io"},
		{"http://co.uk/", "co.uk", "co.uk"},
		{"http://hockey.demo.test/", "hockey.demo.test", "hockey.demo.test"},
		{"http://x.y.localhost:80/", "x.y.localhost", "x.y.localhost"},
		{"http://intranet/", "intranet", "intranet"},
		{"http://127.0.0.1:8080/", "127.0.0.1", "127.0.0.1"},
		{"http://[2001:db8::1]:8080/", "2001:db8::1", "2001:db8::1"},
		{"http://www.example.com./", "www.example.com.", "example.com"},
		{"http://www.b.a.ck/", "www.b.a.ck", "b.a.ck"}, // rule *.ck
		{"http://x.www.ck/", "x.www.ck", "www.ck"},     // its exception !www.ck
		{"http://a.city.kawasaki.jp/", "a.city.kawasaki.jp", "city.kawasaki.jp"},
		{"http://h?x", "h", "h"},
		{"mailto:a@b", "", ""},
		{"", "", ""},
	} {
		if h, s := Host(c.url), Site(c.url); h != c.host || s != c.site {
			t.Errorf("%q: host %q, site %q; want %q, %q", c.url, h, s, c.host, c.site)
		}
	}
}
