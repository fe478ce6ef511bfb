package ingest

import (
	"context"
	"errors"
	"reflect"
	"sync"
	"time"

	"golang.org/x/sync/semaphore"
	"golang.org/x/time/rate"

	"nightjar/daemon/notify"
	"nightjar/daemon/protocol"
	"nightjar/daemon/session"
	"nightjar/daemon/store"
)

// Limits of a connection's events. Beyond them the daemon reads more slowly; nothing is lost, the browser keeps what is
// not acked.
const (
	eventRate   = 200      // a second
	eventBurst  = 1000     // at once
	batchEvents = 64       // in one commit, at most
	batchBytes  = 1 << 20  // in one commit, beyond its first event: large ones take time to write, and their acks wait
	queueBytes  = 32 << 20 // read and not committed
)

// statePause is the least time between two states: what happens in between is told together.
const statePause = 100 * time.Millisecond

// stream takes the events of a browser that has proved its key, until the connection ends.
func (c *conn) stream(ctx context.Context, client string) error {
	ctx, cancel := context.WithCancel(ctx)
	st := &stream{conn: c, client: client, queue: make(chan queued, batchEvents), room: semaphore.NewWeighted(queueBytes)}
	news, stop := c.server.bus.Listen()
	defer stop()
	var running sync.WaitGroup
	running.Go(func() { defer cancel(); st.commitAll(ctx) })
	running.Go(func() { defer cancel(); st.pushStates(ctx, news) })
	err := st.readAll(ctx)
	close(st.queue)
	cancel()
	running.Wait() // a commit under way ends; what was only read is not acked, and comes again
	return err
}

type stream struct {
	*conn
	client string
	queue  chan queued
	room   *semaphore.Weighted // bytes that may be read ahead
}

// queued is an event on its way to a commit.
type queued struct {
	event session.Event
	size  int64
}

// readAll reads messages until the connection ends.
func (s *stream) readAll(ctx context.Context) error {
	limit := rate.NewLimiter(eventRate, eventBurst)
	for {
		data, err := s.read(ctx)
		if err != nil {
			return err
		}
		switch kindOf(data) {
		case protocol.TypePing:
			err = s.ws.Send(ctx, protocol.Plain{Type: protocol.TypePong})
		case protocol.TypeDashboard:
			err = s.sendDashboard(ctx)
		default:
			if err = limit.Wait(ctx); err == nil {
				err = s.readEvent(ctx, data)
			}
		}
		if err != nil {
			return err
		}
	}
}

// send writes a message from beside the reader. It is not called off with ctx: the library answers a write that is
// called off by closing the connection, and the reader may still have to say why it ends.
func (s *stream) send(ctx context.Context, v any) error {
	return s.ws.Send(context.WithoutCancel(ctx), v)
}

func (s *stream) read(ctx context.Context) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, silentWithin)
	defer cancel()
	return s.ws.Read(ctx)
}

func (s *stream) sendDashboard(ctx context.Context) error {
	if s.server.LoginURL == nil {
		return s.ws.Send(ctx, protocol.Refuse{Type: protocol.TypeRefuse, Code: protocol.Unexpected, Message: "there is no dashboard"})
	}
	return s.ws.Send(ctx, protocol.Dashboard{Type: protocol.TypeDashboard, URL: s.server.LoginURL()})
}

