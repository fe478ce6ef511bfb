package demoweb

import (
	"fmt"
	"net/http"
)

// news is the news portal's site.
type news struct {
	site     *site
	subjects []*hall
	sections []section
}

// section is a part of a site whose pages share one theme.
type section struct {
	theme string
	page  *draft
	pages []*draft
}

// buildNews makes the news portal: sections of articles, and a science section ordered by subject.
func (b *builder) buildNews(place string) {
	s := b.site("daily-"+slug(place)+".test", "The "+place+" Daily", mix{{"news", 2}, {"politics", 1}, {"sports", 1}})
	home := s.front()
	n := &news{site: s}
	for _, theme := range []string{"politics", "business", "sports", "culture", "weather", "travel"} {
		n.sections = append(n.sections, b.section(home, theme, capital(theme), mix{{theme, 3}, {"news", 1}}, b.between(3, 5)))
	}
	science := s.page(home, "/science/", "Science", mix{{"news", 1}, {"paper", 1}})
	n.subjects = b.halls(s, science, "Science: ", "news", "news", 3)
	for _, h := range n.subjects {
		science.list("", h.page)
	}
	for _, sec := range n.sections {
		s.menu = append(s.menu, sec.page)
	}
	s.menu = append(s.menu, science)
	home.list("Today", n.sections[2].pages[0], n.sections[0].pages[0], n.sections[3].pages[0])
	latest := s.alias("/latest", http.StatusFound, n.sections[0].pages[1])
	home.add("Just in", link{url: latest, anchor: "The latest"})
	b.news = n
}

// section makes a page and n pages below it, all with one theme.
func (b *builder) section(parent *draft, theme, title string, about mix, n int) section {
	s := parent.site
	sec := section{theme: theme}
	sec.page = s.page(parent, "/"+theme+"/", title, about)
	for _, title := range b.prose.headlines(theme, n) {
		sec.pages = append(sec.pages, s.page(sec.page, fmt.Sprintf("/%s/%s.html", theme, slug(title)), title, about))
	}
	sec.page.list("", sec.pages...)
	return sec
}

// buildShops makes two shops with a section per theme and a basket that robots.txt forbids.
func (b *builder) buildShops() {
	shelves := some(b.rng, []string{"garden", "kitchen", "clothing", "electronics", "toys", "food"}, 6)
	for i, name := range []string{"Everyday Goods", "The Corner Store"} {
		s := b.site(slug(name)+".test", name, mix{{"shop", 1}})
		home := s.front()
		for _, theme := range shelves[i*3 : i*3+3] {
			shelf := b.section(home, theme, capital(theme), mix{{theme, 3}, {"shop", 2}}, b.between(5, 7))
			home.list("", shelf.page)
			s.menu = append(s.menu, shelf.page)
		}
		basket := s.keepOut("/basket/", home, "/basket/", "Your basket", mix{{"shop", 1}})
		basket.list("", s.keepOut("/basket/", basket, "/basket/pay.html", "Pay", mix{{"shop", 1}, {"business", 1}}))
		s.menu = append(s.menu, basket)
		b.shops = append(b.shops, s)
	}
}

// buildTown makes the town's site.
func (b *builder) buildTown(place string) {
	s := b.site("town-of-"+slug(place)+".test", "Town of "+place, mix{{"council", 1}})
	home := s.front()
	for _, theme := range []string{"council", "weather", "food"} {
		sec := b.section(home, theme, map[string]string{"council": "Town hall", "weather": "Weather", "food": "Eating out"}[theme],
			mix{{theme, 3}, {"council", 1}}, b.between(3, 4))
		home.list("", sec.page)
		s.menu = append(s.menu, sec.page)
	}
	b.town = s
}
