package farm

import (
	"fmt"
	"html"
	"math/rand/v2"
	"strings"

	"nightjar/daemon/cli/demo/demoweb"
)

// style and script make up a share of a page that is usual today.
var (
	style  = strings.Repeat(".c{margin:0 auto;padding:.5rem 1rem;color:#223}.c a:hover{text-decoration:underline}\n", 25)
	script = strings.Repeat("document.addEventListener('click',function(e){if(e.target.dataset.open){e.preventDefault()}});\n", 20)
)

// author writes a page.
type author struct {
	strings.Builder
	w    *written
	p    place
	rng  *rand.Rand
	text demoweb.Text
}

// write returns the HTML of a page.
func (w *written) write(p place) string {
	a := &author{w: w, p: p, rng: w.draw(p)}
	a.text = demoweb.NewText(a.rng)
	title := a.text.Headline(w.theme(p))
	a.text = a.text.WithNames(names)
	fmt.Fprintf(a, "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>%s</title>\n", html.EscapeString(title))
	fmt.Fprintf(a, "<link rel=\"stylesheet\" href=\"/style.css\"><style>\n%s</style><script>\n%s</script></head>\n<body class=\"c page\">\n", style, script)
	a.menu()
	fmt.Fprintf(a, "<main id=\"content\" class=\"c main\"><article><h1>%s</h1>\n", html.EscapeString(title))
	a.body()
	a.children()
	a.WriteString("</article></main>\n")
	a.related()
	a.footer()
	a.WriteString("</body></html>\n")
	return a.String()
}

// link writes a link with the given words, or with the page's title.
func (a *author) link(to place, words string) {
	if words == "" {
		words = a.w.title(to)
	}
	url := a.w.path(to)
	if to.host != a.p.host {
		url = a.w.url(to)
	}
	fmt.Fprintf(a, "<a class=\"link\" href=\"%s\">%s</a>", url, html.EscapeString(words))
}

// menu links to the upper pages of the host.
func (a *author) menu() {
	a.WriteString("<header class=\"c\"><nav class=\"menu\"><ul>\n")
	for i := range min(maxSection, a.w.size(a.p.host)) {
		a.WriteString("<li class=\"item\">")
		a.link(place{a.p.host, i}, "")
		a.WriteString("</li>\n")
	}
	a.WriteString("</ul></nav></header>\n")
}

// body writes headings and paragraphs with links.
func (a *author) body() {
	n := shortest + a.rng.IntN(longest-shortest)
	theme := a.w.theme(a.p)
	for i := range n {
		if i%6 == 5 {
			fmt.Fprintf(a, "<h2 id=\"s%d\">%s</h2>\n", i, html.EscapeString(a.text.Headline(theme)))
		}
		to, linked := a.elsewhere(theme), a.rng.Float64() < inText
		second := theme
		if linked {
			second = a.w.theme(to)
		}
		fmt.Fprintf(a, "<p class=\"text\">%s", html.EscapeString(a.text.Paragraph(theme, second, 2+a.rng.IntN(4))))
		if linked {
			a.WriteString(" See ")
			a.link(to, "")
			a.WriteString(" on this.")
		}
		a.WriteString("</p>\n")
	}
}

// elsewhere draws a page to link to, sometimes on the same host, preferably about the theme.
func (a *author) elsewhere(theme string) place {
	var to place
	for range 3 {
		to.host = a.p.host
		if a.rng.IntN(4) > 0 {
			to.host = a.rng.IntN(a.w.hosts)
		}
		to.page = a.rng.IntN(a.w.size(to.host))
		if a.w.theme(to) == theme {
			break
		}
	}
	return to
}

// children links to the pages below this one in the host's tree, so that every page can be reached.
func (a *author) children() {
	first := a.p.page*fanOut + 1
	a.WriteString("<section class=\"more\"><h2>More</h2><ul>\n")
	for i := first; i < min(first+fanOut, a.w.size(a.p.host)); i++ {
		a.WriteString("<li>")
		a.link(place{a.p.host, i}, "")
		a.WriteString("</li>\n")
	}
	a.WriteString("</ul></section>\n")
}

// related writes a list next to the text.
func (a *author) related() {
	a.WriteString("<aside class=\"c side\"><h2>Related</h2><ul>\n")
	for range relations {
		a.WriteString("<li class=\"item\">")
		a.link(a.elsewhere(a.w.theme(a.p)), "")
		a.WriteString("</li>\n")
	}
	a.WriteString("</ul></aside>\n")
}

// footer links to other hosts, the same on each page of this host.
func (a *author) footer() {
	a.WriteString("<footer class=\"c foot\"><ul>\n")
	for i := 1; i <= min(maxSection, a.w.hosts-1); i++ {
		to := place{host: (a.p.host + i*i) % a.w.hosts}
		a.WriteString("<li>")
		a.link(to, "About "+a.w.theme(to))
		a.WriteString("</li>\n")
	}
	a.WriteString("</ul><p>All pages of this site are made up.</p></footer>\n")
}
