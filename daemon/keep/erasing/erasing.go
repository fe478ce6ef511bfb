// Package erasing erases sites: everything about them, and them from everything else.
//
// Start with Begin, which notes in the database that a site is to be erased. Run does it, one step after the other, and notes
// how far it is, so that it goes on after a restart until it is whole:
//
//  1. rows: what is stored about the site; see Host.
//  2. contents: links to it in stored pages of other sites, with all that was derived from their words.
//  3. archive: its records, and links to it in those of other sites.
//  4. scrub: its addresses in all other texts, and what the files still have of deleted data.
//  5. check: the contents, the archive and the texts are looked through once more, until nothing is found.
//
// Models that had learned from the site or from a page that changed are emptied on the way, and trained again at the end.
package erasing

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync/atomic"
	"time"

	"nightjar/crawler/archive"
	"nightjar/crawler/failpoint"
	"nightjar/crawler/page"
	"nightjar/crawler/unlink"
	"nightjar/daemon/base/jobs"
	"nightjar/daemon/store"
)

// retry is how long an erasing waits after an error, such as a full disk.
const retry = time.Minute

// rounds is how many times all is looked through again when something was found, since the daemon goes on recording meanwhile.
const rounds = 3

// Deps is what an Eraser works with.
type Deps struct {
	Store   *store.Store
	Wings   []Wing
	Archive *archive.Archive // nil for none
	Log     *slog.Logger
	Train   func(topicID int64) // trains a topic again
	Tell    func()              // tells that something changed; may be nil

	// Apart stops all crawls, which may know the site, and runs do while none can begin.
	Apart func(ctx context.Context, do func() error) error
}

// Eraser erases sites. It is safe for concurrent use.
type Eraser struct {
	Deps
	loop jobs.Loop
}

// New returns an Eraser that does nothing until Run.
func New(d Deps) *Eraser {
	e := &Eraser{Deps: d}
	e.loop.Step, e.loop.Retry = e.all, retry
	return e
}

// Begin notes that the site of a host is to be erased. It returns when that is stored; the rest goes on by itself.
func (e *Eraser) Begin(ctx context.Context, host string) (Erasing, error) {
	failpoint.Here("erase-site.begin")
	one, err := Begin(ctx, e.Store.DB, host)
	if err == nil {
		e.loop.Wake()
	}
	return one, err
}

// Plan counts what erasing the site of a host would delete.
func (e *Eraser) Plan(ctx context.Context, host string) (Plan, error) {
	return PlanFor(ctx, e.Store.DB, e.Wings, host)
}

// Run carries out requested erasures until ctx ends, and resumes those of an earlier process.
func (e *Eraser) Run(ctx context.Context) error { return e.loop.Run(ctx) }

// all erases all sites that are to be erased. The error is that of the last one that could not be; it was logged.
func (e *Eraser) all(ctx context.Context) (_ time.Duration, failed error) {
	open, err := Open(ctx, e.Store.DB)
	if err != nil {
		if ctx.Err() == nil {
			e.Log.Warn("sites to be erased cannot be listed", "error", err)
		}
		return 0, err
	}
	for _, one := range open {
		if err := e.Erase(ctx, &one); err != nil && ctx.Err() == nil {
			failed = err
			one.Problem = err.Error()
			e.Log.Warn("erasing a site waits", "step", one.Step, "error", strings.ReplaceAll(one.Problem, one.Host, "the site")) // no name in logs
			if err := Put(ctx, e.Store.DB, one); err != nil {
				e.Log.Warn("why erasing waits was not stored", "error", err)
			}
			e.tell()
		}
	}
	return jobs.Never, failed
}

func (e *Eraser) tell() {
	if e.Tell != nil {
		e.Tell()
	}
}

