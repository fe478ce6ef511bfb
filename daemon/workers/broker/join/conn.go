package join

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/nats-io/nkeys"

	"nightjar/crawler/clock"
	"nightjar/crawler/work"
)

// Options say how a worker joins: with an Invite, or with a name and a file of credentials of a cluster.
type Options struct {
	Invite  Invite   // of the daemon's own broker, or only the Name of the worker
	Servers []string // nats://HOST:PORT to use instead of those of the invitation; needed for a cluster
	Creds   string   // file of credentials that the cluster knows; "" for the daemon's own broker
	Log     *slog.Logger
	Pause   time.Duration // the first one between two attempts to connect; 0 means 1 s
}

// Errors that callers tell apart.
var (
	// ErrRefused means that the broker does not let this worker in: it will not with the same file.
	ErrRefused = errors.New("the broker does not let this worker in: its invitation was revoked or replaced; make a new one with: nightjar worker invite NAME")
	// ErrNoDaemon means that the broker answers, and no daemon listens to it at present.
	ErrNoDaemon = errors.New("no daemon answers at present")
	// ErrFull means that the stream of results, or the worker's part of it, is full.
	ErrFull = errors.New("the broker has no room for results at present")
	// ErrTooLarge means that no stream takes the result, now or later.
	ErrTooLarge = errors.New("the result is larger than 8 MiB")
)

// Times of a connection.
const (
	dialTimeout = 10 * time.Second
	pingEvery   = 10 * time.Second
	reconnects  = -1 // for ever
)

// Conn is a worker's connection. It reconnects by itself for as long as it is not refused. Its methods may be called concurrently.
type Conn struct {
	name     string
	nc       *nats.Conn
	js       jetstream.JetStream
	log      *slog.Logger
	controls chan work.Control
	again    chan struct{}
	done     chan struct{}
	once     sync.Once
	mu       sync.Mutex
	why      error // why done was closed
}

// Dial connects, and tries again until it succeeds, is refused or ctx ends.
func Dial(ctx context.Context, o Options) (*Conn, error) {
	c := &Conn{
		name: o.Invite.Name, log: o.Log, controls: make(chan work.Control, 16), again: make(chan struct{}, 1), done: make(chan struct{}),
	}
	if problem := work.NameProblem(c.name); problem != "" {
		return nil, errors.New(problem)
	}
	login, err := o.login()
	if err != nil {
		return nil, err
	}
	options := append(login, c.options(o.Pause)...)
	servers := o.servers()
	wait := Backoff{First: o.Pause}
	for {
		c.nc, err = nats.Connect(strings.Join(servers, ","), options...)
		if err == nil {
			break
		}
		if refused(err) || refusedByOne(servers, options) {
			return nil, ErrRefused
		}
		pause := wait.Next()
		c.log.Warn("the broker cannot be reached", "servers", servers, "error", err, "next try in", pause.Round(time.Second))
		if !clock.Sleep(ctx, clock.System, pause) {
			return nil, ctx.Err()
		}
	}
	if c.js, err = jetstream.New(c.nc); err == nil {
		_, err = c.nc.Subscribe(Ctl.Of(c.name), c.control)
	}
	if err != nil {
		c.nc.Close()
		return nil, err
	}
	return c, nil
}

// servers returns the addresses as nats.go wants them.
func (o Options) servers() (all []string) {
	from := o.Servers
	if len(from) == 0 {
		from = o.Invite.Addresses
	}
	for _, s := range from {
		if !strings.Contains(s, "://") {
			s = "nats://" + s
		}
		all = append(all, s)
	}
	return all
}

// login returns the options by which the worker and the broker know each other.
func (o Options) login() ([]nats.Option, error) {
	if o.Creds != "" {
		return []nats.Option{nats.UserCredentials(o.Creds)}, nil
	}
	if o.Invite.Seed == "" {
		return nil, nil // a cluster that asks nobody
	}
	secure, err := o.Invite.TLS()
	if err != nil {
		return nil, err
	}
	pair, err := nkeys.FromSeed([]byte(o.Invite.Seed))
	if err != nil {
		return nil, err
	}
	public, err := pair.PublicKey()
	if err != nil {
		return nil, err
	}
	// The broker tells its addresses as it sees them; those of the invitation are the ones that can be reached.
	return []nats.Option{nats.Secure(secure), nats.TLSHandshakeFirst(), nats.Nkey(public, pair.Sign), nats.IgnoreDiscoveredServers()}, nil
}

// options returns what all connections have in common.
func (c *Conn) options(first time.Duration) []nats.Option {
	var mu sync.Mutex
	wait := Backoff{First: first}
	return []nats.Option{
		nats.Name(c.name), nats.CustomInboxPrefix(Inbox(c.name)), nats.Timeout(dialTimeout), nats.MaxReconnects(reconnects),
		nats.PingInterval(pingEvery), nats.MaxPingsOutstanding(2), nats.DontRandomize(),
		nats.ReconnectBufSize(-1), // a request of long ago must not go out
		nats.CustomReconnectDelay(func(int) time.Duration {
			mu.Lock()
			defer mu.Unlock()
			return wait.Next()
		}),
		nats.ReconnectHandler(func(*nats.Conn) {
			mu.Lock()
			wait.Reset()
			mu.Unlock()
			c.log.Info("connected to the broker again")
			c.sayHello()
		}),
		nats.DisconnectErrHandler(func(_ *nats.Conn, err error) {
			if err != nil {
				c.log.Warn("the connection to the broker was lost", "error", err)
			}
		}),
		nats.ErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) { c.log.Warn("the broker complains", "error", err) }),
		nats.ClosedHandler(func(nc *nats.Conn) { c.end(ErrRefused) }),
	}
}

