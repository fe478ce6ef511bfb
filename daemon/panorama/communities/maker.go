package communities

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"nightjar/crawler/fetch"
	"nightjar/daemon/base/notify"
	"nightjar/daemon/learn/models"
	"nightjar/daemon/learn/trainer"
	"nightjar/daemon/learn/trainingdata"
	"nightjar/daemon/night/scheduler"
	"nightjar/daemon/panorama/maps"
	"nightjar/daemon/store"
	"nightjar/model/ontology"
)

// Errors of a Maker, worded for the person. Compare with errors.Is.
var (
	ErrNotReady  = errors.New("this map is not finished yet: resume it first")
	ErrWorking   = errors.New("a step of this map is running: wait for it, or stop it first")
	ErrUsed      = errors.New("a finished step already used this: make the map again to change it")
	ErrDone      = errors.New("this map is finished: make it again")
	ErrNoTitles  = errors.New("this document has no titles: write at least one, one a line")
	ErrNoPages   = errors.New("the crawl has no page with text that is still kept: crawl again, and make a map of that crawl")
	ErrNotEnded  = errors.New("this crawl has not ended: wait for it or stop it")
	ErrNoSource  = errors.New("name a document: a file, an address, or titles")
	ErrNotOnMap  = errors.New("this page is not on the map")
	ErrFewToLike = errors.New("this community has too few examples for a topic of its own")
)

// OptionError says which option of a map is wrong, and how it should be.
type OptionError struct{ Err error }

func (e *OptionError) Error() string { return e.Err.Error() }

// Unwrap returns what is wrong, such as a trainingset.LineError.
func (e *OptionError) Unwrap() error { return e.Err }

// Stopped is the Problem of a map whose step the person stopped. Go runs the step again from stored data.
const Stopped = "stopped by you"

// Deps are what a Maker works with.
type Deps struct {
	Store     *store.Store
	Bus       *notify.Bus
	Log       *slog.Logger // nil means slog.Default
	Trainer   Trainer
	Scheduler Scheduler
	Now       func() time.Time // nil means time.Now

	Ontologies Ontologies // nil: there are none
}

// Ontologies are those that maps can be made of; see ontologies.Shelf.
type Ontologies interface {
	TreeByName(ctx context.Context, name string) (title string, tree *ontology.Tree, err error)
}

// Trainer trains topics; see trainer.Trainer.
type Trainer interface {
	Train(ctx context.Context, topicID int64) (*models.Model, error)
	Stale(ctx context.Context, topicID int64) (bool, error)
	Submit(topicID int64)
	Status(topicID int64) trainer.Status
}

// Scheduler runs crawls; see scheduler.Scheduler.
type Scheduler interface {
	Crawl(ctx context.Context, topicID int64, p scheduler.Plan) (crawlID int64, err error)
	Borrow(ctx context.Context) (f fetch.Fetcher, release func(), err error)
	Stop(ctx context.Context, crawlID int64, reason string) error
	Pause(ctx context.Context, crawlID int64) error
	Resume(ctx context.Context, crawlID int64) error
}

// Source is a document that a person gives.
type Source struct {
	Name         string // of the file; "" for an address and for pasted titles
	Body         []byte `json:"-"` // its bytes; nil when it is to be fetched from URL
	URL          string // where it is; "" for a file
	TitlePerLine bool   // each line of a text is a title
}

// Progress is the progress of a map's current step.
type Progress struct {
	Step maps.Step `json:"step"`
	Done int       `json:"done"`
	Of   int       `json:"of"`   // 0 when it is not known
	Text string    `json:"text"` // what is being done or waited for, in words; "" for nothing
}

// PositivePage is a positive page of a document, with its outcome.
type PositivePage struct {
	trainingdata.Positive
	Final   string // address after redirects; URL when it is not known
	Known   bool   // its content was stored already, or is now: the classifier can learn from it
	Outcome string // crawler/fetch.Outcome of its request; "" when it was not requested
	Reason  string // for people: why it cannot be learned from; "" when it can, or when it was not requested yet
}
