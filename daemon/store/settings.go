package store

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"
	_ "time/tzdata" // zones of the window, on machines without a list of them

	"nightjar/crawler/strategy"
)

// Settings are the person's choices. The zero value is not useful: begin with DefaultSettings.
type Settings struct {
	Night        Window   `json:"night"`
	Budget       Budget   `json:"budget"`
	Strategy     string   `json:"strategy"`      // strategy.Auto leaves it to each model
	Delay        float64  `json:"delay"`         // seconds between two requests to one host
	Contact      string   `json:"contact"`       // URL or address in the crawler's User-Agent
	Gamma        float64  `json:"gamma"`         // relevance threshold in (0, 1]; 0 means calibrate
	States       int      `json:"states"`        // hidden states of the model
	NeverRecord  []string `json:"never_record"`  // hosts, subdomains included
	Resolve      []string `json:"resolve"`       // PATTERN=ADDR:PORT
	AllowPrivate []string `json:"allow_private"` // CIDR
	Sitemaps     bool     `json:"sitemaps"`      // read the sitemaps of hosts for candidates
	OnMains      bool     `json:"on_mains"`      // crawl only on mains power
	Unmetered    bool     `json:"unmetered"`     // crawl only on networks that are not metered
	DiskFloor    int      `json:"disk_floor"`    // MB of disk that stay free: crawls stop below
	Archive      Archive  `json:"archive"`
	Render       Render   `json:"render"`
}

// Archive says what is kept of the pages that crawls fetch, as they were sent.
type Archive struct {
	Enabled   bool `json:"enabled"`
	Days      int  `json:"days"`      // older files are deleted; 0 means never
	Megabytes int  `json:"megabytes"` // oldest files are deleted beyond; 0 means no limit
}

// Render says whether pages that are empty without scripts are run in an installed Chromium.
type Render struct {
	Enabled bool `json:"enabled"`
	Pages   int  `json:"pages"` // a night at most
}

// Window is when the night's crawls run. An End before Start lies on the next day.
type Window struct {
	Enabled bool   `json:"enabled"`
	Start   string `json:"start"` // HH:MM
	End     string `json:"end"`   // HH:MM
	Zone    string `json:"zone"`  // IANA name of the zone that both are of; "" means the machine's
}

// Location is the zone of the window, machine's where it has none of its own or one that is not known.
func (w Window) Location(machine *time.Location) *time.Location {
	if w.Zone == "" {
		return machine
	}
	if place, ok := zones.Load(w.Zone); ok {
		return place.(*time.Location)
	}
	place, err := time.LoadLocation(w.Zone)
	if err != nil {
		return machine
	}
	zones.Store(w.Zone, place)
	return place
}

// zones are the time zones that were read: a scheduler asks again and again for the same.
var zones sync.Map // name to *time.Location

// Budget is what one night may spend. 0 means no limit.
type Budget struct {
	Pages     int `json:"pages"`
	Megabytes int `json:"megabytes"`
	Minutes   int `json:"minutes"`
	PerHost   int `json:"per_host"` // pages of one host
	PerSite   int `json:"per_site"` // pages of one site (registrable domain)
}

// DefaultSettings hold until the person says otherwise: no night crawl, a small budget, and hosts of mail, sign-in,
// money and messages left alone.
func DefaultSettings() Settings {
	return Settings{
		Night:    Window{Start: "01:00", End: "06:00"},
		Budget:   Budget{Pages: 1000, Megabytes: 500, Minutes: 300, PerHost: 200, PerSite: 400},
		Strategy: strategy.Auto,
		Delay:    2,
		States:   4,
		OnMains:  true, Unmetered: true, DiskFloor: 1024,
		Archive: Archive{Enabled: true, Days: 30, Megabytes: 2048},
		Render:  Render{Pages: 50},
		NeverRecord: []string{"accounts.google.com", "login.live.com", "login.microsoftonline.com", "mail.google.com",
			"mail.proton.me", "mail.yahoo.com", "outlook.live.com", "outlook.office.com", "paypal.com",
			"web.telegram.org", "web.whatsapp.com"},
	}
}

// ErrSettings is wrapped by every error of Validate.
var ErrSettings = errors.New("settings")

// SettingError says what is wrong with one setting.
type SettingError struct {
	Field string // name of the setting in JSON, such as delay; of a part of one, of that part
	Text  string // in words a person understands
}

func (e *SettingError) Error() string { return ErrSettings.Error() + ": " + e.Text }

// Unwrap makes it an ErrSettings.
func (e *SettingError) Unwrap() error { return ErrSettings }

