package farm

import (
	"context"
	"fmt"
	"net/url"
	"runtime"
	"sync"

	"golang.org/x/sync/errgroup"

	"nightjar/crawler/weburl"
	"nightjar/daemon/lab/recording"
)

// recorded are pages of recordings, spread over the hosts so that neighbours in a recording stay together. Links to pages of
// the farm lead to their new addresses. Every other link leads to a page drawn from its address, mostly a neighbour, so that
// pages keep their number of links.
type recorded struct {
	hosts []map[string]*document // by path
	all   []string               // addresses, host by host
	site  map[string]string      // original host, by address
	about string
}

// source is a page of a recording.
type source struct {
	url  string // original address
	to   string // address in the farm
	host int
}

// readRecordings reads and rewrites the pages on all processors.
func readRecordings(o *Options) (*recorded, error) {
	from, _, err := recording.Open(o.Recordings)
	if err != nil {
		return nil, err
	}
	defer from.Close()
	pages := from.Pages()
	if o.Pages == 0 || o.Pages > len(pages) {
		o.Pages = len(pages)
	}
	o.Hosts = min(o.Hosts, o.Pages)
	r := newRecorded(o, pages)
	sources, moved := r.settle(o, pages)
	rewriter := &rewriter{seed: o.Seed, sources: sources, moved: moved}
	var mu sync.Mutex
	var workers errgroup.Group
	workers.SetLimit(runtime.GOMAXPROCS(0))
	for _, s := range sources {
		workers.Go(func() error {
			d := newDocument(rewriter.rewrite(from.Fetch(context.Background(), s.url), s))
			_, path := split(s.to)
			mu.Lock()
			defer mu.Unlock()
			r.hosts[s.host][path] = d
			return nil
		})
	}
	err = workers.Wait()
	r.fronts(sources)
	return r, err
}

func newRecorded(o *Options, pages []string) *recorded {
	r := &recorded{hosts: make([]map[string]*document, o.Hosts), site: make(map[string]string, o.Pages)}
	for i := range r.hosts {
		r.hosts[i] = make(map[string]*document)
	}
	r.about = weburl.Host(pages[mixed(o.Seed, drawPage)%uint64(len(pages))])
	return r
}

// settle gives each page an address: its own path at one of the hosts.
func (r *recorded) settle(o *Options, pages []string) (sources []source, moved map[string]string) {
	moved = make(map[string]string, o.Pages)
	for i := range o.Pages {
		raw := pages[i*len(pages)/o.Pages]
		u, err := url.Parse(raw)
		if err != nil {
			continue // net/url cannot request this address
		}
		s := source{url: raw, host: i * o.Hosts / o.Pages}
		path := u.EscapedPath()
		if u.RawQuery != "" {
			path += "?" + u.RawQuery
		}
		if path == "" || path == "/" {
			path = "/" + weburl.Host(raw) + ".html" // the front page lists the others
		}
		s.to = "http://" + hostName(s.host) + path
		if to, err := weburl.Canonical(s.to); err != nil || to != s.to || r.site[s.to] != "" {
			s.to = fmt.Sprintf("http://%s/page-%d.html", hostName(s.host), i)
		}
		r.site[s.to], moved[raw] = weburl.Host(raw), s.to
		sources = append(sources, s)
	}
	return sources, moved
}

func (r *recorded) get(host int, path string) (*document, bool) {
	d, ok := r.hosts[host][path]
	return d, ok
}

func (r *recorded) urls() []string { return r.all }

func (r *recorded) relevant(url string) bool { return r.site[url] == r.about }

func (r *recorded) topic() string { return r.about }
