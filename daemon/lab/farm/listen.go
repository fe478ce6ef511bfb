package farm

import (
	"fmt"
	"net"
	"strconv"
)

// tries is how often a port for all hosts is drawn.
const tries = 20

// listen opens an address for each host: 127.1.0.1, 127.1.0.2 and so on with the same port where 127.0.0.0/8 is this
// machine, as on Linux; elsewhere 127.0.0.1 with different ports.
func (f *Farm) listen() error {
	var err error
	for range tries {
		if err = f.listenAt(ownAddress, true); err == nil {
			return nil
		}
		if len(f.listeners) == 0 {
			break // this system has only 127.0.0.1
		}
		f.closeListeners() // another program uses the port at one of the addresses
	}
	if only := f.listenAt(func(int) string { return "127.0.0.1" }, false); only != nil {
		return fmt.Errorf("%w; with one address for all: %w", err, only)
	}
	return nil
}

func ownAddress(i int) string { return fmt.Sprintf("127.1.%d.%d", i/250, i%250+1) }

// listenAt opens the address of each host, at the same port or at any port.
func (f *Farm) listenAt(address func(int) string, samePort bool) error {
	port := 0
	for i := range f.hosts {
		l, err := net.Listen("tcp4", net.JoinHostPort(address(i), strconv.Itoa(port)))
		if err != nil {
			return err
		}
		f.listeners = append(f.listeners, l)
		f.addrs = append(f.addrs, l.Addr().String())
		if samePort {
			port = l.Addr().(*net.TCPAddr).Port
		}
	}
	return nil
}

func (f *Farm) closeListeners() {
	for _, l := range f.listeners {
		_ = l.Close() // nothing was served on it
	}
	f.listeners, f.addrs = nil, nil
}

// reset closes a connection so that the other side sees an error.
func reset(c net.Conn) {
	if tcp, ok := c.(*net.TCPConn); ok {
		_ = tcp.SetLinger(0) // without it the other side sees EOF, which will do
	}
	_ = c.Close() // it is unused from now on
}
