package page

import (
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"nightjar/crawler/texts"
	"nightjar/crawler/weburl"
)

// elements are the nodes of a document with information besides its text, each list in document order.
type elements struct {
	title        string
	titled       bool   // the title was found
	shared       string // the title for previews elsewhere: og:title
	h1           [3]*html.Node
	language     string   // declared by the html element or, where it says none, by body or a meta element
	bases        []string // href of base elements
	descriptions []string
	robots       []string
	canonicals   []string // href of link elements
	styles       []*html.Node
	links        []*html.Node // a and area with an address, meta refresh
	frames       []*html.Node
	password     bool
	scripts      int  // elements that run a script
	shell        bool // see isShell
}

func (e *elements) read(n *html.Node) {
	switch n.DataAtom {
	case atom.Title:
		if !e.titled && n.Namespace == "" { // SVG has its own title elements
			e.title, e.titled = allText(n), true
		}
	case atom.H1:
		if free := slices.Index(e.h1[:], nil); free >= 0 {
			e.h1[free] = n
		}
	case atom.Html, atom.Body:
		e.declare(attr(n, "lang"))
		e.declare(attr(n, "xml:lang"))
	case atom.Base:
		if href, ok := attrOK(n, "href"); ok {
			e.bases = append(e.bases, href)
		}
	case atom.Meta:
		e.addMeta(n)
	case atom.Link:
		if href, ok := attrOK(n, "href"); ok && hasToken(attr(n, "rel"), "canonical") {
			e.canonicals = append(e.canonicals, href)
		}
	case atom.Style:
		e.styles = append(e.styles, n)
	case atom.A, atom.Area:
		if _, ok := attrOK(n, "href"); ok {
			e.links = append(e.links, n)
		}
	case atom.Frame, atom.Iframe:
		e.frames = append(e.frames, n)
	case atom.Script:
		if runs(n) {
			e.scripts++
		}
	case atom.Input:
		e.password = e.password || strings.EqualFold(strings.TrimSpace(attr(n, "type")), "password")
	case atom.Noscript, atom.Div, atom.Main, atom.Section, 0:
		e.shell = e.shell || isShell(n)
	}
}

// allText is the text below a node.
func allText(n *html.Node) string {
	if only := n.FirstChild; only != nil && only.Type == html.TextNode && only.NextSibling == nil {
		return only.Data
	}
	var b strings.Builder
	for d := range n.Descendants() {
		if d.Type == html.TextNode {
			b.WriteString(d.Data)
		}
	}
	return b.String()
}

// declare notes the language that an element declares, unless one before it did.
func (e *elements) declare(language string) {
	if e.language == "" {
		e.language = strings.Clone(texts.Cut(strings.TrimSpace(language), MaxTag))
	}
}

func (e *elements) addMeta(n *html.Node) {
	content, ok := attrOK(n, "content")
	switch strings.ToLower(strings.TrimSpace(attr(n, "http-equiv"))) {
	case "refresh":
		if ok {
			e.links = append(e.links, n)
		}
	case "content-language":
		e.declare(content)
	}
	switch strings.ToLower(strings.TrimSpace(attr(n, "name"))) {
	case "robots", "nightjar":
		e.robots = append(e.robots, content)
	case "description":
		e.descriptions = append(e.descriptions, content)
	}
	if e.shared == "" && strings.EqualFold(strings.TrimSpace(attr(n, "property")), "og:title") {
		e.shared = content
	}
}

// name is the title of the document; without one, that for previews elsewhere, or its first heading with text.
func (e *elements) name() string {
	for _, name := range []string{e.title, e.shared} {
		if name = foldLine(name); name != "" {
			return texts.Cut(name, MaxTitle)
		}
	}
	for _, n := range e.h1 {
		if n == nil {
			break
		}
		if name := foldLine(allText(n)); name != "" {
			return texts.Cut(name, MaxTitle)
		}
	}
	return ""
}

// openShadow makes a template that declares a shadow root (HTML standard §4.12.3) an element like others: browsers show what is
// in it.
func openShadow(n *html.Node) {
	if n.DataAtom != atom.Template {
		return
	}
	if mode := strings.ToLower(attr(n, "shadowrootmode")); mode == "open" || mode == "closed" {
		n.Data, n.DataAtom = "shadow-root", 0
	}
}

// base is the base URL of the document at url: that of the first base element with an address, if it is valid. encode writes the
// queries of its links.
func (e *elements) base(url string, encode func(string) string) (*weburl.Base, error) {
	own, err := weburl.NewBase(url)
	if err != nil {
		return nil, err
	}
	if own.Encode(encode); len(e.bases) == 0 {
		return own, nil
	}
	return own.With(trimURL(e.bases[0])), nil
}

// attr is the value of an attribute, "" if absent.
func attr(n *html.Node, key string) string {
	value, _ := attrOK(n, key)
	return value
}

func attrOK(n *html.Node, key string) (value string, ok bool) {
	for _, a := range n.Attr {
		if a.Key == key {
			return a.Val, true
		}
	}
	return "", false
}
