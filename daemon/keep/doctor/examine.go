package doctor

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"nightjar/crawler/texts"
	"nightjar/daemon/base/terminal"
	"nightjar/daemon/browse/protocol"
	"nightjar/daemon/keep/backup"
	"nightjar/daemon/keep/rescue"
	"nightjar/daemon/keep/safekeeping"
	"nightjar/daemon/keep/trouble"
	"nightjar/daemon/morning/overview"
	"nightjar/daemon/night/scheduler"
	"nightjar/daemon/night/settings"
	"nightjar/model"
)

// examiner makes the checks.
type examiner struct {
	Options
	settings settings.Settings
	paired   []overview.Browser
	event    time.Time // last one, zero for none
	readErr  error     // of reading these
}

// read reads what several checks need.
func (e *examiner) read(ctx context.Context) {
	var errs [3]error
	e.settings, errs[0] = e.Store.Settings(ctx)
	e.paired, errs[1] = overview.Browsers(ctx, e.Store.DB)
	e.event, errs[2] = safekeeping.LastEvent(ctx, e.Store.DB)
	e.readErr = errors.Join(errs[:]...)
}

// failed is a check that could not be made.
func (e *examiner) failed(c Check, err error) Check {
	c.State, c.Says, c.Fix, c.Page = Unknown, "This cannot be read: "+printable(err.Error())+".", "See the check of the database.", ""
	return c
}

// silent is how long a paired browser may be quiet before that is worth a note.
const silent = 14 * 24 * time.Hour

func (e *examiner) browsers() Check {
	c := Check{ID: "browsers", Name: "Browsers", State: Good, Page: "/settings#browsers"}
	if e.readErr != nil {
		return e.failed(c, e.readErr)
	}
	if len(e.paired) == 0 {
		c.State, c.Says, c.Fix, c.Page = Note, "No browser is connected.", "Load the extension and connect it.", "/start"
		return c
	}
	var last time.Time
	for _, b := range e.paired {
		heard := "never heard since it was connected"
		if !b.SeenAt.IsZero() {
			heard = "last heard " + e.when(b.SeenAt)
		}
		c.More = append(c.More, printable(b.Name)+": "+heard+".")
		if b.SeenAt.After(last) {
			last = b.SeenAt
		}
	}
	c.Says = texts.Plural(len(e.paired), "browser") + " connected."
	if e.Now.Sub(last) > silent {
		c.State = Note
		c.Says = strings.TrimSuffix(c.Says, ".") + ", but not heard for two weeks."
		c.Fix = "Open the extension in the browser: its popup says whether it reaches Nightjar. If it does not, connect it again."
	}
	return c
}

func (e *examiner) lastEvent() Check {
	c := Check{ID: "last-event", Name: "Last event", State: Good}
	switch {
	case e.readErr != nil:
		return e.failed(c, e.readErr)
	case e.event.IsZero():
		c.Says = "Nothing has been recorded yet."
	default:
		c.Says = "Recorded " + e.when(e.event) + "."
	}
	return c
}

func (e *examiner) disk() Check {
	c := Check{ID: "disk", Name: "Disk", State: Good}
	if e.Machine.Free < 0 {
		c.State, c.Says = Unknown, "How much space is free is not known."
		return c
	}
	c.Says = fmt.Sprintf("%s of %s free.", size(e.Machine.Free), size(e.Machine.Size))
	if e.Store == nil {
		return c
	}
	least := e.floor()
	switch {
	case e.Machine.Free < least:
		c.State = Broken
		c.Says += " Crawls wait, since they leave " + size(least) + " free."
		c.Fix = "Free disk space."
		c.Page = "/settings/space"
	case least > 0 && e.Machine.Free < 2*least:
		c.State = Note
		c.Says += " Below " + size(least) + ", crawls wait."
	}
	return c
}

// floor is how many bytes of disk space crawls leave free.
func (e *examiner) floor() int64 {
	if e.FillDisk {
		return 0
	}
	return scheduler.Floor(e.Machine)
}

// early is how far the last event may lie in the future: clocks of a machine differ by less.
const early = time.Hour

func (e *examiner) clock() Check {
	c := Check{ID: "clock", Name: "Clock", State: Good, Says: "It is " + e.Now.Local().Format("15:04 on Monday, 2 January 2006, MST") + "."}
	switch {
	case !settings.ClockSet(e.Now):
		c.State, c.Says, c.Fix = Broken, "The clock is not set: it says "+e.Now.Local().Format("2 January 2006")+".", "Set the clock; nights do not run without it."
	case e.event.Sub(e.Now) > early:
		c.State, c.Fix = Note, "Check the date and time of this computer."
		c.Says += " The last event is from " + e.when(e.event) + ", which is later."
	}
	return c
}

