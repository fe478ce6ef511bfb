package broker

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"sync"
	"time"

	"github.com/nats-io/nats.go"

	"nightjar/crawler/work"
	"nightjar/daemon/workers/broker/join"
)

// Limits of what the daemon takes from a worker's connection.
const (
	maxMessage   = 8 << 10 // of a hello, an ask or a beat, in bytes
	pendingCount = 4096    // messages of a kind that wait for the daemon
	pendingBytes = 16 << 20
	maxTalks     = 1024 // workers in memory
)

// reception answers what workers ask, for one session.
type reception struct {
	ctx  context.Context
	nc   *nats.Conn
	desk work.Desk
	log  *slog.Logger

	mu    sync.Mutex
	talks map[string]*talk
	wait  sync.WaitGroup
}

// talk is the conversation with one worker.
type talk struct {
	said   bool               // its hello was accepted in this session
	cancel context.CancelFunc // of its ask that is being answered
	last   chan struct{}      // closed when that is answered
}

// receive subscribes to what workers send.
func (r *reception) receive() error {
	for kind, handle := range map[join.Kind]func(worker string, m *nats.Msg){join.Hello: r.hello, join.Next: r.next, join.Beat: r.beat} {
		// The queue has one member: should two daemons use one cluster by mistake, no ask is answered twice.
		sub, err := r.nc.QueueSubscribe(kind.Of("*"), "daemon", func(m *nats.Msg) {
			name := kind.Worker(m.Subject)
			if len(m.Data) > maxMessage || m.Header.Get(work.HeaderVersion) == "" || work.NameProblem(name) != "" {
				return
			}
			if m.Reply != "" && !join.Answers(name, m.Reply) {
				return // the daemon would publish where this worker may not
			}
			handle(name, m)
		})
		if err == nil {
			err = sub.SetPendingLimits(pendingCount, pendingBytes)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// talk returns the conversation with a worker, nil if there are too many.
func (r *reception) talk(name string) *talk {
	t := r.talks[name]
	if t == nil && len(r.talks) < maxTalks {
		t = &talk{cancel: func() {}, last: make(chan struct{})}
		close(t.last)
		r.talks[name] = t
	}
	return t
}

func (r *reception) hello(name string, m *nats.Msg) {
	var h work.Hello
	if m.Reply == "" || json.Unmarshal(m.Data, &h) != nil || h.Name != name {
		return
	}
	w := r.desk.Hello(r.ctx, h)
	r.mu.Lock()
	if t := r.talk(name); t != nil {
		t.said = w.Refused == ""
	}
	r.mu.Unlock()
	r.answer(m, w)
}

// next answers an ask. A worker asks again only when it gave up the ask before, so that one is ended.
func (r *reception) next(name string, m *nats.Msg) {
	var ask work.Ask
	if m.Reply == "" || json.Unmarshal(m.Data, &ask) != nil || ask.Free < 0 {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	t := r.talk(name)
	if t == nil {
		return
	}
	if !t.said {
		// The daemon was started again, and the connection was not: an external cluster.
		r.order(name, work.Control{Do: join.SayHello})
		r.answer(m, work.Grant{Pause: time.Second, Why: "the daemon does not know this worker yet"})
		return
	}
	before := t.last
	t.cancel()
	ctx, cancel := context.WithCancel(r.ctx)
	done := make(chan struct{})
	t.cancel, t.last = cancel, done
	r.wait.Go(func() {
		defer close(done)
		defer cancel()
		<-before
		if ctx.Err() == nil {
			r.grant(m, r.desk.Grant(ctx, name, ask))
		}
	})
}

func (r *reception) beat(name string, m *nats.Msg) {
	var b work.Beat
	if json.Unmarshal(m.Data, &b) == nil {
		r.desk.Beat(name, b)
	}
}

// gone forgets a worker whose connection ended.
func (r *reception) gone(name string) {
	r.mu.Lock()
	if t := r.talks[name]; t != nil {
		t.cancel()
		t.said = false
	}
	r.mu.Unlock()
	r.desk.Gone(name)
}

// close ends what is being answered.
func (r *reception) close() {
	r.mu.Lock()
	for _, t := range r.talks {
		t.cancel()
	}
	r.mu.Unlock()
	r.wait.Wait()
}

// order sends an order to a worker. One that is not connected does not get it.
func (r *reception) order(name string, c work.Control) {
	m, err := join.Message(join.Ctl.Of(name), c)
	if err == nil {
		err = r.nc.PublishMsg(m)
	}
	if err != nil {
		r.log.Warn("an order did not reach a worker", "worker", name, "order", c.Do, "error", err)
	}
}

// grant answers with tasks. Facts about their hosts are left out if the message would be too large: then the worker asks the
// hosts itself.
func (r *reception) grant(m *nats.Msg, g work.Grant) {
	if _, err := join.Message(m.Reply, g); errors.Is(err, join.ErrMessage) {
		for i := range g.Tasks {
			g.Tasks[i].Host = work.HostFacts{Probed: g.Tasks[i].Host.Probed}
		}
	}
	r.answer(m, g)
}

func (r *reception) answer(m *nats.Msg, what any) {
	reply, err := join.Message(m.Reply, what)
	if err == nil {
		err = r.nc.PublishMsg(reply)
	}
	if err != nil {
		r.log.Warn("an answer did not reach a worker", "subject", m.Subject, "error", err)
	}
}
