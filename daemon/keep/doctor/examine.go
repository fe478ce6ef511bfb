package doctor

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"nightjar/crawler/texts"
	"nightjar/daemon/base/terminal"
	"nightjar/daemon/keep/backup"
	"nightjar/daemon/keep/rescue"
	"nightjar/daemon/keep/safekeeping"
	"nightjar/daemon/keep/trouble"
	"nightjar/model"
)

// Failed is a check that could not be made.
func Failed(c Check, err error) Check {
	c.State, c.Says, c.Fix, c.Page = Unknown, "This cannot be read: "+Printable(err.Error())+".", "See the check of the database.", ""
	return c
}

// silent is how long a paired browser may be quiet before that is worth a note.
const silent = 14 * 24 * time.Hour

// Browsers says which browsers are connected, and when they were last heard.
func Browsers(ctx context.Context, e *Examiner) Check {
	c := Check{ID: "browsers", Name: "Browsers", State: Good, Page: "/settings#browsers"}
	paired, err := e.Store.BrowserViews(ctx)
	if err != nil {
		return Failed(c, err)
	}
	if len(paired) == 0 {
		c.State, c.Says, c.Fix, c.Page = Note, "No browser is connected.", "Load the extension and connect it.", "/start"
		return c
	}
	var last time.Time
	for _, b := range paired {
		heard := "never heard since it was connected"
		if !b.SeenAt.IsZero() {
			heard = "last heard " + e.When(b.SeenAt)
		}
		c.More = append(c.More, Printable(b.Name)+": "+heard+".")
		if b.SeenAt.After(last) {
			last = b.SeenAt
		}
	}
	c.Says = texts.Plural(len(paired), "browser") + " connected."
	if e.Now.Sub(last) > silent {
		c.State = Note
		c.Says = strings.TrimSuffix(c.Says, ".") + ", but not heard for two weeks."
		c.Fix = "Open the extension in the browser: its popup says whether it reaches Nightjar. If it does not, connect it again."
	}
	return c
}

// LastEvent says when something was recorded last.
func LastEvent(ctx context.Context, e *Examiner) Check {
	c := Check{ID: "last-event", Name: "Last event", State: Good}
	event, err := safekeeping.LastEvent(ctx, e.Store.DB)
	switch {
	case err != nil:
		return Failed(c, err)
	case event.IsZero():
		c.Says = "Nothing has been recorded yet."
	default:
		c.Says = "Recorded " + e.When(event) + "."
	}
	return c
}

func (e *Examiner) database(ctx context.Context) Check {
	c := Check{ID: "database", Name: "Database", State: Good}
	mend := "Stop Nightjar, then put a backup in its place, which keeps the damaged data beside it: " + terminal.On(e.Data, "restore BACKUP") +
		". Without a backup, move the data folder away and start anew."
	if len(e.Faults) > 0 {
		c.State, c.Says = Broken, "The file is damaged. Nightjar only reads it: nothing is recorded, learned or crawled."
		c.Fix = "Open the dashboard, which lists the backups that can be restored: " + terminal.On(e.Data, "open")
		for _, f := range e.Faults {
			c.More = append(c.More, Sentence(Printable(f)))
		}
		return c
	}
	if e.Store == nil {
		if errors.Is(e.StoreErr, fs.ErrNotExist) {
			c.State, c.Says, c.Fix = Note, "There is no database yet.", "Start Nightjar once, which creates it, or name the right folder with --data DIR."
			return c
		}
		c.State, c.Says, c.Fix = Broken, "It cannot be opened: "+Printable(text(e.StoreErr))+".", mend
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
		big = ", " + Size(bytes)
	}
	found, err := e.probe(ctx)
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		c.State, c.Says = Unknown, fmt.Sprintf("No fault is certain after %s, but the check is not finished%s.", e.Limit, big)
		c.Fix = "Run " + terminal.On(e.Data, "doctor --full") + ", which takes its time."
	case err != nil:
		c.State, c.Says = Unknown, "The check could not be made: "+Printable(err.Error())+"."
	case len(found.Faults) > 0:
		if e.Running != nil {
			e.Troubles = append(slices.Clone(e.Troubles), trouble.Trouble{Kind: trouble.Damaged, Since: e.Now, Dir: e.Data})
		}
		if e.Hurt != nil {
			e.Hurt(found.Faults)
		}
		c.State, c.Says, c.Fix = Broken, "The file is damaged.", mend
		for _, f := range found.Faults {
			c.More = append(c.More, Sentence(Printable(f)))
		}
	default:
		c.Says = "The file is sound" + big + "."
		if found.Note != "" {
			c.More = append(c.More, Sentence(Printable(found.Note)))
		}
	}
	return c
}

// probe checks the database. While no daemon runs, the log does not change, so that it can be checked, too.
func (e *Examiner) probe(ctx context.Context) (found rescue.Probed, err error) {
	if e.Running == nil {
		return rescue.Probe(ctx, e.Database)
	}
	found.Note = e.Recovered
	found.Faults, err = e.Store.QuickCheck(ctx)
	return found, err
}

// Extension says whether the extension in its folder is that of this program.
func Extension(_ context.Context, e *Examiner) Check {
	c := Check{ID: "extension", Name: "Extension's folder", State: Good, Says: "Up to date in " + e.Extension + ".", Page: "/start"}
	if !e.ExtensionCurrent {
		c.State, c.Says = Note, "The folder "+e.Extension+" lacks the extension of this version."
		c.Fix = "Restart Nightjar, which writes it. If the browser loaded it from there, reload it in the browser's list of extensions."
	}
	return c
}

// Versions lists the versions of what others read, and compares that of the database.
func Versions(ctx context.Context, e *Examiner) Check {
	c := Check{ID: "versions", Name: "Versions", State: Good}
	all := []string{"program " + e.Version, "protocol " + strconv.Itoa(e.Protocol), "model format " + strconv.Itoa(model.FormatVersion)}
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
	c.Says = Sentence(strings.Join(all, ", "))
	return c
}

// When writes a time as a person says it, in the machine's zone.
func (e *Examiner) When(t time.Time) string {
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

// Size writes a size in powers of 1000.
func Size(n int64) string {
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

// Sentence begins with a capital and ends with a full stop.
func Sentence(t string) string {
	r := []rune(strings.TrimSuffix(t, "."))
	if len(r) == 0 {
		return ""
	}
	r[0] = unicode.ToUpper(r[0])
	return string(r) + "."
}

// longest is the longest foreign text that is shown, in runes.
const longest = 300

// Printable makes a text of the web, a browser or the system fit for a line on a terminal: without control characters,
// and not too long.
func Printable(t string) string {
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
