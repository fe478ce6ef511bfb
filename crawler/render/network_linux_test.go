package render

import (
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// ways are how a page can try to reach an address, %s, by itself.
const ways = `<base href="http://a.test/"><link rel=dns-prefetch href="http://%s"><link rel=preconnect href="http://%s">
<link rel=prefetch href="http://%s/"><link rel=prerender href="http://%s/"><link rel=preload as=script href="http://%s/">
<link rel=modulepreload href="http://%s/"><link rel=manifest href="http://%s/"><link rel=icon href="http://%s/">
<link rel=stylesheet href="http://%s/"><style>@import "http://%s/"; @font-face { font-family: f; src: url(http://%s/) } body { font-family: f; background: url(http://%s/) }</style>
<script type=speculationrules>{"prefetch": [{"source": "list", "urls": ["http://%s/"]}], "prerender": [{"source": "list", "urls": ["http://%s/"]}]}</script>
<img src="http://%s/" srcset="http://%s/ 2x"><video src="http://%s/" poster="http://%s/" preload=auto></video><audio src="http://%s/" autoplay></audio>
<iframe src="http://%s/"></iframe><iframe src="ftp://%s/"></iframe><object data="http://%s/"></object><embed src="http://%s/"><p>text</p>
<a id=a ping="http://%s/" href="#x">x</a><form id=f method=post action="http://%s/" target=i><input name=a></form><iframe name=i></iframe>
<script src="http://%s/"></script>
<script>
const attempt = (f) => { try { const p = f(); if (p && p.catch) p.catch(() => 0); } catch { } };
attempt(() => new WebSocket("ws://%s/"));
attempt(() => new WebSocket("wss://%s/"));
attempt(() => new EventSource("http://%s/"));
attempt(() => new WebTransport("https://%s/"));
attempt(() => fetch("http://%s/"));
attempt(() => fetch("http://%s/", {method: "POST", mode: "no-cors", keepalive: true, body: "x"}));
attempt(() => navigator.sendBeacon("http://%s/", "x"));
attempt(() => new Worker("http://%s/w.js"));
attempt(() => new Worker(URL.createObjectURL(new Blob(['fetch("http://%s/"); new WebSocket("ws://%s/"); importScripts("http://%s/")']))));
attempt(() => new SharedWorker("data:text/javascript,fetch('http://%s/')"));
attempt(() => navigator.serviceWorker.register("/sw.js"));
attempt(() => {
	const c = new RTCPeerConnection({iceServers: [{urls: "stun:%s"}, {urls: "turn:%s?transport=tcp", username: "a", credential: "b"}]});
	c.createDataChannel("x");
	c.onicecandidate = (e) => { if (e.candidate) document.body.append(e.candidate.candidate); };
	return c.createOffer().then((o) => c.setLocalDescription(o));
});
for (const frame of [{}, {srcdoc: "<p>x"}, {src: "javascript:1"}]) attempt(() => {
	const inner = document.body.appendChild(Object.assign(document.createElement("iframe"), frame)).contentWindow;
	attempt(() => new inner.WebSocket("ws://%s/"));
	return new inner.RTCPeerConnection({iceServers: [{urls: "stun:%s"}]}).createDataChannel("x");
});
attempt(() => document.getElementById("a").click());
attempt(() => document.getElementById("f").submit());
attempt(() => window.open("http://%s/"));
attempt(() => { document.createElement("img").src = "http://name-of-nobody.example/"; });
setTimeout(() => { location = "http://%s/"; }, 300);
</script>`

// TestNoNetwork lets a page try all ways to reach a listener, also without what shut.js takes away. It is not connected
// to, gets no datagram, and no process of the browser ever has a socket of the Internet family; without shut.js, WebRTC
// has some, not connected to anything, to find out which addresses the machine has.
func TestNoNetwork(t *testing.T) {
	canary, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer canary.Close()
	datagrams, err := net.ListenPacket("udp", canary.Addr().String())
	if err != nil {
		t.Skip("left out: the port is taken for datagrams")
	}
	defer datagrams.Close()
	var touched atomic.Int32
	go func() {
		for {
			c, err := canary.Accept()
			if err != nil {
				return
			}
			touched.Add(1)
			c.Close()
		}
	}()
	go func() {
		for buf := make([]byte, 1500); ; {
			if _, _, err := datagrams.ReadFrom(buf); err != nil {
				return
			}
			touched.Add(1)
		}
	}()
	s := mustSite(t, nil)
	defer func(before string) { blockScript = before }(blockScript)
	for _, source := range []string{blockScript, ""} {
		blockScript = source
		r := mustRenderer(t, s, Options{Compute: time.Second})
		if _, err := r.start(); err != nil { // so that there is something to look at from the beginning
			t.Fatal(err)
		}
		stop := make(chan struct{})
		seen := make(chan map[string]bool)
		go func() { seen <- sockets(r.browser.pid, stop) }()
		html, exchanges, err := r.Render(t.Context(), "http://a.test/", []byte(strings.ReplaceAll(ways, "%s", canary.Addr().String())))
		close(stop)
		if err != nil || !strings.Contains(string(html), "<p>text</p>") {
			t.Errorf("%.300s, %v", html, err)
		}
		for socket := range <-seen {
			if source != "" || !strings.HasPrefix(socket, "udp") || !strings.HasSuffix(socket, ":0000") {
				t.Errorf("a process of the browser had a socket: %s", socket)
			}
		}
		for _, x := range exchanges {
			t.Errorf("asked for %s", x.URL)
		}
		mustEnd(t, r)
	}
	if n := touched.Load(); n > 0 {
		t.Errorf("the canary was touched %d times", n)
	}
}

// sockets watches the processes of a group until stop is closed, and returns the sockets of the Internet family that
// they had, as the kernel lists them.
func sockets(group int, stop chan struct{}) map[string]bool {
	found := map[string]bool{}
	for {
		own := map[string]bool{}
		for _, pid := range processes(group) {
			files, _ := os.ReadDir(filepath.Join("/proc", pid, "fd")) // it may be gone
			for _, f := range files {
				if to, err := os.Readlink(filepath.Join("/proc", pid, "fd", f.Name())); err == nil && strings.HasPrefix(to, "socket:[") {
					own[strings.Trim(to, "socket:[]")] = true
				}
			}
		}
		for _, table := range []string{"tcp", "tcp6", "udp", "udp6", "raw", "raw6"} {
			text, _ := os.ReadFile("/proc/net/" + table) // IPv6 may be off
			for line := range strings.Lines(string(text)) {
				if fields := strings.Fields(line); len(fields) > 9 && own[fields[9]] {
					found[table+" "+fields[1]+" "+fields[2]] = true
				}
			}
		}
		select {
		case <-stop:
			return found
		case <-time.After(5 * time.Millisecond):
		}
	}
}

// mustEnd closes the renderer and looks for what is left of its browser.
func mustEnd(t *testing.T, r *Renderer) {
	t.Helper()
	b := r.browser
	if b == nil || len(processes(b.pid)) == 0 {
		t.Fatal("no browser runs")
	}
	r.Close()
	for wait := 0; len(processes(b.pid)) > 0; wait++ { // the kernel takes a moment to clear away what was killed
		if wait > 6000 {
			t.Fatalf("still there: %v", processes(b.pid))
		}
		time.Sleep(10 * time.Millisecond)
	}
	if _, err := os.Stat(b.profile); !os.IsNotExist(err) {
		t.Errorf("the profile is still there: %v", err)
	}
}
