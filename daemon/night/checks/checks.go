// Package checks has the rows of nights in the doctor's report.
package checks

import (
	"context"
	"fmt"
	"strings"

	"nightjar/crawler/texts"
	"nightjar/daemon/keep/doctor"
	"nightjar/daemon/learn/overview"
	"nightjar/daemon/night/crawls"
	"nightjar/daemon/night/scheduler"
	"nightjar/daemon/store/settings"
)

// LastNight says what the last night did.
func LastNight(ctx context.Context, e *doctor.Examiner) doctor.Check {
	c := doctor.Check{ID: "last-night", Name: "Last night", State: doctor.Good, Page: "/crawls"}
	night, err := lastNight(ctx, e.Store.DB)
	if err != nil {
		return doctor.Failed(c, err)
	}
	missed, err := missed(ctx, e, night)
	if err != nil {
		return doctor.Failed(c, err)
	}
	if missed != "" {
		c.State, c.Page = doctor.Note, "/settings#night"
		c.Says = "The window of " + missed + " passed without a crawl: Nightjar did not run, the computer slept, or a condition did not hold."
		c.Fix = "Leave the computer awake during the window, or choose hours in which it is; the conditions are below the window."
		return c
	}
	if night == "" {
		c.Says, c.Page = "There was none yet.", ""
		return c
	}
	crawls, err := crawls.OfNight(ctx, e.Store.DB, night)
	if err != nil {
		return doctor.Failed(c, err)
	}
	finds, err := nightFinds(ctx, e.Store.DB, night)
	if err != nil {
		return doctor.Failed(c, err)
	}
	fetched := 0
	for _, crawl := range crawls {
		fetched += crawl.Totals.Fetched
		if strings.HasPrefix(crawl.StopReason, "an error") {
			c.State, c.Fix = doctor.Note, "Run the topic once by hand to see whether it happens again; the daemon's log has the details."
		}
		if crawl.StopReason != "" {
			c.More = append(c.More, fmt.Sprintf("Crawl %d ended: %s.", crawl.ID, doctor.Printable(crawl.StopReason)))
		}
	}
	c.Says = fmt.Sprintf("%s: %s, %s, %s.", night, texts.Plural(len(crawls), "crawl"), texts.Plural(fetched, "page")+" fetched", texts.Plural(finds, "find"))
	return c
}

// missed returns the date of the last window when it closed without a crawl though it was to have one: the night was on,
// and a topic ready, before it opened. night is the date of the last night that had crawls. It returns "" when nothing was
// missed, or when it cannot be known since settings, start pages or models changed after the window opened.
func missed(ctx context.Context, e *doctor.Examiner, night string) (string, error) {
	set, err := e.Store.Settings(ctx)
	if err != nil || !settings.ClockSet(e.Now) {
		return "", err
	}
	last, closed := set.Night.Last(e.Now)
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

// NextNight says when the next night comes, and why it will or will not run.
func NextNight(ctx context.Context, e *doctor.Examiner) doctor.Check {
	c := doctor.Check{ID: "next-night", Name: "Next night", State: doctor.Good, Page: "/tonight"}
	set, err := e.Store.Settings(ctx)
	if err != nil {
		return doctor.Failed(c, err)
	}
	w := set.Night
	if !w.Enabled {
		c.State, c.Says = doctor.Note, "Will not run: the night is off."
		c.Fix = "Switch the night on."
		return c
	}
	topics, err := overview.Topics(ctx, e.Store.DB)
	if err != nil {
		return doctor.Failed(c, err)
	}
	if why, fix, page := missing(topics); why != "" {
		c.State, c.Says, c.Fix, c.Page = doctor.Note, "Will not run: "+why+".", fix, page
		return c
	}
	if !settings.ClockSet(e.Now) {
		c.State, c.Says, c.Fix, c.Page = doctor.Broken, "Will not run: the clock of this computer is not set.", "Set the clock.", ""
		return c
	}
	if n, open := w.At(e.Now); open {
		c.Says = "The window is open until " + e.When(n.Closes) + "."
	} else if next := w.Next(e.Now); next.IsZero() {
		c.State, c.Says, c.Fix = doctor.Broken, "Will not run: the window never opens.", "Set a window that ends after it starts."
	} else {
		c.Says = "Opens " + e.When(next) + ", until " + w.End + "."
	}
	if wait := scheduler.Waits(set, e.Machine, floor(e)); wait != "" && c.State == doctor.Good {
		c.State, c.More = doctor.Note, []string{"If nothing changes, it will wait: " + wait + "."}
		c.Fix = waitFixes[wait]
	}
	if e.Running == nil && c.State == doctor.Good {
		c.State, c.Fix = doctor.Note, "Only a running daemon crawls: start it."
	}
	return c
}

// waitFixes says what ends a wait.
var waitFixes = map[string]string{
	crawls.OnBattery: "Connect the computer to mains power, or change the condition in the settings.",
	crawls.OnMetered: "Use another network, or change the condition in the settings.",
}

// missing says what no topic has that a night needs, "" when one has everything.
func missing(topics []overview.TopicView) (why, fix, page string) {
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
