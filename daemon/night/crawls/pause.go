package crawls

import (
	"strings"
)

// PausedByYou says that the person paused the crawl. The crawl stays paused, even over restarts, until the person
// resumes it.
const PausedByYou = "paused by you"

// Reasons to wait that the person can override.
const (
	OnBattery = "on battery power"
	OnMetered = "the network is metered"
)

// NightOff is why a nightly crawl waits while nightly crawls are switched off. The person can override it.
const NightOff = "nightly crawls are off: switch the night on or run it now"

const opensAt = "the window opens at "

// OpensAt is why a crawl waits for a window that opens at a time of day, such as 01:00.
func OpensAt(start string) string { return opensAt + start }

// ForNight reports whether a reason to wait is that the window is closed, or that there is none.
func ForNight(why string) bool { return why == NightOff || strings.HasPrefix(why, opensAt) }
