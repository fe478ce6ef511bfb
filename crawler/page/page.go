// Package page reads HTML: title, text, links and frames, and the one canonical form of URLs. Start with Parse and
// Canonical.
package page

// Page is what a reader and a crawler need to know of an HTML document.
type Page struct {
	URL           string // canonical, of the document as fetched or visited
	Title         string
	Text          string // what a reader sees: title, headings, body text, alt text, meta description
	Links         []Link // in document order, one entry a distinct canonical URL, http and https only
	Frames        []Frame
	Canonical     string // rel=canonical, canonical form, "" without one
	NoIndex       bool   // robots meta or X-Robots-Tag
	NoFollow      bool
	PasswordField bool // holds an <input type=password>
	TextOnly      bool // the document could not be parsed as a tree; text and links were read from its tokens
}

// Link is a hyperlink of a page.
type Link struct {
	URL      string // canonical, absolute
	Anchor   string // anchor text, white space folded; alt text for a picture
	NoFollow bool
}

// Frame is a child document of a page.
type Frame struct {
	URL  string
	Kind string // "frame" or "iframe"
}
