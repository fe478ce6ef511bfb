package doctor

import (
	"context"
	"fmt"
	"strings"

	"nightjar/crawler/texts"
	"nightjar/daemon/morning/overview"
	"nightjar/daemon/night/crawls"
	"nightjar/daemon/night/scheduler"
	"nightjar/daemon/night/settings"
)

// lastNight says what the last night did.
func (e *examiner) lastNight(ctx context.Context) Check {
	c := Check{ID: "last-night", Name: "Last night", State: Good, Page: "/crawls"}
	night, err := lastNight(ctx, e.Store.DB)
	if err != nil {
		return e.failed(c, err)
	}
	missed, err := e.missed(ctx, night)
	if err != nil {
		return e.failed(c, err)
	}
	if missed != "" {
		c.State, c.Page = Note, "/settings#night"
		c.Says = "The window of " + missed + " passed without a crawl: Nightjar did not run, the computer slept, or a condition did not hold."
		c.Fix = "Leave the computer awake during the window, or choose hours in which it is; the conditions are below the window."
		return c
	}
	if night == "" {
		c.Says, c.Page = "There was none yet.", ""
		return c
	}
	crawls, err := e.Store.NightCrawls(ctx, night)
	if err != nil {
		return e.failed(c, err)
	}
	finds, err := nightFinds(ctx, e.Store.DB, night)
	if err != nil {
		return e.failed(c, err)
	}
	fetched := 0
	for _, crawl := range crawls {
		fetched += crawl.Totals.Fetched
		if strings.HasPrefix(crawl.StopReason, "an error") {
			c.State, c.Fix = Note, "Run the topic once by hand to see whether it happens again; the daemon's log has the details."
		}
		if crawl.StopReason != "" {
			c.More = append(c.More, fmt.Sprintf("Crawl %d ended: %s.", crawl.ID, printable(crawl.StopReason)))
		}
	}
	c.Says = fmt.Sprintf("%s: %s, %s, %s.", night, texts.Plural(len(crawls), "crawl"), texts.Plural(fetched, "page")+" fetched", texts.Plural(finds, "find"))
	return c
}

// missed returns the date of the last window when it closed without a crawl though it was to have one: the night was on,
// and a topic ready, before it opened. night is the date of the last night that had crawls. It returns "" when nothing was
// missed, or when it cannot be known since settings, start pages or models changed after the window opened.
func (e *examiner) missed(ctx context.Context, night string) (string, error) {
	if e.readErr != nil || !settings.ClockSet(e.Now) {
		return "", e.readErr
	}
	last, closed := e.settings.Night.Last(e.Now)
	if !closed || last.Date <= night {
		return "", nil
	}
	changes, err := e.Store.SettingsChanges(ctx)
	if err != nil || len(changes) > 0 && changes[0].At.After(last.Opens) {
		return "", err
	}
	ready, err := crawlableSince(ctx, e.Store.DB, last.Opens)
	if err != nil || !ready {
		return "", err
	}
	return last.Date, nil
}

// nextNight says when the next night comes, and why it will or will not run.
func (e *examiner) nextNight(ctx context.Context) Check {
	c := Check{ID: "next-night", Name: "Next night", State: Good, Page: "/tonight"}
	if e.readErr != nil {
		return e.failed(c, e.readErr)
	}
	w := e.settings.Night
	if !w.Enabled {
		c.State, c.Says = Note, "Will not run: the night is off."
		c.Fix = "Switch the night on."
		return c
	}
	topics, err := overview.Topics(ctx, e.Store.DB)
	if err != nil {
		return e.failed(c, err)
	}
	if why, fix, page := missing(topics); why != "" {
		c.State, c.Says, c.Fix, c.Page = Note, "Will not run: "+why+".", fix, page
		return c
	}
	if !settings.ClockSet(e.Now) {
		c.State, c.Says, c.Fix, c.Page = Broken, "Will not run: the clock of this computer is not set.", "Set the clock.", ""
		return c
	}
	if n, open := w.At(e.Now); open {
		c.Says = "The window is open until " + e.when(n.Closes) + "."
	} else if next := w.Next(e.Now); next.IsZero() {
		c.State, c.Says, c.Fix = Broken, "Will not run: the window never opens.", "Set a window that ends after it starts."
	} else {
		c.Says = "Opens " + e.when(next) + ", until " + w.End + "."
	}
	if wait := scheduler.Waits(e.settings, e.Machine, e.floor()); wait != "" && c.State == Good {
		c.State, c.More = Note, []string{"If nothing changes, it will wait: " + wait + "."}
		c.Fix = waitFixes[wait]
	}
	if e.Running == nil && c.State == Good {
		c.State, c.Fix = Note, "Only a running daemon crawls: start it."
	}
	return c
}

// waitFixes says what ends a wait.
var waitFixes = map[string]string{
	crawls.OnBattery: "Connect the computer to mains power, or change the condition in the settings.",
	crawls.OnMetered: "Use another network, or change the condition in the settings.",
}

// missing says what no topic has that a night needs, "" when one has everything.
func missing(topics []overview.Topic) (why, fix, page string) {
	trained, ticked := false, false
	for _, t := range topics {
		trained = trained || t.Version > 0
		ticked = ticked || t.Version > 0 && t.Ticked > 0
	}
	switch {
	case !trained:
		return "there is no model yet", "Record a session and submit it.", "/start"
	case !ticked:
		return "no start page is ticked", "Tick the pages where crawls begin.", "/tonight"
	}
	return "", "", ""
}
