package crawler_test

import (
	"slices"
	"testing"

	"nightjar/crawler"
	"nightjar/crawler/fetch"
)

// TestFollowsOddEscapes: a link is followed as browsers send it, also when its path has a percent sign that begins no escape, or
// escapes of bytes that are no UTF-8.
func TestFollowsOddEscapes(t *testing.T) {
	const body = "<p>harbour</p><a href='/100%/x'>1</a><a href='/50%25-off%'>2</a><a href='a%zzb?q=%'>3</a><a href='/d/%ef%F0/пр'>4</a>" +
		"<a href='/s?q=пр&p=%ef'>5</a><a href='/[a]|b'>6</a><a href='//b%.test/'>no host</a>"
	want := []string{"http://a.test/100%/x", "http://a.test/50%25-off%", "http://a.test/d/a%zzb?q=%", "http://a.test/d/%ef%F0/%D0%BF%D1%80",
		"http://a.test/s?q=%EF%F0&p=%ef", "http://a.test/[a]|b"}
	r := fetch.Response{URL: "http://a.test/d/p", FinalURL: "http://a.test/d/p", Outcome: fetch.OK, Status: 200,
		Charset: "windows-1251", Body: []byte(body)}
	if got := crawler.Follows(r); !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}
