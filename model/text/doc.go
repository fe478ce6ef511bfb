// Package text turns the text of a page into counts of stems, [HMM] §2.2.1 step 1: letters only, in lower case, without
// English stop words, as Porter2 stems of at most 20 characters.
//
// Start with CountAll for the pages of a training, or with a Counter for pages one after the other. Words lists the words
// before stemming, Stem stems a word.
//
// Limits: words are runs of letters, so that languages written without spaces give long, mostly unique words. Stop words and
// stems are English; pages in other languages are still counted, but less precisely.
package text
