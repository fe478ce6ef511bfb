// Package pages is the part of the dashboard about workers on other machines.
package pages

import (
	"context"
	"embed"
	"html/template"

	"nightjar/crawler/work"
	"nightjar/daemon/base/notify"
	"nightjar/daemon/store"
	"nightjar/daemon/web/frame"
)

//go:embed templates/*.html
var templates embed.FS

// Pages are the pages of workers, with what they show.
type Pages struct {
	Store  *store.Store
	Bus    *notify.Bus
	Leases Leases
	Broker Broker
}

// Leases knows the workers on other machines, and gives them tasks; see package leases. It also exists while workers are
// switched off, and then knows those that were invited.
type Leases interface {
	Status() work.Status
	Pause(ctx context.Context, name string) error  // no new tasks
	GoOn(ctx context.Context, name string) error   // the end of Pause
	Drain(ctx context.Context, name string) error  // no new tasks; then it may be ordered to stop
	Remove(ctx context.Context, name string) error // removes a revoked or lost worker from the list; its fetched pages stay
}

// Broker lets workers in; see package broker. It also exists while workers are switched off.
type Broker interface {
	// Invite makes a worker known and returns its one-time file as text. An error that wraps work.ErrName is the person's.
	Invite(ctx context.Context, name string) (file []byte, err error)
	// Revoke ends a worker's connection within 5 seconds, for ever.
	Revoke(ctx context.Context, name string) error
	Status() work.BrokerStatus
	// Control sends an order to a worker. One that is not connected does not get it.
	Control(worker string, c work.Control)
}

// server answers requests for the pages.
type server struct {
	*frame.Frame
	Pages
}

// Register adds the pages to the dashboard. Templates of other wings get the workers from the function workersNow, and show them by
// the templates "workers" and "workers-settings".
func (p Pages) Register(f *frame.Frame) {
	s := &server{f, p}
	s.Add(templates, template.FuncMap{"workersNow": p.now}, func(error) string { return "" })
	for _, order := range []string{"pause", "go-on", "drain"} {
		s.Homes["/workers/{name}/"+order] = "/crawls"
	}
	s.Homes["/settings/workers/invite"], s.Homes["/settings/workers/file"] = "/settings", "/settings"

	s.Post("/workers/{name}/pause", s.handleWorker(Leases.Pause, "worker-paused"))
	s.Post("/workers/{name}/go-on", s.handleWorker(Leases.GoOn, "worker-goes-on"))
	s.Post("/workers/{name}/drain", s.handleWorkerDrain)
	s.Get("/workers/{name}/remove", frame.Ask(f, s.workerNamed, "worker-remove", frame.Layout{Title: "Remove a worker", Section: "crawls"},
		func(one work.WorkerStatus) any { return lineOf(one) }))
	s.Post("/workers/{name}/remove", frame.With(s.workerNamed, s.handleWorkerRemove))
	s.Post("/settings/workers", s.handleWorkersSave)
	s.Post("/settings/workers/invite", s.handleWorkerInvite)
	s.Post("/settings/workers/file", s.handleWorkerFile)
}

// tell tells open pages that something about workers changed.
func (p Pages) tell() { p.Bus.Tell(notify.News{Kind: "workers"}) }
