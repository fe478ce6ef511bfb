package fetch

import (
	"bytes"
	"compress/gzip"
	"net/http"
	"strings"
	"testing"
)

// TestPacked: a page is passed on as it was compressed only if exactly that was sent, and it is the page.
func TestPacked(t *testing.T) {
	text := "<title>A</title>" + strings.Repeat("<p>words of a page", 500)
	one, other := mustGzip(t, text), mustGzip(t, "other")
	for name, c := range map[string]struct {
		sent     []byte
		encoding string
		keep     bool
		want     []byte
	}{
		"as sent":          {one, "gzip", true, one},
		"not kept":         {one, "gzip", false, nil},
		"followed":         {append(bytes.Clone(one), other...), "gzip", true, nil},
		"cut":              {one[:len(one)-4], "gzip", true, nil},
		"plain":            {[]byte(text), "", true, nil},
		"latin1":           {mustGzip(t, text+"\xe9"), "gzip", true, nil},
		"a control":        {mustGzip(t, text+"\x01"), "gzip", true, nil},
		"hardly any gain":  {mustGzip(t, "<title>short"), "gzip", true, nil},
		"wrong check sum":  {wrong(one, 8), "gzip", true, nil},
		"wrong size":       {wrong(one, 4), "gzip", true, nil},
		"another encoding": {one, "br", true, nil},
	} {
		header := http.Header{"Content-Type": {"text/html"}}
		if c.encoding != "" {
			header.Set("Content-Encoding", c.encoding)
		}
		var res Response
		res.readAnswer(http.StatusOK, header, &wire{r: bytes.NewReader(c.sent), keep: c.keep}, "nightjar")
		if !bytes.Equal(res.Packed, c.want) || c.want != nil && string(res.Body) != text {
			t.Errorf("%s: %d bytes, want %d; %s %s", name, len(res.Packed), len(c.want), res.Outcome, res.Reason)
		}
	}
}

func mustGzip(t *testing.T, text string) []byte {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	if _, err := z.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// wrong changes the byte so far from the end.
func wrong(b []byte, at int) []byte {
	b = bytes.Clone(b)
	b[len(b)-at]++
	return b
}
