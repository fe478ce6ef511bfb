package web

import (
	"net/http"
	"slices"
	"time"

	"nightjar/crawler/strategy"
	"nightjar/daemon/backup"
	"nightjar/daemon/ingest"
	"nightjar/daemon/store"
	"nightjar/daemon/wordnet"
)

// pairingTime is how long pairing stays open.
const pairingTime = 2 * time.Minute

// settingsPage shows the settings, the connected browsers and the size of the data.
type settingsPage struct {
	Form       settingsForm
	Problems   problems
	Strategies []strategyOption
	Seconds    []strategyOption // that may be the second strategy
	Browsers   []store.BrowserView
	Pairing    ingest.PairingStatus
	Refused    []store.RefusedSite
	Sessions   int
	DataDir    string
	Size       int64
	Version    string
	WordNet    wordnet.State // whose notice stands at the end
	Now        machineWords
	NoBrowser  string // why there is none that runs JavaScript, "" when there is one
	Archived   archiveUse
	Zone       string // of the machine
	Changes    []settingChange
	Openings   []string // private addresses that the command line opens
	Backups    backupsPart
	Old        []string // folders with the data from before a restore
	Programs   tokensPart
	Notices    noticesPart
	Workers    *workersForm // nil where there can be none
}

// refusedParts are forms of sections that were refused, which the page shows as they were typed; nil for none.
type refusedParts struct {
	Notices *noticesPart
	Workers *workersForm
}

// problems are those of the form that was refused.
func (p refusedParts) problems() problems {
	switch {
	case p.Notices != nil:
		return p.Notices.Problems
	case p.Workers != nil:
		return p.Workers.Problems
	}
	return nil
}

// strategyOption is an entry of the list of strategies.
type strategyOption struct{ Name, Label string }

// strategyOptions lists the strategies for people, the recommended one first, and with each ontology those that need one. chosen
// is there even if it is none of them, or its ontology is not there.
func strategyOptions(ontologies []store.Ontology, chosen string) []strategyOption {
	all := []strategyOption{{strategy.Auto, "Best by benchmarks: " + strategy.Best}}
	for _, k := range strategy.ForPeople() {
		all = append(all, strategyOption{k.Name, k.String()})
		if k.Needs != strategy.Ontology {
			continue
		}
		for _, o := range ontologies {
			all = append(all, strategyOption{k.Name + ":" + o.Name, k.Name + " with the ontology “" + o.Name + "”"})
		}
	}
	switch named := strategy.OntologyOf(chosen); {
	case slices.ContainsFunc(all, func(o strategyOption) bool { return o.Name == chosen }):
	case named != "":
		all = append(all, strategyOption{chosen, "thematic with the ontology “" + printable(named) + "”, which is not there: the best one crawls"})
	default:
		all = append(all, strategyOption{chosen, printable(chosen) + " (chosen earlier)"})
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
	return s.showSettingsWith(w, r, status, form, wrong, refusedParts{})
}

// showSettingsWith is showSettings with a refused form of a section.
func (s *Server) showSettingsWith(w http.ResponseWriter, r *http.Request, status int, form settingsForm, wrong problems, refused refusedParts) error {
	ctx := r.Context()
	now := s.Scheduler.Status()
	p := settingsPage{Form: form, Problems: wrong, Pairing: s.Ingest.Pairing(),
		DataDir: s.DataDir, Version: s.Version, WordNet: s.wordnetPage().State, Openings: s.Openings,
		Now: machineNow(now), NoBrowser: noBrowser(), Zone: s.Now().Local().Format("MST, UTC-07:00")}
	ontologies, err := s.Store.Ontologies(ctx)
	if err != nil {
		return err
	}
	p.Strategies = strategyOptions(ontologies, form.Strategy)
	p.Seconds = strategyOptions(ontologies, form.Second)
	p.Seconds[0].Label = "Best other one by benchmarks: " + strategy.Other(form.Strategy)
	if p.Refused, err = s.Store.RefusedSites(ctx); err != nil {
		return err
	}
	if p.Browsers, err = s.Store.BrowserViews(ctx); err != nil {
		return err
	}
	if p.Size, err = s.Store.Size(ctx); err != nil {
		return err
	}
	if p.Archived, err = s.archiveUse(); err != nil {
		return err
	}
	if p.Backups, err = s.backupsOf(); err != nil {
		return err
	}
	if p.Old, err = backup.OldFolders(s.DataDir); err != nil {
		return err
	}
	saved, err := s.Store.Settings(ctx)
	if err != nil {
		return err
	}
	if p.Changes, err = s.settingsChanges(ctx, saved); err != nil {
		return err
	}
	if p.Programs, err = s.tokensPart(r); err != nil {
		return err
	}
	if p.Notices, err = s.noticesPart(ctx, refused.Notices); err != nil {
		return err
	}
	p.Workers = s.workersForm(saved.Workers, refused.Workers)
	l := layout{Title: "Settings", Section: "settings"}
	if of := refused.problems(); of != nil {
		wrong, l.Place = of, "/settings"
	}
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
	form := formFrom(r, old)
	next, wrong := form.settings(old)
	var change int64
	if len(wrong) == 0 {
		change, err = s.Store.ChangeSettings(r.Context(), next)
		wrong = problemsOf(err)
	}
	switch {
	case len(wrong) > 0:
		return s.showSettings(w, r, http.StatusUnprocessableEntity, form, wrong)
	case err != nil:
		return err
	}
	s.tell("settings")
	return undoable(w, r, "/settings", "settings-saved", change)
}
