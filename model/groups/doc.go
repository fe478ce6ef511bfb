// Package groups groups pages of a few hundred to some thousand by what they have in common: words of their texts, words of the links
// to them, and the pages that link to them ([THESUS] §5; the last is co-citation).
//
// Start with New. Set.Levels gives the groups, Set.Names what sets each apart, and Set.Words the words that describe a page.
//
//	[]Page -> New -> Set -> Levels -> Names
//
// Everything is deterministic: the same pages and seed give the same groups on any number of cores.
package groups
