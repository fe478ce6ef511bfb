package page

import (
	"strings"
	"testing"

	"nightjar/crawler/weburl"
)

func TestRefresh(t *testing.T) {
	for html, want := range map[string]string{
		`<meta http-equiv=refresh content="0; url=/x">`:                                   "http://a.test/x",
		`<META HTTP-EQUIV=" Refresh " CONTENT="0;URL='http://b.test/?utm_source=x#y'" />`: "http://b.test/",
		`<base href=/dir/><meta content="00.5, x" http-equiv=refresh>`:                    "http://a.test/dir/x",
		`<meta http-equiv=refresh content=".9;y">`:                                        "http://a.test/y",
		`<meta http-equiv=refresh content="1; url=/x">`:                                   "",
		`<meta http-equiv=refresh content="05; url=/x">`:                                  "",
		`<meta http-equiv=refresh content="; url=/x">`:                                    "",
		`<meta http-equiv=refresh content="0">`:                                           "", // a reload
		`<meta http-equiv=refresh content="0; url=/p#top">`:                               "",
		`<meta http-equiv=refresh content="0; url=javascript:x()">`:                       "",
		`<noscript><meta http-equiv=refresh content="0; url=/no"></noscript><p>refresh`:   "",
		`<!-- <meta http-equiv=refresh content="0; url=/no"> -->`:                         "",
		`<script>"<meta http-equiv=refresh content='0; url=/no'>"</script>`:               "",
		`<template><meta http-equiv=refresh content="0; url=/no"></template>`:             "",
		`<p>refresh`: "",
		`<meta http-equiv=refresh content="0; url=/x">` + strings.Repeat(" ", maxRefresh): "",
	} {
		if got := Refresh(Source{URL: "http://a.test/p"}, []byte(html)); got != want {
			t.Errorf("%.100s: %q; want %q", html, got, want)
		}
	}
}

// TestHeaderRefresh: a header Refresh counts as a meta element does, before any.
func TestHeaderRefresh(t *testing.T) {
	const meta = `<base href=/dir/><meta http-equiv=refresh content="0; url=/meta">`
	for _, tt := range []struct{ header, html, want, link string }{
		{"0; url=/x", "", "http://a.test/x", "http://a.test/x"},
		{"0;URL='x?q=1'", meta, "http://a.test/x?q=1", "http://a.test/dir/x?q=1"},
		{"0, y", "", "http://a.test/y", "http://a.test/y"},
		{"5; url=/x", "", "", "http://a.test/x"},
		{"5; url=/x", meta, "", "http://a.test/x"},
		{"0", "", "", ""},
		{"0; url=/p", "", "", ""},
		{"0; url=javascript:x()", "", "", ""},
		{"", meta, "http://a.test/meta", "http://a.test/meta"},
		{"0; url=/x", strings.Repeat(" ", maxRefresh+1), "", "http://a.test/x"},
		{HeaderRefresh("0; url=/caf\xe9?q=\xe9"), "", "http://a.test/caf%C3%A9?q=%E9", "http://a.test/caf%C3%A9?q=%E9"},
	} {
		src := Source{URL: "http://a.test/p", Refresh: tt.header, Encoding: "windows-1252"}
		if got := Refresh(src, []byte(tt.html)); got != tt.want {
			t.Errorf("%q, %.80s: %q; want %q", tt.header, tt.html, got, tt.want)
		}
		p, err := ParseFrom(src, []byte(tt.html))
		if err != nil {
			t.Fatal(err)
		}
		link := ""
		if len(p.Links) > 0 {
			link = p.Links[0].URL
		}
		if link != tt.link {
			t.Errorf("%q, %.80s: the first link is %q; want %q", tt.header, tt.html, link, tt.link)
		}
	}
}

// FuzzRefresh: a target is canonical, and never the page itself.
func FuzzRefresh(f *testing.F) {
	f.Add(`<base href=//x.test/><meta http-equiv=refresh content="0;url='a b'">`)
	f.Add(`<meta content=0,http://%41 http-equiv=REFRESH>`)
	f.Fuzz(func(t *testing.T, body string) {
		const at = "http://a.test/p"
		for _, src := range []Source{{URL: at}, {URL: at, Encoding: "shift_jis"}, {URL: at, Refresh: body}} {
			to := Refresh(src, []byte(body))
			if to == "" {
				continue
			}
			if again, err := weburl.Canonical(to); err != nil || again != to || to == at {
				t.Errorf("%q: %q, %v", to, again, err)
			}
		}
	})
}
