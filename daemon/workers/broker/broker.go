package broker

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go/jetstream"
	"github.com/nats-io/nkeys"

	"nightjar/crawler/work"
	"nightjar/daemon/base/leftovers"
	"nightjar/daemon/workers/broker/join"
)

// CertsDir is the folder in a data folder with certificates, unless a person names another one.
const CertsDir = "tls"

// Config is how workers reach the daemon.
type Config struct {
	Enabled bool
	Listen  string   // ADDR:PORT of the embedded server
	Address string   // HOST or HOST:PORT for invitations; "" for the addresses of this machine
	TLS     string   // folder of certificates; "" for one in the data folder
	Servers []string // addresses of a cluster, in place of the embedded server
	Login   string   // file of the cluster's credentials for the daemon; "" for none
}

// Roster stores which workers are invited.
type Roster interface {
	// Keys returns the public nkeys of the workers that are invited and not revoked, by name.
	Keys(ctx context.Context) (map[string]string, error)
	// AddWorker stores an invitation. An error that wraps work.ErrName is the person's.
	AddWorker(ctx context.Context, name, key string) error
	// RevokeWorker stores that a worker must not be let in any more.
	RevokeWorker(ctx context.Context, name string) error
}

// Options of a Broker.
type Options struct {
	Dir    string // data folder
	Desk   work.Desk
	Roster Roster
	Config func(ctx context.Context) (Config, error) // as it is now
	Log    *slog.Logger
	Now    func() time.Time

	StreamBytes int64 // that results may take on disk; 0 means 2 GiB

	handshake time.Duration // that a login may take
}

// Broker lets workers in while they are switched on. Make it with New; its methods may be called concurrently.
type Broker struct {
	o       Options
	changed chan struct{}
	caught  chan struct{}
	once    sync.Once
	making  sync.Mutex // held while certificates are made
	agree   sync.Mutex // held while the gate is brought to agree with the roster

	mu      sync.Mutex
	session *session // nil while there is none
	config  Config   // of the session, or of the attempt to open one
	problem string   // why there is none
}

// New returns a broker that does nothing until Run.
func New(o Options) *Broker {
	if o.StreamBytes == 0 {
		o.StreamBytes = streamBytes
	}
	if o.handshake == 0 {
		o.handshake = handshakeTime
	}
	return &Broker{o: o, changed: make(chan struct{}, 1), caught: make(chan struct{})}
}

// Changed tells that Config may have changed.
func (b *Broker) Changed() {
	select {
	case b.changed <- struct{}{}:
	default:
	}
}

// CaughtUp is closed when the results that waited in the stream at the start are committed, or when there can be none since workers
// are switched off.
func (b *Broker) CaughtUp() <-chan struct{} { return b.caught }

func (b *Broker) caughtUp() { b.once.Do(func() { close(b.caught) }) }

// Run keeps the broker as Config says until ctx ends.
func (b *Broker) Run(ctx context.Context) error {
	var wait join.Backoff
	for unusable := 0; ctx.Err() == nil; {
		c, err := b.o.Config(ctx)
		if err == nil && !c.Enabled {
			b.set(nil, c, "")
			b.caughtUp()
			b.untilChanged(ctx, c, nil)
			continue
		}
		var s *session
		if err == nil {
			s, err = b.begin(ctx, c)
		}
		if err != nil {
			b.set(nil, c, err.Error())
			if ctx.Err() != nil {
				break
			}
			if unusable++; !errors.Is(err, errFiles) {
				unusable = 0
			}
			if unusable == fewRefusals {
				unusable = 0
				b.removeStream()
				continue
			}
			pause := wait.Next()
			b.o.Log.Error("workers cannot connect", "error", err, "next try in", pause.Round(time.Second))
			timer := time.NewTimer(pause)
			b.untilChanged(ctx, c, timer.C)
			timer.Stop()
			continue
		}
		wait.Reset()
		unusable = 0
		b.o.Log.Info("workers can connect", "address", s.address())
		b.untilChanged(s.ctx, c, nil)
		b.set(nil, c, "")
		s.close()
		if s.damaged {
			b.removeStream()
		}
	}
	return nil
}

// removeStream deletes the files of the embedded server, which is not running. Tasks whose results are lost are given again.
func (b *Broker) removeStream() {
	if err := os.RemoveAll(filepath.Join(b.o.Dir, leftovers.Broker)); err != nil {
		b.o.Log.Error("damaged files of the broker cannot be removed", "error", err)
	}
}

// untilChanged waits until ctx ends, Config is another one than c, or the timer fires.
func (b *Broker) untilChanged(ctx context.Context, c Config, timer <-chan time.Time) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-timer:
			return
		case <-b.changed:
			if now, err := b.o.Config(ctx); err == nil && !reflect.DeepEqual(now, c) {
				return
			}
			b.readRoster(ctx)
		}
	}
}

// begin opens a session. Nobody is invited between its reading of the roster and the moment from which its gate hears of invitations: a
// worker that came meanwhile would be told that its invitation was revoked.
func (b *Broker) begin(ctx context.Context, c Config) (*session, error) {
	b.agree.Lock()
	defer b.agree.Unlock()
	s, err := b.open(ctx, c)
	if err == nil {
		b.set(s, c, "")
	}
	return s, err
}

