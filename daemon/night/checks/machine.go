package checks

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"time"

	"nightjar/crawler/texts"
	"nightjar/daemon/keep/doctor"
	"nightjar/daemon/keep/safekeeping"
	"nightjar/daemon/night/scheduler"
	"nightjar/daemon/store/settings"
)

// early is how far the last event may lie in the future: clocks of a machine differ by less.
const early = time.Hour

// Of how many crawls refusals are listed, and how many hosts.
const (
	robotsCrawls = 5
	robotsHosts  = 8
)

// floor is how many bytes of disk space crawls leave free.
func floor(e *doctor.Examiner) int64 {
	if e.FillDisk {
		return 0
	}
	return scheduler.Floor(e.Machine)
}

// Disk compares the free space with what crawls leave free.
func Disk(_ context.Context, e *doctor.Examiner) doctor.Check {
	c := doctor.Check{ID: "disk", Name: "Disk", State: doctor.Good}
	if e.Machine.Free < 0 {
		c.State, c.Says = doctor.Unknown, "How much space is free is not known."
		return c
	}
	c.Says = fmt.Sprintf("%s of %s free.", doctor.Size(e.Machine.Free), doctor.Size(e.Machine.Size))
	if e.Store == nil {
		return c
	}
	least := floor(e)
	switch {
	case e.Machine.Free < least:
		c.State = doctor.Broken
		c.Says += " Crawls wait, since they leave " + doctor.Size(least) + " free."
		c.Fix = "Free disk space."
		c.Page = "/settings/space"
	case least > 0 && e.Machine.Free < 2*least:
		c.State = doctor.Note
		c.Says += " Below " + doctor.Size(least) + ", crawls wait."
	}
	return c
}

// Clock says what time it is here, which decides when a night begins.
func Clock(ctx context.Context, e *doctor.Examiner) doctor.Check {
	c := doctor.Check{ID: "clock", Name: "Clock", State: doctor.Good, Says: "It is " + e.Now.Local().Format("15:04 on Monday, 2 January 2006, MST") + "."}
	var event time.Time
	if e.Store != nil {
		event, _ = safekeeping.LastEvent(ctx, e.Store.DB) // its own row tells of an error
	}
	switch {
	case !settings.ClockSet(e.Now):
		c.State, c.Says, c.Fix = doctor.Broken, "The clock is not set: it says "+e.Now.Local().Format("2 January 2006")+".", "Set the clock; nights do not run without it."
	case event.Sub(e.Now) > early:
		c.State, c.Fix = doctor.Note, "Check the date and time of this computer."
		c.Says += " The last event is from " + e.When(event) + ", which is later."
	}
	return c
}

// Archive compares the archive with its limit.
func Archive(ctx context.Context, e *doctor.Examiner) doctor.Check {
	c := doctor.Check{ID: "archive", Name: "Archive", State: doctor.Good, Page: "/settings#archive"}
	set, err := e.Store.Settings(ctx)
	if err != nil {
		return doctor.Failed(c, err)
	}
	if !set.Archive.Enabled {
		c.Says = "Off: pages are not archived."
		return c
	}
	used, err := folderSize(e.Archive)
	if err != nil {
		return doctor.Failed(c, err)
	}
	c.Says = doctor.Size(used) + " used"
	if most := int64(set.Archive.Megabytes) << 20; most > 0 {
		c.Says += " of " + doctor.Size(most)
		if used >= most {
			c.State, c.Fix = doctor.Note, "It is full: the next night deletes the oldest files first. Allow more if you want to keep them."
		}
	}
	c.Says += "."
	return c
}

func folderSize(dir string) (bytes int64, err error) {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return 0, nil
	}
	for _, entry := range entries {
		if info, err := entry.Info(); err == nil && info.Mode().IsRegular() { // an error: it was pruned meanwhile
			bytes += info.Size()
		}
	}
	return bytes, err
}

// Robots lists the hosts that refused pages.
func Robots(ctx context.Context, e *doctor.Examiner) doctor.Check {
	c := doctor.Check{ID: "robots", Name: "Refusals by robots.txt", State: doctor.Good}
	hosts, err := robotsRefusals(ctx, e.Store.DB, robotsCrawls, robotsHosts)
	if err != nil {
		return doctor.Failed(c, err)
	}
	if len(hosts) == 0 {
		c.Says = "No host refused a page in the last crawls."
		return c
	}
	c.Says = "In the last crawls, these hosts refused pages. Nightjar obeys."
	for _, h := range hosts {
		c.More = append(c.More, fmt.Sprintf("%s: %s, last %s.", doctor.Printable(h.Host), texts.Plural(h.Pages, "page"), e.When(h.Last)))
	}
	return c
}

// Private lists the private addresses that crawls may contact.
func Private(ctx context.Context, e *doctor.Examiner) doctor.Check {
	c := doctor.Check{ID: "private", Name: "Private addresses", State: doctor.Good, Says: "Closed: crawls contact public addresses only."}
	set, err := e.Store.Settings(ctx)
	if err != nil {
		return doctor.Failed(c, err)
	}
	open := slices.Concat(e.Openings, set.Resolve, set.AllowPrivate)
	if len(open) == 0 {
		return c
	}
	c.State, c.Says, c.Page = doctor.Note, "Crawls may contact private addresses.", "/settings#private-net"
	c.Fix = "Remove them from the settings or the command line when you no longer need them."
	for _, o := range open {
		c.More = append(c.More, doctor.Printable(o))
	}
	return c
}
