// Package report writes a finished map of communities as one file of HTML, or as JSON.
//
// The file of HTML needs nothing but itself: no script, no picture or style from elsewhere, and its policy forbids them. It
// links to pages of the map, to the positive pages and to the document, and nowhere else. All texts come from strangers;
// html/template escapes them, and bdi elements keep their directions apart.
//
// Start with Write and WriteJSON.
package report
