package broker

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"nightjar/crawler/clock"
	"nightjar/crawler/work"
	"nightjar/daemon/workers/broker/join"
)

// Limits of the stream of results and of its consumer.
const (
	fewRefusals = 3 // to open the stream, in a row, after which its files count as damaged
	streamBytes = 2 << 30
	eachWorker  = 256 // results of one worker that wait in the stream, so that none can fill it alone
	sameResult  = 24 * time.Hour
	ackWait     = 60 * time.Second
	maxUnacked  = 64
	pulled      = 16
	pullTime    = 5 * time.Second
	ackTime     = 5 * time.Second
	setupTime   = 3 * time.Second // a cluster that elects answers no request, also not later
)

// results takes results out of the stream, gives them to the desk and acknowledges them after its commit.
type results struct {
	js       jetstream.JetStream
	desk     work.Desk
	log      *slog.Logger
	bytes    int64 // of the stream
	replicas int
	blame    func(worker string, n int) // for results that were malformed or of no task

	damaged  func()                 // is called when the server refuses to open the stream; nil for a cluster, which mends itself
	caught   func()                 // is called when the results that were there at the start are committed
	done     bool                   // it was called
	problem  atomic.Pointer[string] // why results do not come in
	strays   atomic.Int64           // messages that no worker sent as a result
	consumer atomic.Pointer[jetstream.Consumer]
}

// run works until ctx ends. A stream that was lost is made anew.
func (r *results) run(ctx context.Context) {
	var wait join.Backoff
	for refused := 0; ctx.Err() == nil; {
		began := time.Now()
		err := r.consume(ctx)
		if ctx.Err() != nil {
			return
		}
		if refused++; !errors.Is(err, errRefused) {
			refused = 0
		}
		if refused == fewRefusals && r.damaged != nil {
			r.log.Error("the stream of results cannot be opened and is made anew; results in it are lost, and their pages are fetched again", "error", err)
			r.damaged()
			return
		}
		text := "results of workers do not come in: " + err.Error()
		r.problem.Store(&text)
		if time.Since(began) > time.Minute {
			wait.Reset()
		}
		pause := wait.Next() / 4
		r.log.Warn("results of workers do not come in", "error", err, "next try in", pause)
		if !clock.Sleep(ctx, clock.System, pause) {
			return
		}
	}
}

// errRefused is wrapped by errors with which the server refuses to open the stream or its consumer.
var errRefused = errors.New("the broker refuses")

// open makes the stream if it is not there, and the consumer anew: what an earlier one was sent comes again at once, and not only
// when its time to acknowledge is over.
func (r *results) open(ctx context.Context) (jetstream.Consumer, error) {
	s, err := r.js.CreateOrUpdateStream(ctx, jetstream.StreamConfig{
		Name: join.Stream, Subjects: []string{join.Result.Of("*")}, Retention: jetstream.WorkQueuePolicy, Storage: jetstream.FileStorage,
		MaxBytes: r.bytes, Discard: jetstream.DiscardNew, MaxMsgsPerSubject: eachWorker, DiscardNewPerSubject: true,
		MaxMsgSize: join.MaxResult, Duplicates: sameResult, Replicas: r.replicas,
	})
	if err != nil {
		return nil, fmt.Errorf("make the stream: %w", err)
	}
	if err := s.DeleteConsumer(ctx, join.Consumer); err != nil && !errors.Is(err, jetstream.ErrConsumerNotFound) {
		return nil, fmt.Errorf("make the consumer: %w", err)
	}
	c, err := s.CreateConsumer(ctx, jetstream.ConsumerConfig{
		Durable: join.Consumer, AckPolicy: jetstream.AckExplicitPolicy, AckWait: ackWait, MaxDeliver: -1, MaxAckPending: maxUnacked,
	})
	if err != nil {
		return nil, fmt.Errorf("make the consumer: %w", err)
	}
	r.consumer.Store(&c)
	return c, nil
}

