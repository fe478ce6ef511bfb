package notice

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"nightjar/daemon/base/jobs"
	"nightjar/daemon/morning/finds"
	"nightjar/daemon/night/crawls"
	"nightjar/daemon/store"
)

// lookEvery is how often the runner looks whether a night or a crawl ended.
const lookEvery = 30 * time.Second

// waits are the times between tries after a failure. After the last one, the finds count as told.
var waits = []time.Duration{time.Minute, 10 * time.Minute, time.Hour}

// Runner sends notices about new finds. Its methods may be called concurrently. Set all fields except Desktop and Mail, which only
// tests set.
type Runner struct {
	Store *store.Store
	Log   *slog.Logger
	Now   func() time.Time

	Desktop func(context.Context, Text) error               // nil means Desktop
	Mail    func(context.Context, SMTP, string, Text) error // nil means Mail

	mu sync.Mutex // held while the results of notices are read, changed and stored
}

// Run looks now and then, until ctx ends.
func (r *Runner) Run(ctx context.Context) error {
	loop := jobs.Loop{
		Step:  func(ctx context.Context) (time.Duration, error) { return lookEvery, r.Look(ctx) },
		First: lookEvery, Retry: lookEvery, Failed: func(err error) { r.Log.Error("notice of new finds", "err", err) },
	}
	return loop.Run(ctx)
}

// Look sends a notice if one is asked for and due: nothing is crawled, the night's window is closed, and there are new
// finds that no notice has told.
func (r *Runner) Look(ctx context.Context) error {
	c, _, err := Load(ctx, r.Store)
	if err != nil || !c.Desktop && !c.Mail {
		return err
	}
	if quiet, err := r.quiet(ctx); err != nil || !quiet {
		return err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	sent, err := LoadSent(ctx, r.Store)
	if err != nil {
		return err
	}
	before := sent
	for _, ch := range r.channels(c, &sent) {
		if err := r.tell(ctx, ch); err != nil {
			return err
		}
	}
	if sent == before {
		return nil
	}
	return r.Store.SetSetting(ctx, sentKey, sent)
}

// quiet reports whether no crawl can find anything now. A crawl that the person paused, or that waits for the night, does not
// count.
func (r *Runner) quiet(ctx context.Context) (bool, error) {
	settings, err := r.Store.Settings(ctx)
	if err != nil {
		return false, err
	}
	if _, open := settings.Night.At(r.Now()); open {
		return false, nil
	}
	open, err := crawls.Open(ctx, r.Store.DB)
	if err != nil {
		return false, err
	}
	for _, c := range open {
		if c.Paused != crawls.PausedByYou && !(c.Options.Nightly && crawls.ForNight(c.Paused)) {
			return false, nil
		}
	}
	return true, nil
}

// tell sends one notice through a channel if there is something to tell, and notes the result.
func (r *Runner) tell(ctx context.Context, ch channel) error {
	if ch.Tries > 0 && r.Now().Sub(ch.At).Abs() < waits[min(ch.Tries, len(waits))-1] {
		return nil
	}
	counts, last, err := finds.NewAfter(ctx, r.Store.DB, ch.Seen)
	if err != nil {
		return err
	}
	if len(counts) == 0 {
		ch.Seen = last
		return nil
	}
	err = ch.send(ctx, Of(counts))
	if err != nil && ctx.Err() != nil {
		return nil // the daemon ends; the next one tries
	}
	ch.note(err, r.Now())
	if err == nil || ch.Tries > len(waits) {
		ch.Seen, ch.Tries = last, 0
	}
	return nil
}

// note keeps the result of a try.
func (ch *Channel) note(err error, now time.Time) {
	ch.At, ch.Problem, ch.Fix = now.UTC(), "", ""
	if err == nil {
		ch.Tries = 0
		return
	}
	ch.Tries++
	ch.Problem, ch.Fix = err.Error(), "send a test after you have changed something"
	if f, ok := errors.AsType[*Failure](err); ok {
		ch.Problem, ch.Fix = f.Problem, f.Fix
	}
}

// channel is a way of sending that is on, and what became of the last notices.
type channel struct {
	*Channel
	send func(context.Context, Text) error
}

// channels lists the ways of sending that are on.
func (r *Runner) channels(c Config, sent *Sent) (on []channel) {
	if c.Desktop {
		desktop := r.Desktop
		if desktop == nil {
			desktop = Desktop
		}
		on = append(on, channel{&sent.Desktop, desktop})
	}
	if c.Mail {
		on = append(on, channel{&sent.Mail, func(ctx context.Context, t Text) error { return r.mail(ctx, c.SMTP, t) }})
	}
	return on
}

func (r *Runner) mail(ctx context.Context, s SMTP, t Text) error {
	password, err := loadPassword(ctx, r.Store)
	if err != nil {
		return err
	}
	if r.Mail != nil {
		return r.Mail(ctx, s, password, t)
	}
	return Mail(ctx, s, password, t)
}

// Save stores a valid configuration. A nil password keeps the stored one. A channel that is switched on announces only finds
// made after that.
func (r *Runner) Save(ctx context.Context, c Config, password *string) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return save(ctx, r.Store, c, password)
}

// Test sends a test by every channel that is on, and keeps the results. Its error joins the failures.
func (r *Runner) Test(ctx context.Context) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	c, _, err := Load(ctx, r.Store)
	if err != nil {
		return err
	}
	sent, err := LoadSent(ctx, r.Store)
	if err != nil {
		return err
	}
	on := r.channels(c, &sent)
	if len(on) == 0 {
		return &Failure{"no notice is switched on", "tick one and save first"}
	}
	var failed error
	for _, ch := range on {
		err := ch.send(ctx, Text{"this is a test", "Notices of new finds look like this."})
		ch.note(err, r.Now())
		failed = errors.Join(failed, err)
	}
	if err := r.Store.SetSetting(ctx, sentKey, sent); err != nil {
		return fmt.Errorf("keep the result of the test: %w", err)
	}
	return failed
}
