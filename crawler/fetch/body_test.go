package fetch

import (
	"net/http"
	"strings"
	"testing"
	"unicode/utf8"
)

// FuzzReadAnswer reads all kinds of answers: the body is valid UTF-8 and bounded, the outcome is always set, and the
// reason for all but a page.
func FuzzReadAnswer(f *testing.F) {
	f.Add("text/html", "gzip", "", squeeze("<p>text"))
	f.Add("text/html; charset=utf-16", "zstd", `"tag"`, squeezeWith(f, "zstd", "<p>text"))
	f.Add("", "br", "W/\"x\"", squeezeWith(f, "br", "<p>text"))
	f.Add("application/xhtml+xml", "", "", "\xff\xfe<\x00p\x00>\x00")
	f.Fuzz(func(t *testing.T, contentType, encoding, tag, body string) {
		header := http.Header{"Content-Type": {contentType}, "Content-Encoding": {encoding}, "Etag": {tag}, "Last-Modified": {tag}, "X-Robots-Tag": {tag}}
		var res Response
		res.readAnswer(http.StatusOK, header, strings.NewReader(body), "nightjar")
		if res.Outcome == "" || (res.Outcome == OK) != (res.Reason == "") || res.Outcome != OK && res.Body != nil {
			t.Fatalf("%+v", res)
		}
		// Each byte of a body becomes at most one letter of three bytes.
		if !utf8.Valid(res.Body) || len(res.Body) > 3*MaxBody || res.Bytes > int64(len(body)) {
			t.Fatalf("%d bytes of %d", len(res.Body), res.Bytes)
		}
		if len(res.ETag) > maxValidator || strings.ContainsFunc(res.ETag+res.LastModified, func(r rune) bool { return r < ' ' || r > '~' }) {
			t.Fatalf("validators %q, %q", res.ETag, res.LastModified)
		}
	})
}
