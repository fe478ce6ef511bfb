package weburl

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// TestResolver compares the shortcut with the URL parser, for references and for absolute URLs.
func TestResolver(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	pieces := []string{"a", "B", "index.html", ".", "..", "/", "//", "#", "#x", "#/", "#/x", "#!x", "?", "?q=1", "~u", "-", "_", "%41", "ü", ";sid=1", ":", "http:", "x.y", " ",
		"\\", "@", "+", ",", "!", "(", ")", "*", "=", "$", "&", "'", "?utm_source=a&b=%c3%bc", "&sid=4", "?;x", "^", "|", "{", "\"", "<", "/(S(a1))/", "(A(b))"}
	hosts := []string{"www.example.com", "example.com:8080", "example.com", "a-b.c3.test", "a.7", "1.2.3.4", "0x7f.1", "xn--a.test", "a--b.test", "-a.test", "a-.test", "a..test", "a.test.",
		"A.test", "a_b.test", "%61.test", "a.test:80", "test", "a.0x1", "a.b1", strings.Repeat("a", 64) + ".test", strings.Repeat("a.", 130) + "test", "user@a.test", ""}
	plain := []string{"a", "B", "index.html", "/", "~u", "x.y", "?q=1", "#x", "#/x?a=1", "+", "?utm_source=a&b=%c3%bc", "./", "../", "%41", "%2e", "%", "%zz"}
	pick := func(from []string) string { return from[rng.IntN(len(from))] }
	short := map[bool]int{}
	for range 100000 {
		base, err := parse(nil, "http://"+pick(hosts)+"/"+pick(pieces)+pick(pieces)+pick(pieces)+pick(pieces))
		if err != nil {
			continue
		}
		r := newBase(base)
		if rng.IntN(2) == 0 {
			if r, err = NewBase(base.Href(false)); err != nil {
				t.Fatal(err)
			}
		}
		ref, whole := "", rng.IntN(3) == 0
		if whole && rng.IntN(2) == 0 {
			ref = pick([]string{"http://", "https://"}) + pick([]string{"a.test", "www.a-b.example.com"}) + "/"
		} else if whole {
			ref = pick([]string{"http://", "https://", "http:", "HTTP://", "https:/"}) + pick(hosts) + pick([]string{"/", "", "?"})
		}
		from := [][]string{pieces, plain}[rng.IntN(2)]
		for range rng.IntN(5) {
			ref += pick(from)
		}
		got, gotErr := r.Resolve(ref)
		want, wantErr := parsed(base, ref)
		if got != want || (gotErr == nil) != (wantErr == nil) {
			t.Fatalf("%q on %q: %q, %v; want %q, %v", ref, base.Href(false), got, gotErr, want, wantErr)
		}
		if _, ok := r.plain(ref); ok {
			short[whole]++
		}
	}
	if short[false] < 5000 || short[true] < 1000 {
		t.Errorf("only %v took the shortcut", short)
	}
}
