package machine

import (
	"net"
	"os"
	"runtime"
	"testing"
)

// TestListener: the process that listens is named, whether it listens on the address itself or on every address.
func TestListener(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("only Linux tells")
	}
	for _, on := range []struct{ network, at, asked string }{
		{"tcp4", "127.0.0.1:0", "127.0.0.1"}, {"tcp4", "0.0.0.0:0", "127.0.0.1"}, {"tcp", ":0", "127.0.0.1"}, {"tcp6", "[::1]:0", "::1"}, {"tcp6", "[::]:0", "::1"},
	} {
		l, err := net.Listen(on.network, on.at)
		if err != nil {
			t.Logf("%s: %v", on.at, err) // a machine without IPv6
			continue
		}
		defer l.Close()
		_, port, _ := net.SplitHostPort(l.Addr().String())
		if pid, name := Listener(net.JoinHostPort(on.asked, port)); pid != os.Getpid() || name == "" {
			t.Errorf("%s on %s: process %d, %q", on.network, on.at, pid, name)
		}
	}
	for _, addr := range []string{"127.0.0.1:1", "localhost:80", "nonsense", ""} {
		if pid, name := Listener(addr); pid != 0 || name != "" {
			t.Errorf("%q: process %d, %q", addr, pid, name)
		}
	}
}
