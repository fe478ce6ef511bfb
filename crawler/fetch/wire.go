package fetch

import (
	"context"
	"errors"
	"io"
	"time"
)

// errTimeout says how a server was too slow.
type errTimeout struct{ what string }

func (e *errTimeout) Error() string { return e.what }

var (
	errTotal = &errTimeout{"timed out before the answer was complete"}
	errIdle  = &errTimeout{"the answer stalled"}
	errSlow  = &errTimeout{"the answer was too slow"}
)

// errTooLong says that an answer is longer than allowed, before decompression.
var errTooLong = errors.New("is too long")

// minRate is the lowest rate of an answer in bytes a second, averaged over LiveOptions.Timeout.
const minRate = 1000

// pace cancels a request that is too slow: in total, without any byte, or in its rate. For the last two only the time
// within reads counts, not what the reader does between them. It uses the machine's clock, like the network, whatever clock
// measures politeness.
type pace struct {
	cancel context.CancelCauseFunc
	whole  *time.Timer
	idle   *time.Timer // runs during a read; nil before the first
	timeout,
	silence time.Duration
	began  time.Time     // of the current read
	waited time.Duration // in earlier reads, since the rate was last checked
	bytes  int64         // from those reads
}

// newPace limits a request to whole in total, each period of timeout in its body to minRate, and the wait for the next
// byte of the body to half of timeout.
func newPace(ctx context.Context, whole, timeout time.Duration) (context.Context, *pace) {
	ctx, cancel := context.WithCancelCause(ctx)
	p := &pace{cancel: cancel, timeout: timeout, silence: timeout / 2}
	p.whole = time.AfterFunc(whole, func() { cancel(errTotal) })
	return ctx, p
}

// wait begins a read of the body.
func (p *pace) wait() {
	if p.idle == nil {
		p.idle = time.AfterFunc(p.silence, func() { p.cancel(errIdle) })
	} else {
		p.idle.Reset(p.silence)
	}
	p.began = time.Now()
}

// read ends a read of the body that returned n bytes.
func (p *pace) read(n int) {
	p.idle.Stop()
	p.waited += time.Since(p.began)
	p.bytes += int64(n)
	if p.waited >= p.timeout {
		if float64(p.bytes) < minRate*p.waited.Seconds() {
			p.cancel(errSlow)
		}
		p.waited, p.bytes = 0, 0
	}
}

// stop ends the request.
func (p *pace) stop() {
	p.whole.Stop()
	if p.idle != nil {
		p.idle.Stop()
	}
	p.cancel(nil)
}

// wire is the body of an answer as sent: counted, bounded, timed, and kept if wanted.
type wire struct {
	r     io.Reader
	n     int64 // bytes read
	limit int64 // bytes that may be read, 0 for no limit
	ended bool  // it was read to its end
	err   error // that ended it early

	keep bool
	raw  []byte // what was read, with keep

	room func(ctx context.Context, bytes int64) error // see LiveOptions.Room
	ctx  context.Context                              // its cause is set by pace
	pace *pace                                        // nil when reading from memory
}

// asWire returns r as a wire, wrapped if necessary.
func asWire(r io.Reader) *wire {
	if w, ok := r.(*wire); ok {
		return w
	}
	return &wire{r: r}
}

func (w *wire) Read(p []byte) (int, error) {
	if w.limit > 0 && w.n >= w.limit {
		w.err = errTooLong
		return 0, errTooLong
	}
	if w.pace != nil {
		w.pace.wait()
	}
	n, err := w.r.Read(p)
	if w.pace != nil {
		w.pace.read(n)
	}
	w.n += int64(n)
	if w.keep {
		w.raw = append(w.raw, p[:n]...)
	}
	if err == io.EOF {
		w.ended = true
		return n, err
	}
	if w.pace != nil {
		if late, ok := errors.AsType[*errTimeout](context.Cause(w.ctx)); ok {
			err = late
		}
	}
	if err != nil {
		w.err = err
	}
	return n, err
}

// Close closes the underlying body, if it can be closed.
func (w *wire) Close() error {
	if c, ok := w.r.(io.Closer); ok {
		return c.Close()
	}
	return nil
}
