package farm

import (
	"bytes"
	"fmt"
	"hash/fnv"
	"html"
	"math/rand/v2"
	"net/url"
	"path"
	"slices"
	"strings"

	xhtml "golang.org/x/net/html"

	"nightjar/crawler/fetch"
	"nightjar/crawler/weburl"
	"nightjar/daemon/cli/demo/demoweb"
)

const (
	nearby      = 40 // pages on each side that count as neighbours
	staysNearby = .7 // share of outside links that lead to neighbours
	neighbours  = 10 // hosts that a front page links to
)

// rewriter rewrites the links of recorded pages to addresses in the farm.
type rewriter struct {
	seed    uint64
	sources []source
	moved   map[string]string // recorded address -> address in the farm
}

// rewrite rewrites the links of a page and changes nothing else.
func (r *rewriter) rewrite(answer fetch.Response, s source) []byte {
	base, err := url.Parse(answer.FinalURL)
	if err != nil {
		return answer.Body
	}
	var out bytes.Buffer
	z := xhtml.NewTokenizer(bytes.NewReader(answer.Body))
	for {
		kind := z.Next()
		if kind == xhtml.ErrorToken {
			return out.Bytes()
		}
		raw := bytes.Clone(z.Raw()) // Token changes it
		if kind != xhtml.StartTagToken && kind != xhtml.SelfClosingTagToken {
			out.Write(raw)
			continue
		}
		t := z.Token()
		if t.Data == "base" || t.Data == "link" && isCanonical(t) {
			continue // they lead out of the farm
		}
		if r.retarget(&t, base, s) {
			raw = []byte(t.String())
		}
		out.Write(raw)
	}
}

// retarget rewrites the links of a tag and reports whether it has any.
func (r *rewriter) retarget(t *xhtml.Token, base *url.URL, s source) bool {
	key := ""
	switch t.Data {
	case "a", "area":
		key = "href"
	case "frame", "iframe":
		key = "src"
	}
	changed := false
	for i, a := range t.Attr {
		if a.Key != key {
			continue
		}
		if to, ok := r.target(strings.TrimSpace(a.Val), base, s); ok {
			t.Attr[i].Val, changed = to, true
		}
	}
	return changed
}

// target is the new address of a reference; ok is false when it stays unchanged.
func (r *rewriter) target(ref string, base *url.URL, s source) (to string, ok bool) {
	if ref == "" || ref[0] == '#' {
		return "", false
	}
	u, err := base.Parse(ref)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" {
		return "", false
	}
	canonical, err := weburl.Canonical(u.String())
	if err != nil {
		return "", false
	}
	if to, ok = r.moved[canonical]; !ok {
		to = r.draw(canonical, s)
	}
	if own := "http://" + hostName(s.host) + "/"; strings.HasPrefix(to, own) {
		to = "/" + strings.TrimPrefix(to, own)
	}
	if u.Fragment != "" {
		to += "#" + u.EscapedFragment()
	}
	return to, true
}

// draw replaces an address outside the farm by a page of the farm, always the same one on pages of one host.
func (r *rewriter) draw(address string, s source) string {
	sum := fnv.New64a()
	sum.Write([]byte(address))
	lot := mixed(r.seed, sum.Sum64())
	n := uint64(len(r.sources))
	if share(lot) > staysNearby {
		return r.sources[lot%n].to
	}
	middle := uint64(s.host) * n / uint64(r.sources[n-1].host+1)
	return r.sources[(middle+lot%(2*nearby)+n-min(n, nearby))%n].to
}

func isCanonical(t xhtml.Token) bool {
	return slices.ContainsFunc(t.Attr, func(a xhtml.Attribute) bool {
		return a.Key == "rel" && strings.Contains(strings.ToLower(a.Val), "canonical")
	})
}

// fronts makes the front page of each host, which lists its pages, and collects all addresses.
func (r *recorded) fronts(sources []source) {
	own := make([][]string, len(r.hosts))
	for _, s := range sources {
		own[s.host] = append(own[s.host], s.to)
	}
	for h, urls := range own {
		name := hostName(h)
		r.hosts[h]["/"] = newDocument(r.front(h, urls))
		r.all = append(append(r.all, "http://"+name+"/"), urls...)
	}
}

func (r *recorded) front(host int, urls []string) []byte {
	var b bytes.Buffer
	themes := demoweb.Themes()
	text := demoweb.NewText(rand.New(rand.NewPCG(uint64(host), 1)))
	about := themes[host%len(themes)] // so that front pages are not near-duplicates
	fmt.Fprintf(&b, "<!DOCTYPE html>\n<html><head><meta charset=\"utf-8\"><title>%s</title></head><body><h1>%s</h1>\n<p>%s</p><ul>\n",
		hostName(host), html.EscapeString(text.Headline(about)), html.EscapeString(text.Paragraph(about, about, 12)))
	item := func(url, words string) {
		fmt.Fprintf(&b, "<li><a href=\"%s\">%s</a></li>\n", html.EscapeString(url), html.EscapeString(words))
	}
	for _, u := range urls {
		words := strings.TrimSuffix(path.Base(u), path.Ext(u))
		item(u, strings.NewReplacer("-", " ", "_", " ").Replace(words))
	}
	b.WriteString("</ul><h2>Elsewhere</h2><ul>\n")
	for i := 1; i <= min(neighbours, len(r.hosts)-1); i++ {
		name := hostName((host + i*i) % len(r.hosts))
		item("http://"+name+"/", name)
	}
	b.WriteString("</ul></body></html>\n")
	return b.Bytes()
}
