package settings

import (
	"errors"
	"fmt"
	"net/netip"
	"net/url"
	"strings"
	"time"

	"nightjar/crawler/strategy"
	"nightjar/model/arms"
)

// ErrInvalid is wrapped by every error of Validate.
var ErrInvalid = errors.New("settings")

// FieldError says what is wrong with one setting.
type FieldError struct {
	Field string // JSON name of the setting, such as delay, or of its wrong part, such as start
	Text  string // for the person to read
}

func (e *FieldError) Error() string { return ErrInvalid.Error() + ": " + e.Text }

// Unwrap returns ErrInvalid.
func (e *FieldError) Unwrap() error { return ErrInvalid }

// Validate returns everything that is wrong with s: a FieldError for each problem, joined.
func (s Settings) Validate() error {
	var errs []error
	check := func(field string, ok bool, format string, args ...any) {
		if !ok {
			errs = append(errs, &FieldError{field, fmt.Sprintf(format, args...)})
		}
	}
	s.Night.validate(check)
	s.Workers.validate(check)
	for _, n := range []struct {
		field string
		value int
	}{
		{"pages", s.Budget.Pages}, {"megabytes", s.Budget.Megabytes}, {"minutes", s.Budget.Minutes}, {"per_host", s.Budget.PerHost},
		{"per_site", s.Budget.PerSite}, {"archive_megabytes", s.Archive.Megabytes},
	} {
		check(n.field, n.value >= 0 && n.value <= maxCount, "the number must be between 0 and %d, not %d", maxCount, n.value)
	}
	for _, n := range []struct{ field, name string }{{"strategy", s.Strategy}, {"second_strategy", s.Second}} {
		known := n.name == strategy.Auto || strategy.Known(n.name) && len(n.name) <= maxStrategy
		check(n.field, known, "there is no strategy %q; choose one of the list", n.name)
	}
	check("second_share", s.SecondShare >= 0 && s.SecondShare <= arms.MostShare, "the share must be between 0 and %d percent; 0 means that there is no trial strategy", arms.MostShare)
	check("delay", s.Delay >= 0 && s.Delay <= 3600, "the delay must be between 0 and 3600 seconds")
	check("contact", ContactProblem(s.Contact) == "", "%s", ContactProblem(s.Contact))
	for _, host := range s.NeverRecord {
		check("never_record", hostName(host), "%q is not a host name such as bank.example", host)
	}
	for _, r := range s.Resolve {
		pattern, address, ok := strings.Cut(r, "=")
		_, err := netip.ParseAddrPort(address)
		check("resolve", ok && pattern != "" && err == nil, "%q must have the form PATTERN=ADDR:PORT, such as *.test=127.0.0.1:8080", r)
	}
	for _, p := range s.AllowPrivate {
		_, err := netip.ParsePrefix(p)
		check("allow_private", err == nil, "%q is not an address range such as 192.168.1.0/24", p)
	}
	return errors.Join(errs...)
}

// ContactProblem says what is wrong with a contact, which is sent in a header of every request; "" when it is valid.
func ContactProblem(contact string) string {
	if len(contact) > 200 || strings.ContainsFunc(contact, func(r rune) bool { return r < ' ' || r > '~' }) {
		return "the contact may have at most 200 characters, all of them printable ASCII"
	}
	return ""
}

// maxStrategy is the longest name of a strategy in bytes: thematic, and the name of an ontology.
const maxStrategy = 400

// maxCount limits every number of pages, megabytes and minutes, so that numbers of bytes do not overflow.
const maxCount = 1_000_000_000

func (w Window) validate(check func(field string, ok bool, format string, args ...any)) {
	start, err1 := time.Parse("15:04", w.Start)
	end, err2 := time.Parse("15:04", w.End)
	ok1, ok2 := err1 == nil && len(w.Start) == 5, err2 == nil && len(w.End) == 5
	check("start", ok1, "the start of the night must be a time such as 01:00")
	check("end", ok2, "the end of the night must be a time such as 06:00")
	check("end", !ok1 || !ok2 || !start.Equal(end), "the night must not end at the time it starts")
	_, err := time.LoadLocation(w.Zone)
	check("zone", err == nil && !strings.EqualFold(w.Zone, "local"),
		"unknown time zone %q; use a name such as Europe/Berlin, or leave it empty", w.Zone)
}

// hostName reports whether s can be the host of a URL, without a port.
func hostName(s string) bool {
	u, err := url.Parse("http://" + s + "/")
	return err == nil && s != "" && u.Host == s && u.Port() == "" && u.User == nil && u.Path == "/" && !strings.ContainsAny(s, " _*?#")
}
