// Package page reads HTML: title, content as text, links, frames, and what the document says of itself.
//
// Start with Parse, which turns the bytes of a document into a Page. Refresh tells where a document sends its reader at
// once, NeedsScripts whether a page is empty until its scripts have run, and Unavailable until when a document is to be
// shown.
//
// The main content is extracted by rules of our own, because no library was as good: on 50 recorded pages of a
// university and 50 of documentation they reach an F1 of 0.947 and 0.994, go-trafilatura in its best setting 0.889 and
// 0.964 in about 20 times the time (docs/CONTENT.md, task bench:content). It finds least on pages that are no articles:
// indexes, forms, lists of offers.
//
// Documents come from strangers: bad input gives an error or less text, never a panic.
package page

import "time"

// ContentUTF8 is the content type to hand to Parse when the body is UTF-8 already, as fetched bodies and snapshots
// from a browser are, whatever the document itself says of its encoding.
const ContentUTF8 = "text/html; charset=utf-8"

// Limits of what is kept of one page.
const (
	MaxText   = 1 << 20 // bytes of Page.Text
	MaxTitle  = 512     // bytes of Page.Title
	MaxAnchor = 512     // bytes of Link.Anchor
	MaxLinks  = 5000    // entries of Page.Links
	MaxFrames = 100     // entries of Page.Frames
)

// Page is what a reader and a crawler need to know of an HTML document.
type Page struct {
	URL           string // canonical, of the document as fetched or visited
	Title         string
	Text          string // title, meta description and content, a line each block; see Parse
	Links         []Link // in document order, one entry a distinct canonical URL, http and https only
	Frames        []Frame
	Canonical     string // rel=canonical, canonical form, "" without one
	NoIndex       bool   // robots meta or X-Robots-Tag
	NoFollow      bool
	Until         time.Time // unavailable_after of a robots meta, zero without one
	PasswordField bool      // holds an <input type=password>
	TextOnly      bool      // the document could not be parsed as a tree; text and links were read from its tokens
	Letters       int       // that the body shows
	Scripts       int       // elements that run a script
	Shell         bool      // the document says that scripts make its content
}

// Link is a hyperlink of a page. A link of a page to itself is none, and a meta refresh is one without anchor text.
type Link struct {
	URL      string // canonical, absolute
	Anchor   string // anchor text, white space folded; alt text for a picture
	Around   string // up to ten words on each side of it, in the order of the document
	Heading  string // the last heading before it, "" without one
	Path     string // elements that hold it, the innermost last, each with a class or id: "div.menu>ul>li"
	NoFollow bool   // each place that links there says nofollow
}

// Frame is a child document of a page.
type Frame struct {
	URL  string
	Kind string // "frame" or "iframe"
}
