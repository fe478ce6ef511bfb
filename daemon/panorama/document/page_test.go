package document

import (
	"context"
	"errors"
	"strings"
	"testing"

	"nightjar/crawler/page"
	"nightjar/daemon/panorama/document/pdftext/pdftest"
)

// TestPage makes pages of documents that servers sent, and reads them as a crawl does.
func TestPage(t *testing.T) {
	pdf := string(pdftest.Write([][]pdftest.Line{{
		{X: 90, Y: 720, Size: 20, Text: "Owls of the North"},
		{X: 90, Y: 680, Size: 10, Text: "They hunt <b>at night</b>."},
	}}, ""))
	for _, c := range []struct{ url, body, title, text string }{
		{"http://a.test/owls.pdf", pdf, "Owls of the North", "Owls of the North They hunt <b>at night</b>."},
		{"http://a.test/README.md", "\n# Owls\n\nThey <i>hunt</i>\r\nat night.\r\n\r\n\r\nAnd sleep.", "Owls", "# Owls They <i>hunt</i> at night. And sleep."},
		{"http://a.test/a/long.txt?v=1", strings.Repeat("owl ", 60), "long.txt", strings.TrimSpace(strings.Repeat("owl ", 60))},
		{"http://a.test/", "", "/", ""},
		{"http://a.test/", "</p><script>alert(1)</script>\x00\xff<a href=/x>", "</p><script>alert(1)</script><a href=/x>", "</p><script>alert(1)</script> <a href=/x>"},
		{"http://a.test/large", strings.Repeat(strings.Repeat("owl ", 200)+"\n\n", 6000), "large", ""},
	} {
		html, err := Page(t.Context(), c.url, []byte(c.body))
		if err != nil || len(html) > maxMade {
			t.Fatalf("%s: %d bytes, %v", c.url, len(html), err)
		}
		p, err := page.Parse(c.url, page.ContentUTF8, html)
		if err != nil || p.Title != c.title || c.text != "" && strings.Join(strings.Fields(p.Text), " ") != c.title+" "+c.text || len(p.Links) > 0 {
			t.Errorf("%s: %q, %.200q, %d links, %v", c.url, p.Title, p.Text, len(p.Links), err)
		}
	}
	if _, err := Page(t.Context(), "http://a.test/", []byte("%PDF-1.4 junk")); err == nil || err.Error() != ErrBroken.What {
		t.Errorf("a broken PDF: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Page(ctx, "http://a.test/", []byte(pdf)); !errors.Is(err, context.Canceled) {
		t.Errorf("after the end: %v", err)
	}
}
