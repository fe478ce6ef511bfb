package broker

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"nightjar/crawler/work"
	"nightjar/daemon/base/leftovers"
)

// session is the time in which workers can connect in one way.
type session struct {
	embedded  *embedded // nil for a cluster elsewhere
	nc        *nats.Conn
	reception *reception
	results   *results
	servers   string

	ctx     context.Context // ends with the session
	cancel  context.CancelFunc
	damaged bool // its stream is to be made anew; read after close
	wait    sync.WaitGroup
}

// open connects and starts to work.
func (b *Broker) open(ctx context.Context, c Config) (_ *session, err error) {
	s := &session{servers: strings.Join(c.Servers, ",")}
	ctx, s.cancel = context.WithCancel(ctx)
	s.ctx = ctx
	defer func() {
		if err != nil {
			s.close()
		}
	}()
	options := []nats.Option{
		nats.Name("nightjar daemon"), nats.MaxReconnects(-1), nats.ReconnectWait(time.Second), nats.IgnoreAuthErrorAbort(),
		nats.ErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) {
			b.o.Log.Warn("the broker complains", "error", err)
		}),
	}
	if s.servers == "" {
		if s.embedded, err = b.openEmbedded(ctx, c); err != nil {
			return nil, err
		}
		options = append(options, s.embedded.connect()...)
	} else if c.Login != "" {
		options = append(options, nats.UserCredentials(c.Login))
	}
	if s.nc, err = nats.Connect(s.servers, options...); err != nil {
		return nil, fmt.Errorf("connect to the broker %s: %w", s.servers, err)
	}
	js, err := jetstream.New(s.nc)
	if err != nil {
		return nil, err
	}
	s.reception = &reception{ctx: ctx, nc: s.nc, desk: b.o.Desk, log: b.o.Log, talks: map[string]*talk{}}
	s.results = &results{
		js: js, desk: b.o.Desk, log: b.o.Log, bytes: b.o.StreamBytes, replicas: replicas(c.Servers), blame: func(string, int) {}, caught: b.caughtUp,
	}
	if s.embedded != nil {
		s.results.damaged = func() {
			s.damaged = true
			s.cancel()
		}
		w := newWatch(s.embedded, s.reception.gone, b.o.Log, b.o.Now)
		s.results.blame = w.blame
		s.wait.Go(func() { w.run(ctx) })
	}
	if err := s.reception.receive(); err != nil {
		return nil, err
	}
	s.wait.Go(func() { s.results.run(ctx) })
	return s, nil
}

func (b *Broker) openEmbedded(ctx context.Context, c Config) (*embedded, error) {
	keys, err := b.o.Roster.Keys(ctx)
	if err != nil {
		return nil, err
	}
	held, err := b.certs(c)
	if err != nil {
		return nil, err
	}
	log := newQuiet(b.o.Log, b.o.Now)
	return startEmbedded(filepath.Join(b.o.Dir, leftovers.Broker), c.Listen, held, newGate(keys, log, b.o.Now), b.o.StreamBytes, b.o.handshake, log)
}

// replicas returns how many servers of a cluster keep each result.
func replicas(servers []string) int {
	if len(servers) >= 3 {
		return 3
	}
	return 1
}

// address returns where workers connect, for people.
func (s *session) address() string {
	if s.embedded == nil {
		return s.servers
	}
	return s.embedded.addr().String()
}

// status fills in what the session knows.
func (s *session) status(to *work.BrokerStatus) {
	to.Address, to.Answers = s.address(), s.nc.IsConnected()
	if why := s.results.problem.Load(); why != nil {
		to.Problem = *why
	} else if !to.Answers {
		to.Problem = "the broker does not answer at present; the daemon tries again by itself"
	}
	if s.embedded != nil {
		to.Ends, to.Logins = s.embedded.certs.ends(), s.embedded.gate.logins()
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	to.Queued = s.results.queued(ctx)
}

// close ends the work, then the connections, then the server. Results that were not acknowledged come again.
func (s *session) close() {
	s.cancel()
	s.wait.Wait()
	if s.reception != nil {
		s.reception.close()
	}
	if s.nc != nil {
		s.nc.Close()
	}
	if s.embedded != nil {
		s.embedded.close()
	}
}
