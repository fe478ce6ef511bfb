package worker

import (
	"context"
	"errors"
	"net"
	"sync"

	"golang.org/x/time/rate"
)

const (
	bytesPerMbit = 1e6 / 8
	// minShare is the rate in bytes a second that a fetch needs, so that an ordinary page arrives in time. It bounds how many
	// fetches share MaxMbit.
	minShare = 16 << 10
	// maxPiece bounds one read in seconds of the whole rate, so that with many fetches none waits long for its turn.
	maxPiece = 1.0 / 64
	minPiece = 512
)

var (
	errSlept = errors.New("the machine slept, or its clock was set, while the connection was open")
	errOver  = errors.New("the time for the fetch is over")
)

// throttle bounds the bytes that all connections read together.
type throttle struct {
	limiter *rate.Limiter // nil without a limit
	piece   int           // bytes at a time, 0 without a limit
}

// newThrottle bounds the rate to that many Mbit/s; 0 is without a limit.
func newThrottle(mbit float64) throttle {
	if mbit <= 0 {
		return throttle{}
	}
	perSecond := mbit * bytesPerMbit
	piece := max(int(perSecond*maxPiece), minPiece)
	return throttle{limiter: rate.NewLimiter(rate.Limit(perSecond), 4*piece), piece: piece}
}

// atOnce is how many fetches can share the rate, at least 1 and at most n.
func atOnce(mbit float64, n int) int {
	if mbit <= 0 {
		return n
	}
	return min(max(int(mbit*bytesPerMbit/minShare), 1), n)
}

// conn is a connection to a web server that obeys the throttle, and that is useless after the machine slept: what it would send or
// receive could come after the lease.
type conn struct {
	net.Conn
	throttle throttle
	watch    watch
	done     context.Context // ends when the connection is closed
	close    context.CancelFunc

	mu   sync.Mutex
	used moment // when it was last known that the machine is awake
}

func newConn(c net.Conn, t throttle, w watch) *conn {
	done, end := context.WithCancel(context.Background())
	return &conn{Conn: c, throttle: t, watch: w, done: done, close: end, used: w.now()}
}

// Read reads, and then waits until the throttle permits what was read.
func (c *conn) Read(b []byte) (int, error) {
	if c.throttle.piece > 0 && len(b) > c.throttle.piece {
		b = b[:c.throttle.piece]
	}
	n, err := c.Conn.Read(b)
	if n > 0 && c.throttle.limiter != nil {
		if c.throttle.limiter.WaitN(c.done, n) != nil {
			return 0, net.ErrClosed
		}
	}
	if awake := c.awake(); awake != nil {
		return 0, awake
	}
	return n, err
}

// Write writes unless the machine slept since the connection was last used.
func (c *conn) Write(b []byte) (int, error) {
	if err := c.awake(); err != nil {
		return 0, err
	}
	return c.Conn.Write(b)
}

// awake closes the connection when the machine slept since it was last used.
func (c *conn) awake() error {
	c.mu.Lock()
	slept := c.watch.jumped(c.used)
	if !slept {
		c.used = c.watch.now()
	}
	c.mu.Unlock()
	if slept {
		_ = c.Close() // the error below says more
		return errSlept
	}
	return nil
}

// Close also ends a Read that waits.
func (c *conn) Close() error {
	c.close()
	return c.Conn.Close()
}
