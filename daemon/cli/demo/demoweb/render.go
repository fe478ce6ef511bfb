package demoweb

import (
	"fmt"
	"html"
	"strings"
)

// looks are the layouts of sites: the same content with different markup.
var looks = []struct{ menuOpen, menuClose, listOpen, listClose, itemOpen, itemClose string }{
	{`<nav><ul>`, `</ul></nav>`, `<ul>`, `</ul>`, `<li>`, `</li>`},
	{`<table class="menu"><tr>`, `</tr></table>`, `<table>`, `</table>`, `<tr><td>`, `</td></tr>`},
	{`<div id="menu">`, `</div>`, `<div class="links">`, `</div>`, `<p>`, `</p>`},
}

// render writes a page's HTML.
func (b *builder) render(d *draft) string {
	var out strings.Builder
	title := d.title
	if d.parent != nil {
		title += " - " + d.site.name
	}
	fmt.Fprintf(&out, "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>%s</title></head>\n", html.EscapeString(title))
	if len(d.frames) > 0 {
		out.WriteString("<frameset cols=\"30%,70%\">\n")
		for _, f := range d.frames {
			fmt.Fprintf(&out, "<frame name=%q src=%q>\n", f.name, f.page.path)
		}
		fmt.Fprintf(&out, "<noframes><body><p><a href=%q>%s</a></p></body></noframes>\n</frameset></html>\n",
			d.frames[0].page.path, html.EscapeString(d.frames[0].page.title))
		return out.String()
	}
	out.WriteString("<body>\n")
	b.renderMenu(&out, d)
	fmt.Fprintf(&out, "<h1>%s</h1>\n", html.EscapeString(d.title))
	b.renderText(&out, d)
	if d.iframe != nil {
		fmt.Fprintf(&out, "<iframe src=%q title=%q></iframe>\n", d.iframe.path, d.iframe.title)
	}
	for _, l := range d.lists {
		b.renderList(&out, d, l)
	}
	out.WriteString("</body></html>\n")
	return out.String()
}

// renderMenu writes the site's menu and a link to the parent.
func (b *builder) renderMenu(out *strings.Builder, d *draft) {
	look := looks[d.site.look]
	if len(d.site.menu) > 0 && !d.top {
		out.WriteString(look.menuOpen)
		open, end := "<li>", "</li>"
		switch look.listOpen {
		case "<table>":
			open, end = "<td>", "</td>"
		case `<div class="links">`:
			open, end = "<span>", "</span> "
		}
		for _, m := range d.site.menu {
			out.WriteString(open + anchor(d, link{to: m, anchor: m.title}) + end)
		}
		out.WriteString(look.menuClose + "\n")
	}
	if p := d.parent; p != nil {
		fmt.Fprintf(out, "<p class=\"path\">%s</p>\n", anchor(d, link{to: p, anchor: p.title}))
	}
}

// renderText writes paragraphs, fewer on pages with lists of links.
func (b *builder) renderText(out *strings.Builder, d *draft) {
	paragraphs := b.between(5, 7)
	if len(d.lists) > 0 {
		paragraphs = 4
	}
	for i := range paragraphs {
		if i == 2 {
			fmt.Fprintf(out, "<h2>%s</h2>\n", html.EscapeString(b.prose.headline(d.about[0].theme)))
		}
		fmt.Fprintf(out, "<p>%s</p>\n", html.EscapeString(b.prose.paragraph(d.about, b.between(4, 7))))
	}
}

// renderList writes a headed list of links.
func (b *builder) renderList(out *strings.Builder, d *draft, l linkList) {
	look := looks[d.site.look]
	if l.heading != "" {
		fmt.Fprintf(out, "<h2>%s</h2>\n", html.EscapeString(l.heading))
	}
	out.WriteString(look.listOpen + "\n")
	for _, one := range l.links {
		fmt.Fprintf(out, "%s%s%s\n", look.itemOpen, anchor(d, one), look.itemClose)
	}
	out.WriteString(look.listClose + "\n")
}

// anchor writes a link, relative within a site and absolute to other sites.
func anchor(from *draft, l link) string {
	href := l.url
	if l.to != nil {
		href = l.to.url()
	}
	href = strings.TrimPrefix(href, "http://"+from.site.host)
	target := ""
	if from.top {
		target = ` target="_top"`
	}
	return fmt.Sprintf("<a href=%q%s>%s</a>", href, target, html.EscapeString(l.anchor))
}
