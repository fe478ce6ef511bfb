package web

import (
	"context"
	"log/slog"
	"time"

	"nightjar/daemon/base/notify"
	"nightjar/daemon/browse/ingest"
	"nightjar/daemon/keep/trouble"
	"nightjar/daemon/learn/trainer"
	"nightjar/daemon/morning/notice"
	"nightjar/daemon/night/tonight"
	"nightjar/daemon/store"
	"nightjar/daemon/thesus/wordnet"
	"nightjar/daemon/web/frame"
	modelwordnet "nightjar/model/wordnet"
)

// Deps are the dashboard's dependencies.
type Deps struct {
	Store     *store.Store
	Bus       *notify.Bus
	Trainer   Trainer
	Scheduler tonight.Scheduler
	Ingest    Ingest
	Notices   *notice.Runner
	WordNet   interface{ State() wordnet.State } // whose notice stands in the settings
	Words     modelwordnet.Source                // of base forms, for programs that ask for words; nil for none
	Wings     func(*Server) []frame.Wing         // pages of wings, which may show parts of the server's
	Log       *slog.Logger
	Listen    string   // address of the listener, such as 127.0.0.1:4774
	Other     string   // address of the listener on the other loopback interface, such as [::1]:4774; "" if there is none
	DataDir   string   // folder of the database and the archive
	Version   string   // of the program
	Openings  []string // --resolve and --allow-private of the command line, which the dashboard names
	Extension string   // folder of the browser extension
	Now       func() time.Time
	Troubles  *trouble.Board // what keeps the daemon from storing things; nil for nothing
}

// Trainer trains topics; see trainer.Trainer.
type Trainer interface {
	Status(topicID int64) trainer.Status
}

// Ingest pairs browsers with the daemon.
type Ingest interface {
	OpenPairing(d time.Duration)
	OfferPairing(d time.Duration)
	WithdrawPairing()
	Pairing() ingest.PairingStatus
	Approve(digits string) error
	Refuse()
	Revoke(ctx context.Context, client string) error
}
