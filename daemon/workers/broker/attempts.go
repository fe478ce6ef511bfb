package broker

import (
	"net"
	"net/netip"
	"sync"
	"time"
)

// Limits of failed logins of one address.
const (
	attemptsAtOnce = 20
	attemptEvery   = 5 * time.Second
	maxAddresses   = 4096
)

// attempts counts the logins that were begun and did not succeed, by address. IPv6 addresses count by network (/64), since one
// machine has many. Addresses beyond maxAddresses share one count.
type attempts struct {
	now func() time.Time

	mu       sync.Mutex
	failedAt map[netip.Addr]bucket
	ended    int64 // begun and not successful
	swept    time.Time
}

// bucket is the number of failed logins, which falls by one each attemptEvery.
type bucket struct {
	count float64
	at    time.Time
}

func newAttempts(now func() time.Time) *attempts {
	return &attempts{now: now, failedAt: map[netip.Addr]bucket{}}
}

// begin counts a login as failed until it succeeds, and reports false when there were too many.
func (a *attempts) begin(from net.Addr) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.ended++
	key := a.key(from)
	b := a.level(key)
	if b.count >= attemptsAtOnce {
		return false
	}
	b.count++
	a.failedAt[key] = b
	return true
}

// succeeded takes back what begin counted.
func (a *attempts) succeeded(from net.Addr) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.ended--
	key := a.key(from)
	b := a.level(key)
	b.count = max(0, b.count-1)
	a.failedAt[key] = b
}

func (a *attempts) failed() int64 {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.ended
}

// level returns the count of an address now.
func (a *attempts) level(key netip.Addr) bucket {
	now := a.now()
	b := a.failedAt[key]
	b.count = max(0, b.count-float64(now.Sub(b.at))/float64(attemptEvery))
	b.at = now
	return b
}

// key returns under what an address is counted. The zero address is that of all beyond maxAddresses.
func (a *attempts) key(from net.Addr) netip.Addr {
	port, err := netip.ParseAddrPort(from.String())
	if err != nil {
		return netip.Addr{}
	}
	addr := port.Addr().Unmap().WithZone("")
	if addr.Is6() {
		if network, err := addr.Prefix(64); err == nil {
			addr = network.Addr()
		}
	}
	if _, known := a.failedAt[addr]; !known && len(a.failedAt) >= maxAddresses && !a.sweep() {
		return netip.Addr{}
	}
	return addr
}

// sweep forgets the addresses without failed logins, and reports whether there is room for another. It looks at all of them, so it
// does that now and then only.
func (a *attempts) sweep() bool {
	if now := a.now(); now.Sub(a.swept) >= attemptEvery {
		a.swept = now
		for other := range a.failedAt {
			if a.level(other).count == 0 {
				delete(a.failedAt, other)
			}
		}
	}
	return len(a.failedAt) < maxAddresses
}
