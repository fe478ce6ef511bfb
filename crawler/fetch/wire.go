package fetch

import (
	"context"
	"errors"
	"io"
	"time"
)

// errTimeout says in which way a server took too long.
type errTimeout struct{ what string }

func (e *errTimeout) Error() string { return e.what }

var (
	errWhole = &errTimeout{"no complete answer in time"}
	errIdle  = &errTimeout{"the answer came to a standstill"}
	errSlow  = &errTimeout{"the answer came too slowly"}
)

// errLong says that an answer is longer than its use allows, before decompression.
var errLong = errors.New("is too long")

// minRate is how many bytes a second an answer must bring, over LiveOptions.Timeout.
const minRate = 1000

// pace ends a request that takes too long: as a whole, without a byte, or by trickling. Only the time spent waiting for
// the server counts as silence or trickling, not what the reader does between two reads. It goes by the machine's own
// clock, as the network does, whatever clock politeness uses.
type pace struct {
	cancel context.CancelCauseFunc
	whole  *time.Timer
	idle   *time.Timer // runs during a read; nil before the first
	timeout,
	silence time.Duration
	began  time.Time     // of the current read
	waited time.Duration // in earlier reads, since the rate was last checked
	bytes  int64         // that those reads brought
}

// newPace starts a request that may take whole as a whole, its body timeout for minRate bytes a second and half of that
// for the next byte.
func newPace(ctx context.Context, whole, timeout time.Duration) (context.Context, *pace) {
	ctx, cancel := context.WithCancelCause(ctx)
	p := &pace{cancel: cancel, timeout: timeout, silence: timeout / 2}
	p.whole = time.AfterFunc(whole, func() { cancel(errWhole) })
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

// read ends a read of the body that brought n bytes.
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

// wire is the body of an answer as it is sent: counted, bounded, timed, and kept when asked to.
type wire struct {
	r     io.Reader
	n     int64 // bytes read
	limit int64 // bytes that may be read, 0 without a limit
	ended bool  // was read to its end
	err   error // that ended it early

	keep bool
	raw  []byte // what was read, with keep

	ctx  context.Context // with pace, what ends it
	pace *pace           // nil when nothing is waited for
}

// onWire is r, or a wire around it.
func onWire(r io.Reader) *wire {
	if w, ok := r.(*wire); ok {
		return w
	}
	return &wire{r: r}
}

func (w *wire) Read(p []byte) (int, error) {
	if w.limit > 0 && w.n >= w.limit {
		w.err = errLong
		return 0, errLong
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

// Close closes what is below, if it can be.
func (w *wire) Close() error {
	if c, ok := w.r.(io.Closer); ok {
		return c.Close()
	}
	return nil
}
