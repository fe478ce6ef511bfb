// Package themes prepares ontologies for crawls that follow links by their words, and for searches ([THESUS] §5.1).
//
// Start with Source.Themes, which makes the Themes of the strategy thematic. Paths lists what a search engine is asked when
// an ontology is all that is known. Read makes Themes of a file, without a store.
package themes