// Validate says what is wrong with s: all of it, each a SettingError, joined.
func (s Settings) Validate() error {
	var errs []error
	check := func(field string, ok bool, format string, args ...any) {
		if !ok {
			errs = append(errs, &SettingError{field, fmt.Sprintf(format, args...)})
		}
	}
	strategies := append([]string{strategy.Auto}, strategy.Names()...)
	s.Night.validate(check)
	for _, n := range []struct {
		field string
		value int
	}{
		{"pages", s.Budget.Pages}, {"megabytes", s.Budget.Megabytes}, {"minutes", s.Budget.Minutes}, {"per_host", s.Budget.PerHost},
		{"per_site", s.Budget.PerSite}, {"disk_floor", s.DiskFloor}, {"archive_days", s.Archive.Days},
		{"archive_megabytes", s.Archive.Megabytes}, {"render_pages", s.Render.Pages},
	} {
		check(n.field, n.value >= 0 && n.value <= maxCount, "this must be between 0 and %d, not %d", maxCount, n.value)
	}
	check("strategy", slices.Contains(strategies, s.Strategy), "strategy %q is not known: there are %s", s.Strategy, strings.Join(strategies, ", "))
	check("delay", s.Delay >= 0 && s.Delay <= 3600, "the delay must be between 0 and 3600 seconds")
	check("gamma", s.Gamma >= 0 && s.Gamma <= 1, "the threshold must be between 0 and 1 (0: calibrate)")
	check("states", s.States >= 2 && s.States <= 20, "the number of states must be between 2 and 20")
	check("contact", BadContact(s.Contact) == "", "%s", BadContact(s.Contact))
	for _, host := range s.NeverRecord {
		check("never_record", hostName(host), "%q is not the name of a host, such as bank.example", host)
	}
	for _, r := range s.Resolve {
		pattern, address, ok := strings.Cut(r, "=")
		_, err := netip.ParseAddrPort(address)
		check("resolve", ok && pattern != "" && err == nil, "%q is not of the form PATTERN=ADDR:PORT, such as *.test=127.0.0.1:8080", r)
	}
	for _, p := range s.AllowPrivate {
		_, err := netip.ParsePrefix(p)
		check("allow_private", err == nil, "%q is not an address range such as 192.168.1.0/24", p)
	}
	return errors.Join(errs...)
}

// BadContact says what is wrong with a contact, which stands in the header of each request; "" when nothing is.
func BadContact(contact string) string {
	if len(contact) > 200 || strings.ContainsFunc(contact, func(r rune) bool { return r < ' ' || r > '~' }) {
		return "the contact must be at most 200 plain characters"
	}
	return ""
}

// maxCount bounds every number of pages, megabytes, minutes and days: beyond, bytes could not be counted.
const maxCount = 1_000_000_000

func (w Window) validate(check func(field string, ok bool, format string, args ...any)) {
	start, err1 := time.Parse("15:04", w.Start)
	end, err2 := time.Parse("15:04", w.End)
	ok1, ok2 := err1 == nil && len(w.Start) == 5, err2 == nil && len(w.End) == 5
	check("start", ok1, "the night needs two times such as 01:00 and 06:00")
	check("end", ok2, "the night needs two times such as 01:00 and 06:00")
	check("end", !ok1 || !ok2 || !start.Equal(end), "the night begins and ends at the same time")
	_, err := time.LoadLocation(w.Zone)
	check("zone", err == nil && !strings.EqualFold(w.Zone, "local"),
		"the time zone %q is not known; it should look like Europe/Berlin, or be empty", w.Zone)
}

// hostName reports whether s can stand as the host of a URL, without port.
func hostName(s string) bool {
	u, err := url.Parse("http://" + s + "/")
	return err == nil && s != "" && u.Host == s && u.Port() == "" && u.User == nil && u.Path == "/" && !strings.ContainsAny(s, " _*?#")
}

// normal is s with its lists trimmed, hosts in lower case and sorted, and nothing twice, and no strategy as Auto.
func (s Settings) normal() Settings {
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
	s.Contact, s.Night.Zone = strings.TrimSpace(s.Contact), strings.TrimSpace(s.Night.Zone)
	s.Strategy = cmp.Or(s.Strategy, strategy.Auto)
	if math.IsNaN(s.Delay) || math.IsNaN(s.Gamma) {
		s.Delay = -1 // refused by Validate
	}
	return s
}

const settingsKey = "settings"

// Settings are the person's choices, or the defaults of what was never chosen.
func (s *Store) Settings(ctx context.Context) (Settings, error) { return settings(ctx, s.r) }

func settings(ctx context.Context, q queryer) (Settings, error) {
	all := DefaultSettings()
	_, err := setting(ctx, q, settingsKey, &all)
	return all, err
}

// SaveSettings keeps s. What Validate finds wrong is returned and nothing changes.
func (s *Store) SaveSettings(ctx context.Context, all Settings) error {
	all = all.normal()
	if err := all.Validate(); err != nil {
		return err
	}
	return s.SetSetting(ctx, settingsKey, all)
}

// Setting reads one value by its key into a pointer; false when it was never set.
func (s *Store) Setting(ctx context.Context, key string, into any) (bool, error) {
	return setting(ctx, s.r, key, into)
}

func setting(ctx context.Context, q queryer, key string, into any) (bool, error) {
	var value string
	err := q.QueryRowContext(ctx, "SELECT value FROM settings WHERE key = ?", key).Scan(&value)
	if errors.Is(err, sql.ErrNoRows) {
		return false, nil
	}
	if err == nil {
		err = json.Unmarshal([]byte(value), into)
	}
	if err != nil {
		return false, fmt.Errorf("read setting %s: %w", key, err)
	}
	return true, nil
}

// SetSetting keeps one value under its key as JSON.
func (s *Store) SetSetting(ctx context.Context, key string, value any) error {
	data, err := json.Marshal(value)
	if err != nil {
		return fmt.Errorf("keep setting %s: %w", key, err)
	}
	return s.write(ctx, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, "INSERT INTO settings (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value", key, string(data))
		return err
	})
}
