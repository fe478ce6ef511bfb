// Package ontology keeps a tree of terms, finds its faults, compares its terms, and changes it.
//
// Start with Build, which makes a Tree of the terms that a file lists. Tree.Similarity compares two terms:
//
//	S(a, b) = 2·depth(lcs) / (depth(a) + depth(b)) ∈ (0, 1]     Wu & Palmer 1994; [THESUS] §5.3
//
// where lcs is the deepest term that is above a and b or one of them, and the root has depth 1. Tree.Apply makes one change
// and says how to undo it.
//
// A Tree never changes, so that it may be read by several goroutines at once. Its terms are numbered in pre-order: the root
// is 0, parents come before their children, and the terms below a term directly follow it. An edit gives other numbers to
// terms, never other keys; what is stored about a term must be stored by its key.
//
// Reading and writing files is left to others.
package ontology
