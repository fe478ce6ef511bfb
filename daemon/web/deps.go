package web

import (
	"context"
	"log/slog"
	"time"

	"nightjar/crawler/archive"
	"nightjar/daemon/ingest"
	"nightjar/daemon/notify"
	"nightjar/daemon/scheduler"
	"nightjar/daemon/store"
	"nightjar/daemon/trainer"
)

// Deps are the dashboard's dependencies.
type Deps struct {
	Store     *store.Store
	Bus       *notify.Bus
	Trainer   Trainer
	Scheduler Scheduler
	Ingest    Ingest
	Archive   *archive.Archive // nil for an empty one
	Log       *slog.Logger
	Listen    string           // address of the listener, such as 127.0.0.1:4774
	DataDir   string           // folder of the database and the archive
	Version   string           // of the program
	Openings  []string         // --resolve and --allow-private of the command line, for the warning on every page
	Now       func() time.Time // nil means time.Now
}

// Trainer trains topics in the background.
type Trainer interface {
	Submit(topicID int64)
	Cancel(topicID int64)
	Status(topicID int64) trainer.Status
}

// Scheduler runs crawls.
type Scheduler interface {
	RunNow(ctx context.Context, topicID int64) (crawlID int64, err error)
	Stop(ctx context.Context, crawlID int64, reason string) error
	Pause(ctx context.Context, crawlID int64) error
	Resume(ctx context.Context, crawlID int64) error
	Status() scheduler.Status
}

// Ingest pairs browsers with the daemon.
type Ingest interface {
	OpenPairing(d time.Duration)
	Pairing() ingest.PairingStatus
	Approve(digits string) error
	Refuse()
	Revoke(ctx context.Context, client string) error
}
