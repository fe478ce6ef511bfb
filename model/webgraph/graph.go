// Package webgraph builds the web graph of browsing sessions, [HMM] §2.1: which visited page links to which. Start with
// Build; Layers then labels each page with its distance to the nearest target.
package webgraph

// Kinds of frame a load can stand in.
const (
	Frame  = "frame"  // a child of a <frameset>
	Iframe = "iframe" // an <iframe> inside a page
)

// Load is one page load of a session. All URLs are in canonical form, all white space of texts as a reader sees it.
// Loads of several sessions may be given together: the graph is their union.
type Load struct {
	ID      string   // unique among the loads
	URL     string   // the final address
	Site    string   // registrable domain of URL; "" means the host decides what is of the same site
	Aliases []string // addresses that led to URL by redirect, or name the same page
	Title   string
	Text    string
	Links   []Link // every hyperlink of the page's HTML, in order
	From    string // ID of the load whose link was followed (link, form, new tab); "" for any other way of getting here
	Parent  string // ID of the load that holds this frame, "" for a page of its own
	Kind    string // Frame or Iframe when Parent is set
	Target  bool   // marked useful
}

// Link is a hyperlink of a page's HTML.
type Link struct {
	URL    string // canonical address
	Anchor string // what a reader sees of the link, "" when nothing

	// Where on the page it stands, as crawler/page tells.
	Around  string // words before and after it
	Heading string // the heading that it stands under
	Path    string // the elements that hold it
}

// Graph is a web graph: visited pages and the links between them.
type Graph struct {
	Pages []Node
	Edges [][2]int // from, to: indices into Pages; sorted, no loops, no duplicates

	// ByLoad tells which pages stand for a load: its own page; for a frameset its frames; for an iframe that is no page
	// of its own the page that holds it. A load that left no page is missing.
	ByLoad map[string][]int
}

// Node is one visited page.
type Node struct {
	URL    string
	Title  string // of the last load that had one
	Text   string // of the last load that had one
	Target bool
	Loads  []string // IDs of the page's own loads, in order

	// Links are the hyperlinks of the page's HTML over all its loads, in order of first appearance: one for each other
	// page of the graph and one for each other address, a link to a frameset being one to each of its frames. Links to
	// the page itself are left out, and links that were followed but that the HTML lacks are not among them.
	Links []NodeLink
}

// NodeLink is a hyperlink as a reader of the page could have taken it.
type NodeLink struct {
	To   int // index of the page it leads to, -1 when that was not visited
	Link     // the first that says something, when several links of the page lead there
}
