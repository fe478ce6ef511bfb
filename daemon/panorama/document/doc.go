// Package document reads which titles a document names: its own and those of its references.
//
// Call Read with the bytes of a PDF, a page of HTML, a bibliography, Markdown or plain text. The kind is told by the content,
// never by a name. Nothing is fetched and no script is run. The person sees and edits the result before anything is asked of
// anyone.
//
// A bibliography may be BibTeX, RIS, of PubMed (nbib), EndNote (its tags or XML), Web of Science, RefWorks, CSL-JSON or a table
// with a column of titles. Each has a small reader that gives References to Document.add, which cleans their titles.
//
// Documents come from strangers: what is malformed gives a warning or one of the errors of this package, never a panic. All
// texts of a result are text, whatever they look like.
//
// The rules for titles are heuristics; testdata/titles.json has the references of ten papers, listed by hand, that a test
// measures them with.
package document

import (
	"context"
	"fmt"
	"strings"
	"time"
	"unicode"

	"nightjar/crawler/texts"
)

// Limits of Read.
const (
	MaxBytes      = 64 << 20
	MaxTime       = 60 * time.Second // for a PDF; the others take a second
	MaxReferences = 2000
	MaxWarnings   = 50
	maxPage       = 8 << 20 // bytes of a page of HTML: its tree takes twenty times as much
	maxNames      = 50      // authors of a work
	FewReferences = 8       // fewer give a warning: [PANORAMA] left such papers out
	minWords      = 3       // of a title that is neither quoted nor linked
	maxWords      = 30      // of a title that a rule found in a text, and of a query
	MaxTitle      = 400     // bytes of a title
)

// Kind is what a document is.
type Kind string

// The kinds of documents.
const (
	PDF      Kind = "pdf"
	BibTeX   Kind = "bibtex"
	RIS      Kind = "ris"
	NBIB     Kind = "nbib"    // of PubMed
	EndNote  Kind = "endnote" // tags such as %T, or XML
	WoS      Kind = "wos"     // tags of Web of Science
	RefWorks Kind = "refworks"
	CSLJSON  Kind = "csl-json"
	Table    Kind = "table" // comma- or tab-separated, with a column of titles
	HTML     Kind = "html"
	Markdown Kind = "markdown"
	Text     Kind = "text"
	Titles   Kind = "titles" // one a line
)

// Document is what Read found. Texts have white space folded and no control characters.
type Document struct {
	Kind       Kind
	Title      string   // "" if there is none, as in a bibliography
	Authors    []string // of the document, as far as they can be told
	References []Reference
	URLs, DOIs []string // of document and references, each once, in order; http and https only
	Language   string   // en, de, fr, es, it, nl or pt; "" if it cannot be told
	Warnings   []Warning
}

// Reference is a work that the document names.
type Reference struct {
	Title   string
	Authors []string // as they are written
	Year    int      // 0 if none is given
	URL     string   // "" if none is given
	DOI     string   // without "https://doi.org/", in lower case; "" if none is given
}

// Warning is something that the person should know of a document that could be read.
type Warning struct {
	What string
	Next string // what to do about it
	Line int    // of the document, from 1; 0 if it is about no line
}

// Options say how to read a document.
type Options struct {
	TitlePerLine bool   // each line of a text is a title
	Base         string // address of a page, for its relative links; "" if it has none
}

// Problem is an error of Read: what is wrong, and what to do.
type Problem struct{ What, Next string }

func (p *Problem) Error() string { return p.What + ": " + p.Next }

// Errors of Read. Compare with errors.Is.
var (
	ErrTooLarge  = &Problem{"this document is larger than 64 MiB", "paste its titles, one a line"}
	ErrLargePage = &Problem{"this page is larger than 8 MiB", "paste its titles, one a line"}
	ErrEmpty     = &Problem{"this document is empty", "choose another file, or paste titles, one a line"}
	ErrKind      = &Problem{"this is not a kind of document that can be read", "save it as PDF, HTML, BibTeX, RIS, CSL-JSON or text"}
	ErrEncrypted = &Problem{"this PDF is encrypted", "save it without a password, or paste its titles, one a line"}
	ErrScanned   = &Problem{"this PDF has pictures of text only", "recognise its text with a program for that (OCR), or paste its titles, one a line"}
	ErrBroken    = &Problem{"this PDF is broken", "open it in a viewer and print it to a new PDF, or paste its titles, one a line"}
	ErrSlow      = &Problem{"this PDF takes more than 60 seconds to read", "print only its first page and its references to a new PDF"}
	ErrTooMuch   = &Problem{"this PDF needs too much memory", "print only its first page and its references to a new PDF"}
	ErrReader    = &Problem{"the reader of PDF did not start", "restart Nightjar and try again"}
	ErrNoTitles  = &Problem{"no references were found in this document", "paste titles, one a line"}
)

