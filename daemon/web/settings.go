package web

import (
	"cmp"
	"errors"
	"net/http"
	"strconv"
	"strings"
	"time"

	"nightjar/crawler/strategy"
	"nightjar/daemon/ingest"
	"nightjar/daemon/store"
)

// pairingTime is how long pairing stays open.
const pairingTime = 2 * time.Minute

// settingsPage shows the person's choices, the connected browsers and the data.
type settingsPage struct {
	Form       settingsForm
	Problem    string
	Strategies []strategyOption
	Browsers   []store.BrowserView
	Pairing    ingest.PairingStatus
	Sessions   int
	DataDir    string
	Database   string
	Size       int64
	Version    string
}

// strategyOption is one choice of the list of strategies.
type strategyOption struct{ Name, Label string }

// strategyLabels say in words what the strategies do.
var strategyLabels = map[string]string{
	strategy.Auto:      "Best by benchmarks: link-value",
	"link-value":       "link-value: links of which most is to be expected; learns while it crawls",
	"hmm-soft":         "hmm-soft: the ways you browse, pages told by their words",
	"hmm":              "hmm: the ways you browse, pages told by their group",
	"best-classifier":  "best-classifier: links of the pages most probably useful",
	"ache":             "ache: links whose words led to useful pages before",
	"context-graph":    "context-graph: pages told by how many links they are away from a useful one",
	"best-first":       "best-first: links of the pages most like your useful ones",
	"best-first-tfidf": "best-first-tfidf: the same, by the very words they share",
	"breadth-first":    "breadth-first: links in the order they were found",
	"random":           "random: links in no order",
}

// strategyOptions lists the choices, the recommended one first.
func strategyOptions() []strategyOption {
	var all []strategyOption
	for _, name := range append([]string{strategy.Auto}, strategy.Names()...) {
		all = append(all, strategyOption{name, cmp.Or(strategyLabels[name], name)})
	}
	return all
}

// settingsForm holds the fields as they stand in the form, so that a refused one is shown as it was typed.
type settingsForm struct {
	NightOn                         bool
	NightStart, NightEnd            string
	Pages, Megabytes, Minutes, Host string
	Strategy, Delay, Contact        string
	Gamma, States                   string
	Never, Resolve, AllowPrivate    string
}

func formOf(s store.Settings) settingsForm {
	short := func(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }
	f := settingsForm{
		NightOn: s.Night.Enabled, NightStart: s.Night.Start, NightEnd: s.Night.End,
		Pages: strconv.Itoa(s.Budget.Pages), Megabytes: strconv.Itoa(s.Budget.Megabytes),
		Minutes: strconv.Itoa(s.Budget.Minutes), Host: strconv.Itoa(s.Budget.PerHost),
		Strategy: cmp.Or(s.Strategy, strategy.Auto), Delay: short(s.Delay), Contact: s.Contact, Gamma: short(s.Gamma), States: strconv.Itoa(s.States),
		Never: strings.Join(s.NeverRecord, "\n"), Resolve: strings.Join(s.Resolve, "\n"),
		AllowPrivate: strings.Join(s.AllowPrivate, "\n"),
	}
	if s.Gamma == 0 {
		f.Gamma = ""
	}
	return f
}

func formFrom(r *http.Request) settingsForm {
	v := func(name string) string { return strings.TrimSpace(r.PostFormValue(name)) }
	return settingsForm{
		NightOn: v("night_on") == "on", NightStart: v("night_start"), NightEnd: v("night_end"),
		Pages: v("pages"), Megabytes: v("megabytes"), Minutes: v("minutes"), Host: v("per_host"),
		Strategy: v("strategy"), Delay: v("delay"), Contact: v("contact"), Gamma: v("gamma"), States: v("states"),
		Never: v("never"), Resolve: v("resolve"), AllowPrivate: v("allow_private"),
	}
}

// settings reads the form into a copy of old; fields that the form does not have keep their values.
func (f settingsForm) settings(old store.Settings) (store.Settings, error) {
	s := old
	s.Night = store.Window{Enabled: f.NightOn, Start: f.NightStart, End: f.NightEnd}
	whole := []struct {
		name, text string
		into       *int
	}{
		{"pages", f.Pages, &s.Budget.Pages}, {"megabytes", f.Megabytes, &s.Budget.Megabytes},
		{"minutes", f.Minutes, &s.Budget.Minutes}, {"pages of one host", f.Host, &s.Budget.PerHost}, {"states", f.States, &s.States},
	}
	for _, w := range whole {
		n, err := strconv.Atoi(w.text)
		if err != nil {
			return s, badInput{w.name + " must be a whole number"}
		}
		*w.into = n
	}
	var err error
	if s.Delay, err = strconv.ParseFloat(f.Delay, 64); err != nil {
		return s, badInput{"the delay must be a number of seconds"}
	}
	s.Gamma = 0
	if f.Gamma != "" {
		if s.Gamma, err = strconv.ParseFloat(f.Gamma, 64); err != nil {
			return s, badInput{"the threshold must be a number between 0 and 1, or empty"}
		}
	}
	s.Strategy, s.Contact = f.Strategy, f.Contact
	s.NeverRecord, s.Resolve, s.AllowPrivate = lines(f.Never), lines(f.Resolve), lines(f.AllowPrivate)
	return s, nil
}

// lines splits a text area; a comma ends a line too.
func lines(text string) []string {
	return strings.FieldsFunc(text, func(r rune) bool { return r == '\n' || r == '\r' || r == ',' || r == ' ' || r == '\t' })
}

func (s *Server) handleSettings(w http.ResponseWriter, r *http.Request) error {
	settings, err := s.Store.Settings(r.Context())
	if err != nil {
		return err
	}
	return s.showSettings(w, r, http.StatusOK, formOf(settings), "")
}

func (s *Server) showSettings(w http.ResponseWriter, r *http.Request, status int, form settingsForm, problem string) error {
	ctx := r.Context()
	p := settingsPage{Form: form, Problem: problem, Strategies: strategyOptions(), Pairing: s.Ingest.Pairing(),
		DataDir: s.DataDir, Database: s.Store.Path(), Version: s.Version}
	var err error
	if p.Browsers, err = s.Store.BrowserViews(ctx); err != nil {
		return err
	}
	if p.Size, err = s.Store.Size(ctx); err != nil {
		return err
	}
	return s.render(w, r, status, "settings", layout{Title: "Settings", Section: "settings", Problem: problem}, p)
}

// handleSettingsSave keeps the form, or shows it again with what is wrong.
func (s *Server) handleSettingsSave(w http.ResponseWriter, r *http.Request) error {
	old, err := s.Store.Settings(r.Context())
	if err != nil {
		return err
	}
	form := formFrom(r)
	next, err := form.settings(old)
	if err == nil {
		err = s.Store.SaveSettings(r.Context(), next)
	}
	var bad badInput
	switch {
	case err == nil:
		s.tell("settings")
		return done(w, r, "/settings", "saved")
	case errors.As(err, &bad):
		return s.showSettings(w, r, http.StatusUnprocessableEntity, form, sentence(bad.problem)+" Nothing was saved.")
	case errors.Is(err, store.ErrSettings):
		text := strings.TrimPrefix(err.Error(), store.ErrSettings.Error()+": ")
		return s.showSettings(w, r, http.StatusUnprocessableEntity, form, sentence(text)+" Nothing was saved.")
	}
	return err
}
