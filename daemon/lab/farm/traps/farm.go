package traps

import (
	"fmt"
	"html"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
)

// Farm is a set of traps beside a web. It is safe for concurrent use.
type Farm struct {
	good http.Handler // the web that mirror.test copies

	mu     sync.Mutex
	hits   map[string]int // requests by family of traps, robots.txt left out
	views  int            // of session.test
	closed chan struct{}  // ends the slow answers
	once   sync.Once
}

// New makes the traps beside a web, which answers for all other hosts.
func New(good http.Handler) *Farm {
	return &Farm{good: good, hits: make(map[string]int), closed: make(chan struct{})}
}

// Close ends the answers that would never end.
func (f *Farm) Close() { f.once.Do(func() { close(f.closed) }) }

// family is the trap of a name, nil for none.
func family(name string) func(*Farm, http.ResponseWriter, *http.Request) {
	switch name {
	case "calendar":
		return (*Farm).calendar
	case "session":
		return (*Farm).session
	case "depth":
		return (*Farm).depth
	case "facets":
		return (*Farm).facets
	case "mirror":
		return (*Farm).mirror
	case "slow":
		return (*Farm).slow
	case "maze":
		return (*Farm).maze
	case "subdomains":
		return (*Farm).subdomains
	case "bomb":
		return (*Farm).bomb
	case "soft404":
		return (*Farm).soft404
	case "pages":
		return (*Farm).pages
	case "babble":
		return (*Farm).babble
	}
	return nil
}

// Entrances are the addresses that lead into the traps, one a family. Each page behind one leads deeper.
func Entrances() []string {
	return []string{"http://calendar.test/", "http://session.test/", "http://depth.test/", "http://facets.test/",
		"http://mirror.test/", "http://slow.test/", "http://maze.test/", "http://www.subdomains.test/", "http://bomb.test/",
		"http://soft404.test/", "http://pages.test/"}
}

// Babble leads into the trap of made-up sentences.
const Babble = "http://babble.test/"

// Family names the trap that a host belongs to, "" for none.
func Family(host string) string {
	labels := strings.Split(host, ".")
	if n := len(labels); n >= 2 && labels[n-1] == "test" {
		if name := labels[n-2]; family(name) != nil {
			return name
		}
	}
	return ""
}

// Hits counts the requests that each family got, robots.txt left out.
func (f *Farm) Hits() map[string]int {
	f.mu.Lock()
	defer f.mu.Unlock()
	all := make(map[string]int, len(f.hits))
	for name, n := range f.hits {
		all[name] = n
	}
	return all
}

// ServeHTTP answers by the Host header.
func (f *Farm) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	host := hostOf(r)
	name := Family(host)
	switch {
	case name == "":
		f.good.ServeHTTP(w, r)
	case r.URL.Path == "/robots.txt":
		http.NotFound(w, r)
	default:
		f.mu.Lock()
		f.hits[name]++
		f.mu.Unlock()
		family(name)(f, w, r)
	}
}

func hostOf(r *http.Request) string {
	host := r.Host
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	return strings.ToLower(host)
}

// sheet is a page to be written.
type sheet struct {
	title string
	text  []string // paragraphs
	links []string // references; their words are made of them
}

func (s sheet) write(w http.ResponseWriter) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	_, _ = io.WriteString(w, s.html()) // nobody to tell when the reader has gone
}

func (s sheet) html() string {
	var b strings.Builder
	fmt.Fprintf(&b, "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>%s</title></head><body>\n<h1>%[1]s</h1>\n", html.EscapeString(s.title))
	for _, p := range s.text {
		fmt.Fprintf(&b, "<p>%s</p>\n", html.EscapeString(p))
	}
	b.WriteString("<ul>\n")
	for _, l := range s.links {
		fmt.Fprintf(&b, "<li><a href=\"%s\">%s</a></li>\n", html.EscapeString(l), html.EscapeString(strings.Trim(l, "/?")))
	}
	b.WriteString("</ul>\n</body></html>\n")
	return b.String()
}
