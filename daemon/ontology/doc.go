// Package ontology reads and writes files of ontologies: trees of terms with labels and WordNet senses.
//
// Start with Read, which makes a list of terms of the bytes of a file; Build of package model/ontology makes a tree of them.
// WriteText and WriteNTriples write a tree, and Read gives back what they wrote.
//
// These kinds of files are read; the content tells the kind, never a name:
//
//   - indented text: a term a line, deeper lines below it, "term | synonym | synonym [wind.n.07, wind.n.01]"; a line that
//     begins with # is a comment, and \ before a character takes its meaning from it
//   - SKOS (broader, narrower, prefLabel, altLabel) or RDFS (subClassOf, label) as N-Triples, JSON-LD, RDF/XML or Turtle
//
// In RDF, the senses of a term are its close or exact matches with addresses like urn:wordnet:wind.n.07.
//
// Files come from strangers: nothing is fetched, sizes and depths are limited, and what is malformed gives an error that
// says where and what to do, never a panic. Faults of the tree itself (cycles, two parents) are found by Build.
package ontology
