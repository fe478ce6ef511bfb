package simulate

import (
	"context"
	"maps"
	"net"
	"net/netip"
	"sync"
	"sync/atomic"
	"syscall"
)

// network connects the daemon, its browsers and the web in memory: a bubble cannot wait for sockets.
type network struct {
	down      atomic.Bool // the web is out of reach
	mu        sync.Mutex
	listeners map[string]*listener // by address
	open      map[net.Conn]bool
}

func newNetwork() *network {
	return &network{listeners: map[string]*listener{}, open: map[net.Conn]bool{}}
}

// listener is a port of the network.
type listener struct {
	net     *network
	address netip.AddrPort
	waiting chan net.Conn
	closed  chan struct{}
	once    sync.Once
}

// conn is one end of a connection, with the addresses of both.
type conn struct {
	net.Conn
	local, remote netip.AddrPort
	closed        func()
}

func (c *conn) LocalAddr() net.Addr  { return net.TCPAddrFromAddrPort(c.local) }
func (c *conn) RemoteAddr() net.Addr { return net.TCPAddrFromAddrPort(c.remote) }
func (c *conn) Close() error {
	c.closed()
	return c.Conn.Close()
}

// listen is net.Listen. It has IPv4 only, and one port to choose when that is 0.
func (n *network) listen(_, address string) (net.Listener, error) {
	to, err := netip.ParseAddrPort(address)
	if err != nil || !to.Addr().Is4() {
		return nil, &net.OpError{Op: "listen", Net: "tcp", Err: syscall.EADDRNOTAVAIL}
	}
	if to.Port() == 0 {
		to = netip.AddrPortFrom(to.Addr(), 40000)
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.listeners[to.String()] != nil {
		return nil, &net.OpError{Op: "listen", Net: "tcp", Err: syscall.EADDRINUSE}
	}
	l := &listener{net: n, address: to, waiting: make(chan net.Conn), closed: make(chan struct{})}
	n.listeners[to.String()] = l
	return l, nil
}

func (l *listener) Addr() net.Addr { return net.TCPAddrFromAddrPort(l.address) }

func (l *listener) Accept() (net.Conn, error) {
	select {
	case c := <-l.waiting:
		return c, nil
	case <-l.closed:
		return nil, net.ErrClosed
	}
}

func (l *listener) Close() error {
	l.once.Do(func() {
		l.net.mu.Lock()
		defer l.net.mu.Unlock()
		delete(l.net.listeners, l.address.String())
		close(l.closed)
	})
	return nil
}

// dial connects to a listener.
func (n *network) dial(ctx context.Context, _, address string) (net.Conn, error) {
	here, there := net.Pipe()
	from := netip.MustParseAddrPort("127.0.0.1:50000")
	n.mu.Lock()
	l := n.listeners[address]
	if l == nil {
		n.mu.Unlock()
		return nil, &net.OpError{Op: "dial", Net: "tcp", Err: syscall.ECONNREFUSED}
	}
	near, far := &conn{Conn: here, local: from, remote: l.address}, &conn{Conn: there, local: l.address, remote: from}
	for _, c := range []*conn{near, far} {
		c.closed = func() { n.forget(c) }
		n.open[c] = true
	}
	n.mu.Unlock()
	select {
	case l.waiting <- far:
		return near, nil
	case <-l.closed:
	case <-ctx.Done():
	}
	n.forget(near)
	n.forget(far)
	return nil, &net.OpError{Op: "dial", Net: "tcp", Err: syscall.ECONNREFUSED}
}

func (n *network) forget(c net.Conn) {
	n.mu.Lock()
	defer n.mu.Unlock()
	delete(n.open, c)
}

// cut ends all connections, and lets nobody connect to the daemon until it listens again.
func (n *network) cut() {
	n.mu.Lock()
	maps.DeleteFunc(n.listeners, func(address string, _ *listener) bool { return address != webAddr })
	var all []net.Conn
	for c := range n.open {
		all = append(all, c)
	}
	n.mu.Unlock()
	for _, c := range all {
		_ = c.Close() // a pipe
	}
}
