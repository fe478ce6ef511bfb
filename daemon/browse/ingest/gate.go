package ingest

import (
	"fmt"
	"net"
	"net/http"
	"regexp"

	"nightjar/daemon/base/loopback"
)

// extensionOrigin matches the origins of extensions: in Chromium a hash in the letters a to p, in Firefox a UUID.
var extensionOrigin = regexp.MustCompile(`^(chrome-extension://[a-p]{32}|moz-extension://[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})$`)

// checkHost returns an error unless a request's Host is a loopback name with the port that the request came in on. It
// refuses the requests of a page whose host name was made to resolve to this machine (DNS rebinding), since they carry
// that name.
func checkHost(r *http.Request) error {
	local, ok := r.Context().Value(http.LocalAddrContextKey).(net.Addr)
	if !ok {
		return fmt.Errorf("host %q: the server's address is unknown", r.Host)
	}
	addr, ok := local.(*net.TCPAddr)
	if !ok || !addr.IP.IsLoopback() {
		return fmt.Errorf("host %q: received on %s, which is not a loopback address", r.Host, local)
	}
	if hosts, err := loopback.HostsOf(addr.String()); err == nil && hosts.Has(r.Host) {
		return nil
	}
	return fmt.Errorf("host %q is not a name of this server", r.Host)
}

// checkOrigin returns a request's Origin, and an error unless there is exactly one and it names an extension. Whether
// it is the paired extension is checked later, against the origin that was stored at pairing.
func checkOrigin(r *http.Request) (string, error) {
	values := r.Header.Values("Origin")
	if len(values) != 1 || !extensionOrigin.MatchString(values[0]) {
		return "", fmt.Errorf("origin %q is not a browser extension", values)
	}
	return values[0], nil
}

// introduce answers a request that does not ask for a socket. Extensions may read the answer: they ask before they open a
// socket, to tell Nightjar from another program on its port. origin is "" for others, whose browsers hide the answer.
func introduce(w http.ResponseWriter, origin string) {
	if origin != "" {
		w.Header().Set("Access-Control-Allow-Origin", origin)
	}
	w.Header().Set("Vary", "Origin")
	w.Header().Set("Upgrade", "websocket")
	http.Error(w, "Nightjar: the browser extension connects here.", http.StatusUpgradeRequired)
}
