// Package senses turns the words that links use for a page into senses of WordNet and weighted terms of an ontology, as
// [THESUS] §5.3.3 does.
//
// Start with Describer.Describe. It takes the keywords that most pages use, chooses a sense for each (Choose), maps each
// sense to the nearest term (Ontology, of which Terms is one), and weighs the terms by equation 1.
//
//	keywords -> Choose -> senses -> Ontology.Nearest -> Description: terms with weights and the words behind each
//
// Description.Concepts is for pages without an ontology: the senses themselves with weights.
package senses