func (e *examiner) database(ctx context.Context) Check {
	c := Check{ID: "database", Name: "Database", State: Good}
	mend := "Stop Nightjar, then put a backup in its place, which keeps the damaged data beside it: " + terminal.On(e.Data, "restore BACKUP") +
		". Without a backup, move the data folder away and start anew."
	if len(e.Faults) > 0 {
		c.State, c.Says = Broken, "The file is damaged. Nightjar only reads it: nothing is recorded, learned or crawled."
		c.Fix = "Open the dashboard, which lists the backups that can be restored: " + terminal.On(e.Data, "open")
		for _, f := range e.Faults {
			c.More = append(c.More, sentence(printable(f)))
		}
		return c
	}
	if e.Store == nil {
		if errors.Is(e.StoreErr, fs.ErrNotExist) {
			c.State, c.Says, c.Fix = Note, "There is no database yet.", "Start Nightjar once, which creates it, or name the right folder with --data DIR."
			return c
		}
		c.State, c.Says, c.Fix = Broken, "It cannot be opened: "+printable(text(e.StoreErr))+".", mend
		if kind := trouble.Of(e.StoreErr); kind != trouble.Damaged {
			c.Fix = cmp.Or(trouble.Trouble{Kind: kind, Dir: e.Data}.Fix(), "Make sure that you may read "+terminal.Quote(e.Database)+" and its folder.")
		}
		return c
	}
	if e.Limit > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, e.Limit)
		defer cancel()
	}
	big := ""
	if bytes := backup.FileSize(e.Database); bytes > 0 {
		big = ", " + size(bytes)
	}
	found, err := e.probe(ctx)
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		c.State, c.Says = Unknown, fmt.Sprintf("No fault is certain after %s, but the check is not finished%s.", e.Limit, big)
		c.Fix = "Run " + terminal.On(e.Data, "doctor --full") + ", which takes its time."
	case err != nil:
		c.State, c.Says = Unknown, "The check could not be made: "+printable(err.Error())+"."
	case len(found.Faults) > 0:
		if e.Running != nil {
			e.Troubles = append(slices.Clone(e.Troubles), trouble.Trouble{Kind: trouble.Damaged, Since: e.Now, Dir: e.Data})
		}
		if e.Hurt != nil {
			e.Hurt(found.Faults)
		}
		c.State, c.Says, c.Fix = Broken, "The file is damaged.", mend
		for _, f := range found.Faults {
			c.More = append(c.More, sentence(printable(f)))
		}
	default:
		c.Says = "The file is sound" + big + "."
		if found.Note != "" {
			c.More = append(c.More, sentence(printable(found.Note)))
		}
	}
	return c
}

// probe checks the database. While no daemon runs, the log does not change, so that it can be checked, too.
func (e *examiner) probe(ctx context.Context) (found rescue.Probed, err error) {
	if e.Running == nil {
		return rescue.Probe(ctx, e.Database)
	}
	found.Note = e.Recovered
	found.Faults, err = e.Store.QuickCheck(ctx)
	return found, err
}

