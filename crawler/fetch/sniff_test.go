package fetch

import (
	"net/http"
	"strings"
	"testing"
)

// TestSniff tests which documents count as HTML.
func TestSniff(t *testing.T) {
	const html, png, zip = "<!doctype html><p>x", "\x89PNG\r\n\x1a\n0000", "PK\x03\x04xxxx"
	for _, c := range []struct {
		types string // values of Content-Type, "|" between them
		body  string
		want  Outcome
	}{
		{"text/html", html, OK},
		{"TEXT/HTML ; charset=\"utf-8", html, OK}, // an unterminated parameter
		{"application/xhtml+xml", "<?xml version='1.0'?><html/>", OK},
		{"text/html|text/html; charset=utf-8", html, OK},
		{"text/plain, text/html", html, OK}, // the last counts
		{"text/html, text/plain", html, Type},
		{"text/html, */*", html, OK},
		{"nonsense|text/html", html, OK},
		{"", html, OK},
		{"", " \n<!-- x --><HTML>", OK},
		{"", "plain words", Type},
		{"", png, Type},
		{"html", html, OK}, // no type at all
		{"*/*", html, OK},
		{"unknown/unknown", html, OK},
		{"application/unknown", "plain words", Type},
		{"nosniff", html, Type},
		{"text/html|nosniff", html, OK},
		{"text/plain", html, Type},
		{"application/octet-stream", html, Type},
		{"image/png", html, Type},
		{"text/html", png, Type},
		{"text/html", zip, Type},
		{"text/html", "%PDF-1.7", Type},
		{"text/html", "MZ\x90\x00\x03\x00\x00\x00\x04\x00\x00\x00", Type},
		{"text/html", "caf\xe9, in windows-1252", OK},
		{"text/html; charset=utf-16le", "<\x00p\x00>\x00x\x00", OK},
	} {
		header := http.Header{}
		for value := range strings.SplitSeq(c.types, "|") {
			if value == "nosniff" {
				header.Set("X-Content-Type-Options", "nosniff")
			} else if value != "" {
				header.Add("Content-Type", value)
			}
		}
		var res Response
		if res.readAnswer(http.StatusOK, header, strings.NewReader(c.body), "nightjar"); res.Outcome != c.want {
			t.Errorf("%q %q: %s, %s; want %s", c.types, c.body, res.Outcome, res.Reason, c.want)
		}
	}
}
