package settings

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"nightjar/crawler/strategy"
)

// Settings are the person's settings. The zero value is not useful: start with Default. A setting is what a person would look
// for. What is decided for all is a constant where it is used; what a measurement or a test varies, it passes to that package.
type Settings struct {
	Night        Window   `json:"night"`
	Budget       Budget   `json:"budget"`
	Strategy     string   `json:"strategy"`        // strategy.Auto leaves the choice to each model
	SecondShare  int      `json:"second_share"`    // percent of a crawl's links that a second strategy chooses, for comparison; 0 means none
	Second       string   `json:"second_strategy"` // that strategy; strategy.Auto means strategy.Other of the first
	Delay        float64  `json:"delay"`           // seconds between two requests to one host
	Contact      string   `json:"contact"`         // URL or address in the crawler's User-Agent
	NeverRecord  []string `json:"never_record"`    // hosts, including their subdomains
	Resolve      []string `json:"resolve"`         // PATTERN=ADDR:PORT
	AllowPrivate []string `json:"allow_private"`   // CIDR
	Sitemaps     bool     `json:"sitemaps"`        // read the sitemaps and feeds of hosts, which list their pages
	OnMains      bool     `json:"on_mains"`        // crawl only on mains power
	Unmetered    bool     `json:"unmetered"`       // crawl only on networks that are not metered
	Archive      Archive  `json:"archive"`
	Render       Render   `json:"render"`
	WeeklyBackup bool     `json:"weekly_backup"` // make an automatic backup once a week
	ReadPDFs     bool     `json:"read_pdfs"`     // read the text of every PDF that is opened in a session, not only of those marked Useful
	Workers      Workers  `json:"workers"`
}

// Archive says whether fetched pages are archived and how large the archive may grow.
type Archive struct {
	Enabled   bool `json:"enabled"`
	Megabytes int  `json:"megabytes"` // maximum size: the oldest files are deleted; 0 means no limit
}

// Render says whether pages that are empty without scripts are rendered by an installed Chromium.
type Render struct {
	Enabled bool `json:"enabled"`
}

// Budget limits one night. 0 means no limit.
type Budget struct {
	Pages     int `json:"pages"`
	Megabytes int `json:"megabytes"`
	Minutes   int `json:"minutes"`
	PerHost   int `json:"per_host"` // pages of one host
	PerSite   int `json:"per_site"` // pages of one site (registrable domain)
}

// Default returns the settings of a new installation: no nightly crawls, a small budget, and no recording on hosts for
// mail, sign-in, money and messages.
func Default() Settings {
	return Settings{
		Night:    Window{Start: "01:00", End: "06:00"},
		Budget:   Budget{Pages: 1000, Megabytes: 500, Minutes: 300, PerHost: 200, PerSite: 400},
		Strategy: strategy.Auto,
		Second:   strategy.Auto, // with no share: a comparison costs finds, so it is the person's to begin
		Delay:    2,
		Sitemaps: true,
		OnMains:  true, Unmetered: true,
		Archive:      Archive{Enabled: true, Megabytes: 2048},
		WeeklyBackup: true,
		Workers:      Workers{Listen: DefaultWorkersListen, FetchHere: true},
		NeverRecord: []string{"accounts.google.com", "login.live.com", "login.microsoftonline.com", "mail.google.com",
			"mail.proton.me", "mail.yahoo.com", "outlook.live.com", "outlook.office.com", "paypal.com",
			"web.telegram.org", "web.whatsapp.com"},
	}
}

// Normal returns s in the form in which it is stored: lists are trimmed and have no duplicates, host names are in lower
// case and sorted, and empty strategies become strategy.Auto.
func (s Settings) Normal() Settings {
	clean := func(list []string, lower bool) []string {
		out := []string{}
		for _, v := range list {
			if v = strings.TrimSpace(v); lower {
				v = strings.Trim(strings.ToLower(v), ".")
			}
			if v != "" && !slices.Contains(out, v) {
				out = append(out, v)
			}
		}
		return out
	}
	s.NeverRecord = clean(s.NeverRecord, true)
	slices.Sort(s.NeverRecord)
	s.Resolve, s.AllowPrivate = clean(s.Resolve, false), clean(s.AllowPrivate, false)
	s.Workers = s.Workers.normal()
	s.Contact, s.Night.Zone = strings.TrimSpace(s.Contact), strings.TrimSpace(s.Night.Zone)
	s.Strategy, s.Second = cmp.Or(s.Strategy, strategy.Auto), cmp.Or(s.Second, strategy.Auto)
	if math.IsNaN(s.Delay) {
		s.Delay = -1 // Validate rejects it
	}
	return s
}
