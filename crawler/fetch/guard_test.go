package fetch

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"math/rand/v2"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/net/dns/dnsmessage"

	"nightjar/crawler/clock"
)

func TestParseResolve(t *testing.T) {
	for _, c := range []struct {
		rule     string
		yes, not string // hosts
	}{
		{"*.test=127.0.0.1:8080", "a.test a.b.test A.TEST a.test.", "test a.test.example .test 127.0.0.1 atest [::1]"},
		{"a.test=127.0.0.1:8080", "a.test A.Test", "b.a.test test a.tes"},
		{"a.*.test=[::1]:80", "a.b.test a.b.c.test", "a.test b.a.test a.test.b.test2"},
		{"*=10.0.0.1:80", "a a.b localhost", "127.0.0.1 ::1 [::1] 2130706433.0x7f..."},
		{" X.test = 127.0.0.1:1 ", "x.test", "y.test"},
	} {
		r, err := ParseResolve(c.rule)
		if err != nil {
			t.Errorf("%s: %v", c.rule, err)
			continue
		}
		for _, h := range strings.Fields(c.yes) {
			if !r.Matches(h) {
				t.Errorf("%s does not match %s", c.rule, h)
			}
		}
		for _, h := range strings.Fields(c.not) {
			if r.Matches(h) && !strings.Contains(h, "...") {
				t.Errorf("%s matches %s", c.rule, h)
			}
		}
		if again, err := ParseResolve(r.String()); err != nil || again != r {
			t.Errorf("%s reads as %v, %v", r, again, err)
		}
	}
	for _, s := range []string{"", "a.test", "=127.0.0.1:80", "a.test=", "a.test=127.0.0.1", "a.test=localhost:80", "a.test=127.0.0.1:0", "a.test=127.0.0.1:99999",
		"127.0.0.1=127.0.0.1:80", "[::1]=127.0.0.1:80", "a..test=127.0.0.1:80", "a b=127.0.0.1:80", "a*.test=127.0.0.1:80", "http://a.test=127.0.0.1:80"} {
		if r, err := ParseResolve(s); err == nil {
			t.Errorf("ParseResolve(%q) = %v", s, r)
		}
	}
}

// TestRefusal: what would be refused without a lookup is known before a fetch, with its reason.
func TestRefusal(t *testing.T) {
	plainly := LiveOptions{Self: []string{"127.0.0.1:7450"}, SelfNow: func() []string { return []string{"0.0.0.0:4775"} }, Refuse: func(url string) bool { return strings.Contains(url, "never.test") }}
	opened := plainly
	if err := opened.Open([]string{"*.rule.test=127.0.0.1:8080", "self.test=127.0.0.1:7450"}, []string{"127.0.0.0/8", "192.168.0.0/16"}); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ url, plainly, opened string }{
		{"http://a.test/", "", ""},
		{"https://a.test:443/x", "", ""},
		{"http://93.184.216.34/", "", ""},
		{"http://127.0.0.1/", "private", ""},
		{"http://127.0.0.1:7450/", "own address", "own address"},
		{"http://[::ffff:127.0.0.1]:7450/", "own address", "own address"},
		{"http://localhost:7450/", "own address", "own address"},
		{"http://x.localhost.:7450/", "own address", "own address"},
		{"http://127.0.0.1:4775/", "own address", "own address"},
		{"http://self.test/", "", "own address"},
		{"http://localhost/", "local network", ""},
		{"http://printer/", "local network", ""},
		{"http://nas.home.arpa./", "local network", ""},
		{"http://notlocal/", "local network", ""},
		{"http://notlocal.test/", "", ""},
		{"http://192.168.0.1/", "private", ""},
		{"http://10.0.0.1/", "private", "private"},
		{"http://[fe80::1]/", "private", "private"},
		{"http://[64:ff9b::a00:1]/", "private", "private"},
		{"http://169.254.169.254/latest/meta-data/", "private", "private"},
		{"http://93.184.216.34:22/", "port 22", "port 22"},
		{"http://a.test:8080/", "port 8080", ""},
		{"http://x.rule.test:8080/", "port 8080", ""},
		{"http://never.test/", "refused", "refused"},
		{"http://a.test/logout", "change something", "change something"},
		{"http://user:word@a.test/", "credentials", "credentials"},
	} {
		for i, o := range []LiveOptions{plainly, opened} {
			want := []string{c.plainly, c.opened}[i]
			if err := o.Refusal()(c.url); (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %v, want %q", c.url, err, want)
			}
		}
	}
}

// registries are the IANA special-purpose address registries for IPv4 and IPv6 (as of 2025), and multicast.
const registries = `0.0.0.0/8 0.0.0.0/32 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24
	192.0.0.0/29 192.0.0.8/32 192.0.0.9/32 192.0.0.10/32 192.0.0.170/32 192.0.0.171/32 192.0.2.0/24 192.31.196.0/24
	192.52.193.0/24 192.88.99.0/24 192.168.0.0/16 192.175.48.0/24 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 240.0.0.0/4
	255.255.255.255/32 224.0.0.0/4 ::1/128 ::/128 ::ffff:0:0/96 64:ff9b::/96 64:ff9b:1::/48 100::/64 100:0:0:1::/64
	2001::/23 2001::/32 2001:1::1/128 2001:1::2/128 2001:1::3/128 2001:2::/48 2001:3::/32 2001:4:112::/48 2001:10::/28
	2001:20::/28 2001:30::/28 2001:db8::/32 2002::/16 2620:4f:8000::/48 3fff::/20 5f00::/16 fc00::/7 fe80::/10 ff00::/8`

