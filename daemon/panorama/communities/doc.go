// Package communities makes maps of the communities on the web around a document, an ontology, a topic or a crawl ([PANORAMA]).
//
//	document.Read, Paths -> titles -> trainingset.Run -> positive pages -> fetch -> trainer -> scheduler -> community.Find -> View
//
// Start with New, and Maker.Run. Each step keeps its result in the store before the next begins, so that a daemon that was
// killed does the step again from what is there, and sends no query twice.
package communities
