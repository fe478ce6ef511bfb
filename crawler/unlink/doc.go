// Package unlink takes one site out of documents of other sites: its addresses, and the texts of links to it.
//
// Start with New, which makes a Site. Site.HTML and Site.Text return a document without the site; Site.Clean chooses between
// them by the media type. Site.May says quickly that a document has nothing to take out.
//
// What is taken out of HTML:
//
//   - an element that names the site in an attribute loses its attributes, and with it a link loses its text and the texts
//     of its pictures; elements that are nothing without an address go, such as img, link, meta, base, source, script and iframe;
//   - scripts, styles and comments that name the site;
//   - addresses in running text, with scheme, path, port or as of mail.
//
// A name names the site if it is its host or a host below it. It is found in any letter case, with characters written as
// %xx, as entities, as \uxxxx or in full width, as an internationalized name in either form, and inside other addresses, such
// as https://out.example/?to=https%3A%2F%2Fsite.example%2F. It is not found in encodings of whole texts, such as base64.
//
// The bare name of the site in running text, without an address around it, is what the other site wrote, and stays.
//
// Documents come from strangers: any bytes give a result, in time linear in their size.
package unlink