// ends returns the first, middle and last address of a prefix.
func ends(p netip.Prefix) []netip.Addr {
	first := p.Masked().Addr()
	at := func(share int64) netip.Addr { // share quarters of the way
		n := new(big.Int).SetBytes(first.AsSlice())
		size := new(big.Int).Lsh(big.NewInt(1), uint(first.BitLen()-p.Bits()))
		size.Sub(size, big.NewInt(1))
		n.Add(n, size.Mul(size, big.NewInt(share)).Div(size, big.NewInt(4)))
		b := make([]byte, first.BitLen()/8)
		a, _ := netip.AddrFromSlice(n.FillBytes(b))
		return a
	}
	return []netip.Addr{first, at(2), at(4)}
}

func TestGuardRefusesSpecialRanges(t *testing.T) {
	g := newGuard(nil, nil, nil)
	for _, s := range strings.Fields(registries) {
		p := netip.MustParsePrefix(s)
		for _, ip := range ends(p) {
			if ip.Is4In6() && !special(ip.Unmap()) {
				continue // IPv4-mapped addresses follow IPv4's rules
			}
			for _, ip := range []netip.Addr{ip, ip.WithZone("eth0")} {
				if err := g.permits(netip.AddrPortFrom(ip, 80)); err == nil {
					t.Errorf("%s of %s is permitted", ip, p)
				}
			}
			if ip.Is4() {
				if err := g.permits(netip.AddrPortFrom(netip.AddrFrom16(ip.As16()), 443)); err == nil {
					t.Errorf("%s mapped is permitted", ip)
				}
			}
		}
	}
	for _, s := range []string{"8.8.8.8:80", "1.1.1.1:443", "[2606:4700::1111]:443", "[::ffff:8.8.8.8]:80", "172.32.0.1:80", "100.128.0.1:80"} {
		if err := g.permits(netip.MustParseAddrPort(s)); err != nil {
			t.Errorf("%s: %v", s, err)
		}
	}
	for _, s := range []string{"8.8.8.8:22", "8.8.8.8:8080", "8.8.8.8:0"} {
		if err := g.permits(netip.MustParseAddrPort(s)); err == nil {
			t.Errorf("%s is permitted", s)
		}
	}
}

func TestGuardOpened(t *testing.T) {
	var private []netip.Prefix
	for _, s := range []string{"192.168.1.0/24", "64:ff9b::/96", "::ffff:10.1.0.0/112"} {
		private = append(private, netip.MustParsePrefix(s))
	}
	g := newGuard(nil, private, []string{"192.168.1.5:4774"})
	for s, want := range map[string]bool{
		"192.168.1.9:80":          true,
		"192.168.1.9:8080":        true,
		"[::ffff:192.168.1.9]:80": true,
		"192.168.2.1:80":          false,
		"192.168.1.5:4774":        false,
		"10.1.2.3:80":             true,
		"10.2.0.1:80":             false,
		"[64:ff9b::808:808]:80":   true,
		"[64:ff9b::7f00:1]:80":    false, // NAT64 translates it to 127.0.0.1
		"[64:ff9b::c0a8:109]:80":  true,
		"8.8.8.8:8080":            false,
	} {
		if err := g.permits(netip.MustParseAddrPort(s)); (err == nil) != want {
			t.Errorf("%s: %v", s, err)
		}
	}
}

// TestGuardRebinding dials a name with a public and a private address: each is checked when it is dialled.
func TestGuardRebinding(t *testing.T) {
	canary := mustCanary(t)
	_, port, _ := net.SplitHostPort(canary)
	g := newGuard(nil, []netip.Prefix{netip.MustParsePrefix("10.99.99.0/24")}, nil)
	g.resolver = &net.Resolver{PreferGo: true, Dial: mustDNS(t, func(string) []string { return []string{"127.0.0.1"} })}
	for _, p := range []string{"80", port} {
		conn, err := g.dial(t.Context(), "tcp", "innocent.example.com:"+p)
		var refused *refusal
		if conn != nil || !errors.As(err, &refused) || !strings.Contains(err.Error(), "private or special") {
			t.Errorf("port %s: %v, %v", p, conn, err)
		}
	}
}

