// Package neardup finds near-duplicate texts.
//
// NewSketch makes the simhash and the shingles of a text; SameText compares two simhashes. The trap guard, the crawl and the
// detection of soft 404s use them instead of the texts.
package neardup
