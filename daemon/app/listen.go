package app

import (
	"errors"
	"fmt"
	"log/slog"
	"net"
	"syscall"

	"nightjar/daemon/base/loopback"
)

// takePorts takes the port for browsers and that for commands.
func (a *App) takePorts() (err error) {
	on := a.Config.Network.Listen
	if on == nil {
		on = net.Listen
	}
	if a.browsers, err = listenBoth(on, a.Config.Listen, a.Log); err != nil {
		return err
	}
	a.control, err = listen(on, "127.0.0.1:0")
	return err
}

// listener is net.Listen, or takes its place.
type listener = func(network, address string) (net.Listener, error)

// listen takes the port.
func listen(on listener, addr string) (net.Listener, error) {
	l, err := on("tcp", addr)
	if errors.Is(err, syscall.EADDRINUSE) {
		return nil, taken(addr)
	}
	if err != nil {
		return nil, fmt.Errorf("listen on %s: %w", addr, err)
	}
	return l, nil
}

// listenBoth takes a port on the given loopback interface and on the other one, where the system has it. A browser may resolve localhost
// and the dashboard's name to either, and no other program may answer there.
func listenBoth(on listener, addr string, log *slog.Logger) ([]net.Listener, error) {
	l, err := listen(on, addr)
	if err != nil {
		return nil, err
	}
	all := []net.Listener{l}
	other := loopback.Other(l.Addr().String())
	if other == "" {
		return all, nil
	}
	second, err := on("tcp", other)
	switch {
	case err == nil:
		all = append(all, second)
	case errors.Is(err, syscall.EADDRINUSE):
		log.Warn("another program has this port of the other loopback address; a browser may show its pages under localhost", "address", other)
	default:
		log.Debug("the other loopback address is not served", "address", other, "reason", err)
	}
	return all, nil
}

// addresses returns the addresses of listeners.
func addresses(all []net.Listener) []string {
	var addrs []string
	for _, l := range all {
		addrs = append(addrs, l.Addr().String())
	}
	return addrs
}

// otherAddr is the daemon's address on the other loopback interface, "" if there is none.
func (a *App) otherAddr() string {
	if len(a.browsers) < 2 {
		return ""
	}
	return a.browsers[1].Addr().String()
}
