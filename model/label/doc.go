// Package label names clusters of pages by their words and phrases, [PANORAMA] §3.7, and by what its §7 leaves for
// later: phrases, capitals and acronyms.
//
// Start with Clusters.
//
//	texts -> words of each page -> tfidf, length 1 -> V_c, eq. (3.6) -> the largest components
//	                                                                 -> phrases around them -> as most often written -> expansions
//
// A phrase is two or three words that follow each other in one line with nothing but spaces, a hyphen or an apostrophe
// between them. It begins and ends with a word that is no stop word, and has
// no word twice.
//
// Limits: words are runs of letters, so that "C++" is c and "Web 2.0" is web. Stop words are English.
package label
