package archive

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"unicode/utf16"

	"nightjar/crawler"
	"nightjar/crawler/fetch"
	"nightjar/crawler/unlink"
	"nightjar/crawler/warc"
)

func gzipped(t *testing.T, text string) string {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	if _, err := z.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func utf16le(text string) string {
	b := []byte{0xff, 0xfe}
	for _, u := range utf16.Encode([]rune(text)) {
		b = append(b, byte(u), byte(u>>8))
	}
	return string(b)
}

// withHeader is an answer with more header fields.
func withHeader(e fetch.Exchange, fields ...string) fetch.Exchange {
	for i := 0; i < len(fields); i += 2 {
		e.Header[fields[i]] = []string{fields[i+1]}
	}
	return e
}

// mustBeWithout fails when a record, or its decoded body, has a word; and when the length or the digest of a body is wrong.
func mustBeWithout(t *testing.T, dir, word string) {
	t.Helper()
	for _, rec := range records(t, dir) {
		text := fmt.Sprint(rec.Header) + string(rec.Block)
		if answer, err := rec.Answer(); err == nil {
			plain, err := fetch.Decoded(answer.Header, answer.Body)
			if err != nil && len(answer.Body) > 0 {
				t.Errorf("%s: %v", rec.Target(), err)
			}
			text += string(plain) + strings.ReplaceAll(string(plain), "\x00", "")
			if rec.Type() == "response" {
				if digest := fmt.Sprintf("sha256:%x", sha256.Sum256(answer.Body)); digest != rec.Header.Get("Warc-Payload-Digest") {
					t.Errorf("%s: the digest is not that of the body", rec.Target())
				}
				if n := answer.Header.Get("Content-Length"); n != "" && n != strconv.Itoa(len(answer.Body)) {
					t.Errorf("%s: Content-Length %s of %d bytes", rec.Target(), n, len(answer.Body))
				}
			}
		}
		if strings.Contains(strings.ToLower(text), word) {
			t.Errorf("%s %s still has %q", rec.Type(), rec.Target(), word)
		}
	}
}

// TestEraseSite takes a site out of the pages of others, however they were sent, and leaves the rest as it was.
func TestEraseSite(t *testing.T) {
	link := `<p>ice <a href="https://canary.test/x">canary</a> snow ` + filler("x", 900)
	clean := `<p>ice <a> </a> snow ` + filler("x", 900)
	for name, interrupted := range map[string]bool{"at once": false, "interrupted": true} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			a := mustOpen(t, dir, &shown{night}, 1500)
			places := map[string]crawler.Place{}
			want := map[string]string{}
			put := func(e fetch.Exchange, body string) {
				places[e.URL], want[e.URL] = mustWrite(t, a, e), body
			}
			put(got("http://a.test/plain", 200, link), clean)
			put(got("http://a.test/none", 200, filler("none", 800)), filler("none", 800))
			put(got("http://a.test/same", 200, link), clean) // a revisit of the first
			put(withHeader(got("http://a.test/gzip", 200, gzipped(t, link)), "Content-Encoding", "gzip", "Content-Length", "77"), clean)
			put(withHeader(got("http://a.test/again", 200, gzipped(t, link)), "Content-Encoding", "gzip", "Content-Length", "77"), clean)
			put(withHeader(got("http://a.test/wide", 200, utf16le(link)), "Content-Type", "text/html; charset=utf-16le"), clean)
			put(withHeader(got("http://a.test/head", 200, "plain"), "Link", `<https://canary.test/>; rel=canonical`, "X-Two", "b"), "plain")
			put(withHeader(got("http://a.test/sitemap", 200, "<loc>https://canary.test/</loc>"), "Content-Type", "application/xml"), "<loc></loc>")
			for _, gone := range []fetch.Exchange{
				got("http://www.canary.test/", 200, "x"), got("http://a.test/?u=http%3A%2F%2Fcanary.test", 200, "x"),
				withHeader(got("http://a.test/away", 302, ""), "Location", "//canary.test/"),
				withHeader(got("http://a.test/pdf", 200, "%PDF https://canary.test/"), "Content-Type", "application/pdf"),
			} {
				put(gone, "")
			}
			put(got("http://canary.test/first", 200, "own "+link), "")
			put(got("http://b.test/heir", 200, "own "+link), "own "+clean)
			put(got("http://c.test/other", 200, "own "+link), "own "+clean)
			site := unlink.New("canary.test")
			moved := func(file string, to map[int64]int64) error { return nil }
			if interrupted {
				for n := range 4 {
					files := 0
					_, err := a.EraseSite(site, func(string, map[int64]int64) error {
						if files++; files > n {
							return errors.New("stopped")
						}
						return nil
					})
					if err == nil {
						t.Fatal("it did not stop")
					}
				}
			}
			if e, err := a.EraseSite(site, moved); err != nil || !interrupted && (e.Changed != 7 || e.Records != 10) {
				t.Fatalf("%+v, %v", e, err)
			}
			mustBeWithout(t, dir, "canary")
			for url, body := range want {
				e, err := a.Read(places[url], url)
				if body == "" {
					if !errors.Is(err, ErrGone) {
						t.Errorf("%s is still there: %v", url, err)
					}
					continue
				}
				if err != nil {
					t.Errorf("%s: %v", url, err)
					continue
				}
				plain, err := fetch.Decoded(e.Header, e.Body)
				if err != nil || string(plain) != body {
					t.Errorf("%s: %.80q, %v; want %.80q", url, plain, err, body)
				}
			}
			if e, err := a.EraseSite(site, moved); err != nil || e != (Erased{}) {
				t.Errorf("the second time: %+v, %v", e, err)
			}
			revisits := 0
			for _, rec := range records(t, dir) {
				if rec.Header.Get("Warc-Profile") == warc.SamePayload {
					revisits++
				}
			}
			if revisits != 3 {
				t.Errorf("%d revisit records", revisits)
			}
		})
	}
}

// TestEraseSiteKeepsHead: what does not name the site stays in the head of a rewritten answer.
func TestEraseSiteKeepsHead(t *testing.T) {
	dir := t.TempDir()
	a := mustOpen(t, dir, &shown{night}, 0)
	p := mustWrite(t, a, withHeader(got("http://a.test/", 200, `<a href=//canary.test/>canary</a>`), "Etag", `"7"`))
	if _, err := a.EraseSite(unlink.New("canary.test"), nil); err != nil {
		t.Fatal(err)
	}
	e := mustRead(t, a, p, "http://a.test/", "<a> </a>")
	if e.Status != http.StatusOK || e.Header.Get("Etag") != `"7"` || len(e.Header["X-Two"]) != 2 || e.Header.Get("Content-Type") != "text/html" {
		t.Errorf("the head became %d %v", e.Status, e.Header)
	}
}
