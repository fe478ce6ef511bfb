package web

import (
	"cmp"
	"net/http"

	"nightjar/crawler/render"
	"nightjar/crawler/strategy"
	"nightjar/daemon/base/machine"
	"nightjar/daemon/keep/backup"
	"nightjar/daemon/learn/marks"
	"nightjar/daemon/night/scheduler"
	"nightjar/daemon/night/tonight"
	"nightjar/daemon/store/settings"
	"nightjar/daemon/thesus/ontologies"
	"nightjar/daemon/thesus/themes"
	"nightjar/daemon/thesus/wordnet"
	"nightjar/daemon/web/frame"
)

// settingsPage shows the settings, the connected browsers and the size of the data.
type settingsPage struct {
	settings.Settings
	pairingView
	Strategies []themes.Option
	Seconds    []themes.Option // that may be the second strategy
	Refused    []marks.Site
	DataDir    string
	Size       int64
	Version    string
	WordNet    wordnet.State // whose notice stands at the end
	Now        machineWords
	NoBrowser  string // why there is none that runs JavaScript, "" when there is one
	Zone       string // of the machine
	Changes    []settingChange
	Openings   []string // private addresses that the command line opens
	Old        []string // folders with the data from before a restore
	Programs   tokensPart
	Notices    noticesPart
}

func (s *Server) handleSettings(w http.ResponseWriter, r *http.Request) error {
	ctx := r.Context()
	saved, err := s.Store.Settings(ctx)
	if err != nil {
		return err
	}
	p := settingsPage{Settings: saved, DataDir: s.DataDir, Version: s.Version, WordNet: s.WordNet.State(),
		Openings: s.Openings, Now: machineNow(s.Scheduler.Status()), NoBrowser: noBrowser(), Zone: s.Now().Local().Format("MST, UTC-07:00")}
	p.WordNet.Version, p.WordNet.Notice = frame.Printable(p.WordNet.Version), frame.PrintableLines(p.WordNet.Notice)
	p.Strategy, p.Second = cmp.Or(saved.Strategy, strategy.Auto), cmp.Or(saved.Second, strategy.Auto)
	ontologies, err := ontologies.All(ctx, s.Store.DB)
	if err != nil {
		return err
	}
	p.Strategies = themes.Options(ontologies, p.Strategy)
	p.Seconds = themes.Options(ontologies, p.Second)
	p.Seconds[0].Label = "Best other one by benchmarks: " + strategy.Other(p.Strategy)
	if p.Refused, err = marks.Refused(ctx, s.Store.DB); err != nil {
		return err
	}
	if p.pairingView, err = s.pairing(ctx, "/settings"); err != nil {
		return err
	}
	if p.Size, err = backup.Size(ctx, s.Store.DB); err != nil {
		return err
	}
	if p.Old, err = backup.OldFolders(s.DataDir); err != nil {
		return err
	}
	if p.Changes, err = s.settingsChanges(ctx, saved); err != nil {
		return err
	}
	if p.Programs, err = s.tokensPart(r); err != nil {
		return err
	}
	if p.Notices, err = s.noticesPart(ctx); err != nil {
		return err
	}
	return s.Render(w, r, http.StatusOK, "settings", frame.Layout{Title: "Settings", Section: "settings"}, p)
}

// handleSettingsSave saves the form.
func (s *Server) handleSettingsSave(w http.ResponseWriter, r *http.Request) error {
	next, err := s.Store.Settings(r.Context())
	if err != nil {
		return err
	}
	if wrong := readSettings(r.PostForm, &next); len(wrong) > 0 {
		return wrong
	}
	return tonight.ChangeSettings(w, r, s.Store, s.Bus, next, "settings-saved")
}

// machineWords describes the machine's power and network now.
type machineWords struct{ Power, Network string }

func machineNow(s scheduler.Status) machineWords {
	return machineWords{
		Power: map[machine.Answer]string{machine.Yes: "on battery power", machine.No: "on mains power",
			machine.Unknown: "unknown, which counts as mains power"}[s.Machine.Battery],
		Network: map[machine.Answer]string{machine.Yes: "metered", machine.No: "not metered",
			machine.Unknown: "unknown, which counts as not metered"}[s.Machine.Metered],
	}
}

// noBrowser says why there is no browser that renders pages, "" when there is one.
func noBrowser() string {
	if _, err := render.Find(); err != nil {
		return frame.Sentence(err.Error())
	}
	return ""
}
