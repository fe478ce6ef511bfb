package page

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"nightjar/crawler/texts"
)

// invisible reports whether the content of an element is not shown as text of the page.
func invisible(element atom.Atom) bool {
	switch element {
	case atom.Head, atom.Title, atom.Script, atom.Style, atom.Noscript, atom.Noframes, atom.Noembed, atom.Template, atom.Iframe,
		atom.Object, atom.Svg, atom.Canvas, atom.Audio, atom.Video, atom.Select, atom.Datalist, atom.Textarea, atom.Rp, atom.Rt:
		return true
	}
	return false
}

// hiddenClasses are the classes with which common style sheets hide an element, or show it only to screen readers.
var hiddenClasses = texts.Words(`sr-only visually-hidden visuallyhidden visually-hidden-focusable screen-reader-text
	screen-reader-only screen-reader screenreader-only screenreader element-invisible element-hidden a11y-hidden
	assistive-text u-visually-hidden offscreen off-screen hidden is-hidden d-none display-none invisible nodisplay
	noshow katex-mathml material-icons material-symbols-outlined material-symbols-rounded mw-editsection`)

// isHidden reports whether an element is not shown, as far as the document alone tells:
//
//   - the hidden attribute (until-found is found), a closed dialog, an input method's rp and rt
//   - display:none, visibility:hidden or collapse in its style attribute; another display there shows it
//   - a class that style sheets use for nothing else (hiddenClasses), unless a class beside it shows it again for some
//     widths ("hidden md:block")
//   - aria-hidden, only on a modal dialog: elsewhere it hides decoration from screen readers and nothing from the eye
//   - the page's own <style> elements, see sheet
//
// It ignores style sheets in other files, scripts, and positions off the screen. Closed <details> count as shown, because
// one click opens them.
func (r *reader) isHidden(n *html.Node) bool {
	if n.DataAtom == atom.Html || n.DataAtom == atom.Body {
		return false // a script will show a page that is hidden as a whole
	}
	var class, id string
	var modal, ariaHidden, opened bool
	for _, a := range n.Attr {
		switch a.Key {
		case "hidden":
			if !strings.EqualFold(a.Val, "until-found") {
				return true
			}
		case "style":
			switch displayOf(a.Val) {
			case hides:
				return true
			case shows:
				return false
			}
		case "class":
			class = a.Val
		case "id":
			id = a.Val
		case "role":
			modal = modal || a.Val == "dialog"
		case "aria-hidden":
			ariaHidden = a.Val == "true"
		case "open":
			opened = true
		}
	}
	if n.DataAtom == atom.Dialog && !opened {
		return true
	}
	if class != "" && hiddenClass(class) || ariaHidden && (modal || hasToken(class, "modal")) {
		return true
	}
	return r.sheet != nil && r.sheet.hides(n.Data, id, class)
}

// hiddenClass reports whether one of the classes hides an element and none shows it again.
func hiddenClass(class string) bool {
	hides, shows := false, false
	for name := range strings.FieldsSeq(class) {
		hides = hides || hiddenClasses[name]
		shows = shows || showsAgain(name)
	}
	return hides && !shows
}

// showsAgain reports whether a class shows an element for some window widths: md:block, d-lg-flex.
func showsAgain(name string) bool {
	if strings.HasPrefix(name, "d-") {
		return name != "d-none" && name != "d-print-none" && !strings.HasSuffix(name, "-none")
	}
	_, display, ok := strings.Cut(name, ":")
	switch display {
	case "block", "flex", "inline", "inline-block", "inline-flex", "grid", "table", "contents", "table-cell", "visible",
		"not-sr-only":
		return ok
	}
	return false
}

// effect is the effect of declarations on the visibility of an element.
type effect int

const (
	nothing effect = iota
	hides
	shows
)

// displayOf reads the declarations of a style attribute or rule. The last one of a kind counts.
func displayOf(style string) effect {
	if !strings.ContainsAny(style, "yY") { // neither "display" nor "visibility"
		return nothing
	}
	var display, visibility effect
	for declaration := range strings.SplitSeq(style, ";") {
		name, value, ok := strings.Cut(declaration, ":")
		if !ok {
			continue
		}
		value = strings.ToLower(strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(value), "!important")))
		switch strings.ToLower(strings.TrimSpace(name)) {
		case "display":
			display = shows
			if value == "none" {
				display = hides
			}
		case "visibility":
			visibility = nothing
			if value == "hidden" || value == "collapse" {
				visibility = hides
			}
		}
	}
	if visibility == hides {
		return hides
	}
	return display
}
