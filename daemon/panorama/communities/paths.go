package communities

import (
	"cmp"
	"slices"
	"strings"

	"nightjar/model/ontology"
)

// Paths are the words of the path from the root to each term, [THESUS] §5.1: "music instrument guitar". Each word is there
// once, in small letters; a path that has the words of an earlier one is left out. Those of terms near the root come first,
// so that each branch has its turn when not all can be asked for.
func Paths(tree *ontology.Tree) []string {
	terms := make([]int, tree.Len())
	for i := range terms {
		terms[i] = i
	}
	slices.SortStableFunc(terms, func(a, b int) int { return cmp.Compare(tree.Depth(a), tree.Depth(b)) })
	var all []string
	known := map[string]bool{"": true}
	for _, i := range terms {
		if p := pathOf(tree, i); !known[p] {
			known[p] = true
			all = append(all, p)
		}
	}
	return all
}

// pathOf is that from the root to term i.
func pathOf(tree *ontology.Tree, i int) string {
	above := tree.Above(i)
	var words []string
	for _, term := range slices.Backward(above) {
		for word := range strings.FieldsSeq(strings.ToLower(strings.ReplaceAll(tree.Label(term), "_", " "))) {
			if !slices.Contains(words, word) {
				words = append(words, word)
			}
		}
	}
	return strings.Join(words, " ")
}
