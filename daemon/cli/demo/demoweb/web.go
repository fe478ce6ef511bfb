package demoweb

import (
	"maps"
	"math/rand/v2"
	"net/http"
	"slices"
)

// Web is a made-up web. It is immutable.
type Web struct {
	Seed  uint64
	Topic string // of the script, such as "Glaciers"

	documents map[string]document // by URL
	robots    map[string]string   // robots.txt by host
	relevant  map[string]bool     // URLs of pages about the topic
	script    []Step
}

// document is the response of a URL.
type document struct {
	status    int
	location  string // of a redirect
	body      string
	forbidden bool // by robots.txt
}

// Generate makes a web. The same seed gives the same bytes.
func Generate(seed uint64) *Web {
	rng := rand.New(rand.NewPCG(seed, 0x6e696768746a6172))
	b := &builder{rng: rng, prose: writer{rng: rng}, topic: fields[rng.IntN(len(fields))]}
	b.build()
	w := &Web{Seed: seed, Topic: b.topic.topic, documents: make(map[string]document),
		robots: make(map[string]string), relevant: make(map[string]bool)}
	for _, s := range b.sites {
		w.robots[s.host] = s.robots()
		for from, to := range s.redirects {
			w.documents[s.url(from)] = document{status: to.status, location: to.url}
		}
		for _, d := range s.drafts {
			w.documents[d.url()] = document{status: http.StatusOK, body: b.render(d), forbidden: d.forbidden}
			if d.relevant {
				w.relevant[d.url()] = true
			}
		}
	}
	w.script = b.script()
	return w
}

// Relevant reports whether the page at a canonical URL is about the topic.
func (w *Web) Relevant(url string) bool { return w.relevant[url] }

// RelevantPages are the URLs of all pages about the topic, sorted.
func (w *Web) RelevantPages() []string { return slices.Sorted(maps.Keys(w.relevant)) }

// Pages are the URLs of all pages that a polite crawler may fetch, sorted, without redirects.
func (w *Web) Pages() []string {
	return w.urls(func(d document) bool { return d.status == http.StatusOK && !d.forbidden })
}

// Forbidden are the URLs of the pages that robots.txt forbids, sorted.
func (w *Web) Forbidden() []string { return w.urls(func(d document) bool { return d.forbidden }) }

// Redirects are the URLs that redirect, sorted.
func (w *Web) Redirects() []string { return w.urls(func(d document) bool { return d.location != "" }) }

// Hosts are the host names, sorted.
func (w *Web) Hosts() []string { return slices.Sorted(maps.Keys(w.robots)) }

// Script is a person's session on this web, from the first page to Submit.
func (w *Web) Script() []Step { return slices.Clone(w.script) }

// urls are the URLs of the wanted documents, sorted.
func (w *Web) urls(want func(document) bool) []string {
	all := maps.Clone(w.documents)
	maps.DeleteFunc(all, func(_ string, d document) bool { return !want(d) })
	return slices.Sorted(maps.Keys(all))
}