// refusedByOne reports whether one of several servers lets this worker not in; the error of nats.Connect is that of the last one.
func refusedByOne(servers []string, options []nats.Option) bool {
	if len(servers) < 2 {
		return false
	}
	for _, s := range servers {
		nc, err := nats.Connect(s, append(slices.Clip(options), nats.NoReconnect(), nats.ClosedHandler(nil))...)
		if err == nil {
			nc.Close()
		} else if refused(err) {
			return true
		}
	}
	return false
}

// refused reports whether a broker let nobody in with these credentials.
func refused(err error) bool {
	return errors.Is(err, nats.ErrAuthorization) || errors.Is(err, nats.ErrAuthExpired) || errors.Is(err, nats.ErrAuthRevoked)
}

func (c *Conn) end(why error) {
	c.once.Do(func() {
		c.mu.Lock()
		c.why = why
		c.mu.Unlock()
		close(c.done)
	})
}

// Done is closed when the connection ended for good; Err says why.
func (c *Conn) Done() <-chan struct{} { return c.done }

// Err returns nil before Done is closed, ErrRefused when the broker ended the connection, and net.ErrClosed after Close.
func (c *Conn) Err() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.why
}

// Again tells that hello must be said again: the connection is a new one, or the daemon is.
func (c *Conn) Again() <-chan struct{} { return c.again }

func (c *Conn) sayHello() {
	select {
	case c.again <- struct{}{}:
	default: // it is to be said already
	}
}

// Controls returns the daemon's orders.
func (c *Conn) Controls() <-chan work.Control { return c.controls }

// SayHello is the order, in work.Control.Do, to say hello again. Conn follows it by Again.
const SayHello = "hello"

func (c *Conn) control(m *nats.Msg) {
	var order work.Control
	if unpack(m, &order) != nil || order.Do == "" {
		return
	}
	if order.Do == SayHello {
		c.sayHello()
		return
	}
	select {
	case c.controls <- order:
	default:
		c.log.Warn("an order of the daemon was dropped, since too many came at once", "order", order.Do)
	}
}

// Hello introduces the worker. The name in h is set to that of the connection.
func (c *Conn) Hello(ctx context.Context, h work.Hello) (w work.Welcome, err error) {
	h.Name = c.name
	return w, c.request(ctx, Hello.Of(c.name), h, &w)
}

// Ask asks for tasks. The daemon may take a few seconds to answer. The error is ErrNoDaemon when none listens.
func (c *Conn) Ask(ctx context.Context, a work.Ask) (g work.Grant, err error) {
	return g, c.request(ctx, Next.Of(c.name), a, &g)
}

func (c *Conn) request(ctx context.Context, subject string, what, answer any) error {
	m, err := Message(subject, what)
	if err != nil {
		return err
	}
	reply, err := c.nc.RequestMsgWithContext(ctx, m)
	if errors.Is(err, nats.ErrNoResponders) {
		return ErrNoDaemon
	}
	if err != nil {
		return fmt.Errorf("ask the daemon (%s): %w", subject, err)
	}
	if err := unpack(reply, answer); err != nil {
		return fmt.Errorf("answer of the daemon (%s): %w", subject, err)
	}
	return nil
}

// Beat says that the worker is alive.
func (c *Conn) Beat(b work.Beat) error {
	m, err := Message(Beat.Of(c.name), b)
	if err != nil {
		return err
	}
	return c.nc.PublishMsg(m)
}

// Publish hands over the result of a task, and returns when the stream has stored it. A result that is published twice is stored
// once. The error is ErrFull when there is no room; after any error but ErrTooLarge it may be published again.
func (c *Conn) Publish(ctx context.Context, task string, attempt int, data []byte) error {
	if len(data) > MaxResult-headers {
		return ErrTooLarge
	}
	m := &nats.Msg{Subject: Result.Of(c.name), Data: data, Header: header()}
	_, err := c.js.PublishMsg(ctx, m, jetstream.WithMsgID(MessageID(task, attempt)), jetstream.WithExpectStream(Stream), jetstream.WithRetryAttempts(0))
	if refused, ok := errors.AsType[*jetstream.APIError](err); ok && (refused.ErrorCode == codeFull || refused.ErrorCode == codeNoRoom) {
		return ErrFull
	}
	if err != nil {
		return fmt.Errorf("hand over a result: %w", err)
	}
	return nil
}

// headers is the room for the headers of a message, which its size includes, in bytes.
const headers = 4 << 10

// Codes of the JetStream API: the stream, or the subject in it, is full; the disk is.
const (
	codeFull   jetstream.ErrorCode = 10077
	codeNoRoom jetstream.ErrorCode = 10047
)

// MessageID is by what the stream knows a result that it has.
func MessageID(task string, attempt int) string { return task + "-" + strconv.Itoa(attempt) }

// Close sends what was published and ends the connection.
func (c *Conn) Close() {
	c.end(net.ErrClosed)
	_ = c.nc.FlushTimeout(time.Second) // results were acknowledged one by one; only beats may be missing
	c.nc.Close()
}
