// Package ontology reads and writes files of ontologies: trees of terms with labels and WordNet senses.
//
// Start with Read, which makes a list of terms of the bytes of a file; Build of package model/ontology makes a tree of them.
// WriteText and WriteNTriples write a tree, and Read gives back what they wrote.
//
// These kinds of files are read; the content tells the kind, never a name:
//
//   - indented text: a term a line, deeper lines below it, "term | synonym | synonym [wind.n.07, wind.n.01]"; a line that
//     begins with # is a comment, and \ before a character takes its meaning from it
//   - a list with bullets or numbers, which is the same with a mark before each term
//   - SKOS (with the labels of SKOS-XL and the relations of ISO 25964), RDFS or OWL classes as N-Triples, Turtle or
//     RDF/XML; XML may be in any encoding that it declares
//
// Deprecated terms are left out. Lines of N-Triples and statements of Turtle that cannot be read are told and left out, unless
// they are half of the file. OWL in other syntaxes, JSON-LD, OBO, tables and other formats are refused with what to do (foreign.go).
//
// In RDF, the senses of a term are its close or exact matches with addresses like urn:wordnet:wind.n.07.
//
// Files come from strangers: nothing is fetched, sizes and depths are limited, and what is malformed gives an error that
// says where and what to do, never a panic. Faults of the tree itself (cycles, two parents) are found by Build.
package ontology