// TestLiveRebinding fetches from a host whose name resolves to a harmless address first, and later to a private one, or to
// both at once. Nothing connects to the listener at the private address.
func TestLiveRebinding(t *testing.T) {
	canary := mustCanary(t)
	_, port, _ := net.SplitHostPort(canary)
	harmless, err := net.Listen("tcp", "127.9.0.1:"+port) // the guard is told so
	if err != nil {
		t.Skipf("left out: %v", err)
	}
	go http.Serve(harmless, say("harmless"))
	defer harmless.Close()
	names := map[string][]string{"turns.example.com.": {"127.9.0.1"}, "both.example.com.": {"127.9.0.2", "127.0.0.1"}, "mixed.example.com.": {"127.0.0.1", "127.9.0.1"}}
	var mu sync.Mutex
	dns := mustDNS(t, func(name string) []string {
		mu.Lock()
		defer mu.Unlock()
		return names[name]
	})
	c := clock.NewFast(time.Now(), 1)
	l := NewLive(LiveOptions{Clock: c, AllowPrivate: []netip.Prefix{netip.MustParsePrefix("127.9.0.0/16")}})
	defer l.Close()
	l.guard.resolver = &net.Resolver{PreferGo: true, Dial: dns}
	fetch := func(host string) Response { return l.Fetch(t.Context(), "http://"+host+".example.com:"+port+"/") }
	if got := fetch("turns"); got.Outcome != OK {
		t.Fatalf("%+v", got)
	}
	mu.Lock()
	names["turns.example.com."] = []string{"127.0.0.1"}
	mu.Unlock()
	c.Jump(time.Hour) // the addresses expire
	l.transport.CloseIdleConnections()
	if got := fetch("turns"); got.Outcome == OK && string(got.Body) != "harmless" {
		t.Errorf("%+v", got)
	}
	for range 2 {
		for _, host := range []string{"both", "mixed"} {
			if got := fetch(host); got.Outcome == OK && string(got.Body) != "harmless" {
				t.Errorf("%s: %+v", host, got)
			}
		}
		c.Jump(time.Hour)
		l.transport.CloseIdleConnections()
	}
}

// mustDNS is a server that answers queries for the IPv4 addresses of a name.
func mustDNS(t *testing.T, addrs func(name string) []string) func(context.Context, string, string) (net.Conn, error) {
	t.Helper()
	server, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { server.Close() })
	go func() {
		buf := make([]byte, 1500)
		for {
			n, from, err := server.ReadFrom(buf)
			if err != nil {
				return
			}
			var m dnsmessage.Message
			if m.Unpack(buf[:n]) != nil {
				continue
			}
			m.Response, m.Additionals = true, nil
			if q := m.Questions[0]; q.Type == dnsmessage.TypeA {
				for _, ip := range addrs(q.Name.String()) {
					m.Answers = append(m.Answers, dnsmessage.Resource{
						Header: dnsmessage.ResourceHeader{Name: q.Name, Class: q.Class, TTL: 0},
						Body:   &dnsmessage.AResource{A: netip.MustParseAddr(ip).As4()},
					})
				}
			}
			if out, err := m.Pack(); err == nil {
				server.WriteTo(out, from)
			}
		}
	}()
	return func(ctx context.Context, _, _ string) (net.Conn, error) {
		return (&net.Dialer{}).DialContext(ctx, "udp", server.LocalAddr().String())
	}
}

// TestFirstRuleCounts: of several rules that match a host, the first one says where it is.
func TestFirstRuleCounts(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	name := func(labels ...string) string {
		parts := make([]string, 1+random.IntN(3))
		for i := range parts {
			parts[i] = labels[random.IntN(len(labels))]
		}
		return strings.Join(parts, ".")
	}
	for range 2000 {
		var rules []Resolve
		for i := range random.IntN(6) {
			rules = append(rules, Resolve{name("a", "b", "B", "*"), fmt.Sprintf("127.0.0.1:%d", 1+i)})
		}
		g, host := newGuard(rules, nil, nil), name("a", "A", "b")
		want := ""
		for _, r := range rules {
			if parsed, err := ParseResolve(r.String()); err == nil && want == "" && parsed.Matches(host) {
				want = r.Addr
			}
		}
		if to, ok := g.resolve(host); ok != (want != "") || ok && to.String() != want {
			t.Fatalf("%s with %v: %v, want %q", host, rules, to, want)
		}
	}
}

// TestSelf: which addresses reach a listener of our own.
func TestSelf(t *testing.T) {
	for self, reached := range map[string]map[string]bool{
		"127.0.0.1:80": {"127.0.0.1:80": true, "0.0.0.0:80": true, "[::1]:80": true, "[::ffff:127.0.0.1]:80": true, "127.0.0.1:81": false, "127.4.0.1:80": false},
		"127.4.0.1:80": {"127.4.0.1:80": true, "127.0.0.1:80": false},
		"[::1]:80":     {"[::1]:80": true, "[::]:80": true, "127.0.0.1:80": true, "[::2]:80": false},
		"localhost:80": {"127.0.0.1:80": true, "[::1]:80": true},
		"0.0.0.0:80":   {"127.0.0.1:80": true, "127.4.0.1:80": true, "[::1]:80": true, "192.0.2.1:80": false},
		"192.0.2.1:80": {"192.0.2.1:80": true, "127.0.0.1:80": false},
	} {
		g := newGuard(nil, nil, []string{self})
		for to, want := range reached {
			if got := g.isSelf(netip.MustParseAddrPort(to)); got != want {
				t.Errorf("a listener at %s hears %s: %v, want %v", self, to, got, want)
			}
		}
	}
}
