package demoweb

import "slices"

// category is a page of the portal with the sites that it lists.
type category struct {
	title string
	about mix
	pages []link
}

// build makes all sites, then the links between them.
func (b *builder) build() {
	towns := some(b.rng, places, len(places))
	b.portal = b.site("compass-directory.test", "Compass, the web directory", mix{{"directory", 1}})
	b.buildUniversities(towns[:3])
	b.buildMuseum(towns[3])
	b.buildClub(towns[4])
	b.buildNews(towns[5])
	b.buildShops()
	b.buildTown(towns[3])
	b.crossLinks()
	b.buildPortal()
}

// buildPortal makes the directory of all sites by category, and a page with links to random pages.
func (b *builder) buildPortal() {
	home := b.portal.front()
	toSite := func(s *site) link { return link{to: s.front(), anchor: s.name} }
	categories := []category{
		{"Shopping", mix{{"shop", 1}}, []link{toSite(b.shops[0]), toSite(b.shops[1])}},
		{"News", mix{{"news", 1}}, []link{toSite(b.news.site)}},
		{"Education", mix{{"university", 1}}, nil},
		{"Museums", mix{{"museum", 1}}, []link{toSite(b.museum.site)}},
		{"Around the town", mix{{"council", 1}}, []link{toSite(b.town)}},
		{"Clubs and hobbies", mix{{"club", 1}}, []link{toSite(b.club.site)}},
	}
	for _, u := range b.universities {
		categories[2].pages = append(categories[2].pages, link{url: u.bare, anchor: u.site.name})
	}
	b.rng.Shuffle(len(categories), func(i, j int) { categories[i], categories[j] = categories[j], categories[i] })
	for _, c := range categories {
		page := b.portal.page(home, "/"+slug(c.title)+"/", c.title, append(mix{{"directory", 2}}, c.about...))
		page.add("Listed here", c.pages...)
		home.list("", page)
	}
	week := b.portal.page(home, "/week.html", "Pages of the week", mix{{"directory", 1}})
	for _, s := range some(b.rng, b.sites, len(b.sites)) {
		if len(s.drafts) > 1 && s != b.portal {
			week.list("", s.drafts[b.rng.IntN(len(s.drafts))])
		}
	}
	home.list("Picks", week)
	b.portal.menu = []*draft{home}
}

// crossLinks adds links between the sites: partners, background of articles, hobbies, advertisements.
func (b *builder) crossLinks() {
	for i, u := range b.universities {
		next := b.universities[(i+1)%len(b.universities)]
		for _, d := range u.depts {
			if partner := next.department(d.subject); partner != nil && b.rng.IntN(2) == 0 {
				d.home.list("Partners", partner.home)
			}
			for _, p := range d.persons { // what its owner likes
				likes := []*draft{b.club.site.front(), b.shops[0].front(), b.shops[1].front(), b.news.section("sports").page, b.news.section("travel").page}
				p.page.list("Out of office", likes[b.rng.IntN(len(likes))])
			}
		}
		u.sports.list("Results", b.news.section("sports").page)
		u.campus.list("In town", b.town.front())
	}
	for _, h := range slices.Concat(b.museum.halls, b.club.sections, b.news.subjects) {
		u := b.universities[b.rng.IntN(len(b.universities))]
		if d := u.department(h.subject); d != nil && b.rng.IntN(2) == 0 {
			h.page.list("Elsewhere", d.home)
		}
	}
	b.museum.shop.list("More", b.shops[0].front())
	b.club.evenings.list("Supper", b.town.front())
	for _, s := range b.news.sections {
		s.page.list("Advertisement", b.shops[b.rng.IntN(2)].front())
	}
	b.town.front().list("Worth a visit", b.museum.site.front(), b.club.site.front())
}

// department is the university's department of a subject, nil without one.
func (u *university) department(subject string) *department {
	for _, d := range u.depts {
		if d.subject == subject {
			return d
		}
	}
	return nil
}

// section is the news section of a theme, which must exist.
func (n *news) section(theme string) section {
	for _, s := range n.sections {
		if s.theme == theme {
			return s
		}
	}
	panic("demoweb: no section " + theme)
}
