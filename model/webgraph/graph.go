// Package webgraph builds the web graph of browsing sessions, [HMM] §2.1: the visited pages and the links between them.
// Start with Build. Layers then labels each page with its distance from the nearest target.
package webgraph

// Values of Load.Kind.
const (
	Frame  = "frame"  // a child of a <frameset>
	Iframe = "iframe" // an <iframe> inside a page
)

// Load is one page load of a session. All URLs are in canonical form, and the white space of texts is as a reader sees it.
// The loads of several sessions can be given together: the graph is their union.
type Load struct {
	ID      string   // unique among the loads
	URL     string   // the final address
	Site    string   // registrable domain of URL; "" means that the host tells which pages are of the same site
	Aliases []string // addresses that led to URL by redirect, or name the same page
	Title   string
	Text    string

	Declared string `json:",omitempty"` // language that the page declares, "" for none
	Links    []Link // every hyperlink of the page's HTML, in order
	From     string // ID of the load whose link was followed (link, form, new tab); "" when the page was reached in another way
	Parent   string // ID of the load that holds this frame, "" for a page of its own
	Kind     string // Frame or Iframe when Parent is set
	Target   bool   // marked Useful

	RealText bool // the load has real text (see the function RealText) that Text leaves out
}

// Link is a hyperlink of a page's HTML.
type Link struct {
	URL    string // canonical address
	Anchor string // what a reader sees of the link, "" when nothing

	// Where on the page it is.
	Around  string // words before and after it
	Heading string // the heading above it
	Path    string // the elements around it
}

// Graph is a web graph: visited pages and the links between them.
type Graph struct {
	Pages []Node
	Edges [][2]int // from, to: indices into Pages; sorted, no loops, no duplicates

	// ByLoad lists the pages that belong to a load: its own page; the frames of a frameset; for an iframe that is no page
	// of its own, the page around it. A load without any page is missing.
	ByLoad map[string][]int
}

// Node is one visited page.
type Node struct {
	URL   string
	Title string // of the last load that had one
	Text  string // of the last load that had one
	// Declared is the language that the page declares, of the load that Text is of.
	Declared string `json:",omitempty"`
	Target   bool
	Loads    []string // IDs of the page's own loads, in order

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