// readEvent queues one event, or refuses it. A message that is no event and has no id to refuse it by ends the
// connection: the other side is not one that speaks this format.
func (s *stream) readEvent(ctx context.Context, data []byte) error {
	e, err := s.admit(data)
	if err != nil {
		var invalid *protocol.Invalid
		if !errors.As(err, &invalid) || invalid.ID == "" {
			return refuse(protocol.CodeOf(err), err.Error())
		}
		return s.refuseEvents(ctx, session.Refusal{ID: invalid.ID, Code: invalid.Code, Message: invalid.Message})
	}
	size := int64(len(data))
	if err := s.room.Acquire(ctx, size); err != nil {
		return err
	}
	select {
	case s.queue <- queued{e, size}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// admit reads one event and looks at it; see session.Admit.
func (s *stream) admit(data []byte) (session.Event, error) {
	e, html, err := protocol.Open(data)
	if err != nil {
		return session.Event{}, err
	}
	if e.Client != s.client {
		return session.Event{}, &protocol.Invalid{ID: e.ID, Code: protocol.UnknownClient, Message: "the event is another browser's"}
	}
	return session.Admit(e, html)
}

// commitAll commits what is queued: one event, or what came while the commit before it ran. The first commits of a
// connection are small, so that however slow the disk is and however soon the connection ends, something is acked.
func (s *stream) commitAll(ctx context.Context) {
	most := 1
	for first := range s.queue {
		batch, size := s.gather(first, most)
		err := s.commit(ctx, batch)
		s.room.Release(size)
		if err != nil {
			return
		}
		most = min(2*most, batchEvents)
	}
}

// gather takes from the queue what is there, without waiting.
func (s *stream) gather(first queued, most int) (batch []session.Event, size int64) {
	batch, size = []session.Event{first.event}, first.size
	for len(batch) < most && size < batchBytes {
		select {
		case q, ok := <-s.queue:
			if !ok {
				return batch, size
			}
			batch, size = append(batch, q.event), size+q.size
		default:
			return batch, size
		}
	}
	return batch, size
}

// commit stores a batch and acks it. A batch that cannot be stored is tried again, ever more slowly: the disk may be
// full for now. Until then nothing is acked, and the browser keeps it all.
func (s *stream) commit(ctx context.Context, batch []session.Event) error {
	var in store.Ingested
	var err error
	for pause := 100 * time.Millisecond; ; pause = min(2*pause, 5*time.Second) {
		// A commit that has begun is not called off by the connection's end.
		in, err = s.server.store.Ingest(context.WithoutCancel(ctx), batch)
		if err == nil || len(in.Acked) > 0 {
			break
		}
		s.server.log.Error("events cannot be stored; the browser keeps them", "events", len(batch), "error", err)
		select {
		case <-time.After(pause):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	for _, topic := range in.Submitted {
		if s.server.trainer != nil {
			s.server.trainer.Submit(topic)
		}
	}
	if len(in.Acked) > 0 {
		if err := s.send(ctx, protocol.Ack{Type: protocol.TypeAck, IDs: in.Acked}); err != nil {
			return err
		}
	}
	if err := s.refuseEvents(ctx, in.Refused...); err != nil {
		return err
	}
	for _, uuid := range in.Sessions {
		s.server.bus.Tell(notify.News{Kind: "session", ID: uuid})
	}
	return nil
}

func (s *stream) refuseEvents(ctx context.Context, all ...session.Refusal) error {
	if len(all) == 0 {
		return nil
	}
	s.server.countRefused(s.client, len(all))
	for _, r := range all {
		s.server.log.Warn("event refused", "id", r.ID, "code", r.Code)
		if err := s.send(ctx, protocol.Refuse{Type: protocol.TypeRefuse, ID: r.ID, Code: r.Code, Message: r.Message}); err != nil {
			return err
		}
	}
	s.server.bus.Tell(notify.News{Kind: "session"})
	return nil
}

// pushStates sends the state now and whenever it changes.
func (s *stream) pushStates(ctx context.Context, news <-chan notify.News) {
	var last *protocol.State
	for {
		now, err := s.state(ctx)
		if err != nil {
			s.server.log.Error("state cannot be read", "error", err)
		} else if !reflect.DeepEqual(last, now) {
			if s.send(ctx, now) != nil {
				return
			}
			last = now
		}
		if !next(ctx, news) {
			return
		}
	}
}

// next waits for news that can change a state, and then a little for more.
func next(ctx context.Context, news <-chan notify.News) bool {
	for {
		select {
		case <-ctx.Done():
			return false
		case n := <-news:
			if n.Kind != "session" && n.Kind != "training" && n.Kind != "settings" {
				continue
			}
		}
		break
	}
	pause := time.NewTimer(statePause)
	defer pause.Stop()
	for {
		select {
		case <-ctx.Done():
			return false
		case <-news:
		case <-pause.C:
			return true
		}
	}
}

// state is what there is to tell this browser.
func (s *stream) state(ctx context.Context) (*protocol.State, error) {
	st := &protocol.State{Type: protocol.TypeState, Topics: []string{}, Never: []string{}, Refused: s.server.refusedOf(s.client)}
	settings, err := s.server.store.Settings(ctx)
	if err != nil {
		return nil, err
	}
	st.Never = append(st.Never, settings.NeverRecord...)
	topics, err := s.server.store.Topics(ctx)
	if err != nil {
		return nil, err
	}
	for _, t := range topics {
		st.Topics = append(st.Topics, t.Name)
	}
	newest, err := s.server.store.NewestSession(ctx, s.client)
	if errors.Is(err, store.ErrNotFound) {
		return st, nil
	}
	if err != nil {
		return nil, err
	}
	st.Problem = newest.Problem
	st.Session = &protocol.SessionState{ID: newest.UUID, Topic: newest.Topic, Status: newest.Status, Pages: newest.Pages, Useful: newest.Useful}
	if newest.Status == store.Discarded {
		st.Session.Status = protocol.StatusNone
	}
	if s.server.Training != nil {
		var problem string
		if st.Training, problem = s.server.Training(newest.TopicID); st.Problem == "" && newest.Status == store.Submitted {
			st.Problem = problem
		}
	}
	return st, nil
}
