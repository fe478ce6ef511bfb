// Package tfidf weighs the terms of pages by TF-IDF as [PANORAMA] does, and holds the pages as sparse vectors.
//
// Start with Fit, which reads the terms of a collection. Vocabulary.Vector then weighs a page, also one that is not of
// the collection: the document frequencies stay those of the collection, and terms that it lacks are dropped.
//
//	text.Counts of C -> Fit -> Vocabulary; text.Counts of a page -> Vocabulary.Vector -> Vector -> Unit
//
// The terms may be stems, words or anything else that text.Counts holds.
package tfidf
