package app

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"path/filepath"
	"time"

	"nightjar/crawler/clock"
	"nightjar/crawler/work"
	"nightjar/daemon/base/command"
	"nightjar/daemon/night/scheduler"
	"nightjar/daemon/store"
	"nightjar/daemon/store/settings"
	"nightjar/daemon/workers/broker"
	"nightjar/daemon/workers/leases"
)

// WorkerFlags say on the command line how workers on other machines reach the daemon. Any of them switches workers on and overrides
// the corresponding setting.
type WorkerFlags struct {
	Listen string // ADDR:PORT of the daemon's own broker
	TLS    string // folder of its certificates
	Broker string // nats://A,B,C of a cluster instead
	Creds  string // file of the cluster's credentials
}

// check refuses flags that contradict each other or cannot be read, and makes paths absolute.
func (w *WorkerFlags) check() error {
	switch {
	case w.Broker != "" && w.Listen+w.TLS != "":
		return command.WithHint(errors.New("--broker is a cluster elsewhere, --workers-listen and --workers-tls are for a broker of the daemon's own"), "leave out one of them")
	case w.TLS != "" && w.Listen == "":
		return command.WithHint(errors.New("--workers-tls without --workers-listen"), "say where to listen, such as --workers-listen %s", settings.DefaultWorkersListen)
	case w.Creds != "" && w.Broker == "":
		return command.WithHint(errors.New("--broker-creds without --broker"), "name the cluster, such as --broker nats://HOST:4222")
	}
	if w.Listen != "" {
		if _, err := netip.ParseAddrPort(w.Listen); err != nil {
			return command.WithHint(fmt.Errorf("--workers-listen %s: %w", w.Listen, err), "it has the form ADDR:PORT, such as %s for every network of this computer", settings.DefaultWorkersListen)
		}
	}
	for _, path := range []*string{&w.TLS, &w.Creds} {
		if *path == "" {
			continue
		}
		abs, err := filepath.Abs(*path)
		if err != nil {
			return err
		}
		*path = abs
	}
	if w.Broker != "" {
		s := settings.Default()
		s.Workers.Broker = w.Broker
		if err := s.Validate(); err != nil {
			return fmt.Errorf("--broker %s: %w", w.Broker, err)
		}
	}
	return nil
}

// over returns the settings, overridden by the flags.
func (w WorkerFlags) over(s settings.Workers) settings.Workers {
	if w == (WorkerFlags{}) {
		return s
	}
	s.Enabled = true
	if w.Listen != "" {
		s.Listen, s.Broker = w.Listen, ""
	}
	if w.TLS != "" {
		s.TLS = w.TLS
	}
	if w.Broker != "" {
		s.Broker, s.Login = w.Broker, w.Creds
	}
	return s
}

// workerSettings are the settings of workers as they hold now.
func (a *App) workerSettings(ctx context.Context) (settings.Workers, error) {
	s, err := a.Store.Settings(ctx)
	return a.Config.WorkerFlags.over(s.Workers), err
}

// workersOn reports whether crawls give their pages to workers.
func (a *App) workersOn(ctx context.Context) bool {
	w, err := a.workerSettings(ctx)
	if err != nil {
		a.Log.Error("whether workers are switched on cannot be read", "error", err)
	}
	return err == nil && w.Enabled
}

// wireWorkers makes what gives tasks to workers. The scheduler, which gives them the crawls' pages, comes later.
func (a *App) wireWorkers(ctx context.Context) (err error) {
	a.Leases, err = leases.New(ctx, a.Store, leases.Options{
		Clock: clock.Func(time.Now), Log: a.Log, Program: Version,
		UserAgent: func() string {
			s, err := a.Store.Settings(context.WithoutCancel(ctx))
			if err != nil {
				a.Log.Error("the contact for sites cannot be read", "error", err)
			}
			return scheduler.UserAgent(Version, s.Contact)
		},
		Here: func() bool {
			w, err := a.workerSettings(context.WithoutCancel(ctx))
			return err == nil && w.FetchHere
		},
		Hands: true, Hosts: a.hosts,
	})
	if err != nil {
		return err
	}
	a.Broker = broker.New(broker.Options{
		Dir: a.dir.path, Desk: a.Leases, Roster: roster{a.Store}, Log: a.Log, Now: time.Now,
		Config: func(ctx context.Context) (broker.Config, error) {
			w, err := a.workerSettings(ctx)
			return broker.Config{
				Enabled: w.Enabled, Listen: w.Listen, Address: w.Address, TLS: w.TLS, Servers: w.Servers(), Login: w.Login,
			}, err
		},
	})
	return nil
}

// runBroker runs the broker, and tells it when the settings change.
func (a *App) runBroker(ctx context.Context) error {
	defer a.Bus.Call(a.Broker.Changed, "settings")()
	return a.Broker.Run(ctx)
}

// runLeases gives pages to workers, from when their results from before the start have come in.
func (a *App) runLeases(ctx context.Context) error {
	return a.Leases.Run(ctx, a.Broker.CaughtUp(), a.Scheduler.Hands)
}

// lender is the leases as a scheduler.Leases.
type lender struct{ *leases.Leases }

func (l lender) Crawl(ctx context.Context, id int64) (scheduler.Lent, error) {
	c, err := l.Leases.Crawl(ctx, id)
	if err != nil {
		return nil, err
	}
	return c, nil
}

// roster is the store as a broker.Roster.
type roster struct{ st *store.Store }

func (r roster) Keys(ctx context.Context) (map[string]string, error) {
	all, err := leases.Workers(ctx, r.st.DB)
	keys := map[string]string{}
	for _, w := range all {
		if w.Revoked.IsZero() {
			keys[w.Name] = w.Key
		}
	}
	return keys, err
}

func (r roster) AddWorker(ctx context.Context, name, key string) error {
	err := leases.AddWorker(ctx, r.st.DB, name, key)
	if errors.Is(err, leases.ErrTaken) {
		return fmt.Errorf("%w: %w", work.ErrName, err)
	}
	return err
}

func (r roster) RevokeWorker(ctx context.Context, name string) error {
	return leases.RevokeWorker(ctx, r.st.DB, name)
}
