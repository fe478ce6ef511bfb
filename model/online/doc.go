// Package online holds what a crawl goes on learning from where a model's training ended: a judge that is retrained on the
// pages that the crawl fetched, and a regression that learns from followed links which links to follow.
//
//	Vocabulary   what stands in and around a link -> tokens
//	Regression   tokens and signals of a link -> log odds that it leads somewhere useful
//	Judge        words of a page -> log odds that it is useful
//	Means        what folders, sites and places on a page brought so far
//	Schedule     when each of them learns again
//
// Nothing here is safe for concurrent use: it belongs to one crawl. The same calls in the same order give the same numbers.
package online
