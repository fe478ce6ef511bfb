package app

import (
	"context"
	"log/slog"
	"time"

	"nightjar/crawler/clock"
	"nightjar/daemon/app/wings"
	"nightjar/daemon/base/leftovers"
	"nightjar/daemon/base/notify"
	"nightjar/daemon/keep/trouble"
	"nightjar/daemon/night/crawls"
	"nightjar/daemon/store"
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
	if err := a.resumeErasing(ctx); err != nil {
		return err
	}
	return a.Trainer.SubmitStale(ctx)
}

// withoutCrawls stops all crawls and runs do while none can begin.
func (a *App) withoutCrawls(ctx context.Context, reason string, do func() error) error {
	return a.Scheduler.Apart(ctx, reason, func(crawls.Crawl) bool { return true }, do)
}

// everything erases all data. Before the parts of the daemon are wired, there is nothing to stop.
func (a *App) everything() wings.Everything {
	e := wings.Everything{Store: a.Store, Dir: a.dir.path, Archive: a.Archive, Troubles: a.Troubles}
	if a.Web != nil {
		e.Bookmarks, e.Backups, e.Browsers, e.Results = a.Bookmarks, a.Keeper, a.Ingest, a.Broker
		e.Apart = func(ctx context.Context, do func() error) error {
			return a.withoutCrawls(ctx, "everything was erased", do)
		}
	}
	return e
}

// resumeErasing goes on to erase everything after the disk was full or the process was killed.
func (a *App) resumeErasing(ctx context.Context) error {
	begun, err := a.everything().Resume(ctx)
	if begun && err == nil {
		a.Log.Info("everything is erased now")
	}
	return err
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