// consume takes results until an error.
func (r *results) consume(ctx context.Context) error {
	// A stop waits for the answer: a server that is shut down while it makes a stream leaves the stream's files open.
	setup, cancel := context.WithTimeout(context.WithoutCancel(ctx), setupTime)
	c, err := r.open(setup)
	cancel()
	if _, ok := errors.AsType[*jetstream.APIError](err); ok {
		return fmt.Errorf("%w: %w", errRefused, err)
	}
	if err != nil {
		return err
	}
	r.problem.Store(nil)
	r.lookCaught(ctx, c)
	for {
		if err := r.pull(ctx, c); err != nil {
			return err
		}
	}
}

// pull takes up to 16 results, of which those that are there already are committed together. It does not limit their bytes: a cluster
// then says that a pull is complete before its last messages are there, and they are lost for as long as ackWait.
func (r *results) pull(ctx context.Context, c jetstream.Consumer) error {
	within, cancel := context.WithTimeout(ctx, pullTime)
	defer cancel()
	pull, err := c.Fetch(pulled, jetstream.FetchContext(within), jetstream.FetchHeartbeat(pullTime/5))
	if err != nil {
		return err
	}
	for m := range pull.Messages() {
		if err := r.commit(ctx, gather(m, pull.Messages())); err != nil {
			return err
		}
		r.lookCaught(ctx, c)
	}
	if err := pull.Error(); !errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	return nil
}

// gather returns what has arrived already. While one batch is committed, the next one comes together.
func gather(first jetstream.Msg, more <-chan jetstream.Msg) []jetstream.Msg {
	batch := []jetstream.Msg{first}
	for {
		select {
		case m, ok := <-more:
			if !ok {
				return batch
			}
			batch = append(batch, m)
		default:
			return batch
		}
	}
}

// commit gives a batch to the desk, and acknowledges it when it was kept.
func (r *results) commit(ctx context.Context, batch []jetstream.Msg) error {
	var all []work.Arrival
	for _, m := range batch {
		name := join.Result.Worker(m.Subject())
		if m.Headers().Get(work.HeaderVersion) == "" || work.NameProblem(name) != "" {
			r.strays.Add(1) // not a worker's: see the package comment
			continue
		}
		all = append(all, work.Arrival{Worker: name, Data: m.Data()})
	}
	if len(all) > 0 {
		verdicts, err := r.desk.Arrive(ctx, all)
		if err != nil {
			return fmt.Errorf("store results: %w", err)
		}
		for i, v := range verdicts {
			if v == work.Malformed || v == work.Unknown {
				r.blame(all[i].Worker, 1)
			}
		}
	}
	return r.acknowledge(ctx, batch)
}

// acknowledge waits until the stream has forgotten each message. One that it remembers comes again, and changes nothing.
func (r *results) acknowledge(ctx context.Context, batch []jetstream.Msg) error {
	ctx, cancel := context.WithTimeout(ctx, ackTime)
	defer cancel()
	errs := make([]error, len(batch))
	var wait sync.WaitGroup
	for i, m := range batch {
		wait.Go(func() { errs[i] = m.DoubleAck(ctx) })
	}
	wait.Wait()
	if err := errors.Join(errs...); err != nil {
		return fmt.Errorf("acknowledge results: %w", err)
	}
	return nil
}

// lookCaught sees whether all results are committed, until they were once.
func (r *results) lookCaught(ctx context.Context, c jetstream.Consumer) {
	if r.done {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, ackTime)
	defer cancel()
	if info, err := c.Info(ctx); err == nil && info.NumPending == 0 && info.NumAckPending == 0 {
		r.done = true
		r.caught()
	}
}

// queued returns how many results wait in the stream or for their commit.
func (r *results) queued(ctx context.Context) int {
	c := r.consumer.Load()
	if c == nil {
		return 0
	}
	info, err := (*c).Info(ctx)
	if err != nil {
		return 0
	}
	return int(info.NumPending) + info.NumAckPending //nolint:gosec // at most some thousands
}
