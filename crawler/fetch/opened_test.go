package fetch

import (
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"testing"
)

// mustCanary is a listener that nothing may connect to.
func mustCanary(t *testing.T) string {
	t.Helper()
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { ln.Close() })
	go func() {
		for {
			c, err := ln.Accept()
			if err != nil {
				return
			}
			t.Errorf("something connected to the canary")
			c.Close()
		}
	}()
	return ln.Addr().String()
}

// TestLiveRefuses names private addresses in every form that a page can, directly and through redirects of pages and of
// robots.txt. Nothing may connect to them.
func TestLiveRefuses(t *testing.T) {
	canary := mustCanary(t)
	_, port, _ := net.SplitHostPort(canary)
	targets := []string{
		"http://" + canary + "/", "http://localhost:" + port + "/", "http://LOCALHOST.:" + port + "/", "http://a.localhost:" + port + "/",
		"http://2130706433:" + port + "/", "http://0x7f.1:" + port + "/", "http://0177.0.0.1:" + port + "/", "http://127.1:" + port + "/",
		"http://[::ffff:127.0.0.1]:" + port + "/", "http://[::ffff:7f00:1]:" + port + "/", "http://[::1]:" + port + "/", "http://0.0.0.0:" + port + "/", "http://[::]:" + port + "/",
		"http://[64:ff9b::7f00:1]:" + port + "/", "http://[2002:7f00:1::]:" + port + "/", "http://127.0.0.1/", "http://169.254.169.254/latest/meta-data/",
		"http://[fd00:ec2::254]/", "http://100.100.100.200/", "http://168.63.129.16/", "http://192.168.1.1/", "http://10.0.0.1/", "http://router/", "http://nas.local/",
		"http://printer.lan/", "http://x.home.arpa/", "http://metadata.google.internal/", "http://8.8.8.8:22/", "http://example.com:" + port + "/", "https://[fe80::1]/",
		"http://１２７.０.０.１:" + port + "/",
	}
	pages := map[string]http.HandlerFunc{}
	for i, target := range targets {
		for _, status := range []int{301, 302, 303, 307, 308} {
			pages[fmt.Sprintf("r%d.test/%d", i, status)] = to(target, status)
		}
		pages[fmt.Sprintf("meta%d.test/", i)] = say(`<meta http-equiv=refresh content="0; url=` + target + `">`)
		pages[fmt.Sprintf("part%d.test/", i)] = to(target, 302)
		pages[fmt.Sprintf("rob%d.test/robots.txt", i)] = to(target+"robots.txt", 302)
		pages[fmt.Sprintf("rob%d.test/", i)] = say("x")
	}
	w := mustWeb(t, pages)
	l := w.mustLive(t, LiveOptions{})
	for i, target := range targets {
		if got := l.Fetch(t.Context(), target); got.Outcome != Refused || got.Status != 0 {
			t.Errorf("%s: %+v", target, got)
		}
		for _, status := range []int{301, 302, 303, 307, 308} {
			u := fmt.Sprintf("http://r%d.test/%d", i, status)
			if got := l.Fetch(t.Context(), u); got.Outcome != Refused || got.Status != status {
				t.Errorf("%s by %d: %+v", target, status, got)
			}
		}
		if got := l.Fetch(t.Context(), fmt.Sprintf("http://meta%d.test/", i)); got.Outcome != Refused || got.Body != nil {
			t.Errorf("%s by a refresh: %+v", target, got)
		}
		if got, err := l.Subresource(t.Context(), target, "*/*", 1000); err == nil || got.Status != 0 {
			t.Errorf("%s as a subresource: %+v", target, got)
		}
		if got, err := l.Subresource(t.Context(), fmt.Sprintf("http://part%d.test/", i), "*/*", 1000); err != nil || got.Status != 302 {
			t.Errorf("%s by a redirect of a subresource: %+v, %v", target, got, err)
		}
		if got := l.Fetch(t.Context(), fmt.Sprintf("http://rob%d.test/", i)); got.Outcome != Refused {
			t.Errorf("robots.txt at %s: %+v", target, got)
		}
	}
	if n := len(w.asked()); n != 7*len(targets) {
		t.Errorf("%d pages requested; want the %d that redirect", n, 7*len(targets))
	}
}

// TestLiveOpened opens one address for one pattern: everything else stays refused.
func TestLiveOpened(t *testing.T) {
	w := mustWeb(t, map[string]http.HandlerFunc{
		"a.test/": say("x"), "a.test/lit": to("http://127.0.0.1/", 302), "a.test/dec": to("http://2130706433/", 302), "a.test/name": to("http://a.example/", 302),
		"127.0.0.1/": say("no"), "test/": say("no"),
	})
	_, port, _ := net.SplitHostPort(w.addr())
	l := w.mustLive(t, LiveOptions{})
	for _, u := range []string{"http://a.test/", "http://a.test:" + port + "/"} {
		if got := l.Fetch(t.Context(), u); got.Outcome != OK {
			t.Errorf("%s: %+v", u, got)
		}
	}
	for _, u := range []string{"http://" + w.addr() + "/", "http://localhost:" + port + "/", "http://test:" + port + "/", "http://a.test.example:" + port + "/", "http://[::ffff:127.0.0.1]:" + port + "/", "http://a.test/lit", "http://a.test/dec"} {
		if got := l.Fetch(t.Context(), u); got.Outcome != Refused {
			t.Errorf("%s: %+v", u, got)
		}
	}
	open := w.mustLive(t, LiveOptions{AllowPrivate: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}})
	if got := open.Fetch(t.Context(), "http://"+w.addr()+"/"); got.Outcome != OK {
		t.Errorf("allowed network: %+v", got)
	}
	if got := open.delay("http://" + w.addr() + "/"); got != 0 {
		t.Errorf("allowed network: delay %v", got)
	}
	// Only a connection shows that a name is in the allowed network: until then the delay is the usual one.
	if got := open.delay("http://localhost:" + port + "/"); got != minDelay {
		t.Errorf("a name not connected to yet: delay %v", got)
	}
	if got := open.Fetch(t.Context(), "http://localhost:"+port+"/"); got.Outcome != Status {
		t.Errorf("a name in the allowed network: %+v", got)
	}
	if got := open.delay("http://localhost:" + port + "/"); got != 0 {
		t.Errorf("a name in the allowed network: delay %v", got)
	}
	before := len(w.asked())
	for _, self := range []string{w.addr(), "localhost:" + port, ":" + port, "[::]:" + port, "0.0.0.0:" + port} {
		l := w.mustLive(t, LiveOptions{AllowPrivate: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8"), netip.MustParsePrefix("::/0")}, Self: []string{self}})
		for _, u := range []string{"http://" + w.addr() + "/", "http://localhost:" + port + "/", "http://[::ffff:127.0.0.1]:" + port + "/", "http://a.test/"} {
			if got := l.Fetch(t.Context(), u); got.Outcome != Refused || !strings.Contains(got.Reason, "own address") {
				t.Errorf("self %s as %s: %+v", self, u, got)
			}
		}
	}
	// One that is listened on only later.
	var listening []string
	late := w.mustLive(t, LiveOptions{AllowPrivate: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}, SelfNow: func() []string { return listening }})
	listening = []string{w.addr()}
	if got := late.Fetch(t.Context(), "http://"+w.addr()+"/"); got.Outcome != Refused || !strings.Contains(got.Reason, "own address") {
		t.Errorf("self since a moment: %+v", got)
	}
	if n := len(w.asked()); n != before {
		t.Errorf("Nightjar requested its own address %d times", n-before)
	}
}
