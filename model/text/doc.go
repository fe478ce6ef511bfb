// Package text turns a page's text into counts of stems, [HMM] §2.2.1 step 1: letters only, lower case, English stop
// words out, Porter2 stems, cut at 20 characters.
//
// Start with CountAll for the pages of a training, with a Counter for single pages one after the other. Words lists the
// words before stemming, Stem stems one of them.
//
// Limits: words are runs of letters, so languages written without spaces give long, mostly unique words; stop words and
// stems are English. Pages in other languages are still counted, only more coarsely.
package text
