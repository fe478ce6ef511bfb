// Package pdftext reads the lines of text of a PDF, each with its place and its size.
//
// Call Lines. It starts the running program once more as a reader: the library that reads PDF can panic, run for ever, take
// all memory or overflow its stack on a hostile file, and the last two end a Go program whatever it recovers. The reader
// gets the file on its standard input, nothing else, and is killed at the deadline.
package pdftext

import "errors"

// Limits of the reader.
const (
	MaxMemory = 512 << 20 // bytes that the reader may take from the system
	MaxOutput = 64 << 20  // bytes of lines that are taken from the reader
	maxPages  = 5000      // pages looked for in one file
	maxDepth  = 64        // levels of the tree of pages
)

// Errors of Lines.
var (
	ErrEncrypted = errors.New("the PDF is encrypted")
	ErrBroken    = errors.New("the PDF is broken")
	ErrNoText    = errors.New("the PDF has no text") // pages that were scanned, or fonts that do not say their letters
	ErrTooMuch   = errors.New("the PDF needs too much memory")
	ErrSlow      = errors.New("the PDF takes too long to read")
	ErrStart     = errors.New("the reader of PDF did not start")
)

// Line is a line of text of a page. Lengths are in points (1/72 of an inch), from the page's lower left corner.
type Line struct {
	Page int // from 1
	Text string
	X, Y float64 // where its first glyph stands
	Size float64 // of most of its glyphs
}

// Result is what Lines read.
type Result struct {
	Lines   []Line
	Pages   int  // pages of the file
	Missing int  // pages that could not be read
	Partial bool // the time or the room for lines ran out; the first and the last pages are read first
}

// message is one line of the reader's answer.
type message struct {
	Lines   []Line `json:",omitempty"`
	Pages   int    `json:",omitempty"`
	Missing int    `json:",omitempty"`
	Error   string `json:",omitempty"`
	Done    bool   `json:",omitempty"`
}

const (
	saysEncrypted = "encrypted"
	saysNoText    = "no text"
	saysBroken    = "broken"
	exitMemory    = 3 // the reader's exit code when it needs too much memory
)
