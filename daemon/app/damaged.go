package app

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"nightjar/crawler/clock"
	"nightjar/daemon/base/command"
	"nightjar/daemon/base/terminal"
	"nightjar/daemon/browse/ingest"
	"nightjar/daemon/browse/protocol"
	"nightjar/daemon/keep/backup"
	keep "nightjar/daemon/keep/pages"
	"nightjar/daemon/keep/rescue"
	"nightjar/daemon/keep/safekeeping"
	"nightjar/daemon/store"
	"nightjar/daemon/web"
	"nightjar/daemon/web/frame"
)

// checkWait is how long a start waits for the check of the database. It reads about 500 MB a second from memory, and waits for
// the disk otherwise: nearly every database is checked before anything is written to it. For a larger one, the check goes on
// while the daemon runs, since a browser that waits for minutes is worse than a rare late discovery; see finishCheck.
const checkWait = 15 * time.Second

// checkNote is when a check that takes long is logged.
const checkNote = 2 * time.Second

// damagedWords is the text shown in browsers.
const damagedWords = "Nightjar’s database is damaged. Nothing is lost: the browser keeps what you record. To repair the database, open the dashboard or run “%s”"

// checkDatabase looks for damage before the database is opened for writing.
func (a *App) checkDatabase(ctx context.Context) (faults []string, err error) {
	path := database(a.dir.path)
	if a.Restored == nil && len(a.Config.faults) > 0 {
		return a.Config.faults, nil
	}
	info, err := os.Stat(path)
	if err != nil {
		return nil, nil //nolint:nilerr // there is none yet, or Open says why it cannot be reached
	}
	if info.Size() == 0 && a.hadData() {
		return []string{"it is empty, though there are backups or pages of an earlier one"}, nil
	}
	note := time.AfterFunc(checkNote, func() { a.Log.Info("checking the database before it is used", "bytes", backup.FileSize(path)) })
	defer note.Stop()
	short, cancel := context.WithTimeout(ctx, checkWait)
	defer cancel()
	found, err := rescue.Probe(short, path)
	if err != nil && short.Err() != nil && ctx.Err() == nil {
		a.unchecked = true
		a.Log.Info("the check of the database goes on while Nightjar runs")
		return nil, nil
	}
	if err != nil {
		a.Log.Warn("the database could not be checked", "error", err) // opening it says more
		return nil, ctx.Err()
	}
	if a.recovered = found.Note; a.recovered != "" {
		a.Log.Info("the database is sound: " + a.recovered)
	}
	return found.Faults, nil
}

// hadData reports whether the folder has backups or archived pages, which a new one has not.
func (a *App) hadData() bool {
	copies, err := safekeeping.List(a.dir.path)
	if err == nil && len(copies) > 0 {
		return true
	}
	files, err := filepath.Glob(filepath.Join(ArchiveDir(a.dir.path), "*.warc.gz"))
	return err == nil && len(files) > 0
}

// finishCheck finishes a check that took too long for startup. If it finds damage, the daemon becomes read-only.
func (a *App) finishCheck(ctx context.Context) error {
	if !a.unchecked {
		return nil
	}
	faults, err := a.Store.QuickCheck(ctx)
	switch {
	case err != nil && ctx.Err() == nil:
		a.Log.Warn("the database could not be checked", "error", err)
	case len(faults) > 0:
		a.hurt(faults)
	case err == nil:
		a.Log.Info("the database was checked and is sound")
	}
	return nil
}

// suspect asks for a check, after an error that may mean that the database is damaged.
func (a *App) suspect(err error) {
	select {
	case a.suspects <- err:
	default: // one is asked for already
	}
}

// checkAgain is the pause after a check that found nothing, before another suspicion is followed.
const checkAgain = time.Minute

// checkSuspects checks the database on request. If the check confirms the suspicion, the daemon goes over to
// reading.
func (a *App) checkSuspects(ctx context.Context) error {
	for {
		var cause error
		select {
		case <-ctx.Done():
			return nil
		case cause = <-a.suspects:
		}
		err := a.Store.Check(ctx)
		if damage, ok := errors.AsType[*store.Damage](err); ok {
			a.hurt(damage.Faults)
			return nil
		}
		if ctx.Err() == nil {
			a.Log.Warn("the database looked damaged, and a check found no damage", "error", cause, "check", err)
		}
		if !clock.Sleep(ctx, clock.System, checkAgain) {
			return nil
		}
	}
}

// hurt makes Run end, and Serve open the daemon again without writing to the database, which is damaged.
func (a *App) hurt(faults []string) {
	a.once.Do(func() {
		a.Log.Error("the database is damaged; nothing more is written to it", "faults", faults)
		a.faults = faults
		close(a.restart)
	})
}

// openDamaged makes a daemon that only shows what is wrong with its database and how to repair it. It writes nothing to it, and
// none of the parts that would runs.
func (a *App) openDamaged(ctx context.Context, faults []string) (err error) {
	path := database(a.dir.path)
	a.Damage = &safekeeping.Damage{Path: path, Found: time.Now(), Faults: faults}
	a.Log.Error("the database is damaged; Nightjar only reads it. Open the dashboard to repair it", "database", path, "faults", faults)
	if a.look, err = store.Look(ctx, path); err != nil {
		a.look = nil
		a.Log.Debug("the damaged database cannot be opened", "error", err)
	}
	pages := keep.Damaged{Damage: *a.Damage, Size: backup.FileSize(path), Present: a.look != nil, Stage: a.stageInstead,
		Pages: keep.Pages{DataDir: a.Config.Data, Log: a.Log, Now: time.Now, Examine: a.Examine, Restart: a.restarter()}}
	a.Closed = ingest.NewClosed(protocol.Damaged, fmt.Sprintf(damagedWords, terminal.On(a.dir.path, "open")), a.Log)
	a.Web, err = web.NewDamaged(ctx, web.Deps{Store: a.look, Log: a.Log, Listen: a.Addr(), Other: a.otherAddr(), DataDir: a.Config.Data, Version: Version, Now: time.Now,
		Wings: func(*web.Server) []frame.Wing { return []frame.Wing{pages} }})
	return err
}

// stageInstead checks a backup and stages it. It puts into it how the dashboard is reached now, so that the person stays
// logged in: the damaged database may not tell.
func (a *App) stageInstead(ctx context.Context, path string) error {
	if _, err := StageBackup(ctx, path, a.dir.path); err != nil {
		return err
	}
	st, err := store.Open(ctx, backup.StagedDatabase(a.dir.path))
	if err != nil {
		return err
	}
	return errors.Join(a.Web.Stay(ctx, st), st.Close())
}

// errDamaged is what commands are answered that need the database.
func (a *App) errDamaged() error {
	return command.WithHint(errors.New("the database is damaged: "+a.Damage.Faults[0]),
		"open the dashboard with %s, which lists the backups, or run: %s", terminal.On(a.dir.path, "open"), terminal.On(a.dir.path, "restore BACKUP"))
}
