package app

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"time"

	"nightjar/crawler/failpoint"
	"nightjar/daemon/base/jobs"
	"nightjar/daemon/base/notify"
	"nightjar/daemon/learn/trainer"
	"nightjar/daemon/store"
)

// imports stores files, and finishes those that were interrupted.
type imports struct {
	dir     string // data folder
	store   *store.Store
	trainer *trainer.Trainer
	bus     *notify.Bus
	log     *slog.Logger
	loop    jobs.Loop
}

func newImports(dir string, st *store.Store, t *trainer.Trainer, bus *notify.Bus, log *slog.Logger) *imports {
	m := &imports{dir: dir, store: st, trainer: t, bus: bus, log: log}
	m.loop = jobs.Loop{Step: m.finish, Retry: tryAgain, Failed: func(err error) {
		log.Error("an import that was interrupted could not be finished; it is tried again", "error", err)
	}}
	return m
}

// Import stores a session file completely or not at all and trains the topics that it submits. A model becomes the newest
// version of its topic's model.
func (m *imports) Import(ctx context.Context, r io.Reader) (*Imported, error) {
	done, topics, err := importFile(ctx, m.dir, m.store, m.trainer, r)
	if errors.Is(err, store.ErrImportLater) {
		m.loop.Wake()
	}
	failpoint.Here("import.stored")
	for _, id := range topics {
		m.trainer.Submit(id)
	}
	return done, err
}

// finish finishes an import that was interrupted, and trains the topics that it submits.
func (m *imports) finish(ctx context.Context) (time.Duration, error) {
	did, err := m.store.FinishImport(ctx)
	if err == nil && did {
		m.log.Info("an import that was interrupted is finished")
		m.bus.Tell(notify.News{Kind: "session"})
		err = m.trainer.SubmitStale(ctx)
	}
	return jobs.Never, err
}
