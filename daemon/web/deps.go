package web

import (
	"context"
	"log/slog"
	"time"

	"nightjar/crawler/archive"
	"nightjar/daemon/doctor"
	"nightjar/daemon/echo"
	"nightjar/daemon/ingest"
	"nightjar/daemon/notice"
	"nightjar/daemon/notify"
	"nightjar/daemon/scheduler"
	"nightjar/daemon/store"
	"nightjar/daemon/trainer"
	"nightjar/model"
)

// Deps are the dashboard's dependencies.
type Deps struct {
	Store     *store.Store
	Bus       *notify.Bus
	Trainer   Trainer
	Scheduler Scheduler
	Ingest    Ingest
	Echoes    Echoes
	Archive   *archive.Archive // nil for an empty one
	Notices   *notice.Runner
	Log       *slog.Logger
	Listen    string           // address of the listener, such as 127.0.0.1:4774
	DataDir   string           // folder of the database and the archive
	Version   string           // of the program
	Openings  []string         // --resolve and --allow-private of the command line, which the dashboard names
	Extension string           // folder of the browser extension
	Now       func() time.Time // nil means time.Now

	// Examine reports whether the daemon is well. limit is that of the database check; see doctor.Options.
	Examine func(ctx context.Context, limit time.Duration) doctor.Report
	Restart func() // restarts the daemon, so that a checked backup is put in place; nil when a person must
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
	PreviewFrom(ctx context.Context, topicID int64, b *model.Bundle, starts []string, n int) (scheduler.Preview, error)
}

// Echoes says what marks change.
type Echoes interface {
	Marked(topics []int64)
	Refused(site string, refused bool)
	Now() echo.Echo
	Forget()
}

// Ingest pairs browsers with the daemon.
type Ingest interface {
	OpenPairing(d time.Duration)
	Pairing() ingest.PairingStatus
	Approve(digits string) error
	Refuse()
	Revoke(ctx context.Context, client string) error
}
