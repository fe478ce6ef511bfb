// Package search finds the pages that the person visited and that crawls fetched, by their words.
//
// An Indexer runs in the background. It reads the queue that the database fills by itself whenever a page is stored,
// changed or erased, parses the pages and stores their words. Search answers a person's query with snippets; Like finds
// pages with the same telling words as another one. The package words says what a word is and what a query asks for.
//
// The text of a page is not stored twice: the index has only its words, and a snippet is cut from the stored HTML of the
// few pages that are shown.
package search
