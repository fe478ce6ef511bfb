package htmltree

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// svgNames are the elements of SVG that are read here, with their names in the tree; all others are left to x/net.
var svgNames = map[string]string{
	"circle": "circle", "clippath": "clipPath", "defs": "defs", "desc": "desc", "ellipse": "ellipse", "g": "g", "line": "line",
	"lineargradient": "linearGradient", "mask": "mask", "path": "path", "polygon": "polygon", "polyline": "polyline",
	"radialgradient": "radialGradient", "rect": "rect", "stop": "stop", "style": "style", "svg": "svg", "symbol": "symbol",
	"text": "text", "title": "title", "tspan": "tspan", "use": "use",
}

// startForeign handles a start tag in SVG.
func (p *parser) startForeign(t *tag) {
	name := svgNames[t.name]
	if name == "" || integrates(p.top()) {
		p.gaveUp = true
		return
	}
	p.addForeign(t, name)
}

// addForeign adds an element of SVG.
func (p *parser) addForeign(t *tag, name string) {
	for i, a := range t.attrs {
		switch a.Key {
		case "xlink:actuate", "xlink:arcrole", "xlink:href", "xlink:role", "xlink:show", "xlink:title", "xlink:type", "xml:lang",
			"xml:space", "xmlns:xlink":
			t.attrs[i].Namespace, t.attrs[i].Key, _ = strings.Cut(a.Key, ":")
		}
	}
	n := p.add(&tag{name: name, atom: atom.Lookup([]byte(name)), attrs: t.attrs})
	n.Namespace = atom.Svg.String()
	if t.selfClosing {
		p.cut(len(p.open) - 1)
	}
}

// endForeign handles an end tag in SVG.
func (p *parser) endForeign(t *tag) {
	if !strings.EqualFold(p.top().Data, t.name) {
		p.gaveUp = true
		return
	}
	p.cut(len(p.open) - 1)
}

// integrates reports whether an element of SVG contains HTML.
func integrates(n *html.Node) bool { return n.Data == "title" || n.Data == "desc" }
