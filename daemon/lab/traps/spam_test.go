package traps

import (
	"bytes"
	"fmt"
	"html"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
)

// Spam is a web with added pages that pretend to be about a topic: pages stuffed with its words, link farms, and cloaks,
// which show a crawler the text of other pages. Some pages of the web link to them, as comments do. It is an http.Handler;
// other pages come from the web.
type Spam struct {
	web   http.Handler
	words []string   // of the topic
	texts [][]string // paragraphs of pages about the topic, for cloaks
	pages int
}

// spamHosts is the number of hosts with spam.
const spamHosts = 8

// NewSpam adds spam to a web of so many pages, so that it is a share of all pages. topic holds the texts of pages about
// the topic, one paragraph per line.
func NewSpam(web http.Handler, pages int, share float64, topic []string) *Spam {
	s := &Spam{web: web, pages: int(float64(pages) * share / (1 - share))}
	count := map[string]int{}
	for _, text := range topic {
		s.texts = append(s.texts, strings.Split(text, "\n"))
		for word := range strings.FieldsFuncSeq(strings.ToLower(text), func(r rune) bool { return r < 'a' || r > 'z' }) {
			if len(word) > 5 {
				count[word]++
			}
		}
	}
	for word := range count {
		s.words = append(s.words, word)
	}
	slices.SortFunc(s.words, func(a, b string) int {
		if count[a] != count[b] {
			return count[b] - count[a]
		}
		return strings.Compare(a, b)
	})
	s.words = s.words[:min(len(s.words), 25)]
	return s
}

// IsSpam reports whether a host serves spam.
func IsSpam(host string) bool {
	return strings.HasPrefix(host, "best-") && strings.HasSuffix(host, ".test")
}

// link is the address of spam page i and its anchor text.
func (s *Spam) link(i int) (url, anchor string) {
	a, b := s.words[i%len(s.words)], s.words[(i/3)%len(s.words)]
	return fmt.Sprintf("http://best-%s%d.test/%s-%d.html", s.words[i%spamHosts%len(s.words)], i%spamHosts, b, i), a + " " + b
}

// ServeHTTP answers by the Host header.
func (s *Spam) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	host := hostOf(r)
	if !IsSpam(host) {
		s.good(w, r)
		return
	}
	name := strings.TrimSuffix(r.URL.Path, ".html")
	var i int
	if !scan(name[strings.LastIndexByte(name, '-')+1:], "%d", &i) || i >= s.pages {
		http.NotFound(w, r)
		return
	}
	s.page(i, strings.Contains(r.UserAgent(), "Nightjar")).write(w)
}

// page is spam page i.
func (s *Spam) page(i int, crawler bool) sheet {
	rng := rand.New(rand.NewPCG(uint64(i), 5))
	_, anchor := s.link(i)
	p := sheet{title: "Best " + anchor}
	links := 5
	switch {
	case i%3 == 0: // stuffed
		for range 4 {
			var b strings.Builder
			for range 50 {
				b.WriteString(s.words[rng.IntN(len(s.words))] + " ")
			}
			p.text = append(p.text, b.String())
		}
	case i%3 == 1: // a link farm
		links = 40
		p.text = append(p.text, "Everything about "+anchor+": "+strings.Join(s.words[:8], ", ")+". Click here now.")
	case crawler: // a cloak
		for range 5 {
			text := s.texts[rng.IntN(len(s.texts))]
			p.text = append(p.text, text[rng.IntN(len(text))])
		}
	}
	p.text = append(p.text, "Casino bonus, cheap pills and loans for everyone.")
	for range links {
		url, _ := s.link(rng.IntN(s.pages))
		p.links = append(p.links, url)
	}
	return p
}

// good is a page of the web; every third one has links to spam.
func (s *Spam) good(w http.ResponseWriter, r *http.Request) {
	original := httptest.NewRecorder()
	s.web.ServeHTTP(original, r)
	body := original.Body.Bytes()
	if h := hash(r.Host + r.URL.Path); original.Code == http.StatusOK && h%3 == 0 {
		var b bytes.Buffer
		for k := range uint64(2) {
			url, anchor := s.link(int((h/7 + k*k*31) % uint64(s.pages)))
			fmt.Fprintf(&b, `<p>Nice page! See also <a href="%s">%s</a></p>`, html.EscapeString(url), html.EscapeString(anchor))
		}
		b.WriteString("</body>")
		body = bytes.Replace(body, []byte("</body>"), b.Bytes(), 1)
	}
	for name, values := range original.Header() {
		w.Header()[name] = values
	}
	w.WriteHeader(original.Code)
	_, _ = w.Write(body)
}
