package fetch

import (
	"context"
	"net"
	"net/netip"
	"slices"
	"time"
)

const (
	// maxAddrs is how many of a host's addresses are tried.
	maxAddrs = 4
	// A host's addresses are looked up again after addrsTTL, and not before connIdle after its last request: until then
	// an idle connection to the old address may be reused.
	addrsTTL = 5 * time.Minute
	connIdle = time.Minute
	// Bounds of the time after which a host with a busy address is tried again.
	minAddrWait = 20 * time.Millisecond
	maxAddrWait = 30 * time.Second
)

// addrState allows one request at a time to an address. Otherwise a server with many hosts would get many at once.
type addrState struct {
	token    chan struct{}
	users    int           // requests that hold or wait for the token
	took     time.Duration // duration of the last request
	lineEnds time.Duration // when the hosts that were told to wait are expected to be done
}

// takeAddr waits for the first of the host's addresses and holds it.
func (v *slot) takeAddr(ctx context.Context, until time.Duration, p waitLimit) error {
	addrs, err := v.addresses(ctx)
	if err != nil || len(addrs) == 0 {
		return err
	}
	t := v.limiter
	t.mu.Lock()
	s := t.addrOf(addrs[0])
	s.users++
	t.mu.Unlock()
	err = v.waitToken(ctx, s.token, until, p)
	t.mu.Lock()
	defer t.mu.Unlock()
	if err != nil {
		t.releaseAddr(addrs[0], s)
		return err
	}
	v.held, v.addr = s, addrs[0]
	return nil
}

// addresses returns the host's addresses, none without a lookup function or for a host with a rule. It looks them up again
// when they are old and no connection to one of them can still be open.
func (v *slot) addresses(ctx context.Context) ([]netip.Addr, error) {
	t, h := v.limiter, v.host
	if t.lookup == nil {
		return nil, nil
	}
	t.mu.Lock()
	now, addrs := t.now(), h.addrs
	old := addrs == nil || now-h.looked > addrsTTL && now-h.used > connIdle
	t.mu.Unlock()
	if !old {
		return addrs, nil
	}
	addrs, err := t.lookup(ctx, v.name)
	if err != nil {
		return nil, err
	}
	addrs = addrs[:min(len(addrs), maxAddrs)]
	t.mu.Lock()
	h.addrs, h.looked = addrs, now
	t.mu.Unlock()
	return addrs, nil
}

// addrOf returns the state of an address; the lock is held.
func (t *hostLimiter) addrOf(addr netip.Addr) *addrState {
	s := t.addrs[addr]
	if s == nil {
		s = &addrState{token: make(chan struct{}, 1)}
		s.token <- struct{}{}
		t.addrs[addr] = s
	}
	return s
}

// releaseAddr gives up an address, or the wait for it; the lock is held.
func (t *hostLimiter) releaseAddr(addr netip.Addr, s *addrState) {
	if s.users--; s.users == 0 {
		delete(t.addrs, addr)
	}
}

// leaveAddr gives up the slot's address; the lock is held.
func (v *slot) leaveAddr(now time.Duration) {
	if v.held == nil {
		return
	}
	v.held.took = now - v.began
	v.held.token <- struct{}{}
	v.limiter.releaseAddr(v.addr, v.held)
	v.held = nil
}

// moveTo changes the slot to another address of the host. It fails if a request to that address is running.
func (v *slot) moveTo(to netip.Addr) bool {
	t := v.limiter
	t.mu.Lock()
	defer t.mu.Unlock()
	if v.ended {
		return false
	}
	s := t.addrOf(to)
	if s == v.held {
		return true
	}
	s.users++
	select {
	case <-s.token:
	default:
		t.releaseAddr(to, s)
		return false
	}
	v.leaveAddr(t.now())
	v.held, v.addr = s, to
	addrs := slices.DeleteFunc(slices.Clone(v.host.addrs), func(a netip.Addr) bool { return a == to })
	v.host.addrs = append([]netip.Addr{to}, addrs...)
	return true
}

// addrWait is how long a host should wait for its address; the lock is held.
func (t *hostLimiter) addrWait(h *hostState, now time.Duration) time.Duration {
	if len(h.addrs) == 0 {
		return 0
	}
	s := t.addrs[h.addrs[0]]
	if s == nil {
		return 0
	}
	s.lineEnds = min(max(s.lineEnds, now)+max(s.took, minAddrWait), now+maxAddrWait)
	return s.lineEnds - now
}

// addresses looks up a host's addresses; it is hostLimiter.lookup. For a host with a rule it returns none: the person
// chose one address for many names, and knows what serves it.
func (g *guard) addresses(ctx context.Context, host string) ([]netip.Addr, error) {
	if _, ok := g.resolve(host); ok {
		return nil, nil
	}
	if ip, err := netip.ParseAddr(host); err == nil {
		return []netip.Addr{plain(ip)}, nil
	}
	resolver := g.resolver
	if resolver == nil {
		resolver = net.DefaultResolver
	}
	ctx, cancel := context.WithTimeout(ctx, 2*dialTimeout)
	defer cancel()
	addrs, err := resolver.LookupNetIP(ctx, "ip", host)
	for i := range addrs {
		addrs[i] = plain(addrs[i])
	}
	return addrs, err
}

type slotKey struct{}

// pin makes a connection that is dialled with the context go to the slot's address.
func (v *slot) pin(ctx context.Context) context.Context {
	return context.WithValue(ctx, slotKey{}, v)
}

// pinned returns the context's slot, and the addresses that its connection may go to.
func pinned(ctx context.Context) (*slot, []netip.Addr) {
	v, ok := ctx.Value(slotKey{}).(*slot)
	if !ok {
		return nil, nil
	}
	v.limiter.mu.Lock()
	defer v.limiter.mu.Unlock()
	return v, slices.Clone(v.host.addrs)
}

// followConn moves the slot to the address of the connection that is used, which may be an idle one to another address.
func followConn(ctx context.Context, to netip.Addr) {
	if v, addrs := pinned(ctx); len(addrs) > 0 {
		v.moveTo(to)
	}
}

// dialPinned tries the addresses in order, and skips those with a running request.
func (g *guard) dialPinned(ctx context.Context, v *slot, addrs []netip.Addr, port string) (conn net.Conn, err error) {
	dialer := &net.Dialer{Timeout: max(dialTimeout/time.Duration(len(addrs)), 2*time.Second), Control: g.control}
	for _, addr := range addrs {
		if !v.moveTo(addr) {
			continue
		}
		c, e := dialer.DialContext(ctx, "tcp", net.JoinHostPort(addr.String(), port))
		if e == nil {
			return c, nil
		}
		if err == nil {
			err = e
		}
	}
	if err == nil {
		err = context.Canceled // the slot was released, or every address is busy
	}
	return nil, err
}
