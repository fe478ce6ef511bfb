package web

import (
	"cmp"
	"errors"
	"net/http"
	"strconv"
	"strings"

	"nightjar/crawler/strategy"
	"nightjar/daemon/settings"
)

// settingsForm holds the fields as text, so that the form shows a refused one as it was typed. Numbers are keyed by
// field name; the fields are those of settings.FieldError.
type settingsForm struct {
	NightOn, OnMains, Unmetered, Sitemaps bool
	ArchiveOn, RenderOn, ReadPDFs, Weekly bool
	NightStart, NightEnd, Zone            string
	Numbers                               map[string]string
	Strategy, Second                      string
	Delay, Contact                        string
	Never, Resolve, AllowPrivate          string
}

// wholes returns the settings that are whole numbers, by field name.
func wholes(s *settings.Settings) map[string]*int {
	return map[string]*int{
		"pages": &s.Budget.Pages, "megabytes": &s.Budget.Megabytes, "minutes": &s.Budget.Minutes,
		"per_host": &s.Budget.PerHost, "per_site": &s.Budget.PerSite, "archive_megabytes": &s.Archive.Megabytes,
		"second_share": &s.SecondShare,
	}
}

func formOf(s settings.Settings) settingsForm {
	f := settingsForm{
		NightOn: s.Night.Enabled, NightStart: s.Night.Start, NightEnd: s.Night.End, Zone: s.Night.Zone,
		OnMains: s.OnMains, Unmetered: s.Unmetered, Sitemaps: s.Sitemaps, ArchiveOn: s.Archive.Enabled, RenderOn: s.Render.Enabled,
		ReadPDFs: s.ReadPDFs, Weekly: s.WeeklyBackup,
		Numbers:  map[string]string{},
		Strategy: cmp.Or(s.Strategy, strategy.Auto), Second: cmp.Or(s.Second, strategy.Auto),
		Delay: strconv.FormatFloat(s.Delay, 'f', -1, 64), Contact: s.Contact,
		Never: strings.Join(s.NeverRecord, "\n"), Resolve: strings.Join(s.Resolve, "\n"),
		AllowPrivate: strings.Join(s.AllowPrivate, "\n"),
	}
	for name, n := range wholes(&s) {
		f.Numbers[name] = strconv.Itoa(*n)
	}
	return f
}

// formFrom reads the form that was sent. Fields that it lacks are as saved, except for boxes, which are sent only when ticked.
func formFrom(r *http.Request, saved settings.Settings) settingsForm {
	f := formOf(saved)
	on := func(name string) bool { return r.PostFormValue(name) == "on" }
	f.NightOn, f.OnMains, f.Unmetered, f.Sitemaps = on("night_on"), on("on_mains"), on("unmetered"), on("sitemaps")
	f.ArchiveOn, f.RenderOn, f.ReadPDFs, f.Weekly = on("archive_on"), on("render_on"), on("read_pdfs"), on("weekly_backup")
	for name, into := range map[string]*string{
		"night_start": &f.NightStart, "night_end": &f.NightEnd, "zone": &f.Zone, "strategy": &f.Strategy, "second_strategy": &f.Second,
		"delay": &f.Delay, "contact": &f.Contact, "never": &f.Never, "resolve": &f.Resolve, "allow_private": &f.AllowPrivate,
	} {
		if r.PostForm.Has(name) {
			*into = strings.TrimSpace(r.PostFormValue(name))
		}
	}
	for name := range f.Numbers {
		if r.PostForm.Has(name) {
			f.Numbers[name] = strings.TrimSpace(r.PostFormValue(name))
		}
	}
	return f
}

// settings reads the form into a copy of old; wrong has the fields that cannot be read.
func (f settingsForm) settings(old settings.Settings) (s settings.Settings, wrong problems) {
	s, wrong = old, problems{}
	s.Night = settings.Window{Enabled: f.NightOn, Start: f.NightStart, End: f.NightEnd, Zone: f.Zone}
	s.OnMains, s.Unmetered, s.Sitemaps = f.OnMains, f.Unmetered, f.Sitemaps
	s.Archive.Enabled, s.Render.Enabled, s.ReadPDFs, s.WeeklyBackup = f.ArchiveOn, f.RenderOn, f.ReadPDFs, f.Weekly
	for name, into := range wholes(&s) {
		n, err := strconv.Atoi(f.Numbers[name])
		if err != nil {
			wrong[name] = "This must be a whole number."
		}
		*into = n
	}
	var err error
	if s.Delay, err = strconv.ParseFloat(f.Delay, 64); err != nil {
		wrong["delay"] = "The delay must be a number of seconds."
	}
	s.Strategy, s.Second, s.Contact = f.Strategy, f.Second, f.Contact
	s.NeverRecord, s.Resolve, s.AllowPrivate = lines(f.Never), lines(f.Resolve), lines(f.AllowPrivate)
	return s, wrong
}

// lines splits a text area at line breaks, commas and spaces, and at the mark that a file may begin with that was pasted.
func lines(text string) []string {
	return strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune("\n\r, \t\ufeff", r) })
}

// problems describes the errors of fields, by field name.
type problems map[string]string

// problemsOf returns the settings that an error of the store refuses, none for other errors.
func problemsOf(err error) problems {
	p := problems{}
	var one *settings.FieldError
	if joined, ok := err.(interface{ Unwrap() []error }); ok { // errors.Join of Validate, not wrapped
		for _, err := range joined.Unwrap() {
			if errors.As(err, &one) && p[one.Field] == "" {
				p[one.Field] = sentence(one.Text)
			}
		}
	}
	return p
}

func (p problems) count() string { return plural(len(p), "field", "fields") }

// fieldProblem is the problem of a field, "" for none.
type fieldProblem struct{ Name, Text string }

// numberField is a form field for a whole number.
type numberField struct {
	Name, Label, Value, Hint, Problem string

	Of   string // begins the label for those who do not see the heading above
	Form string // id of its form when it is elsewhere: the field may be in a closed fold, in which no browser can ask for a number
}

// Number returns the form field of a whole number, for the template.
func (p settingsPage) Number(name, label, hint string) numberField {
	return numberField{Name: name, Label: label, Value: p.Form.Numbers[name], Hint: hint, Problem: p.Problems[name]}
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

// Unusual reports whether a setting of the part Advanced is not at its default or was refused, so that the part is open.
func (p settingsPage) Unusual() bool {
	advanced := func(f settingsForm) [8]string {
		return [8]string{f.Numbers["megabytes"], f.Numbers["minutes"], f.Numbers["second_share"], f.Zone, f.Strategy, f.Second, f.Resolve, f.AllowPrivate}
	}
	return advanced(p.Form) != advanced(formOf(settings.Default())) || len(p.Openings) > 0 || p.Workers != nil && p.Workers.unusual()
}
