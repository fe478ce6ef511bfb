package web

import (
	"context"
	"encoding/json"
	"strings"
	"time"

	"nightjar/daemon/store/settings"
)

// shownChanges is how many changes of settings the page lists.
const shownChanges = 10

// settingChange is a setting that the person changed.
type settingChange struct {
	Change   int64
	Field    string
	What     string
	From, To string
	At       time.Time
	Holds    bool // not changed since, so it can be undone
}

// settingNames are the labels of the settings' fields on the page. Changes of other fields come from earlier versions.
var settingNames = map[string]string{
	"night.enabled": "Crawl every night", "night.start": "Start of the window", "night.end": "End of the window",
	"night.zone": "Time zone of the window", "budget.pages": "Pages a night", "budget.megabytes": "Megabytes a night",
	"budget.minutes": "Minutes a night", "budget.per_host": "Pages of one host", "budget.per_site": "Pages of one site",
	"strategy": "Strategy", "second_share": "Share of links for a trial strategy (%)", "second_strategy": "Trial strategy",
	"delay": "Seconds between requests to a host", "contact": "Contact", "never_record": "Never record these hosts", "resolve": "Fixed addresses",
	"allow_private": "Private ranges", "sitemaps": "Read the sitemaps and feeds of sites", "on_mains": "Only on mains power",
	"unmetered": "Only on networks that are not metered", "archive.enabled": "Save pages as they were sent", "archive.megabytes": "Megabytes to keep",
	"weekly_backup":   "Back up once a week",
	"workers.enabled": "Let other machines fetch pages", "workers.listen": "Workers: address to listen on",
	"workers.address": "Workers: address that they connect to", "workers.tls": "Workers: folder of certificates",
	"workers.broker": "Workers: other broker", "workers.login": "Workers: credentials for the other broker",
	"workers.fetch_here": "Workers: fetch here while none is connected",
	"read_pdfs":          "Read every PDF that I open", "render.enabled": "Run JavaScript on pages that are blank without it",
}

// settingsChanges lists the last changes of settings, newest first.
func (s *Server) settingsChanges(ctx context.Context, now settings.Settings) ([]settingChange, error) {
	past, err := s.Store.SettingsChanges(ctx)
	if err != nil {
		return nil, err
	}
	var all []settingChange
	for _, c := range past {
		for _, f := range c.Fields {
			if len(all) == shownChanges {
				return all, nil
			}
			name, known := settingNames[f.Field]
			if !known {
				continue
			}
			line := settingChange{Change: c.ID, Field: f.Field, What: name, At: c.At, Holds: f.Holds(now)}
			line.From, line.To = differing(f.From, f.To)
			all = append(all, line)
		}
	}
	return all, nil
}

// differing writes two values of a setting for people. For lists it returns what was removed and what was added.
func differing(from, to json.RawMessage) (was, is string) {
	var a, b []string
	if json.Unmarshal(from, &a) != nil || json.Unmarshal(to, &b) != nil {
		return settingText(from), settingText(to)
	}
	return listText(a, b), listText(b, a)
}

// listText lists the entries that another list lacks.
func listText(list, other []string) string {
	has := map[string]bool{}
	for _, e := range other {
		has[e] = true
	}
	var only []string
	for _, e := range list {
		if !has[e] {
			only = append(only, e)
		}
	}
	if len(only) == 0 {
		return "–"
	}
	return strings.Join(only, ", ")
}

func settingText(value json.RawMessage) string {
	var v any
	if json.Unmarshal(value, &v) != nil {
		return string(value) // as it was stored
	}
	switch v := v.(type) {
	case bool:
		if v {
			return "on"
		}
		return "off"
	case string:
		if v != "" {
			return v
		}
		return "empty"
	case nil:
		return "none"
	}
	return strings.Trim(string(value), `"`)
}
