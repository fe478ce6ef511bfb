package page

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
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
func regionOf(n *html.Node, inside bool) regionKind {
	kind, ok := regionRoles[attr(n, "role")]
	if !ok {
		kind, ok = regionElements[n.DataAtom]
	}
	if inside && (kind == banner || kind == footing) {
		return namedTop // of an article: its links are tags and shares
	}
	if ok && kind != cell {
		return kind
	}
	for _, a := range n.Attr {
		if a.Key == "class" || a.Key == "id" {
			if called := regionNamed(a.Val); called != wholePage {
				return called
			}
		}
	}
	return kind
}

var regionElements = map[atom.Atom]regionKind{
	atom.Main: mainPart, atom.Nav: control, atom.Dialog: control, atom.Button: button, atom.Aside: asidePart,
	atom.Header: banner, atom.Footer: footing, atom.Td: cell, atom.Th: cell,
	atom.H1: wholePage, atom.H2: wholePage, atom.H3: wholePage, atom.H4: wholePage, atom.H5: wholePage, atom.H6: wholePage,
	atom.Br: wholePage, atom.Img: wholePage, atom.Li: wholePage, atom.Body: wholePage, atom.Html: wholePage,
	atom.Article: wholePage, atom.Pre: wholePage, atom.Dt: wholePage, atom.Dd: wholePage,
}

var regionRoles = map[string]regionKind{
	"main": mainPart, "navigation": control, "search": control, "menu": control, "menubar": control, "toolbar": control,
	"tablist": control, "dialog": control, "alertdialog": control, "button": button, "banner": banner,
	"contentinfo": footing, "complementary": asidePart,
}

// regionCalled reads the words of a class or an id.
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
var noticeWords = set(`banner consent notice bar popup modal law dialog overlay message warning alert gdpr`)

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
		for word := range set(list) {
			m[word] = kind
		}
	}
	return m
}

// set is the set of the words of a list.
func set(words string) map[string]bool {
	all := make(map[string]bool)
	for word := range strings.FieldsSeq(words) {
		all[word] = true
	}
	return all
}
