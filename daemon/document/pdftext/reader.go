package pdftext

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"runtime/debug"
	"runtime/metrics"
	"strings"
	"time"
	"unicode"

	"github.com/ledongthuc/pdf"
)

// The reader starts here rather than in main, so that every program with this package, tests too, can start itself as one.
func init() {
	if len(os.Args) == 2 && os.Args[1] == flag {
		debug.SetMaxStack(64 << 20)
		debug.SetMemoryLimit(MaxMemory * 3 / 4)
		go watchMemory()
		read(os.Stdin, os.Stdout)
		os.Exit(0)
	}
}

// watchMemory ends the reader when it has more memory than it may have. A table of a hostile file is memory that was asked
// for and not yet touched, so that this sees it before the machine does.
func watchMemory() {
	s := []metrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}}
	for {
		metrics.Read(s)
		if s[0].Value.Uint64()-s[1].Value.Uint64() > MaxMemory {
			os.Exit(exitMemory)
		}
		time.Sleep(5 * time.Millisecond)
	}
}

// read writes the lines of the PDF in: one message for each page, and one at the end.
func read(in io.Reader, out io.Writer) {
	enc := json.NewEncoder(out)
	last := message{Done: true}
	defer func() {
		if recover() != nil {
			last.Error = saysBroken
		}
		_ = enc.Encode(last) // who does not listen any more needs no answer
	}()
	body, err := io.ReadAll(in)
	if err != nil {
		panic(err)
	}
	body = mend(body)
	file, err := pdf.NewReader(bytes.NewReader(body), int64(len(body)))
	if err != nil {
		last.Error = saysBroken
		if errors.Is(err, pdf.ErrInvalidPassword) || strings.Contains(err.Error(), "encrypt") {
			last.Error = saysEncrypted
		}
		return
	}
	last.Error = readPages(file, enc)
}

// mend lets the library read a version that it does not know, and bytes after the end. Offsets stay as they are.
func mend(body []byte) []byte {
	body = bytes.Clone(body)
	copy(body, "%PDF-1.7\n") // the version says nothing that matters for text
	if i := bytes.LastIndex(body, []byte("%%EOF")); i >= 0 {
		body = body[:i+5]
	}
	return body
}

func readPages(file *pdf.Reader, enc *json.Encoder) (problem string) {
	pages := collect(file.Trailer().Key("Root").Key("Pages"), nil, 0)
	_ = enc.Encode(message{Pages: len(pages)})
	var letters, unknown, missing int
	for _, i := range order(len(pages)) {
		lines, ok := readPage(pages[i], i+1)
		if !ok {
			missing++
			_ = enc.Encode(message{Missing: 1})
			continue
		}
		for _, l := range lines {
			a, b := known(l.Text)
			letters, unknown = letters+a, unknown+b
		}
		_ = enc.Encode(message{Lines: lines})
	}
	switch {
	case len(pages) == 0 || missing == len(pages):
		return saysBroken
	case letters < 20 || unknown > letters:
		return saysNoText
	}
	return ""
}

// order is the order in which n pages are read: the first ones have the title and the last ones the references, if the time
// does not suffice for all.
func order(n int) (all []int) {
	for i := range min(n, 2) {
		all = append(all, i)
	}
	for i := n - 1; i >= 2; i-- {
		all = append(all, i)
	}
	return all
}

// collect appends the pages below a node of the tree of pages. The library's own way to a page walks the tree anew each time.
func collect(node pdf.Value, pages []pdf.Page, depth int) []pdf.Page {
	kids := node.Key("Kids")
	if depth > maxDepth {
		return pages
	}
	for i := 0; i < kids.Len() && len(pages) < maxPages; i++ {
		kid := kids.Index(i)
		if kid.Key("Kids").Kind() == pdf.Array {
			pages = collect(kid, pages, depth+1)
		} else if kid.Kind() == pdf.Dict {
			pages = append(pages, pdf.Page{V: kid})
		}
	}
	return pages
}

func readPage(p pdf.Page, number int) (lines []Line, ok bool) {
	defer func() {
		if recover() != nil {
			lines, ok = nil, false
		}
	}()
	return join(content(p), number), true
}

// known counts the letters of s, and the glyphs whose letter the file does not say.
func known(s string) (letters, unknown int) {
	for _, r := range s {
		switch {
		case r == unicode.ReplacementChar || unicode.Is(unicode.Co, r):
			unknown++
		case unicode.IsLetter(r):
			letters++
		}
	}
	return letters, unknown
}
