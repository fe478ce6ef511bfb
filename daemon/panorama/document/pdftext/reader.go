package pdftext

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"runtime/debug"
	"runtime/metrics"
	"time"
	"unicode"

	"github.com/ledongthuc/pdf"

	"nightjar/daemon/panorama/document/pdftext/pdffile"
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
	last.Error, last.Missing = readBody(body, enc)
}

// readBody writes the lines of a PDF, and returns what keeps it from being read and how many pages are missing. The library
// reads a sound file with the same objects, so that what it cannot read does not matter: a password that is empty, a table of
// objects that is wrong, a stream that is cut or packed in a rare way.
func readBody(body []byte, enc *json.Encoder) (problem string, missing int) {
	file, err := pdffile.Read(body)
	if errors.Is(err, pdffile.ErrPassword) {
		return saysEncrypted, 0
	}
	if err != nil {
		return saysBroken, 0
	}
	problem, missing = readPages(open(file.Bytes()), enc)
	if problem == saysNoText && file.Damaged {
		problem = saysBroken // its text may be what is missing
	}
	return problem, missing
}

// open returns the pages of a file, none when the library cannot read it.
func open(body []byte) (pages []pdf.Page) {
	defer func() {
		if recover() != nil {
			pages = nil
		}
	}()
	file, err := pdf.NewReader(bytes.NewReader(body), int64(len(body)))
	if err != nil {
		return nil
	}
	return collect(file.Trailer().Key("Root").Key("Pages"), nil, 0)
}

// readPages writes the lines of pages.
func readPages(pages []pdf.Page, enc *json.Encoder) (problem string, missing int) {
	if len(pages) == 0 {
		return saysBroken, 0
	}
	_ = enc.Encode(message{Pages: len(pages)})
	var letters, unknown int
	for _, i := range order(len(pages)) {
		lines, ok := readPage(pages[i], i+1)
		if !ok {
			missing++
			continue
		}
		for _, l := range lines {
			a, b := known(l.Text)
			letters, unknown = letters+a, unknown+b
		}
		_ = enc.Encode(message{Lines: lines})
	}
	switch {
	case missing == len(pages):
		return saysBroken, missing
	case letters < 20 || unknown > letters:
		return saysNoText, missing
	}
	return "", missing
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
