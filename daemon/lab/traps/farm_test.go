package traps

import (
	"fmt"
	"html"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
)

// Farm is a set of traps next to an ordinary web. It is safe for concurrent use.
type Farm struct {
	good http.Handler // the web that mirror.test copies

	mu     sync.Mutex
	views  int           // of session.test
	closed chan struct{} // ends the slow responses
	once   sync.Once

	goodSentences func() []string // of the good web
}

// New makes the traps; good answers for all other hosts.
func New(good http.Handler) *Farm {
	return &Farm{good: good, closed: make(chan struct{}), goodSentences: sync.OnceValue(func() []string { return borrow(good) })}
}

// Close ends the endless responses.
func (f *Farm) Close() { f.once.Do(func() { close(f.closed) }) }

// names are the families of traps.
var names = append(strings.Fields("calendar session depth facets mirror slow maze subdomains bomb soft404 pages babble"), growing...)

// trap is the handler of a family.
func (f *Farm) trap(name string) http.HandlerFunc {
	if _, ok := growers[name]; ok {
		return f.Grow(name).ServeHTTP
	}
	return map[string]http.HandlerFunc{
		"calendar": f.calendar, "session": f.session, "depth": f.depth, "facets": f.facets, "mirror": f.mirror, "slow": f.slow, "maze": f.maze,
		"subdomains": f.subdomains, "bomb": f.bomb, "soft404": f.soft404, "pages": f.pages, "babble": f.babble,
	}[name]
}

// Entrances are the addresses that lead into the traps, one per family, without Babble and Growing. Each page there leads deeper.
func Entrances() []string {
	return []string{"http://calendar.test/", "http://session.test/", "http://depth.test/", "http://facets.test/",
		"http://mirror.test/", "http://slow.test/", "http://maze.test/", "http://www.subdomains.test/", "http://bomb.test/",
		"http://soft404.test/", "http://pages.test/"}
}

const (
	Babble = "http://babble.test/" // entrance of the trap of random sentences
	Portal = "portal.test"         // host whose front page mirror.test copies first
)

// Family is the trap that a host belongs to, "" for none.
func Family(host string) string {
	labels := strings.Split(host, ".")
	if n := len(labels); n >= 2 && labels[n-1] == "test" {
		if name := labels[n-2]; slices.Contains(names, name) {
			return name
		}
	}
	return ""
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
		f.trap(name)(w, r)
	}
}

func hostOf(r *http.Request) string {
	host := r.Host
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	return strings.ToLower(host)
}

// sheet is the content of a page.
type sheet struct {
	title string
	text  []string // paragraphs
	links []string // references, which also make up the anchor texts
}

func (s sheet) write(w http.ResponseWriter) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	_, _ = io.WriteString(w, s.html()) // the client may have gone
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
