// Package pdffile makes a sound PDF of any one, for a library that reads no encrypted and damaged files and few filters.
//
// Start with Read, which finds the objects of a file wherever they stand, as browsers do: it needs no table of objects, and no
// length of a stream. It decrypts files that open without a password. File.Bytes writes the objects as a plain file, and
// unpacks streams whose filters the library does not know (filter.go).
//
// It keeps the parts of a file that text needs. The time is linear in the length of the file, and the memory a few times that
// length. A caller that reads files of strangers bounds both once more.
package pdffile

import "errors"

// ErrPassword says that a file cannot be opened without a password, or in a way that is not known.
var ErrPassword = errors.New("the PDF is encrypted")

// ErrBroken says that a file has no pages.
var ErrBroken = errors.New("the PDF is broken")

// Limits of a file. What goes beyond them is left out.
const (
	maxObjects = 1 << 20
	maxDepth   = 100      // of arrays and dictionaries in each other
	maxString  = 1 << 20  // bytes
	maxUnpack  = 96 << 20 // bytes of all streams that are unpacked
)
