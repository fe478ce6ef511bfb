package ingest

import (
	"context"
	"encoding/json"
	"errors"
	"reflect"
	"sync"
	"time"

	"golang.org/x/sync/semaphore"
	"golang.org/x/time/rate"

	"nightjar/crawler/failpoint"
	"nightjar/daemon/base/notify"
	"nightjar/daemon/browse/protocol"
	"nightjar/daemon/browse/session"
	"nightjar/daemon/browse/sessions"
	"nightjar/daemon/browse/topics"
	"nightjar/daemon/store"
)

// Limits of a browser's events; the number of bytes is that of a connection. Beyond them the daemon reads more slowly; no event is lost, since the browser keeps
// those that are not acknowledged.
const (
	eventRate   = 200      // per second
	eventBurst  = 1000     // at a time
	batchEvents = 64       // per commit, at most
	batchBytes  = 1 << 20  // per commit, beyond its first event: large ones take time to write, and their acks wait
	leastEvents = 8        // per commit, however many connections share the two limits above
	queueBytes  = 32 << 20 // read but not committed
)

// maxHost is the length of the longest name of a host.
const maxHost = 253

// statePause is the shortest time between two states. Changes in between are sent together.
const statePause = 100 * time.Millisecond

// stream serves an authenticated connection until it ends.
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
	running.Wait() // a running commit finishes; the browser sends uncommitted events again
	return err
}

type stream struct {
	*conn
	client string
	queue  chan queued
	room   *semaphore.Weighted // bytes that may be read ahead
}

// queued is an event that waits for a commit.
type queued struct {
	event session.Event
	size  int64
}

