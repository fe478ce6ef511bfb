package worker

import (
	"context"
	"log/slog"
	"net"
	"net/netip"
	"strings"
	"time"

	"nightjar/crawler/fetch"
	"nightjar/crawler/page"
	"nightjar/crawler/work"
	"nightjar/daemon/store/settings"
)

// Hands do one task at a time for each caller. They return before or soon after ctx ends.
type Hands interface {
	Do(ctx context.Context, t work.Task) work.Result
	Close() error
}

// Broker is the connection to the daemon, for example a join.Conn. Its methods may be called concurrently.
type Broker interface {
	// Hello introduces the worker. A refusal is Welcome.Refused, not an error.
	Hello(ctx context.Context, h work.Hello) (work.Welcome, error)
	// Ask asks for tasks and waits for the answer.
	Ask(ctx context.Context, a work.Ask) (work.Grant, error)
	// Publish returns nil when the result is stored in the stream. It does nothing for a result that is stored already.
	Publish(ctx context.Context, task string, attempt int, encoded []byte) error
	Beat(b work.Beat) error
	// Controls returns the daemon's orders. The channel is never closed.
	Controls() <-chan work.Control
	// Again tells that hello must be said again.
	Again() <-chan struct{}
	// Done is closed when the connection cannot come back; Err then says why.
	Done() <-chan struct{}
	Err() error
}

// Options are the settings of a worker.
type Options struct {
	Broker   Broker
	Name     string  // the worker's
	Program  string  // version of Nightjar
	Parallel int     // tasks at once
	MaxMbit  float64 // of all that is read, in Mbit/s; 0 for no limit
	Hours    string  // see ParseHours
	Log      *slog.Logger

	// Resolve, AllowPrivate and Page are those of fetch.LiveOptions.
	Resolve      []fetch.Resolve
	AllowPrivate []netip.Prefix
	Page         func(ctx context.Context, url string, body []byte) (html []byte, err error)

	// For tests. Zero values are the real ones.
	Hands   func(fetch.LiveOptions) Hands // makes hands with a fetcher that has these options
	Encode  func(*work.Result) ([]byte, error)
	Parser  int              // page.Version
	Version int              // of the messages
	Wall    func() time.Time // the clock of the machine
	KeepFor time.Duration    // how long a result waits to be published
	Every   time.Duration    // between beats
}

// Limits.
const (
	DefaultParallel = 32
	MaxParallel     = 1024
	keepFor         = 10 * time.Minute
	beatEvery       = 5 * time.Second
	maxAgent        = 256
)

// complete fills in what was left out.
func (o *Options) complete() {
	if o.Parallel <= 0 {
		o.Parallel = DefaultParallel
	}
	o.Parallel = min(o.Parallel, MaxParallel)
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Hands == nil {
		o.Hands = func(l fetch.LiveOptions) Hands { return work.NewRemote(o.Name, l) }
	}
	if o.Encode == nil {
		o.Encode = work.Encode
	}
	if o.Parser == 0 {
		o.Parser = page.Version
	}
	if o.Version == 0 {
		o.Version = work.Version
	}
	if o.Wall == nil {
		o.Wall = time.Now
	}
	if o.KeepFor == 0 {
		o.KeepFor = keepFor
	}
	if o.Every == 0 {
		o.Every = beatEvery
	}
}

// opened reports whether the person at the worker has opened a host that would otherwise be refused.
func (o *Options) opened(host string) bool {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	for _, r := range o.Resolve {
		if r.Matches(host) {
			return true
		}
	}
	ip, err := netip.ParseAddr(strings.Trim(host, "[]"))
	for _, p := range o.AllowPrivate {
		if err == nil && p.Contains(ip.Unmap()) {
			return true
		}
	}
	return false
}

// hello is what the worker says of itself.
func (o *Options) hello() work.Hello {
	return work.Hello{
		Version: o.Version, Program: o.Program, Parser: o.Parser, Name: o.Name, Parallel: atOnce(o.MaxMbit, o.Parallel),
		MaxMbit: o.MaxMbit, Hours: o.Hours, Now: o.Wall(),
	}
}

// live are the options of the worker's fetcher.
func (w *Worker) live(agent string) fetch.LiveOptions {
	return fetch.LiveOptions{
		UserAgent: agent, Resolve: w.o.Resolve, AllowPrivate: w.o.AllowPrivate, Page: w.o.Page, Conn: w.wrap, Room: w.roomFor,
	}
}

// agentOf returns the user agent that the daemon wants, if it can be sent in a header.
func agentOf(wanted, program string) string {
	if wanted == "" || len(wanted) > maxAgent || strings.ContainsFunc(wanted, func(r rune) bool { return r < ' ' || r >= 0x7f }) {
		return "Nightjar/" + program
	}
	return wanted
}

// window is the worker's hours, which Run has checked.
func (o *Options) window() settings.Window {
	w, _ := ParseHours(o.Hours)
	return w
}
