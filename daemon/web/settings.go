package web

import (
	"net/http"
	"time"

	"nightjar/crawler/strategy"
	"nightjar/daemon/ingest"
	"nightjar/daemon/store"
)

// pairingTime is how long pairing stays open.
const pairingTime = 2 * time.Minute

// settingsPage shows the settings, the connected browsers and the size of the data.
type settingsPage struct {
	Form       settingsForm
	Problems   problems
	Strategies []strategyOption
	Browsers   []store.BrowserView
	Pairing    ingest.PairingStatus
	Sessions   int
	DataDir    string
	Size       int64
	Version    string
	Now        machineWords
	Browser    browserWords
	Archived   archiveUse
	Zone       string // of the machine
}

// strategyOption is an entry of the list of strategies.
type strategyOption struct{ Name, Label string }

// strategyOptions lists the strategies, the recommended one first.
func strategyOptions() []strategyOption {
	all := []strategyOption{{strategy.Auto, "Best by benchmarks: " + strategy.Best}}
	for _, k := range strategy.Kinds() {
		all = append(all, strategyOption{k.Name, k.String()})
	}
	return all
}

func (s *Server) handleSettings(w http.ResponseWriter, r *http.Request) error {
	settings, err := s.Store.Settings(r.Context())
	if err != nil {
		return err
	}
	return s.showSettings(w, r, http.StatusOK, formOf(settings), nil)
}

func (s *Server) showSettings(w http.ResponseWriter, r *http.Request, status int, form settingsForm, wrong problems) error {
	ctx := r.Context()
	now := s.Scheduler.Status()
	p := settingsPage{Form: form, Problems: wrong, Strategies: strategyOptions(), Pairing: s.Ingest.Pairing(),
		DataDir: s.DataDir, Version: s.Version,
		Now: machineNow(now), Browser: findBrowser(), Zone: s.Now().Local().Format("MST, UTC-07:00")}
	var err error
	if p.Browsers, err = s.Store.BrowserViews(ctx); err != nil {
		return err
	}
	if p.Size, err = s.Store.Size(ctx); err != nil {
		return err
	}
	if p.Archived, err = s.archiveUse(); err != nil {
		return err
	}
	l := layout{Title: "Settings", Section: "settings"}
	if len(wrong) > 0 {
		l.Problem = "Nothing was saved: correct " + wrong.count() + " below."
	}
	return s.render(w, r, status, "settings", l, p)
}

// handleSettingsSave saves the form, or shows it again with the problem of each field.
func (s *Server) handleSettingsSave(w http.ResponseWriter, r *http.Request) error {
	old, err := s.Store.Settings(r.Context())
	if err != nil {
		return err
	}
	form := formFrom(r)
	next, wrong := form.settings(old)
	if len(wrong) == 0 {
		err = s.Store.SaveSettings(r.Context(), next)
		wrong = problemsOf(err)
	}
	switch {
	case len(wrong) > 0:
		return s.showSettings(w, r, http.StatusUnprocessableEntity, form, wrong)
	case err != nil:
		return err
	}
	s.tell("settings")
	return done(w, r, "/settings", "saved")
}