// readAll handles messages until the connection ends.
func (s *stream) readAll(ctx context.Context) error {
	limit := s.server.limit(s.client)
	links := rate.NewLimiter(linkRate, linkBurst)
	for {
		data, err := s.read(ctx)
		if err != nil {
			return err
		}
		switch kindOf(data) {
		case protocol.TypePing:
			err = s.ws.Send(ctx, protocol.Plain{Type: protocol.TypePong})
		case protocol.TypeDashboard:
			err = s.sendDashboard(ctx, data)
		case protocol.TypeKnown:
			err = s.sendKnown(ctx, data, links.Allow())
		case protocol.TypeNever:
			if err = limit.Wait(ctx); err == nil {
				err = s.neverRecord(ctx, data)
			}
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

// send sends a message from another goroutine than the reader's. It ignores that ctx is cancelled: the library closes a
// connection when a write is cancelled, but the reader may still have to send the reason why the connection ends.
func (s *stream) send(ctx context.Context, v any) error {
	return s.ws.Send(context.WithoutCancel(ctx), v)
}

func (s *stream) read(ctx context.Context) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, readTimeout)
	defer cancel()
	return s.ws.Read(ctx)
}

func (s *stream) sendDashboard(ctx context.Context, data []byte) error {
	var asked protocol.DashboardRequest
	if json.Unmarshal(data, &asked) != nil {
		asked.Path = "" // the first page does as well
	}
	if s.loginURL == nil {
		return s.ws.Send(ctx, protocol.Refuse{Type: protocol.TypeRefuse, Code: protocol.Unexpected, Message: "the daemon has no dashboard"})
	}
	return s.ws.Send(ctx, protocol.Dashboard{Type: protocol.TypeDashboard, URL: s.loginURL(asked.Path)})
}

// neverRecord puts a host on the never-record list and deletes what the open session has of it. Events that are queued now
// find the host on the list when they are committed.
func (s *stream) neverRecord(ctx context.Context, data []byte) error {
	var asked protocol.NeverRequest
	if err := json.Unmarshal(data, &asked); err != nil || len(asked.Host) > maxHost || asked.Host == "" {
		return s.send(ctx, protocol.Refuse{Type: protocol.TypeRefuse, ID: asked.ID, Code: protocol.BadField, Message: "not a valid host name"})
	}
	// It finishes even when the connection ends.
	loads, err := sessions.NeverRecordHost(context.WithoutCancel(ctx), s.server.store.DB, s.client, asked.Session, asked.Host)
	if err != nil {
		s.server.log.Warn("cannot put a host on the never-record list", "error", err)
		return s.send(ctx, protocol.Refuse{Type: protocol.TypeRefuse, ID: asked.ID, Code: protocol.BadField, Message: err.Error()})
	}
	s.server.log.Info("a host is never recorded from now on", "deleted", loads)
	s.server.bus.Tell(notify.News{Kind: "settings"})
	s.server.bus.Tell(notify.News{Kind: "session", ID: asked.Session})
	return nil
}

// readEvent queues or refuses one event. A message that is not an event and has no id to refuse ends the connection,
// since the other side does not follow the wire format.
func (s *stream) readEvent(ctx context.Context, data []byte) error {
	e, err := s.admit(data)
	if err != nil {
		invalid, ok := errors.AsType[*protocol.Invalid](err)
		if !ok || invalid.ID == "" {
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

// admit decodes one event and checks it; see session.Admit.
func (s *stream) admit(data []byte) (session.Event, error) {
	e, html, err := protocol.Open(data)
	if err != nil {
		return session.Event{}, err
	}
	if e.Client != s.client {
		return session.Event{}, &protocol.Invalid{ID: e.ID, Code: protocol.UnknownClient, Message: "the event is from another browser"}
	}
	return session.Admit(e, html)
}

// commitAll commits queued events: one, or all that arrived during the previous commit. The first commits of a
// connection are small, so that some events are acknowledged even when the disk is slow and the connection ends soon.
func (s *stream) commitAll(ctx context.Context) {
	most := 1
	for first := range s.queue {
		share := s.server.committing.Add(1)
		batch, size := s.gather(first, most, share)
		err := s.commit(ctx, batch)
		s.server.committing.Add(-1)
		s.room.Release(size)
		if err != nil {
			return
		}
		most = min(2*most, batchEvents)
	}
}

// gather takes events from the queue without waiting. While several connections commit, which they do in turn, each commits less,
// so that none waits long for one that sends very much.
func (s *stream) gather(first queued, most int, connections int64) (batch []session.Event, size int64) {
	batch, size = []session.Event{first.event}, first.size
	most = min(most, max(leastEvents, batchEvents/int(connections)))
	for len(batch) < most && size < batchBytes/connections {
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

// commit stores a batch and acknowledges its events. When that fails, for example because the disk is full, commit
// retries with growing pauses; the browser keeps the events until then.
func (s *stream) commit(ctx context.Context, batch []session.Event) error {
	var in sessions.Ingested
	var err error
	for pause := 100 * time.Millisecond; ; pause = min(2*pause, 5*time.Second) {
		// A running commit finishes even when the connection ends.
		in, err = sessions.Ingest(context.WithoutCancel(ctx), s.server.store, batch)
		if err == nil || len(in.Acked) > 0 {
			break
		}
		s.server.log.Error("cannot store events; the browser keeps them", "events", len(batch), "error", err)
		select {
		case <-time.After(pause):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	failpoint.Here("ingest.stored")
	for _, topic := range in.Submitted {
		if s.server.trainer != nil {
			s.server.trainer.Submit(topic)
		}
	}
	failpoint.Here("ingest.before-ack")
	if len(in.Acked) > 0 {
		if err := s.send(ctx, protocol.Ack{Type: protocol.TypeAck, IDs: in.Acked}); err != nil {
			return err
		}
	}
	failpoint.Here("ingest.acked")
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
		if err != nil && ctx.Err() != nil {
			return // the connection ended meanwhile
		} else if err != nil {
			s.server.log.Error("cannot read state", "error", err)
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

// next waits for news that can change a state, and then for statePause. It reports false when ctx ends.
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

// state returns the state to show in this browser.
func (s *stream) state(ctx context.Context) (*protocol.State, error) {
	st := &protocol.State{Type: protocol.TypeState, Topics: []string{}, Names: []string{}, Never: []string{}, Refused: s.server.refusedOf(s.client), Knows: true}
	settings, err := s.server.store.Settings(ctx)
	if err != nil {
		return nil, err
	}
	st.Never, st.PDFs = append(st.Never, settings.NeverRecord...), settings.ReadPDFs
	topics, err := topics.Recent(ctx, s.server.store.DB)
	if err != nil {
		return nil, err
	}
	for _, t := range topics {
		st.Topics = append(st.Topics, t.Name)
	}
	if st.Open, err = s.open(ctx); err != nil {
		return nil, err
	}
	newest, err := sessions.Newest(ctx, s.server.store.DB, s.client)
	if errors.Is(err, store.ErrNotFound) {
		return st, nil
	}
	if err != nil {
		return nil, err
	}
	st.Problem = newest.Problem
	st.Session = &protocol.SessionState{ID: newest.UUID, Topic: newest.Topic, Status: newest.Status, Pages: newest.Pages, Useful: newest.Useful}
	if newest.Status == sessions.Discarded {
		st.Session.Status = protocol.StatusNone
	} else if err := s.whole(ctx, newest, st.Session); err != nil {
		return nil, err
	}
	if st.Names, err = s.names(ctx, newest.TopicID); err != nil {
		return nil, err
	}
	if s.server.training != nil {
		var problem string
		if st.Training, problem = s.server.training(newest.TopicID); st.Problem == "" && newest.Status == sessions.Submitted {
			st.Problem = problem
		}
	}
	return st, s.learned(ctx, newest, st)
}

// learned adds the page that shows what was learned from a session, once there is something.
func (s *stream) learned(ctx context.Context, newest sessions.Session, st *protocol.State) error {
	if newest.Status != sessions.Submitted || st.Problem != "" || st.Training != nil && st.Training.Running {
		return nil
	}
	has, err := learnedFrom(ctx, s.server.store.DB, newest.TopicID, newest.UUID)
	if has {
		st.Learned = protocol.ModelPath(newest.TopicID)
	}
	return err
}

// maxNames is the number of milestones that a browser offers, so that a State stays small.
const maxNames = 200

// names lists the milestones of a topic, to offer in the browser.
func (s *stream) names(ctx context.Context, topicID int64) ([]string, error) {
	all, err := topics.NamesOfPages(ctx, s.server.store.DB, topicID)
	if err != nil {
		return nil, err
	}
	names := []string{}
	for _, n := range all.Names[:min(len(all.Names), maxNames)] {
		names = append(names, n.Name)
	}
	return names, nil
}