// Erase does what is left of an erasing.
func (e *Eraser) Erase(ctx context.Context, one *Erasing) error {
	site := unlink.New(one.Host)
	for one.Step != StepDone {
		var err error
		switch one.Step {
		case StepRows:
			err = e.Apart(ctx, func() error { return Rows(ctx, e.Store, e.Wings, one) })
		case StepContents:
			if err = e.contents(ctx, site, one, nil); err == nil {
				err = e.next(ctx, one, StepArchive)
			}
		case StepArchive:
			if _, err = e.archive(ctx, site, one); err == nil {
				failpoint.Here("erase-site.archive-erased")
				err = e.next(ctx, one, StepScrub)
			}
		case StepScrub:
			if _, err = e.scrub(ctx, site, one); err == nil {
				one.Counts.Found, one.Counts.Rounds = 0, 0
				err = e.next(ctx, one, StepCheck)
			}
		case StepCheck:
			err = e.check(ctx, site, one)
		default:
			err = fmt.Errorf("unknown step %q: update nightjar", one.Step)
		}
		if err != nil {
			return err
		}
		e.tell()
	}
	failpoint.Here("erase-site.erased")
	for _, topic := range one.Counts.Topics {
		e.Train(topic)
	}
	return nil
}

// next starts the next step.
func (e *Eraser) next(ctx context.Context, one *Erasing, step string) error {
	one.Step, one.After, one.Problem = step, nil, ""
	return Put(ctx, e.Store.DB, *one)
}

// contents takes the site out of stored pages. mentions, unless nil, counts those that still have its bare name.
func (e *Eraser) contents(ctx context.Context, site *unlink.Site, one *Erasing, mentions *atomic.Int64) error {
	for {
		done, err := unlinkMore(ctx, e.Store.DB, e.Wings, one, func(html []byte) (unlinkedPage, bool) {
			u, changed := unlinked(site, html)
			if mentions != nil && !changed && site.May(html) {
				mentions.Add(1)
			}
			return u, changed
		})
		if err != nil || done {
			return err
		}
		e.tell()
	}
}

// somewhere is the address by which a page is read; only its links depend on it.
const somewhere = "http://somewhere.invalid/"

// unlinked returns a stored page without a site.
func unlinked(site *unlink.Site, html []byte) (unlinkedPage, bool) {
	clean, words, changed := site.HTML("", html)
	if !changed {
		return unlinkedPage{}, false
	}
	u := unlinkedPage{HTML: clean, Words: words}
	if p, err := page.Parse(somewhere, page.ContentUTF8, clean); err == nil {
		u.Snippet = p.Snippet(p.Title)
	}
	return u, true
}

// archive erases the site from the archive, and returns how much was changed.
func (e *Eraser) archive(ctx context.Context, site *unlink.Site, one *Erasing) (changed int, err error) {
	if e.Archive == nil {
		return 0, nil
	}
	n, err := e.Archive.EraseSite(site, func(file string, to map[int64]int64) error {
		return errors.Join(ctx.Err(), MoveArchived(ctx, e.Store.DB, file, to))
	})
	one.Counts.Records += n.Records
	one.Counts.Rewritten += n.Changed
	return n.Records + n.Changed, err
}

// scrub takes the site's addresses out of other texts, and rewrites the database file.
func (e *Eraser) scrub(ctx context.Context, site *unlink.Site, one *Erasing) (changed int, err error) {
	changed, one.Counts.Left, err = sweep(ctx, e.Store.DB, site)
	one.Counts.Texts += changed
	if err != nil {
		return changed, err
	}
	return changed, e.Store.Scrub(ctx)
}

// check looks through all once more. When it finds something, which was recorded meanwhile, it erases that and looks again.
func (e *Eraser) check(ctx context.Context, site *unlink.Site, one *Erasing) error {
	var mentions atomic.Int64
	if err := e.contents(ctx, site, one, &mentions); err != nil {
		return err
	}
	records, err := e.archive(ctx, site, one)
	if err != nil {
		return err
	}
	texts, left, err := sweep(ctx, e.Store.DB, site)
	if err != nil {
		return err
	}
	one.Counts.Found += records + texts
	one.Counts.Texts += texts
	one.Counts.Left, one.Counts.Mentions = left, int(mentions.Load())
	one.Counts.Rounds++
	if one.Counts.Found > 0 {
		if err := e.Store.Scrub(ctx); err != nil {
			return err
		}
		if one.Counts.Rounds < rounds {
			one.Counts.Found = 0
			return e.next(ctx, one, StepCheck)
		}
	}
	return e.end(ctx, one)
}

// end notes that a site is erased, without its name.
func (e *Eraser) end(ctx context.Context, one *Erasing) error {
	one.Host, one.Ended = "", e.Store.Now()
	if err := e.next(ctx, one, StepDone); err != nil {
		return err
	}
	return e.Store.Checkpoint(ctx)
}
