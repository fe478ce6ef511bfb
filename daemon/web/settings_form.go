package web

import (
	"net/url"
	"strconv"
	"strings"

	"nightjar/daemon/store/settings"
	"nightjar/daemon/web/frame"
)

// The settings by the names of their fields: boxes, texts, lists with an entry a line, and whole numbers.
func boxes(s *settings.Settings) map[string]*bool {
	return map[string]*bool{
		"night_on": &s.Night.Enabled, "on_mains": &s.OnMains, "unmetered": &s.Unmetered, "site_lists": &s.Sitemaps,
		"archive_on": &s.Archive.Enabled, "render_on": &s.Render.Enabled, "read_pdfs": &s.ReadPDFs, "weekly_backup": &s.WeeklyBackup,
	}
}

func typed(s *settings.Settings) map[string]*string {
	return map[string]*string{
		"night_start": &s.Night.Start, "night_end": &s.Night.End, "zone": &s.Night.Zone,
		"strategy": &s.Strategy, "second_strategy": &s.Second, "contact": &s.Contact,
	}
}

func lists(s *settings.Settings) map[string]*[]string {
	return map[string]*[]string{"never": &s.NeverRecord, "resolve": &s.Resolve, "allow_private": &s.AllowPrivate}
}

func wholes(s *settings.Settings) map[string]*int {
	return map[string]*int{
		"pages": &s.Budget.Pages, "megabytes": &s.Budget.Megabytes, "minutes": &s.Budget.Minutes,
		"per_host": &s.Budget.PerHost, "per_site": &s.Budget.PerSite, "archive_megabytes": &s.Archive.Megabytes,
		"second_share": &s.SecondShare,
	}
}

// readSettings reads a form into the settings, and says which fields cannot be read. Fields that it lacks stay as they are, except
// for boxes, which are sent only when ticked.
func readSettings(form url.Values, s *settings.Settings) frame.Problems {
	wrong := frame.Problems{}
	for name, into := range boxes(s) {
		*into = form.Get(name) == "on"
	}
	for name, into := range typed(s) {
		if form.Has(name) {
			*into = strings.TrimSpace(form.Get(name))
		}
	}
	for name, into := range lists(s) {
		if form.Has(name) {
			*into = lines(form.Get(name))
		}
	}
	var err error
	for name, into := range wholes(s) {
		if form.Has(name) {
			if *into, err = strconv.Atoi(strings.TrimSpace(form.Get(name))); err != nil {
				wrong[name] = "This must be a whole number."
			}
		}
	}
	if form.Has("delay") {
		if s.Delay, err = strconv.ParseFloat(strings.TrimSpace(form.Get("delay")), 64); err != nil {
			wrong["delay"] = "The delay must be a number of seconds."
		}
	}
	return wrong
}

// lines splits a text area at line breaks, commas and spaces, and at the mark that a file may begin with that was pasted.
func lines(text string) []string {
	return strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune("\n\r, \t\ufeff", r) })
}

// numberField is a form field for a whole number.
type numberField struct {
	Name, Label, Hint string
	Value             int

	Of   string // begins the label for those who do not see the heading above
	Form string // id of its form when it is elsewhere: the field may be in a closed fold, in which no browser can ask for a number
}

// Number returns the form field of a whole number, for the template.
func (p settingsPage) Number(name, label, hint string) numberField {
	return numberField{Name: name, Label: label, Value: *wholes(&p.Settings)[name], Hint: hint}
}

// Pages returns Number for a limit of pages, whose heading says so.
func (p settingsPage) Pages(name, label string) numberField {
	n := p.Number(name, label, "")
	n.Of = "Pages"
	return n
}

// Advanced returns the form field of a whole number in the part Advanced, for the template.
func (p settingsPage) Advanced(name, label, hint string) numberField {
	n := p.Number(name, label, hint)
	n.Form = "settings"
	return n
}

// Unusual reports whether a setting of the part Advanced, beside those of workers, is not at its default, so that the part is open.
func (p settingsPage) Unusual() bool {
	s, usual := p.Settings, settings.Default()
	return s.Budget.Megabytes != usual.Budget.Megabytes || s.Budget.Minutes != usual.Budget.Minutes || s.SecondShare != usual.SecondShare ||
		s.Night.Zone != usual.Night.Zone || s.Strategy != usual.Strategy || s.Second != usual.Second ||
		len(s.Resolve)+len(s.AllowPrivate)+len(p.Openings) > 0
}
