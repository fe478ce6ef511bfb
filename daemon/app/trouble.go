package app

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"time"

	"nightjar/crawler/clock"
	"nightjar/daemon/base/leftovers"
	"nightjar/daemon/base/notify"
	"nightjar/daemon/keep/backup"
	"nightjar/daemon/keep/erasing"
	"nightjar/daemon/keep/safekeeping"
	"nightjar/daemon/keep/trouble"
	"nightjar/daemon/store"
	"nightjar/daemon/workers/broker"
)

// tryAgain is the pause between two tries to go on when something keeps the daemon from storing things.
const tryAgain = 5 * time.Second

// troubled tells the log and the open pages what keeps the daemon from storing things from now on.
func (a *App) troubled(now []trouble.Trouble) {
	for _, t := range now {
		a.Log.Error(t.Says(), "fix", t.Fix())
	}
	if len(now) == 0 {
		a.Log.Info("things can be stored again")
	}
	a.Bus.Tell(notify.News{Kind: "settings"})
}

// keep runs a part of the daemon until ctx ends. A part that fails, for example on a full disk, is started again after a pause. The other
// parts keep running, and the dashboard says what is wrong.
func (a *App) keep(ctx context.Context, run func(context.Context) error) error {
	for {
		err := run(ctx)
		if err == nil || ctx.Err() != nil {
			return err
		}
		a.Troubles.Saw(err)
		a.Log.Error("a part of the daemon failed; it is started again", "error", err)
		if !clock.Sleep(ctx, clock.System, tryAgain) {
			return nil
		}
	}
}

// tryStore tries to store something. When it can, the reserve is made again, and topics are trained that could not be.
func (a *App) tryStore(ctx context.Context) error {
	if err := trouble.TryWrite(ctx, a.Store.DB); err != nil {
		return err
	}
	if err := leftovers.KeepReserve(a.dir.path); err != nil {
		return err
	}
	apart := func(do func() error) error { return a.withoutCrawls(ctx, "everything was erased", do) }
	if err := a.finishErasing(ctx, apart); err != nil {
		return err
	}
	return a.Trainer.SubmitStale(ctx)
}

// withoutCrawls stops all crawls and runs do while none can begin.
func (a *App) withoutCrawls(ctx context.Context, reason string, do func() error) error {
	return a.Scheduler.Apart(ctx, reason, func(store.Crawl) bool { return true }, do)
}

// finishErasing resumes erasing everything after the disk was full or the process was killed. apart runs it while no crawl does.
func (a *App) finishErasing(ctx context.Context, apart func(do func() error) error) error {
	if !erasing.AllBegun(a.Store.DB) {
		return nil
	}
	err := apart(func() error {
		if err := a.eraseFiles(); err != nil {
			return err
		}
		return erasing.All(ctx, a.Store)
	})
	if err != nil {
		return err
	}
	a.Log.Info("everything is erased now")
	return nil
}

// eraseFiles erases the archive, the backups, the data from before a restore and, before the broker runs, what workers brought.
func (a *App) eraseFiles() error {
	gone, err := backup.OldFolders(a.dir.path)
	if a.Broker == nil {
		gone = append(gone, filepath.Join(a.dir.path, broker.StreamDir))
	}
	for _, dir := range gone {
		err = errors.Join(err, os.RemoveAll(dir))
	}
	return errors.Join(err, safekeeping.EraseAll(a.dir.path), a.Archive.EraseAll())
}

// openStoreInRoom is openStore. On a full disk, it uses the reserve.
func openStoreInRoom(ctx context.Context, dir string, o store.Options, log *slog.Logger) (*store.Store, error) {
	st, err := openStore(ctx, dir, o)
	if trouble.Of(err) != trouble.Full {
		return st, err
	}
	if freed, rerr := leftovers.FreeReserve(dir); !freed || rerr != nil {
		return nil, err
	}
	log.Info("the disk is full; the room that was reserved on it is used")
	return openStore(ctx, dir, o)
}
