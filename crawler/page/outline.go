package page

import (
	"fmt"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"nightjar/crawler/weburl"
)

// Outline is what an HTML document says without its text.
type Outline struct {
	Title         string
	Canonical     string   // rel=canonical, in canonical form, "" if absent
	PasswordField bool     // has an <input type=password>
	Links         []string // addresses of Page.Links
}

// ReadOutline reads a part of what Parse reads, with the same results and errors, in about three quarters of the time and memory:
// content, frames, and the words around links are left out.
func ReadOutline(url, contentType string, body []byte) (*Outline, error) {
	canonical, err := weburl.Canonical(url)
	if err != nil {
		return nil, fmt.Errorf("read outline: %w", err)
	}
	src, body := SourceOf(url, contentType, body)
	root, _ := tree(body)
	e := gather(root)
	base, err := e.base(canonical, src.Queries(body))
	if err != nil {
		return nil, fmt.Errorf("read outline: %w", err)
	}
	p := &Page{URL: canonical}
	p.readMeta(e, base)
	return &Outline{
		Title: e.name(), Canonical: p.Canonical, PasswordField: e.password,
		Links: addresses(canonical, e.links, base),
	}, nil
}

// addresses lists where the links of the page at self lead, each address once.
func addresses(self string, nodes []*html.Node, base *weburl.Base) (all []string) {
	seen := map[string]bool{self: true}
	for _, n := range nodes {
		if u := target(n, base); u != "" && !seen[u] {
			seen[u] = true
			all = append(all, u)
		}
		if len(all) == MaxLinks {
			break
		}
	}
	return all
}

// target is the address that an a, area or meta refresh element leads to, "" for none that counts.
func target(n *html.Node, base *weburl.Base) string {
	ref := attr(n, "href")
	if n.DataAtom == atom.Meta {
		ref = refreshTarget(attr(n, "content"))
	}
	return resolved(ref, base)
}

// resolved is the address of a reference that counts as a link, else "".
func resolved(ref string, base *weburl.Base) string {
	ref, ok := Reference(ref)
	if !ok {
		return ""
	}
	u, err := base.Resolve(ref)
	if err != nil {
		return ""
	}
	return u
}
