package fetch

import (
	"bytes"
	"compress/flate"
	"compress/gzip"
	"compress/zlib"
	"io"
	"net/http"
	"strings"
	"testing"
)

func header(pairs ...string) http.Header {
	h := http.Header{}
	for i := 0; i < len(pairs); i += 2 {
		h.Add(pairs[i], pairs[i+1])
	}
	return h
}

func squeeze(s string) string {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	z.Write([]byte(s))
	z.Close()
	return b.String()
}

// deflated is a body in deflate, wrapped in zlib or bare.
func deflated(s string, wrapped bool) string {
	var b bytes.Buffer
	var z io.WriteCloser = zlib.NewWriter(&b)
	if !wrapped {
		z, _ = flate.NewWriter(&b, flate.BestCompression) // the level is known
	}
	z.Write([]byte(s))
	z.Close()
	return b.String()
}

var html = header("Content-Type", "text/html; charset=utf-8")

// TestStoredAnswers reads answers as they were stored: by status, type, encoding and size.
func TestStoredAnswers(t *testing.T) {
	for name, tt := range map[string]struct {
		status  int
		header  http.Header
		sent    string
		outcome Outcome
		body    string
	}{
		"gone":  {404, html, "no", Status, ""},
		"pdf":   {200, header("Content-Type", "application/pdf"), "%PDF-1.4", Type, ""},
		"lie":   {200, html, "%PDF-1.4", Type, ""},
		"plain": {200, nil, "<!doctype html><p>x", OK, "<!doctype html><p>x"},
		"zip":   {200, header("Content-Type", "text/html", "Content-Encoding", "gzip"), squeeze("squeezed"), OK, "squeezed"},
		"twice": {200, header("Content-Type", "text/html", "Content-Encoding", "gzip, gzip"), squeeze(squeeze("x")), Type, ""},
		"zlib":  {200, header("Content-Type", "text/html", "Content-Encoding", "deflate"), deflated("in zlib", true), OK, "in zlib"},
		"bare":  {200, header("Content-Type", "text/html", "Content-Encoding", "deflate"), deflated("bare", false), OK, "bare"},
		"bomb":  {200, header("Content-Type", "text/html", "Content-Encoding", "gzip"), squeeze(strings.Repeat("0", 16<<20)), TooLarge, ""},
		"big":   {200, html, strings.Repeat("x", MaxBody+1), OK, strings.Repeat("x", MaxBody)},
		"full":  {200, html, strings.Repeat("x", MaxBody), OK, strings.Repeat("x", MaxBody)},
		"latin": {200, header("Content-Type", "text/html; charset=iso-8859-1"), "a caf\xe9\x00 with a stray control character", OK, "a café with a stray control character"},
		"tag":   {200, header("Content-Type", "text/html", "X-Robots-Tag", "otherbot: none", "X-Robots-Tag", "NightJar: noindex", "X-Robots-Tag", "nofollow, noarchive"), "tag", OK, "tag"},
	} {
		got := Exchange{URL: "http://a.test/", Status: tt.status, Header: tt.header, Body: []byte(tt.sent)}.Response()
		if got.Outcome != tt.outcome || got.URL != "http://a.test/" || got.FinalURL != got.URL || string(got.Body) != tt.body {
			got.Body = got.Body[:min(len(got.Body), 100)]
			t.Errorf("%s: %+v %s", name, got, got.Body)
		}
		if (got.Outcome == OK) != (got.Reason == "") {
			t.Errorf("%s: outcome %s, reason %q", name, got.Outcome, got.Reason)
		}
		if got.Truncated != (name == "big") || got.NoIndex != (name == "tag") || got.NoFollow != (name == "tag") {
			t.Errorf("%s: truncated %v, noindex %v, nofollow %v", name, got.Truncated, got.NoIndex, got.NoFollow)
		}
	}
}
