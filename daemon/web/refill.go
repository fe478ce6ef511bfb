package web

import (
	"net/url"
	"slices"
	"strings"

	parser "golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// refusal is a form that was refused.
type refusal struct {
	Action string // path that it was sent to
	Typed  url.Values
	Field  string // that is wrong, "" when the error names none
	Text   string // what is wrong, as a sentence
	marked bool   // a field was marked
	banner bool   // only the banner will be shown, by the script that sent the form
}

// problemID is the id of the text beside the wrong field.
const problemID = "refused-problem"

// fill finds the form in its page, puts in it what was typed, and marks the wrong field. It is false when the page does
// not have the form.
func (f *refusal) fill(page *parser.Node) bool {
	form := f.form(page)
	if form == nil {
		return false
	}
	fields := fieldsOf(page, form)
	for _, one := range fields {
		f.put(one)
	}
	for up := form; up != nil; up = up.Parent {
		if up.DataAtom == atom.Details {
			set(up, "open", "")
		}
	}
	f.mark(page, form, fields)
	return true
}

// form finds the form with this action whose hidden fields match the ones sent.
func (f *refusal) form(page *parser.Node) *parser.Node {
	for form := range page.Descendants() {
		if form.DataAtom != atom.Form {
			continue
		}
		fields := fieldsOf(page, form)
		sends := get(form, "action") == f.Action
		for _, one := range fields {
			sends = sends || get(one, "formaction") == f.Action
		}
		other := slices.ContainsFunc(fields, func(one *parser.Node) bool {
			return get(one, "type") == "hidden" && !slices.Contains(f.Typed[get(one, "name")], get(one, "value"))
		})
		if sends && !other {
			return form
		}
	}
	return nil
}

// fieldsOf are the fields and buttons of a form: those inside of it, and those elsewhere that name it.
func fieldsOf(page, form *parser.Node) (all []*parser.Node) {
	id := get(form, "id")
	for n := range page.Descendants() {
		switch n.DataAtom {
		case atom.Input, atom.Textarea, atom.Select, atom.Button:
		default:
			continue
		}
		if of, named := lookup(n, "form"); named && id != "" && of == id || !named && inside(n, form) {
			all = append(all, n)
		}
	}
	return all
}

func inside(n, of *parser.Node) bool {
	for ; n != nil; n = n.Parent {
		if n == of {
			return true
		}
	}
	return false
}

// put gives a field the value that was sent. Passwords and files are not sent back.
func (f *refusal) put(field *parser.Node) {
	name := get(field, "name")
	if name == "" {
		return
	}
	sent, value := f.Typed[name], f.Typed.Get(name)
	switch {
	case field.DataAtom == atom.Textarea && sent != nil:
		for field.FirstChild != nil {
			field.RemoveChild(field.FirstChild)
		}
		field.AppendChild(&parser.Node{Type: parser.TextNode, Data: "\n" + value}) // the first line break is not part of the text
	case field.DataAtom == atom.Select && sent != nil:
		for one := range field.Descendants() {
			if one.DataAtom == atom.Option {
				toggle(one, "selected", slices.Contains(sent, get(one, "value")))
			}
		}
	case field.DataAtom != atom.Input:
	case get(field, "type") == "checkbox" || get(field, "type") == "radio":
		toggle(field, "checked", slices.Contains(sent, get(field, "value")) || value == "on" && get(field, "value") == "")
	case takesText(field) && sent != nil:
		set(field, "value", value)
	}
}

// takesText reports whether a person types into a field, and whether its value may be sent back.
func takesText(field *parser.Node) bool {
	if field.DataAtom == atom.Textarea {
		return true
	}
	return field.DataAtom == atom.Input &&
		slices.Contains([]string{"", "text", "url", "search", "email", "number", "time", "date", "tel"}, get(field, "type"))
}

// wrong finds the field of an error: the field with its name, else the only field that a person fills in. It is nil
// when the error is about the form as a whole.
func (f *refusal) wrong(fields []*parser.Node) *parser.Node {
	var asked []*parser.Node
	for _, one := range fields {
		if name := get(one, "name"); name != "" && name == f.Field && get(one, "type") != "hidden" {
			return one
		}
		if takesText(one) || get(one, "type") == "file" || get(one, "type") == "password" {
			asked = append(asked, one)
		}
	}
	if f.Field == "" && len(asked) == 1 {
		return asked[0]
	}
	return nil
}

// mark shows the error beside the wrong field.
func (f *refusal) mark(page, form *parser.Node, fields []*parser.Node) {
	field := f.wrong(fields)
	if field == nil {
		return
	}
	f.marked = true
	for n := range page.Descendants() {
		unset(n, "autofocus")
	}
	set(field, "aria-invalid", "true")
	set(field, "aria-describedby", strings.TrimSpace(problemID+" "+get(field, "aria-describedby")))
	set(field, "autofocus", "")
	text := element(atom.P, f.Text, "class", "problem", "id", problemID)
	if !inside(field, form) {
		form.InsertBefore(text, form.FirstChild)
		return
	}
	place := field // before which the text goes: the label, or the list of boxes
	for up := field.Parent; up != nil && up != form; up = up.Parent {
		if up.DataAtom == atom.Label || up.DataAtom == atom.Ul {
			place = up
		}
	}
	place.Parent.InsertBefore(text, place)
}

// tell says at the top of the page, and in its title, that the form was refused. place is the page's address: the one that
// the browser shows is that of the form.
func (f *refusal) tell(page *parser.Node, place string) {
	path, _, _ := strings.Cut(place, "?")
	for n := range page.Descendants() {
		if href := get(n, "href"); n.DataAtom == atom.A && strings.HasPrefix(href, "?") {
			set(n, "href", path+href)
		}
		if action, has := lookup(n, "action"); n.DataAtom == atom.Form && !has && action == "" {
			set(n, "action", path)
		}
	}
	for n := range page.Descendants() {
		switch {
		case n.DataAtom == atom.Title && n.Namespace == "" && n.FirstChild != nil:
			n.FirstChild.Data = "Problem: " + n.FirstChild.Data
		case n.DataAtom == atom.Body:
			set(n, "data-page", place)
		case n.DataAtom == atom.Aside && get(n, "class") == "notices":
			says := f.Text
			if f.marked && !f.banner { // the script lists the fields
				says = "Nothing was changed: correct 1 field below."
			}
			n.AppendChild(element(atom.Div, says, "class", "banner bad", "role", "alert", "tabindex", "-1"))
			return
		}
	}
}

// element makes an element with a text and attributes: name, value and so on.
func element(tag atom.Atom, text string, attributes ...string) *parser.Node {
	n := &parser.Node{Type: parser.ElementNode, DataAtom: tag, Data: tag.String()}
	for i := 0; i+1 < len(attributes); i += 2 {
		set(n, attributes[i], attributes[i+1])
	}
	n.AppendChild(&parser.Node{Type: parser.TextNode, Data: text})
	return n
}

func lookup(n *parser.Node, name string) (string, bool) {
	for _, a := range n.Attr {
		if a.Key == name {
			return a.Val, true
		}
	}
	return "", false
}

func get(n *parser.Node, name string) string {
	value, _ := lookup(n, name)
	return value
}

func set(n *parser.Node, name, value string) {
	unset(n, name)
	n.Attr = append(n.Attr, parser.Attribute{Key: name, Val: value})
}

func unset(n *parser.Node, name string) {
	n.Attr = slices.DeleteFunc(n.Attr, func(a parser.Attribute) bool { return a.Key == name })
}

func toggle(n *parser.Node, name string, on bool) {
	unset(n, name)
	if on {
		set(n, name, "")
	}
}
