package settings

import (
	"net"
	"net/netip"
	"net/url"
	"path/filepath"
	"strconv"
	"strings"
)

// Workers says whether programs on other machines fetch pages for this daemon, and how they reach it. Changes apply at once.
type Workers struct {
	Enabled   bool   `json:"enabled"`
	Listen    string `json:"listen"`     // ADDR:PORT of the daemon's own broker, such as 0.0.0.0:4775
	Address   string `json:"address"`    // HOST or HOST:PORT under which workers reach it; "" means the addresses of this machine
	TLS       string `json:"tls"`        // folder of certificates; "" means that Nightjar makes them in the data folder
	Broker    string `json:"broker"`     // nats://A,B,C of a cluster in place of the own broker; "" means none
	Login     string `json:"login"`      // file of the cluster's credentials for the daemon
	FetchHere bool   `json:"fetch_here"` // while no worker is connected, this machine fetches; otherwise crawls wait
}

// DefaultWorkersListen is where the daemon's own broker listens: on every address, since workers are elsewhere.
const DefaultWorkersListen = "0.0.0.0:4775"

// maxAddress is the longest address or path, in bytes.
const maxAddress = 1000

// Servers returns the addresses of the cluster, none for the daemon's own broker.
func (w Workers) Servers() (all []string) {
	scheme, rest, found := strings.Cut(w.Broker, "://")
	if !found {
		return nil
	}
	for one := range strings.SplitSeq(rest, ",") {
		if one = strings.TrimSpace(one); !strings.Contains(one, "://") {
			one = scheme + "://" + one
		}
		all = append(all, one)
	}
	return all
}

func (w Workers) normal() Workers {
	for _, text := range []*string{&w.Listen, &w.Address, &w.TLS, &w.Broker, &w.Login} {
		*text = strings.TrimSpace(*text)
	}
	if w.Listen == "" {
		w.Listen = DefaultWorkersListen
	}
	return w
}

func (w Workers) validate(check func(field string, ok bool, format string, args ...any)) {
	at, err := netip.ParseAddrPort(w.Listen)
	check("workers_listen", err == nil && at.Port() > 0, "the address must have the form ADDR:PORT, such as %s for every network of this computer", DefaultWorkersListen)
	check("workers_address", w.Address == "" || reachable(w.Address), "the address must be a host, such as nightjar.example.org or 192.168.1.5, with or without a port")
	check("workers_tls", folder(w.TLS), "the folder must be a full path, such as /etc/nightjar/tls; leave it empty to let Nightjar make certificates")
	check("workers_login", folder(w.Login), "the file must be a full path, such as /etc/nightjar/daemon.creds")
	if w.Broker == "" {
		return
	}
	ok := len(w.Broker) <= maxAddress && len(w.Servers()) > 0
	for _, one := range w.Servers() {
		u, err := url.Parse(one)
		ok = ok && err == nil && (u.Scheme == "nats" || u.Scheme == "tls") && u.User == nil && reachable(u.Host) && strings.Trim(u.Path, "/") == "" && u.RawQuery == ""
	}
	check("workers_broker", ok, "the broker must have the form nats://HOST:PORT,HOST:PORT, without a name or password; its credentials are in a file")
}

// reachable reports whether s is a host name or an address, with or without a port.
func reachable(s string) bool {
	host := s
	if h, port, err := net.SplitHostPort(s); err == nil {
		n, err := strconv.Atoi(port)
		if err != nil || n < 1 || n > 65535 {
			return false
		}
		host = h
	}
	_, err := netip.ParseAddr(host)
	return len(s) <= maxAddress && (err == nil || hostName(host))
}

func folder(path string) bool {
	return path == "" || filepath.IsAbs(path) && len(path) <= maxAddress && !strings.ContainsFunc(path, func(r rune) bool { return r < ' ' })
}
