package ingest

import (
	"fmt"
	"net"
	"net/http"
	"regexp"
)

// extensionOrigin is what browsers write for extensions: Chromium a hash in the letters a to p, Firefox a UUID.
var extensionOrigin = regexp.MustCompile(`^(chrome-extension://[a-p]{32}|moz-extension://[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})$`)

// checkHost says why a request's Host is wrong. Only the loopback names of the very port it came in on are right: a page
// whose name was made to point here (DNS rebinding) says its own name, and is refused.
func checkHost(r *http.Request) error {
	local, ok := r.Context().Value(http.LocalAddrContextKey).(net.Addr)
	if !ok {
		return fmt.Errorf("host %q: the address of this server is not known", r.Host)
	}
	addr, ok := local.(*net.TCPAddr)
	if !ok || !addr.IP.IsLoopback() {
		return fmt.Errorf("host %q: came in on %s, which is not loopback", r.Host, local)
	}
	for _, name := range []string{"127.0.0.1", "localhost", "[::1]"} {
		if (name == "[::1]") == (addr.IP.To4() != nil) && name != "localhost" {
			continue
		}
		if r.Host == fmt.Sprintf("%s:%d", name, addr.Port) {
			return nil
		}
	}
	return fmt.Errorf("host %q is not this server's", r.Host)
}

// checkOrigin says why a request's Origin is wrong: it must be there once and name an extension. Which extension is
// decided in the socket, against the origin that was pinned when it was paired.
func checkOrigin(r *http.Request) (string, error) {
	values := r.Header.Values("Origin")
	if len(values) != 1 || !extensionOrigin.MatchString(values[0]) {
		return "", fmt.Errorf("origin %q is not an extension's", values)
	}
	return values[0], nil
}
