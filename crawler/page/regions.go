package page

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"nightjar/crawler/texts"
)

// region is an element that may not be content. The first region is the page itself; a region comes after its parent.
type region struct {
	kind   regionKind
	parent int
	inside bool       // of the main part, an article or a section
	row    *html.Node // of a cell

	letters, linked int  // of its lines
	running         int  // letters of its running lines
	links, local    int  // links, and those of them to a place on the page itself
	title           bool // holds the main part, or an h1 that is no link
	heading         bool
	last            int // index of its last line
}

type regionKind int

const (
	wholePage regionKind = iota
	mainPart             // main
	control              // nav, search, menus: never content
	button               // a control too, but some hold writing
	banner               // header of the page: only its headings and sentences are content
	footing              // footer of the page
	asidePart            // aside: content when it stands inside and is no list of links
	cell                 // of a table
	namedNav             // nav, menu, sidebar: no content when it is mostly links
	namedTop             // header: its links are no content
	namedEnd             // footer: no content at the end of the page
	namedStep            // breadcrumb, pagination, share buttons: no content when it is short
	namedToc             // toc: no content when it leads to places on the page itself
)

// regionOf returns the kind of region of a block element by its role, else its name, else its class and id; wholePage if it
// is none.
func (r *reader) regionOf(n *html.Node, inside bool) regionKind {
	kind, ok := wholePage, false
	if role := attr(n, "role"); role != "" {
		kind, ok = regionRoles[role]
	}
	if !ok {
		kind, ok = regionElement(n.DataAtom)
	}
	if inside && (kind == banner || kind == footing) {
		return namedTop // of an article: its links are tags and shares
	}
	if ok && kind != cell {
		return kind
	}
	for _, a := range n.Attr {
		if a.Key == "class" || a.Key == "id" {
			if called := r.regionCalled(a.Val); called != wholePage {
				return called
			}
		}
	}
	return kind
}

// regionElement returns what an element means by itself; ok is false if its class and id may say it.
func regionElement(element atom.Atom) (kind regionKind, ok bool) {
	switch element {
	case atom.Main:
		return mainPart, true
	case atom.Nav, atom.Dialog:
		return control, true
	case atom.Button:
		return button, true
	case atom.Aside:
		return asidePart, true
	case atom.Header:
		return banner, true
	case atom.Footer:
		return footing, true
	case atom.Td, atom.Th:
		return cell, true
	case atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6, atom.Br, atom.Img, atom.Li, atom.Body, atom.Html, atom.Article,
		atom.Pre, atom.Dt, atom.Dd:
		return wholePage, true
	}
	return wholePage, false
}

var regionRoles = map[string]regionKind{
	"main": mainPart, "navigation": control, "search": control, "menu": control, "menubar": control, "toolbar": control,
	"tablist": control, "dialog": control, "alertdialog": control, "button": button, "banner": banner,
	"contentinfo": footing, "complementary": asidePart,
}

// regionCalled is regionNamed, read once for all elements of the page with this class or id.
func (r *reader) regionCalled(names string) regionKind {
	kind, known := r.called[names]
	if !known {
		kind = regionNamed(names)
		if len(names) < longClass {
			r.called[names] = kind
		}
	}
	return kind
}

// regionNamed reads the words of a class or an id.
func regionNamed(names string) regionKind {
	if kind, ok := wholeNames[names]; ok {
		return kind
	}
	kind := wholePage
	notice, place := false, false
	for word := range strings.FieldsFuncSeq(strings.ToLower(names), func(r rune) bool { return r < 'a' || r > 'z' }) {
		notice = notice || strings.HasPrefix(word, "cookie") || word == "consent" || word == "gdpr"
		place = place || noticeWords[word] || strings.HasPrefix(word, "cookie") && len(word) > len("cookies")
		if called := kindOfWord(word); kind == wholePage {
			kind = called
		}
	}
	if notice && place {
		return namedStep
	}
	return kind
}

func kindOfWord(word string) regionKind {
	if kind, ok := regionWords[word]; ok {
		return kind
	}
	for _, part := range []string{"nav", "menu", "sidebar", "navbar"} {
		if strings.HasSuffix(word, part) {
			return namedNav
		}
	}
	return wholePage
}

// noticeWords are class words of a cookie notice, but not of a text about cookies.
var noticeWords = texts.Words(`banner consent notice bar popup modal law dialog overlay message warning alert gdpr`)

var regionWords = regionNames(map[regionKind]string{
	namedNav: `nav navbar navigation navlinks navbox navlist menu menubar submenu sidebar sidenav sphinxsidebar topnav topbar
		toolbar topmenu mainmenu leftnav rightnav subnav dropdown quicklinks sitelinks related catlinks langlinks tabs`,
	namedTop: `header masthead top`,
	namedEnd: `footer foot colophon copyright siteinfo pagefooter`,
	namedStep: `navheader navfooter breadcrumb breadcrumbs pagination pager prevnext prev share sharing addthis sharethis social
		skiplink skiplinks newsletter advert advertisement sponsored printfooter`,
	namedToc: `toc tableofcontents`,
})

// wholeNames are common attribute values that name no region.
var wholeNames = map[string]regionKind{"": wholePage, "section": wholePage, "content": wholePage, "main": wholePage}

func regionNames(words map[regionKind]string) map[string]regionKind {
	m := map[string]regionKind{}
	for kind, list := range words {
		for word := range texts.Words(list) {
			m[word] = kind
		}
	}
	return m
}
