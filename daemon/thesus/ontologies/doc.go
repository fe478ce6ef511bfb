// Package ontologies keeps the ontologies of the person: it imports and makes them, edits them with undo, and hands out
// their trees and the senses of their terms ([THESUS] §5.3).
//
//	a file -> ontology.Read -> Build -> store;  a sense or a topic -> terms -> store;  store -> Tree, Terms
//
// Start with New. A Shelf may be used from several goroutines at once.
package ontologies
