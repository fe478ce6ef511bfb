// Package themes prepares ontologies for crawls that follow links by their words ([THESUS] §5.1).
//
// Start with Source.Themes, which makes the Themes of the strategy thematic.
package themes
