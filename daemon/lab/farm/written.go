package farm

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"sync"

	"nightjar/daemon/cli/demo/demoweb"
)

const (
	fanOut     = 10  // children of a page
	ownTheme   = .7  // share of a host's pages about its main theme
	maxSection = 25  // entries of a page's menu and of its footer
	relations  = 140 // links next to the text
	shortest   = 15  // paragraphs of text
	longest    = 80
	inText     = 0.8 // share of paragraphs with a link
	names      = 40  // names that a page uses
)

// written are pages made up from the seed. Most pages of a host are about its main theme. The pages of a host form a tree
// whose root is the front page; other links tend to stay with the theme. A page is written at the first request and then
// kept, compressed.
type written struct {
	seed   uint64
	hosts  int
	pages  int
	themes []string
	about  string
	number map[string]int // of hosts, by name

	mu   sync.Mutex
	kept map[place]*document
}

// place is a page: its host and its number there.
type place struct{ host, page int }

func newWritten(o *Options) *written {
	themes := demoweb.Matters()
	w := &written{seed: o.Seed, hosts: o.Hosts, pages: o.Pages, themes: themes, about: themes[o.Seed%uint64(len(themes))],
		number: make(map[string]int, o.Hosts), kept: make(map[place]*document)}
	for i := range o.Hosts {
		w.number[hostName(i)] = i
	}
	return w
}

// size is the number of pages of a host.
func (w *written) size(host int) int {
	n := w.pages / w.hosts
	if host < w.pages%w.hosts {
		n++
	}
	return n
}

// theme is what a page is about.
func (w *written) theme(p place) string {
	lot := mixed(w.seed, drawPage, uint64(p.host), uint64(p.page))
	if p.page == 0 || share(lot) < ownTheme {
		return w.themes[p.host%len(w.themes)]
	}
	return w.themes[lot%uint64(len(w.themes))]
}

// draw is the random source of a page.
func (w *written) draw(p place) *rand.Rand {
	return rand.New(rand.NewPCG(mixed(w.seed, uint64(p.host)), uint64(p.page)))
}

// title is drawn first from a page's source, so that it is known without the page.
func (w *written) title(p place) string { return demoweb.NewText(w.draw(p)).Headline(w.theme(p)) }

// path is the path of a page.
func (w *written) path(p place) string {
	if p.page == 0 {
		return "/"
	}
	return fmt.Sprintf("/%s/%s-%d.html", w.theme(p), strings.ReplaceAll(strings.ToLower(w.title(p)), " ", "-"), p.page)
}

func (w *written) url(p place) string { return "http://" + hostName(p.host) + w.path(p) }

func (w *written) topic() string { return w.about }

func (w *written) urls() []string {
	var all []string
	for h := range w.hosts {
		for i := range w.size(h) {
			all = append(all, w.url(place{h, i}))
		}
	}
	return all
}

// find is the page at a path.
func (w *written) find(host int, path string) (place, bool) {
	p := place{host: host}
	if path != "/" {
		var err error
		number := strings.TrimSuffix(path[strings.LastIndexByte(path, '-')+1:], ".html")
		if p.page, err = strconv.Atoi(number); err != nil || p.page < 1 {
			return p, false
		}
	}
	return p, p.page < w.size(host) && w.path(p) == path
}

func (w *written) relevant(url string) bool {
	name, path := split(url)
	host, known := w.number[name]
	if !known {
		return false
	}
	p, ok := w.find(host, path)
	return ok && w.theme(p) == w.about
}

func (w *written) get(host int, path string) (*document, bool) {
	p, ok := w.find(host, path)
	if !ok {
		return nil, false
	}
	w.mu.Lock()
	d := w.kept[p]
	w.mu.Unlock()
	if d == nil {
		d = newDocument([]byte(w.write(p)))
		w.mu.Lock()
		w.kept[p] = d
		w.mu.Unlock()
	}
	return d, true
}
