package frame

import (
	"fmt"
	"html"
	"net/url"
	"slices"
	"strings"

	"github.com/PuerkitoBio/goquery"

	"nightjar/daemon/chart"
)

// refusal is a form that was refused.
type refusal struct {
	Action string // path that it was sent to
	Typed  url.Values
	Wrong  Problems
	Text   string // of all of them
	marked int    // fields
	banner bool   // only the banner will be shown, by the script that sent the form
}

// notices is where a page says what was done, or refused.
const notices = "aside.notices"

// Fields of forms: those into which a person types, and whose value may be sent back, and those that a person fills in.
const (
	typedInto = "textarea, input:not([type]), [type=text], [type=url], [type=search], [type=email], [type=number], [type=time], " +
		"[type=date], [type=tel]"
	filledIn = typedInto + ", [type=file], [type=password]"
)

// fill finds the form in its page, puts in it what was typed, and marks the wrong fields. It is false when the page does
// not have the form.
func (f *refusal) fill(page *goquery.Document) bool {
	form, fields := f.form(page)
	if form == nil {
		return false
	}
	fields.Each(func(_ int, field *goquery.Selection) { f.put(field) })
	form.ParentsFiltered("details").SetAttr("open", "")
	f.mark(page, form, fields)
	return true
}

// form finds the form with this action whose hidden fields match the ones sent, and its fields and buttons: those inside of it,
// and those elsewhere that name it.
func (f *refusal) form(page *goquery.Document) (form, fields *goquery.Selection) {
	page.Find("form").EachWithBreak(func(_ int, one *goquery.Selection) bool {
		id := one.AttrOr("id", "")
		all := page.Find("input, textarea, select, button").FilterFunction(func(_ int, field *goquery.Selection) bool {
			of, named := field.Attr("form")
			return named && id != "" && of == id || !named && field.Closest("form").IsSelection(one)
		})
		sends := func(_ int, field *goquery.Selection) bool { return field.AttrOr("formaction", "") == f.Action }
		other := func(_ int, field *goquery.Selection) bool {
			return !slices.Contains(f.Typed[field.AttrOr("name", "")], field.AttrOr("value", ""))
		}
		if (one.AttrOr("action", "") == f.Action || all.FilterFunction(sends).Length() > 0) &&
			all.Filter("[type=hidden]").FilterFunction(other).Length() == 0 {
			form, fields = one, all
		}
		return form == nil
	})
	return form, fields
}

// put gives a field the value that was sent. Passwords and files are not sent back.
func (f *refusal) put(field *goquery.Selection) {
	name := field.AttrOr("name", "")
	sent, value := f.Typed[name], f.Typed.Get(name)
	switch {
	case name == "":
	case field.Is("[type=checkbox], [type=radio]"):
		own := field.AttrOr("value", "")
		toggle(field, "checked", slices.Contains(sent, own) || value == "on" && own == "")
	case sent == nil:
	case field.Is("textarea"):
		field.SetText(value)
	case field.Is("select"):
		field.Find("option").Each(func(_ int, one *goquery.Selection) {
			toggle(one, "selected", slices.Contains(sent, one.AttrOr("value", "")))
		})
	case field.Is(typedInto):
		field.SetAttr("value", value)
	}
}

func toggle(field *goquery.Selection, name string, on bool) {
	field.RemoveAttr(name)
	if on {
		field.SetAttr(name, "")
	}
}

// mark shows each error beside its field: the one with its name, or for an error without a field, the only one that a person
// fills in. Errors that are about the form as a whole stay in f.Wrong.
func (f *refusal) mark(page *goquery.Document, form, fields *goquery.Selection) {
	fields.Not("[type=hidden]").Each(func(_ int, field *goquery.Selection) {
		if name := field.AttrOr("name", ""); name != "" {
			f.markAs(page, form, field, name)
		}
	})
	if only := fields.Filter(filledIn); only.Length() == 1 {
		f.markAs(page, form, only, "")
	}
}

// markAs shows the error with this name beside a field, if there is one.
func (f *refusal) markAs(page *goquery.Document, form, field *goquery.Selection, name string) {
	text, wrong := f.Wrong[name]
	if !wrong {
		return
	}
	delete(f.Wrong, name)
	id := "refused-problem"
	if f.marked++; f.marked == 1 {
		page.Find("[autofocus]").RemoveAttr("autofocus")
		field.SetAttr("autofocus", "")
	} else {
		id += fmt.Sprint("-", f.marked)
	}
	field.SetAttr("aria-invalid", "true")
	field.SetAttr("aria-describedby", strings.TrimSpace(id+" "+field.AttrOr("aria-describedby", "")))
	field.ParentsFiltered("details").SetAttr("open", "")
	says := `<p class="problem" id="` + id + `">` + html.EscapeString(text) + `</p>`
	if field.Is("[type=checkbox], [type=radio]") && !field.Closest("form").IsSelection(form) { // one of a list elsewhere
		form.PrependHtml(says)
		return
	}
	place := field // before which the text goes: what is directly in the frame of a field, the label, or the list of boxes
	for up := field; up.Length() > 0 && !up.Is("form"); up = up.Parent() {
		if up.Is("label, ul") || up.Parent().Is(".field") {
			place = up
		}
	}
	place.BeforeHtml(says)
}

// tell says at the top of the page, and in its title, that the form was refused. place is the page's address: the one that
// the browser shows is that of the form.
func (f *refusal) tell(page *goquery.Document, place string) {
	path, _, _ := strings.Cut(place, "?")
	page.Find(`a[href^="?"]`).Each(func(_ int, a *goquery.Selection) { a.SetAttr("href", path+a.AttrOr("href", "")) })
	page.Find("form:not([action])").SetAttr("action", path)
	title := page.Find("head title")
	title.SetText("Problem: " + title.Text())
	page.Find("body").SetAttr("data-page", place)
	says := f.Text
	if f.marked > 0 && !f.banner { // the script lists the fields
		says = strings.TrimSpace("Nothing was saved: correct " + chart.Plural(f.marked, "field", "fields") + " below. " + f.Wrong.Error())
	}
	banner := `<div class="banner bad" role="alert" tabindex="-1">` + html.EscapeString(says) + `</div>`
	page.Find(notices).First().AppendHtml(banner)
}
