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
	// addrsKept is how long a host's addresses are known, and connUsed how long after its last request they may change:
	// a connection that is kept open belongs to the old one until then.
	addrsKept = 5 * time.Minute
	connUsed  = time.Minute
	// A host whose address is being asked looks again when those before it in line will have been, as it seems.
	minSlot = 20 * time.Millisecond
	maxLine = 30 * time.Second
)

// seat is the one place at an address. Many hosts may share an address, and a server that they are all asked from would
// otherwise get as many requests at a time.
type seat struct {
	token chan struct{}
	users int           // who hold or wait for the token
	took  time.Duration // the last request
	line  time.Duration // when those who were told to wait will have been here
}

// sit takes the seat at the first of the host's addresses.
func (v *visit) sit(ctx context.Context, until time.Duration, p patience) error {
	addrs, err := v.addresses(ctx)
	if err != nil || len(addrs) == 0 {
		return err
	}
	t := v.turns
	t.mu.Lock()
	s := t.seatAt(addrs[0])
	s.users++
	t.mu.Unlock()
	err = v.take(ctx, s.token, until, p)
	t.mu.Lock()
	defer t.mu.Unlock()
	if err != nil {
		t.rise(addrs[0], s)
		return err
	}
	v.seat, v.addr = s, addrs[0]
	return nil
}

// addresses are those of the host, none when there is no telling or no need to. They are looked up again when they are
// old and no connection to one of them can be open any more.
func (v *visit) addresses(ctx context.Context) ([]netip.Addr, error) {
	t, h := v.turns, v.turn
	if t.lookup == nil {
		return nil, nil
	}
	t.mu.Lock()
	now, addrs := t.now(), h.addrs
	old := addrs == nil || now-h.looked > addrsKept && now-h.used > connUsed
	t.mu.Unlock()
	if !old {
		return addrs, nil
	}
	addrs, err := t.lookup(ctx, v.host)
	if err != nil {
		return nil, err
	}
	addrs = addrs[:min(len(addrs), maxAddrs)]
	t.mu.Lock()
	h.addrs, h.looked = addrs, now
	t.mu.Unlock()
	return addrs, nil
}

// seatAt is the seat at an address; the lock is held.
func (t *turns) seatAt(addr netip.Addr) *seat {
	s := t.seats[addr]
	if s == nil {
		s = &seat{token: make(chan struct{}, 1)}
		s.token <- struct{}{}
		t.seats[addr] = s
	}
	return s
}

// rise gives up a seat, or the wait for it; the lock is held.
func (t *turns) rise(addr netip.Addr, s *seat) {
	if s.users--; s.users == 0 {
		delete(t.seats, addr)
	}
}

// leave gives up the visit's seat; the lock is held.
func (v *visit) leave(now time.Duration) {
	if v.seat == nil {
		return
	}
	v.seat.took = now - v.began
	v.seat.token <- struct{}{}
	v.turns.rise(v.addr, v.seat)
	v.seat = nil
}

// move goes to another address of the host, unless it is being asked for another host.
func (v *visit) move(to netip.Addr) bool {
	t := v.turns
	t.mu.Lock()
	defer t.mu.Unlock()
	if v.ended {
		return false
	}
	s := t.seatAt(to)
	if s == v.seat {
		return true
	}
	s.users++
	select {
	case <-s.token:
	default:
		t.rise(to, s)
		return false
	}
	v.leave(t.now())
	v.seat, v.addr = s, to
	addrs := slices.DeleteFunc(slices.Clone(v.turn.addrs), func(a netip.Addr) bool { return a == to })
	v.turn.addrs = append([]netip.Addr{to}, addrs...)
	return true
}

// inLine is how long a host waits whose address is being asked; the lock is held.
func (t *turns) inLine(h *turn, now time.Duration) time.Duration {
	if len(h.addrs) == 0 {
		return 0
	}
	s := t.seats[h.addrs[0]]
	if s == nil {
		return 0
	}
	s.line = min(max(s.line, now)+max(s.took, minSlot), now+maxLine)
	return s.line - now
}

// addresses looks up what a host's name stands for, and is what turns.lookup is. It is nothing for a host that a rule
// sends elsewhere: the person chose one address for many names, and knows what stands there.
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

type visitKey struct{}

// pin has the connection made for the visit go to its address.
func (v *visit) pin(ctx context.Context) context.Context {
	return context.WithValue(ctx, visitKey{}, v)
}

// pinned are the addresses that a connection may go to, by the visit that it is for.
func pinned(ctx context.Context) (*visit, []netip.Addr) {
	v, ok := ctx.Value(visitKey{}).(*visit)
	if !ok {
		return nil, nil
	}
	v.turns.mu.Lock()
	defer v.turns.mu.Unlock()
	return v, slices.Clone(v.turn.addrs)
}

// settle takes the seat of the address that a connection of the visit is to, should it be another than was thought.
func settle(ctx context.Context, to netip.Addr) {
	if v, addrs := pinned(ctx); len(addrs) > 0 {
		v.move(to)
	}
}

// dialPinned connects to one of the addresses, in order. Each must be free to be asked.
func (g *guard) dialPinned(ctx context.Context, v *visit, addrs []netip.Addr, port string) (conn net.Conn, err error) {
	dialer := &net.Dialer{Timeout: max(dialTimeout/time.Duration(len(addrs)), 2*time.Second), Control: g.control}
	for _, addr := range addrs {
		if !v.move(addr) {
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
		err = context.Canceled // the visit is over
	}
	return nil, err
}
