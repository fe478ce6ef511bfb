package farm

import (
	"errors"
	"fmt"
	"net"
	"net/http"
	"sync"
	"time"

	"nightjar/crawler/clock"
	"nightjar/crawler/fetch"
)

// Farm is a running server of many hosts. It is safe for concurrent use.
type Farm struct {
	options   Options
	clock     clock.Clock
	pages     pages
	hosts     []*host
	byName    map[string]*host
	addrs     []string // of the hosts
	listeners []net.Listener
	server    *http.Server
	served    sync.WaitGroup
}

// pages are the pages of the hosts. Each host has a front page, "/".
type pages interface {
	// get is the document at a path with query.
	get(host int, path string) (*document, bool)
	urls() []string
	relevant(url string) bool
	topic() string
}

// Open prepares the pages and serves them until Close.
func Open(o Options) (*Farm, error) {
	if o.Hosts == 0 {
		o.Hosts = defaultHosts
	}
	if o.Hosts < 1 || o.Hosts > MaxHosts || o.Pages < 0 {
		return nil, fmt.Errorf("open farm: %d hosts and %d pages cannot be served", o.Hosts, o.Pages)
	}
	f := &Farm{options: o, clock: clock.Or(o.Clock), byName: make(map[string]*host, o.Hosts)}
	if err := f.fill(); err != nil {
		return nil, fmt.Errorf("open farm: %w", err)
	}
	for i := range f.options.Hosts {
		h := newHost(i, &f.options)
		f.hosts = append(f.hosts, h)
		f.byName[h.name] = h
	}
	if err := f.listen(); err != nil {
		return nil, errors.Join(fmt.Errorf("open farm: %w", err), f.Close())
	}
	f.serve()
	return f, nil
}

// fill reads or makes up the pages.
func (f *Farm) fill() (err error) {
	o := &f.options
	if len(o.Recordings) > 0 {
		f.pages, err = readRecordings(o)
		return err
	}
	if o.Pages == 0 {
		o.Pages = defaultPages
	}
	o.Hosts = min(o.Hosts, o.Pages)
	f.pages = newWritten(o)
	return nil
}

// serve answers on all listeners.
func (f *Farm) serve() {
	f.server = &http.Server{Handler: http.HandlerFunc(f.answer), ReadHeaderTimeout: 10 * time.Second, MaxHeaderBytes: 32 << 10}
	for _, l := range f.listeners {
		f.served.Go(func() { _ = f.server.Serve(l) }) // until Close
	}
}

// Close stops the servers and cuts open connections.
func (f *Farm) Close() error {
	var err error
	if f.server != nil {
		err = f.server.Close()
	} else {
		for _, l := range f.listeners {
			err = errors.Join(err, l.Close())
		}
	}
	f.served.Wait()
	return err
}

// Hosts are the names of the hosts.
func (f *Farm) Hosts() []string {
	names := make([]string, len(f.hosts))
	for i, h := range f.hosts {
		names[i] = h.name
	}
	return names
}

// Resolve is a rule with the address of each host, for fetch.LiveOptions.
func (f *Farm) Resolve() []fetch.Resolve {
	rules := make([]fetch.Resolve, len(f.hosts))
	for i, h := range f.hosts {
		rules[i] = fetch.Resolve{Pattern: h.name, Addr: f.addrs[i]}
	}
	return rules
}

// Starts are the front pages of all hosts.
func (f *Farm) Starts() []string {
	urls := make([]string, len(f.hosts))
	for i, h := range f.hosts {
		urls[i] = "http://" + h.name + "/"
	}
	return urls
}

// Pages are the canonical addresses of all pages, host by host.
func (f *Farm) Pages() []string { return f.pages.urls() }

// Topic is what relevant pages are about: a theme, or the host that they were recorded from.
func (f *Farm) Topic() string { return f.pages.topic() }

// Relevant reports whether the page at a canonical address is about the topic. Crawlers do not see it.
func (f *Farm) Relevant(url string) bool { return f.pages.relevant(url) }

// HTML is the page at a canonical address, nil without one.
func (f *Farm) HTML(url string) []byte {
	name, path := split(url)
	h := f.byName[name]
	if h == nil {
		return nil
	}
	if d, ok := f.pages.get(h.number, path); ok {
		return d.html()
	}
	return nil
}
