// Package explore describes pages by the words that other pages use when they link to them, groups the pages by these
// descriptions, and finds pages by words ([THESUS]).
//
//	links.Keywords -> senses.Describer -> Description -> conceptset -> dbscan or cobweb -> Result -> View
//
// Start with New, and Maker.Run. A grouping keeps its result in the store; the daemon begins one that was interrupted again.
package explore
