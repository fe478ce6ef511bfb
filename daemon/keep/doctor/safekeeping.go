package doctor

import (
	"context"
	"fmt"
	"time"

	"nightjar/crawler/texts"
	"nightjar/daemon/keep/safekeeping"
)

// listedRows is how many rows that changed on the disk are named.
const listedRows = 8

// Rows names stored rows that changed on the disk. The daemon looks for them after each start and before each backup.
func Rows(ctx context.Context, e *Examiner) Check {
	c := Check{ID: "rows", Name: "Stored rows", State: Good, Says: "None is known to have changed on the disk."}
	rows, n, err := safekeeping.Unsound(ctx, e.Store.DB, listedRows)
	if err != nil {
		return Failed(c, err)
	}
	if n == 0 {
		return c
	}
	c.State = Broken
	c.Says = texts.Plural(n, "row") + " changed on the disk since Nightjar wrote it. Such rows are kept, and models do not learn from them."
	if n > 1 {
		c.Says = texts.Plural(n, "row") + " changed on the disk since Nightjar wrote them. They are kept, and models do not learn from them."
	}
	c.Fix = "Check the disk. To have them back, restore a backup of before " + e.When(rows[0].FoundAt) + "."
	for _, r := range rows {
		c.More = append(c.More, rowWords(r))
	}
	return c
}

// rowWords name a row for people.
func rowWords(r safekeeping.UnsoundRow) string {
	what := map[string]string{"event": "A recorded event", "content": "The text of a page", "model": "A model", "feedback": "A mark on a find"}[r.Kind]
	if r.What != "" {
		what += " (" + Printable(r.What) + ")"
	}
	if r.Topic != "" {
		what += " of the topic " + Printable(r.Topic)
	}
	if r.URL != "" {
		what += ": " + Printable(r.URL)
	}
	return Sentence(what)
}

// oldBackup is the age from which the last automatic backup is worth a note.
const oldBackup = 15 * 24 * time.Hour

// Backups says which automatic backups there are.
func Backups(ctx context.Context, e *Examiner) Check {
	c := Check{ID: "backups", Name: "Automatic backups", State: Good, Page: "/settings#backups"}
	set, err := e.Store.Settings(ctx)
	if err != nil {
		return Failed(c, err)
	}
	all, err := safekeeping.List(e.Data)
	if err != nil {
		return Failed(c, err)
	}
	n, bytes, last := 0, int64(0), time.Time{}
	for _, one := range all {
		if one.Kind != safekeeping.Automatic {
			continue
		}
		n, bytes = n+1, bytes+one.Bytes
		if one.At.After(last) {
			last = one.At
		}
	}
	switch {
	case n == 0:
		c.Says = "There is none yet."
	default:
		c.Says = fmt.Sprintf("%s, %s in all, the last one made %s.", texts.Plural(n, "backup"), Size(bytes), e.When(last))
	}
	switch {
	case !set.WeeklyBackup:
		c.State, c.Fix = Note, "They are off. Switch them on, or download a backup now and then."
	case n > 0 && e.Now.Sub(last) > oldBackup:
		c.State, c.Fix = Note, "The last one is old. Settings says why none was made; the disk may be too full."
	}
	return c
}
