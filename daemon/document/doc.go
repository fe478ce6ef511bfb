// Package document reads which titles a document names: its own and those of its references.
//
// Call Read with the bytes of a PDF, a page of HTML, a bibliography in BibTeX or RIS, Markdown or plain text. The kind is
// told by the content, never by a name. Nothing is fetched and no script is run. The person sees and edits the result before
// anything is asked of anyone.
//
// Documents come from strangers: what is malformed gives a warning or one of the errors of this package, never a panic. All
// texts of a result are text, whatever they look like.
//
// The rules for titles are heuristics; testdata/titles.json has the references of ten papers, listed by hand, that a test
// measures them with.
package document

import (
	"context"
	"strings"
	"time"
	"unicode"
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
	minWords      = 3       // of a title
	maxWords      = 30      // of a title
	MaxTitle      = 400     // bytes of a title
)

// Kind is what a document is.
type Kind string

// The kinds of documents.
const (
	PDF      Kind = "pdf"
	BibTeX   Kind = "bibtex"
	RIS      Kind = "ris"
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
	ErrKind      = &Problem{"this is not a kind of document that can be read", "save it as PDF, HTML, BibTeX, RIS or text"}
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
		readText(d, decode(body))
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
		if n := countWords(r.Title); n == 0 || n > maxWords || seen[key] || len(kept) == MaxReferences {
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
		d.warn(0, "only "+plural(n, "reference was", "references were")+" found", "add titles by hand, one a line, for a better map")
	}
}

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

// countWords counts the runs of letters of s.
func countWords(s string) (n int) {
	for range strings.FieldsFuncSeq(s, func(r rune) bool { return !unicode.IsLetter(r) && r != '\'' && r != '’' }) {
		n++
	}
	return n
}
