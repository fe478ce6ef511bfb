package webtest

import (
	"context"
	"errors"
	"fmt"
	"time"

	"nightjar/crawler/fetch"
	"nightjar/daemon/browse/ingest"
	"nightjar/daemon/keep/doctor"
	"nightjar/daemon/learn/trainer"
	"nightjar/daemon/night/crawls"
	"nightjar/daemon/night/echo"
	"nightjar/daemon/night/scheduler"
	"nightjar/daemon/thesus/wordnet"
)

// Asked is what pages asked of the parts behind them, and what a test has these parts answer. Trainer, Scheduler, Echoes, Ingest,
// Library, Leases, Broker, Erasing and Backups stand for the parts.
type Asked struct {
	Trainer   Trainer
	Scheduler Scheduler
	Echoes    Echoes
	Ingest    Ingest
	Library   Library
	Leases    Leases
	Broker    Broker
	Erasing   Erasing
	Backups   Backups

	Submitted, Canceled               []int64 // topics, to the trainer
	Training                          map[int64]trainer.Status
	Ran                               []int64 // topics
	RanPages                          int     // of the last
	Stopped, Paused, Resumed, WentOn  []int64 // crawls
	Renewed                           []int64 // topics
	RunError, GoOnError, PreviewError error
	Next                              []scheduler.NextLink
	Taught                            bool
	Status                            scheduler.Status
	Preview                           scheduler.Preview
	Previewed                         [][]string             // start pages
	Refusal                           func(url string) error // of addresses that crawls refuse; nil for the real one

	Marked [][]int64 // topics
	Sites  []string  // that were refused or allowed, and whether they are refused now
	Echo   echo.Echo

	Pairing  ingest.PairingStatus
	Offers   int // of pages that are open
	Approved []string
	Refused  int
	Revoked  []string

	WordNet wordnet.State
	Workers Workers

	Report doctor.Report // of the doctor
	Limit  time.Duration // of the database check that was asked for
	Backed int           // automatic backups that were asked for
}

func (a *Asked) begin(s *Site) {
	a.Training = map[int64]trainer.Status{}
	a.Trainer, a.Scheduler, a.Echoes, a.Ingest, a.Library = Trainer{s}, Scheduler{s}, Echoes{s}, Ingest{s}, Library{s}
	a.Leases, a.Broker, a.Erasing, a.Backups = Leases{&a.Workers}, Broker{&a.Workers}, Erasing{s}, Backups{s}
}

// Trainer stands for the trainer.
type Trainer struct{ s *Site }

func (t Trainer) Submit(id int64)                { t.s.Submitted = append(t.s.Submitted, id) }
func (t Trainer) Cancel(id int64)                { t.s.Canceled = append(t.s.Canceled, id) }
func (t Trainer) Status(id int64) trainer.Status { return t.s.Training[id] }

// Scheduler stands for the scheduler.
type Scheduler struct{ s *Site }

func (r Scheduler) RunNow(_ context.Context, topic int64, pages int) (int64, error) {
	r.s.Ran, r.s.RanPages = append(r.s.Ran, topic), pages
	return 1, r.s.RunError
}

func (r Scheduler) Next(int64) ([]scheduler.NextLink, bool) { return r.s.Next, r.s.Taught }

func (r Scheduler) Stop(_ context.Context, id int64, _ string) error {
	r.s.Stopped = append(r.s.Stopped, id)
	return nil
}

func (r Scheduler) Apart(ctx context.Context, reason string, which func(crawls.Crawl) bool, do func() error) error {
	open, err := crawls.Open(ctx, r.s.Store.DB)
	for _, c := range open {
		if which(c) {
			err = errors.Join(err, r.Stop(ctx, c.ID, reason))
		}
	}
	return errors.Join(err, do())
}

func (r Scheduler) Pause(_ context.Context, id int64) error {
	r.s.Paused = append(r.s.Paused, id)
	return nil
}

func (r Scheduler) Resume(_ context.Context, id int64) error {
	r.s.Resumed = append(r.s.Resumed, id)
	return nil
}

func (r Scheduler) GoOn(_ context.Context, id int64) error {
	r.s.WentOn = append(r.s.WentOn, id)
	return r.s.GoOnError
}

func (r Scheduler) Renew(topic int64) { r.s.Renewed = append(r.s.Renewed, topic) }

func (r Scheduler) Refusal(context.Context) (func(url string) error, error) {
	if r.s.Refusal != nil {
		return r.s.Refusal, nil
	}
	return fetch.LiveOptions{Self: []string{Listen}}.Refusal(), nil
}

func (r Scheduler) Preview(_ context.Context, of scheduler.Previewed, n int) (scheduler.Preview, error) {
	r.s.Previewed = append(r.s.Previewed, of.Starts)
	p := r.s.Preview
	p.Links = p.Links[:min(n, len(p.Links))]
	return p, r.s.PreviewError
}

func (r Scheduler) Status() scheduler.Status { return r.s.Status }

// Echoes notes which topics were marked, and has the echo that a test gives it.
type Echoes struct{ s *Site }

func (e Echoes) Marked(topics []int64, _ int64) { e.s.Marked = append(e.s.Marked, topics) }
func (e Echoes) Refused(site string, refused bool) {
	e.s.Sites = append(e.s.Sites, fmt.Sprintf("%s %t", site, refused))
}
func (e Echoes) Now() echo.Echo { return e.s.Echo }
func (e Echoes) Forget()        { e.s.Echo = echo.Echo{} }

// Ingest stands for what pairs browsers.
type Ingest struct{ s *Site }

func (i Ingest) OpenPairing(d time.Duration) {
	i.s.Pairing = ingest.PairingStatus{Open: true, Until: i.s.Clock.Add(d)}
}
func (i Ingest) OfferPairing(time.Duration)    { i.s.Offers++ }
func (i Ingest) WithdrawPairing()              { i.s.Offers-- }
func (i Ingest) Pairing() ingest.PairingStatus { return i.s.Pairing }
func (i Ingest) Approve(digits string) error {
	i.s.Approved = append(i.s.Approved, digits)
	return nil
}
func (i Ingest) Refuse() { i.s.Refused++ }
func (i Ingest) Revoke(_ context.Context, client string) error {
	i.s.Revoked = append(i.s.Revoked, client)
	return nil
}

// Library stands for WordNet on this computer.
type Library struct{ s *Site }

func (l Library) State() wordnet.State { return l.s.WordNet }
