// Package explore groups pages by text and links, or by the words that other pages use when they link to them, and finds pages by
// words ([THESUS]).
//
//	page.Text, links.Keywords, links.Sources -> groups.New -> Result -> View
//	links.Keywords -> senses.Describer -> Description -> conceptset -> dbscan or cobweb -> Result -> View
//
// Start with New, and Maker.Run. A grouping keeps its result in the store; the daemon begins one that was interrupted again.
package explore
