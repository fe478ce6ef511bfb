package document

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"nightjar/daemon/panorama/document/pdftext/pdftest"
)

// The lines of a page become paragraphs: by gaps, sizes, columns and pages. Words parted at a line's end are joined, and running
// heads are left out.
func TestReadWords(t *testing.T) {
	head := pdftest.Line{X: 90, Y: 780, Size: 8, Text: "Annals of Owls"}
	body := pdftest.Write([][]pdftest.Line{{
		head,
		{X: 90, Y: 720, Size: 20, Text: "Owls of the North"},
		{X: 90, Y: 680, Size: 10, Text: "They hunt small mam-"}, {X: 90, Y: 668, Size: 10, Text: "mals at night."},
		{X: 90, Y: 630, Size: 10, Text: "A gap begins a paragraph."},
		{X: 320, Y: 680, Size: 10, Text: "So does a column."},
	}, {
		head,
		{X: 90, Y: 720, Size: 10, Text: "And a page, by Smith-"}, {X: 90, Y: 708, Size: 10, Text: "Jones <b>."},
	}}, "")
	words, err := ReadWords(t.Context(), body)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"Owls of the North", "They hunt small mammals at night.", "A gap begins a paragraph.", "So does a column.",
		"And a page, by Smith-Jones <b>."}
	if words.Title != "Owls of the North" || words.Partial || !slices.Equal(words.Paragraphs, want) {
		t.Errorf("%q: %q\nwant %q", words.Title, words.Paragraphs, want)
	}
}

func TestReadWordsProblems(t *testing.T) {
	for name, c := range map[string]struct {
		body string
		want error
	}{
		"no PDF":  {"<html>Log in", ErrKind},
		"nothing": {"", ErrKind},
		"broken":  {"%PDF-1.4 junk", ErrBroken},
		"large":   {strings.Repeat("x", MaxBytes+1), ErrTooLarge},
	} {
		if words, err := ReadWords(t.Context(), []byte(c.body)); !errors.Is(err, c.want) {
			t.Errorf("%s: %+v, %v; want %v", name, words, err, c.want)
		}
	}
}

// TestSoftHyphens: a soft hyphen at the end of a line joins a word, whatever comes after it, in paragraphs and in references.
func TestSoftHyphens(t *testing.T) {
	for _, c := range []struct{ a, b, want string }{
		{"estuary sen\u00ad", "sors and more", "estuary sensors and more"}, {"the Mc\u00ad", "Kenzie river", "the McKenzie river"},
		{"tidal-", "Range", "tidal-Range"}, {"a hyphen-", "ated word", "a hyphenated word"}, {"no\u00ad ", "thing", "nothing"}, {"two", "words", "two words"},
	} {
		if got := joinLines([]string{c.a, c.b}, nil); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}

// A hyphen at the end of a line stays where the document has the word with it, or as two words and never as one.
func TestHyphensAtLineEnds(t *testing.T) {
	for text, want := range map[string]string{
		"A force-directed way":             "by Force-directed Placement",
		"A force that is directed":         "by Force-directed Placement",
		"A force. Forcedirected, directed": "by Forcedirected Placement",
		"Without this word":                "by Force-directed Placement",
		"It was forcedirected":             "by Forcedirected Placement",
	} {
		var rows []row
		for line := range strings.SplitSeq(text, "\n") {
			rows = append(rows, row{text: line})
		}
		known := wordsOf(rows)
		if got := joinLines([]string{"by Force-", "directed Placement"}, known); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
		if got := joinLines([]string{"in telecommu-", "nications"}, known); got != "in telecommunications" {
			t.Errorf("%q: %q", text, got)
		}
	}
}

func TestIsPDF(t *testing.T) {
	for body, want := range map[string]bool{
		"%PDF-1.4\n": true, "\xef\xbb\xbf\n%PDF-2.0": true, "HTTP/1.1 200 OK\r\n\r\n%PDF-1.7\n1 0 obj": true, "": false, "PDF": false,
		"How a PDF begins: %PDF-1.4 is the first line of it": false, strings.Repeat(" x", 600) + "%PDF-1.4 1 0 obj": false,
	} {
		if got := IsPDF([]byte(body)); got != want {
			t.Errorf("%.40q: %v", body, got)
		}
	}
}
