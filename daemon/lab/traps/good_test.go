package traps

import (
	"fmt"
	"net/http"
	"strings"
)

// Good is a web of ordinary sites: a portal, and hosts with articles in sections that link to each other and to other
// hosts. It is an http.Handler and answers 404 for unknown pages.
type Good struct {
	Hosts, Articles int      // articles per host
	Lead            []string // addresses that the portal and every fifth article link to first: entrances
	Topic           string   // words in the text of relevant articles, "" for none
	First           int      // number of the first host: another web for each
}

// Pages is the number of pages.
func (g Good) Pages() int { return 1 + g.Hosts*(1+sections+g.Articles) }

// Relevant reports whether the article at a path of a host is about the topic.
func (g Good) Relevant(host, path string) bool {
	return strings.HasPrefix(path, "/articles/") && hash(host+path)%6 == 0
}

const sections = 4

// Host is the name of host i, from 0.
func (g Good) Host(i int) string { return fmt.Sprintf("good%d.test", g.First+i) }

// ServeHTTP answers by the Host header.
func (g Good) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	host, path := hostOf(r), r.URL.Path
	var of, at int
	switch {
	case host == Portal && path == "/":
		s := sheet{title: "Portal", text: proseOf(Portal, 3), links: g.Lead}
		for i := range g.Hosts {
			s.links = append(s.links, "http://"+g.Host(i)+"/")
		}
		s.write(w)
	case !scan(host, "good%d.test", &of) || of < g.First || of >= g.First+g.Hosts:
		http.NotFound(w, r)
	case path == "/":
		s := sheet{title: "Site " + wordOf(host), text: proseOf(host, 3)}
		for i := range sections {
			s.links = append(s.links, fmt.Sprintf("/sections/%s-%d/", wordOf(host+fmt.Sprint(i)), i))
		}
		s.write(w)
	case strings.HasPrefix(path, "/sections/"):
		at = int(path[max(0, len(path)-2)] - '0')
		if at < 0 || at >= sections {
			http.NotFound(w, r)
			return
		}
		s := sheet{title: "Section " + path, text: proseOf(host+path, 1), links: []string{"/"}}
		for i := at; i < g.Articles; i += sections {
			s.links = append(s.links, g.article(host, i))
		}
		s.write(w)
	case strings.HasPrefix(path, "/articles/"):
		g.serveArticle(w, r, host, path)
	default:
		http.NotFound(w, r)
	}
}

// article is the path of an article: words and its number.
func (g Good) article(host string, i int) string {
	name := fmt.Sprint(host, " ", i)
	return fmt.Sprintf("/articles/%s-%s-%d", wordOf(name), wordOf(name+"!"), i)
}

func (g Good) serveArticle(w http.ResponseWriter, r *http.Request, host, path string) {
	var at int
	if i := strings.LastIndexByte(path, '-'); !scan(path[i+1:], "%d", &at) || at >= g.Articles || path != g.article(host, at) {
		http.NotFound(w, r)
		return
	}
	s := sheet{title: wordOf(path) + " and " + wordOf(path+"!"), text: proseOf(host+path, 5)}
	if g.Relevant(host, path) && g.Topic != "" {
		s.text = append(s.text, "This is about "+g.Topic+". "+strings.Join(proseOf(g.Topic, 1), ""), g.Topic+": "+g.Topic)
	}
	if at%5 == 0 {
		s.links = append(s.links, g.Lead...)
	}
	h := hash(path)
	for range 6 {
		s.links = append(s.links, g.article(host, int(h%uint64(g.Articles))))
		h /= 5
	}
	other := g.Host(int(h % uint64(g.Hosts)))
	s.links = append(s.links, "http://"+other+"/", "http://"+other+g.article(other, int(h%uint64(g.Articles))))
	s.write(w)
}

func scan(s, format string, into *int) bool {
	n, err := fmt.Sscanf(s, format, into)
	return n == 1 && err == nil && *into >= 0
}
