package page

import (
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"nightjar/crawler/texts"
)

// NeedsScripts holds for pages with fewer letters than these.
const (
	fewLetters = 200 // on a shell (see isShell)
	noLetters  = 40  // on any other page
)

// noLinks is the minimum number of links for a page without text to count as, say, a gallery and not as made by scripts.
const noLinks = 10

// NeedsScripts reports whether scripts would make the content of a page: it has almost no text, hardly any links and some
// scripts, and is a shell (see isShell) or shows nothing at all.
func NeedsScripts(p *Page) bool {
	if p.Scripts == 0 || len(p.Links) >= noLinks {
		return false
	}
	if slices.ContainsFunc(p.Frames, func(f Frame) bool { return f.Kind == "frame" }) {
		return false // a frameset shows what its frames do
	}
	return p.Shell && p.Letters < fewLetters || p.Letters < noLetters
}

// runs reports whether a script element contains or names a program, not data.
func runs(n *html.Node) bool {
	kind := strings.ToLower(strings.TrimSpace(attr(n, "type")))
	if kind != "" && kind != "module" && !strings.Contains(kind, "javascript") && !strings.Contains(kind, "ecmascript") {
		return false
	}
	return attr(n, "src") != "" || n.FirstChild != nil
}

// mounts are the ids and custom elements in which common frameworks place an application.
var (
	mountIDs = texts.Words(`root app __next __nuxt ___gatsby react-root reactroot react-app main-app app-root app-mount app-container
		application svelte ember-app q-app mount ng-app vue-app spa single-spa-application`)
	mountElements = texts.Words(`app-root my-app app-component ng-app ember-app polymer-app vaadin-app`)
)

// isShell reports whether an element shows that scripts make the content of the document: an empty element that a framework
// fills, or a note that scripts must be allowed.
func isShell(n *html.Node) bool {
	switch {
	case n.DataAtom == atom.Noscript:
		return strings.Contains(strings.ToLower(textBelow(n)), "javascript")
	case n.DataAtom == 0:
		return mountElements[n.Data] && len(strings.TrimSpace(textBelow(n))) < noLetters
	case n.DataAtom == atom.Div || n.DataAtom == atom.Main || n.DataAtom == atom.Section:
		id, ok := attrOK(n, "id")
		return ok && mountIDs[strings.ToLower(id)] && len(strings.TrimSpace(textBelow(n))) < noLetters
	}
	return false
}

// textBelow is the text below a node, cut off soon after noLetters.
func textBelow(n *html.Node) string {
	var b strings.Builder
	for d := range n.Descendants() {
		if d.Type == html.TextNode && d.Parent.DataAtom != atom.Script && d.Parent.DataAtom != atom.Style {
			b.WriteString(strings.TrimSpace(d.Data))
		}
		if b.Len() > 4*fewLetters {
			break
		}
	}
	return b.String()
}
