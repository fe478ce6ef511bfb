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
		if got := Refresh("http://a.test/p", []byte(html)); got != want {
			t.Errorf("%.100s: %q; want %q", html, got, want)
		}
	}
}

// FuzzRefresh: a target is canonical, and never the page itself.
func FuzzRefresh(f *testing.F) {
	f.Add(`<base href=//x.test/><meta http-equiv=refresh content="0;url='a b'">`)
	f.Add(`<meta content=0,http://%41 http-equiv=REFRESH>`)
	f.Fuzz(func(t *testing.T, body string) {
		const at = "http://a.test/p"
		to := Refresh(at, []byte(body))
		if to == "" {
			return
		}
		if again, err := weburl.Canonical(to); err != nil || again != to || to == at {
			t.Errorf("%q: %q, %v", to, again, err)
		}
	})
}

// TestSaysRefresh compares with the plain search.
func TestSaysRefresh(t *testing.T) {
	for _, text := range []string{"", "f", "refresh", "REFRESH", "a ReFresh b", "refres", "efresh", "rreffresh refresh", "fefresh", "ref refREsh", "of fresh", "refresch"} {
		if got, want := saysRefresh([]byte(text)), strings.Contains(strings.ToLower(text), "refresh"); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}
