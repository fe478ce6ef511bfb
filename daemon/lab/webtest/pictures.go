package webtest

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"
)

// generic are names that say that there is a picture, not what it shows.
var generic = []string{"chart", "graph", "picture", "image", "plot", "figure", "diagram", "pages", "web graph", "concept graph"}

var digit = regexp.MustCompile(`[0-9]`)

// nameOf is the name that a screen reader says of an element.
func nameOf(d *goquery.Document, e *goquery.Selection) string {
	if label := e.AttrOr("aria-label", ""); label != "" {
		return label
	}
	var all []string
	for _, id := range strings.Fields(e.AttrOr("aria-labelledby", "")) {
		all = append(all, Text(d.Find("[id='"+id+"']")))
	}
	return strings.Join(all, " ")
}

// checkPicture fails when a picture says too little. One that is hidden from screen readers must stand beside text; any other
// has a name of its own with figures, names of its axes, and its facts in a table or a text.
func checkPicture(t *testing.T, path string, d *goquery.Document, svg *goquery.Selection) (charted bool) {
	t.Helper()
	class := svg.AttrOr("class", "")
	what := path + ": <svg class=" + class + ">"
	if svg.ParentsFiltered("svg").Length() > 0 {
		return false // a symbol inside of a picture
	}
	if hidden := svg.AttrOr("aria-hidden", "") == "true" || svg.ParentsFiltered("[aria-hidden=true]").Length() > 0; hidden {
		around := svg.ParentsFiltered("a, button, li, td, dd, summary, h3, span, .web-world, main").First()
		if class != "unseen" && Text(around)+around.AttrOr("aria-label", "") == "" {
			t.Errorf("%s is hidden, and no text beside it says the same", what)
		}
		return false
	}
	if class == "shot" || class == "sample" {
		return false // of the browser's window, no chart
	}
	name := nameOf(d, svg)
	if slices.Contains(generic, strings.ToLower(strings.TrimSpace(name))) || len(name) < 20 || !digit.MatchString(name) {
		t.Errorf("%s has the name %q, without figures or too short", what, name)
	}
	if svg.Find(".axis, .tick").Length() > 0 {
		axes := svg.Find(".axis-name")
		want := 1 // across
		if svg.Find(".tick.y").Length() > 0 {
			want = 2
		}
		axes.Each(func(_ int, e *goquery.Selection) {
			if Text(e) == "" {
				t.Errorf("%s has an axis with an empty name", what)
			}
		})
		if axes.Length() != want {
			t.Errorf("%s has %d names of axes, want %d", what, axes.Length(), want)
		}
	} else if svg.HasClass("map") || svg.HasClass("icicle") {
		if !digit.MatchString(Text(svg.Find("desc"))) {
			t.Errorf("%s: its description has no figures", what)
		}
		svg.Find("a").Each(func(_ int, a *goquery.Selection) {
			if says := Text(a.Find("title").First()); !digit.MatchString(says) {
				t.Errorf("%s: a circle says only %q", what, says)
			}
		})
	} else if role := svg.AttrOr("role", ""); role == "group" {
		if frame := svg.ParentsFiltered(".web-frame"); frame.AttrOr("tabindex", "") != "0" || !digit.MatchString(frame.AttrOr("aria-label", "")) ||
			Text(d.Find("#"+frame.AttrOr("aria-describedby", "none"))) == "" {
			t.Errorf("%s: its frame cannot be focused, or says too little: %q", what, frame.AttrOr("aria-label", ""))
		}
	} else if role != "img" {
		t.Errorf("%s has the role %q", what, role)
	}
	figure := svg.ParentsFiltered("figure").First()
	if !digit.MatchString(Text(figure.Find("figcaption, table, .label-boxes, .measure-numbers, desc, .unseen"))) {
		t.Errorf("%s: no text or table has its facts", what)
	}
	return true
}

// PicturesSpeak walks every picture of pages, which have so many charts.
func PicturesSpeak(t *testing.T, s *Site, charted map[string]int) {
	for path, want := range charted {
		charts := 0
		d := s.Page(t, path)
		d.Find("main svg").Each(func(_ int, svg *goquery.Selection) {
			if checkPicture(t, path, d, svg) {
				charts++
			}
		})
		if charts != want {
			t.Errorf("%s has %d charts, want %d", path, charts, want)
		}
		ids := map[string]bool{}
		d.Find("main [id]").Each(func(_ int, e *goquery.Selection) {
			if id := e.AttrOr("id", ""); ids[id] {
				t.Errorf("%s has two elements with the id %q", path, id)
			} else {
				ids[id] = true
			}
		})
	}
}
