// Package linktext counts the words that a page uses for each page that it links to, [THESUS] §5.2 and figure 3.
//
// Start with New, which makes an Extractor. Extractor.Extract returns the links of a document with their words. Links that
// have no place in the source, because a script made them, get theirs from Extractor.Anchor.
//
// The words of a link are those
//
//   - of its anchor: the alternative texts of pictures between <a …> and </a>, and the text there;
//   - of the 100 characters of source before <a …> and of the 100 after </a>. The first end after, the second before, the
//     nearest opening or closing tag of a, li, ul, ol, dl, dt, dd, tr, td, th, table, caption, h1 to h6, hr, div, section,
//     nav, article, header, footer or form: such a tag ends what belongs to the link. <p> and <br> do not, because the
//     paper's example runs over them.
//
// An area of an image map has the words of its alt attribute, else of its title. Characters are those of the document in
// UTF-8, tags and entities counted as written. Then tags are dropped and entities decoded. A word is a run of letters, as in
// package text; dropped are words that the 100 characters cut, words under 3 letters, stop words, and words of navigation,
// which Navigation lists. Numbers are no words. Words are not stemmed, because they are looked up later; an Extractor may be
// given a function for their base forms.
//
// Two links to the same page are two links. Links to the page itself, other schemes than http and https, and refreshes are
// left out. URLs are canonical, as in package page.
//
// Documents come from strangers: any bytes give links or none, in time linear in their size.
package linktext
