package document

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"html"
	"net/url"
	"path"
	"strings"
)

// maxMade is how many bytes a page that Page makes has at most, as many as pages that are fetched.
const maxMade = 4 << 20

// Page makes a page of HTML of a document that a server sent from an address: a PDF, or a text in UTF-8. It has the document's
// title and paragraphs, and no links. Errors of ReadWords say what is wrong, without what a person could do about it.
func Page(ctx context.Context, address string, body []byte) ([]byte, error) {
	var words Words
	if !IsPDF(body) {
		words = plainWords(body)
	} else {
		select {
		case reading <- struct{}{}:
			defer func() { <-reading }()
		case <-ctx.Done():
			return nil, ctx.Err()
		}
		var err error
		if words, err = ReadWords(ctx, body); err != nil {
			if p, is := errors.AsType[*Problem](err); is {
				err = errors.New(p.What)
			}
			return nil, err
		}
	}
	page, _ := words.HTML(words.TitleFor("", address), maxMade)
	return page, nil
}

// reading holds an element for each PDF that Page reads, in a process of its own with up to pdftext.MaxMemory.
var reading = make(chan struct{}, 2)

// maxFirstLine is how many bytes the first line of a text has at most to be its title.
const maxFirstLine = 200

// plainWords is what a text or Markdown says. A blank line ends a paragraph.
func plainWords(body []byte) (w Words) {
	text := strings.ReplaceAll(string(body), "\r", "")
	for p := range strings.SplitSeq(text, "\n\n") {
		if p = strings.Join(strings.FieldsFunc(p, blank), " "); p != "" {
			w.Paragraphs = append(w.Paragraphs, p)
		}
	}
	first, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	if first = strings.TrimSpace(strings.TrimLeft(first, "#")); len(first) <= maxFirstLine {
		w.Title = Clean(first)
	}
	return w
}

// TitleFor is the title of a document at an address: that which a browser showed, "" if none did, unless that is only the name of
// the file; then that of its first page, and at last the name of the file.
func (w Words) TitleFor(shown, address string) string {
	file := ""
	if u, err := url.Parse(address); err == nil && u.Path != "" {
		file = path.Base(u.Path)
	}
	if shown = strings.TrimSpace(shown); shown != "" && !strings.HasSuffix(strings.ToLower(shown), ".pdf") && shown != file {
		return shown
	}
	return cmp.Or(w.Title, shown, file)
}

// HTML writes a page with a title and the paragraphs. truncated says that they did not fit into most bytes.
func (w Words) HTML(title string, most int) (page []byte, truncated bool) {
	const end = "</article></main></body></html>"
	var b bytes.Buffer
	b.WriteString(`<!DOCTYPE html><html><head><meta charset="utf-8"><title>`)
	b.WriteString(html.EscapeString(title))
	b.WriteString("</title></head><body><main><article>")
	for _, p := range w.Paragraphs {
		p = "<p>" + html.EscapeString(strings.ToValidUTF8(p, "")) + "</p>\n"
		if b.Len()+len(p)+len(end) > most {
			truncated = true
			break
		}
		b.WriteString(p)
	}
	b.WriteString(end)
	return b.Bytes(), truncated
}