// archive compares the archive with its limit.
func (e *examiner) archive() Check {
	c := Check{ID: "archive", Name: "Archive", State: Good, Page: "/settings#archive"}
	if e.readErr != nil {
		return e.failed(c, e.readErr)
	}
	if !e.settings.Archive.Enabled {
		c.Says = "Off: pages are not archived."
		return c
	}
	used, err := folderSize(e.Archive)
	if err != nil {
		return e.failed(c, err)
	}
	c.Says = size(used) + " used"
	if most := int64(e.settings.Archive.Megabytes) << 20; most > 0 {
		c.Says += " of " + size(most)
		if used >= most {
			c.State, c.Fix = Note, "It is full: the next night deletes the oldest files first. Allow more if you want to keep them."
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

// Of how many crawls refusals are listed, and how many hosts.
const (
	robotsCrawls = 5
	robotsHosts  = 8
)

func (e *examiner) robots(ctx context.Context) Check {
	c := Check{ID: "robots", Name: "Refusals by robots.txt", State: Good}
	hosts, err := robotsRefusals(ctx, e.Store.DB, robotsCrawls, robotsHosts)
	if err != nil {
		return e.failed(c, err)
	}
	if len(hosts) == 0 {
		c.Says = "No host refused a page in the last crawls."
		return c
	}
	c.Says = "In the last crawls, these hosts refused pages. Nightjar obeys."
	for _, h := range hosts {
		c.More = append(c.More, fmt.Sprintf("%s: %s, last %s.", printable(h.Host), texts.Plural(h.Pages, "page"), e.when(h.Last)))
	}
	return c
}

// private lists the private addresses that crawls may contact.
func (e *examiner) private() Check {
	c := Check{ID: "private", Name: "Private addresses", State: Good, Says: "Closed: crawls contact public addresses only."}
	if e.readErr != nil {
		return e.failed(c, e.readErr)
	}
	open := slices.Concat(e.Openings, e.settings.Resolve, e.settings.AllowPrivate)
	if len(open) == 0 {
		return c
	}
	c.State, c.Says, c.Page = Note, "Crawls may contact private addresses.", "/settings#private-net"
	c.Fix = "Remove them from the settings or the command line when you no longer need them."
	for _, o := range open {
		c.More = append(c.More, printable(o))
	}
	return c
}

func (e *examiner) extension() Check {
	c := Check{ID: "extension", Name: "Extension's folder", State: Good, Says: "Up to date in " + e.Extension + ".", Page: "/start"}
	if !e.ExtensionCurrent {
		c.State, c.Says = Note, "The folder "+e.Extension+" lacks the extension of this version."
		c.Fix = "Restart Nightjar, which writes it. If the browser loaded it from there, reload it in the browser's list of extensions."
	}
	return c
}

func (e *examiner) versions(ctx context.Context) Check {
	c := Check{ID: "versions", Name: "Versions", State: Good}
	all := []string{"program " + e.Version, "protocol " + strconv.Itoa(protocol.Version), "model format " + strconv.Itoa(model.FormatVersion)}
	if e.Store != nil {
		has, knows, err := e.Store.Schema(ctx)
		switch {
		case err != nil:
			all = append(all, "schema unknown")
		case has > knows:
			c.State, c.Fix = Broken, "A newer Nightjar wrote the database: update this one."
		case has < knows:
			c.State, c.Fix = Note, fmt.Sprintf("The database is updated to schema %d when Nightjar starts.", knows)
		}
		if err == nil {
			all = append(all, "schema "+strconv.Itoa(has))
		}
	}
	c.Says = sentence(strings.Join(all, ", "))
	return c
}

// when writes a time as a person says it, in the machine's zone.
func (e *examiner) when(t time.Time) string {
	now, t := e.Now.Local(), t.Local()
	switch days := int(day(t).Sub(day(now)).Hours() / 24); {
	case days == 0:
		return "today at " + t.Format("15:04")
	case days == 1:
		return "tomorrow at " + t.Format("15:04")
	case days == -1:
		return "yesterday at " + t.Format("15:04")
	}
	return t.Format("on 2 January 2006 at 15:04")
}

func day(t time.Time) time.Time {
	return time.Date(t.Year(), t.Month(), t.Day(), 0, 0, 0, 0, time.UTC)
}

// size writes a size in powers of 1000.
func size(n int64) string {
	units := []string{"B", "kB", "MB", "GB", "TB"}
	v, i := float64(n), 0
	for v >= 999.5 && i < len(units)-1 {
		v, i = v/1000, i+1
	}
	if i == 0 || v >= 99.5 {
		return fmt.Sprintf("%.0f %s", v, units[i])
	}
	return fmt.Sprintf("%.1f %s", v, units[i])
}

// text is an error's text, "" for nil.
func text(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

// sentence begins with a capital and ends with a full stop.
func sentence(t string) string {
	r := []rune(strings.TrimSuffix(t, "."))
	if len(r) == 0 {
		return ""
	}
	r[0] = unicode.ToUpper(r[0])
	return string(r) + "."
}

// longest is the longest foreign text that is shown, in runes.
const longest = 300

// printable makes a text of the web, a browser or the system fit for a line on a terminal: without control characters,
// and not too long.
func printable(t string) string {
	t = strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return ' '
		}
		return r
	}, t)
	if r := []rune(t); len(r) > longest {
		t = string(r[:longest]) + "…"
	}
	return strings.TrimSuffix(strings.TrimSpace(t), ".")
}
