// Package reason says why a page is a find: which of its words speak for it most, where it says them, and which page that the
// person marked Useful says them, too.
//
// Start with Ensure for a find of the store, which computes its reason when it has none, and with Say or Sentence to put a
// reason into words. Of works on a model and a text alone.
//
// The words are those that raise the judge's score of the page most. A phrase is named where two of them stand side by side.
// The judge of a crawl also goes by the title, the address and the marks made during the crawl; these are not named.
package reason
