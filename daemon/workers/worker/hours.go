package worker

import (
	"fmt"
	"strings"
	"time"

	"nightjar/daemon/store/settings"
)

// ParseHours reads a window of the day such as 22:00-06:00. An end before the start is on the next day. "" is always.
func ParseHours(text string) (settings.Window, error) {
	if text == "" {
		return settings.Window{}, nil
	}
	start, end, _ := strings.Cut(text, "-")
	w := settings.Window{Enabled: true, Start: strings.TrimSpace(start), End: strings.TrimSpace(end)}
	from, err1 := time.Parse("15:04", w.Start)
	to, err2 := time.Parse("15:04", w.End)
	switch {
	case err1 != nil || err2 != nil:
		return settings.Window{}, fmt.Errorf("%q is not a window of the day; write for example 22:00-06:00", text)
	case from.Equal(to):
		return settings.Window{}, fmt.Errorf("%q starts when it ends; leave it out to work at all hours", text)
	}
	return w, nil
}

// open reports whether the worker may work at now. Without hours it may always.
func open(hours settings.Window, now time.Time) bool {
	if !hours.Enabled {
		return true
	}
	_, ok := hours.At(now)
	return ok
}
