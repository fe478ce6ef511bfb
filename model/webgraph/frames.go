package webgraph

import (
	"net/url"
	"slices"
	"strings"
	"unicode"
)

// realText is the least number of letters that makes the content of an iframe worth a page of its own. Buttons, adverts'
// labels and counters hold fewer; two short sentences hold more. Letters, because not every script has spaces.
const realText = 40

// frames knows how loads hold each other.
type frames struct {
	loads    map[string]*Load    // by ID
	children map[string][]string // URL of a frameset -> URLs of its frames, in order of appearance
}

// newFrames indexes loads. A load is a frameset when another load is its child of kind Frame. What is a frameset in one
// load is taken as one in all loads of the same URL: a second visit whose frames were not reported is no new page.
func newFrames(loads []Load) *frames {
	f := &frames{loads: make(map[string]*Load, len(loads)), children: map[string][]string{}}
	for i := range loads {
		f.loads[loads[i].ID] = &loads[i]
	}
	for i := range loads {
		l := &loads[i]
		parent := f.loads[l.Parent]
		if parent == nil || l.Kind != Frame || l.URL == parent.URL || !f.admitted(l) {
			continue
		}
		if !slices.Contains(f.children[parent.URL], l.URL) {
			f.children[parent.URL] = append(f.children[parent.URL], l.URL)
		}
	}
	return f
}

// admitted reports whether a load is a page of the graph at all (a frameset is not, but its frames stand for it). A page
// and a frame of a frameset are; an iframe, and whatever it holds, only when it is of the site of the page around it
// and holds real text.
func (f *frames) admitted(l *Load) bool {
	if l.URL == "" {
		return false
	}
	holder, inside := f.holder(l)
	if !inside {
		return true
	}
	return holder != nil && sameSite(l, holder) && (l.RealText || RealText(l.Text))
}

// holder finds the page around the outermost iframe that l is or stands in: nil when that page is not among the loads.
// inside is false for a load that stands in no iframe.
func (f *frames) holder(l *Load) (holder *Load, inside bool) {
	for range len(f.loads) { // data may claim that frames hold each other in a circle
		if l.Parent == "" {
			return holder, inside
		}
		parent := f.loads[l.Parent]
		if l.Kind != Frame {
			inside, holder = true, parent
		}
		if parent == nil {
			return holder, inside
		}
		l = parent
	}
	return nil, true
}

// expand lists the URLs of the pages that stand for url: itself, or for a frameset the frames in it, through framesets
// inside framesets. A frameset that holds only itself stands for itself.
func (f *frames) expand(url string) []string {
	var out []string
	seen := map[string]bool{}
	var walk func(string)
	walk = func(u string) {
		if seen[u] {
			return
		}
		seen[u] = true
		kids := f.children[u]
		if len(kids) == 0 {
			out = append(out, u)
		}
		for _, k := range kids {
			walk(k)
		}
	}
	walk(url)
	if len(out) == 0 {
		return []string{url}
	}
	return out
}

// sameSite compares registrable domains where both are known, hosts otherwise.
func sameSite(a, b *Load) bool {
	if a.Site != "" && b.Site != "" {
		return a.Site == b.Site
	}
	return host(a.URL) != "" && host(a.URL) == host(b.URL)
}

func host(raw string) string {
	u, err := url.Parse(raw)
	if err != nil {
		return ""
	}
	return strings.ToLower(u.Hostname())
}

// RealText reports whether a text makes the content of an iframe worth a page of its own.
func RealText(text string) bool { return letters(text) >= realText }

func letters(s string) int {
	n := 0
	for _, r := range s {
		if unicode.IsLetter(r) {
			n++
		}
	}
	return n
}
