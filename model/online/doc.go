// Package online goes on learning during a crawl, from where a model's training ended: a judge that is retrained on the
// fetched pages, and a regression that learns from the links followed so far which links to follow.
//
//	Vocabulary   the words in and around a link -> tokens
//	Regression   tokens and signals of a link -> log odds that it leads somewhere useful
//	Judge        words of a page -> log odds that it is useful
//	Means        mean outcomes of folders, sites and places on a page so far
//	Schedule     when each of them learns again
//
// Nothing here is safe for concurrent use; each value belongs to one crawl. The same calls in the same order give the same numbers.
package online