// readRoster puts out workers that are not stored any more, since everything was erased, and lets in those that are.
func (b *Broker) readRoster(ctx context.Context) {
	b.agree.Lock() // whoever is invited between the two readings would be put out
	defer b.agree.Unlock()
	s := b.now()
	if s == nil || s.embedded == nil {
		return
	}
	keys, err := b.o.Roster.Keys(ctx)
	if err != nil {
		b.o.Log.Warn("which workers are invited cannot be read", "error", err)
		return
	}
	s.embedded.gate.add(keys)
	for _, name := range s.embedded.gate.names() {
		if keys[name] == "" {
			s.embedded.gate.revoke(name)
			s.reception.gone(name)
		}
	}
}

func (b *Broker) set(s *session, c Config, problem string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.session, b.config, b.problem = s, c, problem
}

func (b *Broker) now() *session {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.session
}

// Control sends an order to a worker. One that is not connected does not get it.
func (b *Broker) Control(worker string, c work.Control) {
	if s := b.now(); s != nil {
		s.reception.order(worker, c)
	}
}

// refusal is an error for the person who invites.
type refusal string

func (r refusal) Error() string        { return string(r) }
func (r refusal) Is(target error) bool { return target == work.ErrName }

// Invite makes a worker known and returns its file, which is shown once: the daemon keeps the public part only. A cluster has its own
// credentials; for one, the text says what to do there. An error that wraps work.ErrName is the person's.
func (b *Broker) Invite(ctx context.Context, name string) ([]byte, error) {
	if problem := work.NameProblem(name); problem != "" {
		return nil, refusal(problem)
	}
	c, err := b.o.Config(ctx)
	if err != nil {
		return nil, err
	}
	if len(c.Servers) > 0 {
		return b.inviteTo(ctx, c.Servers, name)
	}
	s := b.now()
	var held *certs
	if s != nil && s.embedded != nil {
		held = s.embedded.certs
	} else if held, err = b.certs(c); err != nil {
		return nil, err
	}
	pair, err := nkeys.CreateUser()
	if err != nil {
		return nil, err
	}
	public, err := pair.PublicKey()
	if err != nil {
		return nil, err
	}
	seed, err := pair.Seed()
	if err != nil {
		return nil, err
	}
	i := join.Invite{Name: name, Server: held.name(), Seed: string(seed), Authority: held.roots}
	if i.Addresses, err = addresses(c, s); err != nil {
		return nil, err
	}
	if i.Cert, i.Key, err = held.worker(name); err != nil {
		return nil, err
	}
	if err := b.admit(ctx, name, public); err != nil {
		return nil, err
	}
	return i.Text(), nil
}

// admit stores a worker and lets it in.
func (b *Broker) admit(ctx context.Context, name, key string) error {
	b.agree.Lock()
	defer b.agree.Unlock()
	if err := b.o.Roster.AddWorker(ctx, name, key); err != nil {
		return err
	}
	if s := b.now(); s != nil && s.embedded != nil {
		s.embedded.gate.invite(name, key)
	}
	return nil
}

// Revoke ends a worker's connection and never lets it in again.
func (b *Broker) Revoke(ctx context.Context, name string) error {
	b.agree.Lock()
	defer b.agree.Unlock()
	if err := b.o.Roster.RevokeWorker(ctx, name); err != nil {
		return err
	}
	if s := b.now(); s != nil {
		if s.embedded != nil {
			s.embedded.gate.revoke(name)
		}
		s.reception.gone(name)
	}
	return nil
}

// Forget deletes the results that wait in the stream: they hold pages.
func (b *Broker) Forget(ctx context.Context) error {
	s := b.now()
	if s == nil {
		return os.RemoveAll(filepath.Join(b.o.Dir, leftovers.Broker))
	}
	stream, err := s.results.js.Stream(ctx, join.Stream)
	if errors.Is(err, jetstream.ErrStreamNotFound) {
		return nil
	}
	if err == nil {
		err = stream.Purge(ctx)
	}
	if err != nil {
		return fmt.Errorf("forget the results of workers: %w", err)
	}
	return nil
}

// Listening returns where the embedded server listens for workers now.
func (b *Broker) Listening() []string {
	if s := b.now(); s != nil && s.embedded != nil && s.embedded.addr() != nil {
		return []string{s.embedded.addr().String()}
	}
	return nil
}

// Status says how the broker is.
func (b *Broker) Status() work.BrokerStatus {
	b.mu.Lock()
	s, c, problem := b.session, b.config, b.problem
	b.mu.Unlock()
	status := work.BrokerStatus{On: c.Enabled, External: len(c.Servers) > 0, Address: c.Listen, Problem: problem}
	if status.External {
		status.Address = strings.Join(c.Servers, ", ")
	}
	if s != nil {
		s.status(&status)
	}
	return status
}

// certs opens the certificates.
func (b *Broker) certs(c Config) (*certs, error) {
	b.making.Lock()
	defer b.making.Unlock()
	dir := c.TLS
	if dir == "" {
		dir = filepath.Join(b.o.Dir, CertsDir)
	}
	names, err := certNames(c)
	if err != nil {
		return nil, err
	}
	return openCerts(dir, names, b.o.Now)
}

var errNoAddress = errors.New("this machine has no address that another one can reach; set the address for workers in the settings")
