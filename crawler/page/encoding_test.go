package page

import (
	"slices"
	"testing"
)

// TestLinksInEncodings: the query of a link is in the encoding of the page, as browsers send it; path and fragment are in UTF-8.
func TestLinksInEncodings(t *testing.T) {
	const links = `<base href="/b/?x=é"><a href="s?q=é&a=1#é">1</a><a href="?q=%C3%A9">2</a><a href="é/x">3</a><a href="http://b.test/?é=潮">4</a>` +
		`<a href="//b.test/ok?a='é">5</a><iframe src="f?é"></iframe><link rel=canonical href="/c?é"><area href="#!/é?é">`
	latin := []string{"http://a.test/b/s?q=%E9&a=1", "http://a.test/b/?q=%C3%A9", "http://a.test/b/%C3%A9/x", "http://b.test/?%E9=%26%2328526%3B",
		"http://b.test/ok?a=%27%E9", "http://a.test/b/?x=%E9#!/%C3%A9?%C3%A9"}
	utf8 := []string{"http://a.test/b/s?q=%C3%A9&a=1", "http://a.test/b/?q=%C3%A9", "http://a.test/b/%C3%A9/x", "http://b.test/?%C3%A9=%E6%BD%AE",
		"http://b.test/ok?a=%27%C3%A9", "http://a.test/b/?x=%C3%A9#!/%C3%A9?%C3%A9"}
	for _, tt := range []struct {
		name string
		src  Source
		head string
		want []string
		rest string // frame and rel=canonical
	}{
		{"known", Source{Encoding: "windows-1252"}, "", latin, "%E9"},
		{"UTF-8", Source{Encoding: "utf-8"}, "", utf8, "%C3%A9"},
		{"UTF-16", Source{Encoding: "utf-16le"}, "", utf8, "%C3%A9"},
		{"known against the declaration", Source{Encoding: "utf-8"}, "<meta charset=iso-8859-1>", utf8, "%C3%A9"},
		{"declared", Source{}, "<meta charset=iso-8859-1>", latin, "%E9"},
		{"nothing known", Source{}, "", utf8, "%C3%A9"},
		{"not an encoding", Source{Encoding: "x"}, "", utf8, "%C3%A9"},
	} {
		tt.src.URL = "http://a.test/p"
		p, err := ParseFrom(tt.src, []byte(tt.head+links))
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, l := range p.Links {
			got = append(got, l.URL)
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("%s: %q", tt.name, got)
		}
		if p.Frames[0].URL != "http://a.test/b/f?"+tt.rest || p.Canonical != "http://a.test/c?"+tt.rest {
			t.Errorf("%s: frame %s, canonical %s", tt.name, p.Frames[0].URL, p.Canonical)
		}
	}
}
