package web

import (
	"encoding/json"
	"net/url"
	"testing"

	"nightjar/daemon/lab/webtest"
	"nightjar/daemon/store/settings"
)

// TestSavedStrategy: a strategy that is not offered, but was saved, is shown as the choice, and stays when other settings are saved.
func TestSavedStrategy(t *testing.T) {
	f := newFixture(t)
	f.mustSet(t, func(s *settings.Settings) { s.Strategy, s.Second = "best-first", "random" })
	form := settingsValues(t, f)
	if form.Get("strategy") != "best-first" || form.Get("second_strategy") != "random" {
		t.Errorf("shown: %q and %q", form.Get("strategy"), form.Get("second_strategy"))
	}
	form.Set("delay", "7")
	f.MustPost(t, "/settings", form)
	if got, err := f.Store.Settings(t.Context()); err != nil || got.Strategy != "best-first" || got.Second != "random" || got.Delay != 7 {
		t.Errorf("saved %+v, %v", got, err)
	}
}

// TestAdvanced: the part Advanced is closed unless one of its settings is not at its default, or was refused.
func TestAdvanced(t *testing.T) {
	f := newFixture(t)
	const open = "details.advanced[open]"
	f.mustSet(t, func(s *settings.Settings) { s.Delay, s.Budget.Pages, s.Night.Enabled = 7, 77, true })
	if d := f.Page(t, "/settings"); d.Find("details.advanced").Length() != 1 || d.Find(open).Length() != 0 {
		t.Error("it is open, or not there")
	}
	for name, change := range map[string]func(*settings.Settings){
		"megabytes":        func(s *settings.Settings) { s.Budget.Megabytes++ },
		"minutes":          func(s *settings.Settings) { s.Budget.Minutes++ },
		"zone":             func(s *settings.Settings) { s.Night.Zone = "Asia/Tokyo" },
		"strategy":         func(s *settings.Settings) { s.Strategy = "hmm" },
		"second share":     func(s *settings.Settings) { s.SecondShare = 10 },
		"second strategy":  func(s *settings.Settings) { s.Second = "hmm" },
		"fixed address":    func(s *settings.Settings) { s.Resolve = []string{"*.test=127.0.0.1:80"} },
		"private range":    func(s *settings.Settings) { s.AllowPrivate = []string{"10.0.0.0/8"} },
		"workers":          func(s *settings.Settings) { s.Workers.Enabled = true },
		"wait for workers": func(s *settings.Settings) { s.Workers.FetchHere = false },
	} {
		f.mustSet(t, change)
		if f.Page(t, "/settings").Find(open).Length() != 1 {
			t.Errorf("%s: it is closed", name)
		}
	}
	f.mustSet(t, func(*settings.Settings) {})
	for path, wrong := range map[string]url.Values{
		"/settings":                {"minutes": {"long"}},
		"/settings/workers":        {"workers_listen": {"anywhere"}, "workers_none": {"here"}},
		"/settings/workers/invite": {"name": {"<b>"}},
	} {
		if webtest.Tree(t, f.Post(path, wrong)).Find(open+" [aria-invalid=true]").Length() != 1 {
			t.Errorf("%s: the refused field is in a closed part", path)
		}
	}
	f.Openings = []string{"*.test=127.0.0.1:80"}
	if f.Page(t, "/settings").Find(open).Length() != 1 {
		t.Error("opened by the command line: it is closed")
	}
}

// mustSet saves the default settings with a change.
func (f *fixture) mustSet(t *testing.T, change func(*settings.Settings)) {
	t.Helper()
	s := settings.Default()
	change(&s)
	if err := f.Store.SaveSettings(t.Context(), s); err != nil {
		t.Fatal(err)
	}
}

// TestSettingNames: each setting has a name in the list of changes. Changes of settings that are gone are not listed.
func TestSettingNames(t *testing.T) {
	text, err := json.Marshal(settings.Default())
	if err != nil {
		t.Fatal(err)
	}
	var all map[string]any
	if err := json.Unmarshal(text, &all); err != nil {
		t.Fatal(err)
	}
	var check func(prefix string, parts map[string]any)
	check = func(prefix string, parts map[string]any) {
		for name, part := range parts {
			if below, ok := part.(map[string]any); ok {
				check(prefix+name+".", below)
			} else if settingNames[prefix+name] == "" {
				t.Errorf("%s has no name", prefix+name)
			}
		}
	}
	check("", all)
	s := seed(t)
	s.Exec(t, `INSERT INTO changes (at, kind, data) VALUES (1, 'settings', ?)`,
		`[{"field":"gamma","from":0,"to":0.7},{"field":"delay","from":2,"to":7},{"field":"archive.days","from":30,"to":7}]`)
	if rows := s.Page(t, "/settings").Find("details:has(#changes) tbody tr"); rows.Length() != 1 {
		t.Errorf("%d changes are listed", rows.Length())
	}
}
