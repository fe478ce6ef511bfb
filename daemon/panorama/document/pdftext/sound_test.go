package pdftext

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
)

// TestDamaged: what browsers read over is read.
func TestDamaged(t *testing.T) {
	table := regexp.MustCompile(`(?s)xref\n.*`)
	for name, damage := range map[string]func(b []byte) []byte{
		"offsets a little off": func(b []byte) []byte {
			return regexp.MustCompile(`(\d{9})(\d) 00000 n`).ReplaceAll(b, []byte("${1}9 00000 n"))
		},
		"startxref off":        func(b []byte) []byte { return bytes.Replace(b, []byte("startxref\n"), []byte("startxref\n1"), 1) },
		"no startxref":         func(b []byte) []byte { return b[:bytes.Index(b, []byte("startxref"))] },
		"no trailer":           func(b []byte) []byte { return b[:bytes.Index(b, []byte("trailer"))] },
		"no table":             func(b []byte) []byte { return table.ReplaceAll(b, nil) },
		"no table, only %%EOF": func(b []byte) []byte { return table.ReplaceAll(b, []byte("%%EOF\n")) },
		"an empty table": func(b []byte) []byte {
			return regexp.MustCompile(`(?s)xref\n0 .*?trailer`).ReplaceAll(b, []byte("xref\n0 0\ntrailer"))
		},
		"a table of free objects": func(b []byte) []byte { return bytes.ReplaceAll(b, []byte(" n \n"), []byte(" f \n")) },
		"a free page":             func(b []byte) []byte { return free(b, 6) },
		"a free content":          func(b []byte) []byte { return free(b, 7) },
		"a free tree":             func(b []byte) []byte { return free(b, 2) },
		"junk before":             func(b []byte) []byte { return append([]byte("HTTP/1.1 200 OK\r\n\r\n"), b...) },
		"junk after":              func(b []byte) []byte { return append(b, strings.Repeat("<!-- saved -->\n", 99)...) },
		"no %%EOF":                func(b []byte) []byte { return bytes.TrimSuffix(b, []byte("%%EOF\n")) },
		"wrong lengths":           func(b []byte) []byte { return regexp.MustCompile(`/Length \d+`).ReplaceAll(b, []byte("/Length 7")) },
		"long lengths":            func(b []byte) []byte { return regexp.MustCompile(`/Length \d+`).ReplaceAll(b, []byte("/Length 99999")) },
		"no lengths":              func(b []byte) []byte { return regexp.MustCompile(`/Length \d+`).ReplaceAll(b, nil) },
		"a lost length": func(b []byte) []byte {
			return regexp.MustCompile(`/Length \d+`).ReplaceAll(b, []byte("/Length 99 0 R"))
		},
		"no endobj":               func(b []byte) []byte { return bytes.ReplaceAll(b, []byte("endobj\n"), nil) },
		"the last stream is cut":  func(b []byte) []byte { return b[:bytes.LastIndex(b, []byte("endstream"))] },
		"lines of two characters": func(b []byte) []byte { return bytes.ReplaceAll(b, []byte("\n"), []byte("\r\n")) },
		"no catalog":              func(b []byte) []byte { return bytes.Replace(b, []byte("/Catalog"), []byte("/Lost"), 1) },
		"another object as root":  func(b []byte) []byte { return bytes.Replace(b, []byte("/Root 1 0 R"), []byte("/Root 3 0 R"), 1) },
		"no tree of pages":        func(b []byte) []byte { return bytes.Replace(b, []byte("/Kids"), []byte("/Lost"), 1) },
		"a table that is too long": func(b []byte) []byte {
			return bytes.Replace(b, []byte("xref\n0 8"), []byte("xref\n0 80"), 1)
		},
		"a table that says it is huge": func(b []byte) []byte {
			return bytes.Replace(b, []byte("xref\n0 8"), []byte("xref\n999999999 8"), 1)
		},
		"a table before itself": func(b []byte) []byte {
			at := bytes.LastIndex(b, []byte("xref\n0"))
			return bytes.Replace(b, []byte("/Root"), fmt.Appendf(nil, "/Prev %d /Root", at), 1)
		},
		"changed at the end": func(b []byte) []byte {
			return append(b, "2 0 obj\n<< /Type /Pages /Count 2 /Kids [4 0 R 6 0 R] >>\nendobj\n"...)
		},
	} {
		t.Run(name, func(t *testing.T) {
			body := damage(small())
			if bytes.Equal(body, small()) {
				t.Fatal("nothing is damaged")
			}
			r, err := Lines(t.Context(), body)
			if err != nil {
				t.Fatal(err)
			}
			holds(t, r)
		})
	}
}

// free says in the table of a PDF that an object is free.
func free(b []byte, number int) []byte {
	head, table, _ := bytes.Cut(b, []byte("xref\n"))
	lines := bytes.SplitAfter(table, []byte("\n"))
	lines[number+1] = bytes.Replace(lines[number+1], []byte(" n "), []byte(" f "), 1)
	return slices.Concat(head, []byte("xref\n"), bytes.Join(lines, nil))
}

// TestDamagedIsBounded: files that are made to take long are given up, or read, before the deadline.
func TestDamagedIsBounded(t *testing.T) {
	for name, body := range map[string]string{
		"strings without an end":      strings.Repeat("1 0 obj(", 200_000),
		"dictionaries without an end": strings.Repeat("1 0 obj<<", 200_000),
		"streams without an end":      strings.Repeat("1 0 obj<<>>stream ", 100_000),
		"trailers without an end":     strings.Repeat("trailer<<", 200_000),
		"pages in each other":         "1 0 obj<</Type/Pages/Kids[1 0 R 1 0 R]>>endobj 2 0 obj<</Type/Catalog/Pages 1 0 R>>endobj",
		"a great number":              "4000000000 0 obj<</Type/Page>>endobj",
	} {
		ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
		_, err := Lines(ctx, []byte("%PDF-1.4\n"+body))
		cancel()
		if !errors.Is(err, ErrBroken) && !errors.Is(err, ErrTooMuch) && !errors.Is(err, ErrNoText) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
