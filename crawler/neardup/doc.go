// Package neardup finds near-duplicate texts.
//
// NewSketch reads a text once and keeps a simhash and its shingles; SameText compares two simhashes. The trap guard, the
// crawl and the test for missing pages use them instead of the texts.
package neardup