// Read reads a document. With ErrNoTitles the document is returned, too, as it may have a title; with the other errors, which
// are those above and that of a cancelled ctx, it is nil.
func Read(ctx context.Context, body []byte, o Options) (*Document, error) {
	if len(body) > MaxBytes {
		return nil, ErrTooLarge
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	kind, err := detect(body, o)
	if err != nil {
		return nil, err
	}
	d := &Document{Kind: kind}
	switch kind {
	case PDF:
		err = readPDF(ctx, d, body)
	case HTML:
		err = readHTML(d, body, o.Base)
	default:
		err = readText(d, decode(body))
	}
	if err != nil {
		return nil, err
	}
	d.finish()
	if len(d.References) == 0 {
		return d, ErrNoTitles
	}
	return d, nil
}

// finish cleans what was read and collects what is in all references.
func (d *Document) finish() {
	d.Title = Clean(d.Title)
	kept := d.References[:0]
	seen := map[string]bool{}
	for _, r := range d.References {
		r.Title = Clean(r.Title)
		key := strings.ToLower(r.Title)
		if countWords(r.Title) == 0 || seen[key] || len(kept) == MaxReferences {
			continue
		}
		seen[key] = true
		kept = append(kept, r)
		d.URLs = appendNew(d.URLs, r.URL)
		d.DOIs = appendNew(d.DOIs, r.DOI)
	}
	d.References = kept
	if d.Language == "" {
		d.Language = language(d.Title + " " + joinTitles(kept))
	}
	if n := len(kept); n > 0 && n < FewReferences {
		d.warn(0, "only "+texts.Count(n, "reference was", "references were")+" found", "add titles by hand, one a line, for a better map")
	}
}

// add appends a reference of a bibliography, whose record begins in a line, with its title cleaned. A long title is kept: only
// a search instance gets less of it.
func (d *Document) add(r Reference, line int) {
	if d.full() {
		return
	}
	whole := withoutMarkup(r.Title)
	r.Title = Clean(whole)
	const next = "shorten it in the list if you know a better part of it"
	if n, kept := countWords(whole), countWords(r.Title); kept < n {
		d.warn(line, fmt.Sprintf("this title has %s; its first %d were kept", texts.Count(n, "word", "words"), kept), next)
	} else if n > maxWords {
		d.warn(line, fmt.Sprintf("this title has %s; a search instance is asked for the first %d", texts.Count(n, "word", "words"), maxWords), next)
	}
	d.References = append(d.References, r)
}

func (d *Document) full() bool { return len(d.References) >= MaxReferences }

func (d *Document) warn(line int, what, next string) {
	if len(d.Warnings) < MaxWarnings {
		d.Warnings = append(d.Warnings, Warning{what, next, line})
	}
}

func appendNew(all []string, s string) []string {
	if s == "" {
		return all
	}
	for _, a := range all {
		if a == s {
			return all
		}
	}
	return append(all, s)
}

func joinTitles(refs []Reference) string {
	var b strings.Builder
	for _, r := range refs {
		b.WriteString(r.Title)
		b.WriteByte(' ')
	}
	return b.String()
}

// countWords counts the runs of letters of s. In Chinese and Japanese, which part no words, two letters count as one.
func countWords(s string) (n int) {
	inside, packed := false, 0
	for _, r := range s {
		switch {
		case unparted(r):
			inside = false
			packed++
		case unicode.IsLetter(r) || unicode.IsMark(r) || r == '\'' || r == '’':
			if !inside {
				n++
			}
			inside = true
		default:
			inside = false
		}
	}
	return n + (packed+1)/2
}

// unparted reports whether a letter is of a script that puts no spaces between words.
func unparted(r rune) bool {
	return r >= 0x0E00 && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar)
}
