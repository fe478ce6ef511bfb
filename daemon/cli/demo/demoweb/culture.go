package demoweb

import "net/http"

// museum is the museum's site. It shows its collection in a frameset.
type museum struct {
	site                          *site
	visit, tickets, shop, welcome *draft
	collection, menu              *draft // the frameset and its left frame
	halls                         []*hall
}

// hall is a museum's hall, a club's section or a news section's page about a subject, with rooms, circles or dossiers.
type hall struct {
	subject string
	page    *draft
	rooms   []*group
}

// club is the hobby club's site.
type club struct {
	site     *site
	sections []*hall
	evenings *draft
}

// buildMuseum makes the museum: halls by subject, rooms by field, objects.
func (b *builder) buildMuseum(place string) {
	s := b.site("museum-of-"+slug(place)+".test", place+" Museum", mix{{"museum", 1}})
	m := &museum{site: s}
	home := s.front()
	m.visit = s.page(home, "/visit.html", "Plan your visit", mix{{"museum", 2}, {"travel", 1}})
	m.visit.iframe = s.page(m.visit, "/hours.html", "Opening hours", mix{{"museum", 1}, {"weather", 1}})
	m.tickets = s.page(home, "/tickets.html", "Tickets", mix{{"museum", 1}, {"shop", 1}})
	cafe := s.page(home, "/cafe.html", "The museum's café", mix{{"food", 2}, {"museum", 1}})
	m.shop = s.page(home, "/shop.html", "The museum's shop", mix{{"shop", 1}, {"toys", 1}})
	m.collection = s.page(home, "/collection/", "The collection", mix{{"museum", 1}})
	m.menu = s.page(m.collection, "/collection/halls.html", "Halls", mix{{"museum", 1}})
	m.menu.top = true
	m.welcome = s.page(m.collection, "/collection/welcome.html", "Welcome to the collection", mix{{"museum", 1}})
	m.collection.frames = []frameOf{{"halls", m.menu}, {"show", m.welcome}}
	m.halls = b.halls(s, m.collection, "Hall of ", "museum", "museum", 3)
	for _, h := range m.halls {
		m.menu.list("", h.page)
	}
	old := s.alias("/halls", http.StatusMovedPermanently, m.collection)
	home.list("In the museum", m.visit, m.tickets, cafe, m.shop)
	home.add("What we keep", link{url: old, anchor: "The collection"})
	s.menu = []*draft{home, m.visit, m.tickets}
	b.museum = m
}

// buildClub makes the hobby club: sections by subject, circles by field, reports.
func (b *builder) buildClub(place string) {
	s := b.site(slug(place)+"-society.test", "The Curious Society of "+place, mix{{"club", 1}})
	home := s.front()
	c := &club{site: s}
	about := s.page(home, "/about.html", "Who we are", mix{{"club", 1}})
	c.evenings = s.page(home, "/evenings.html", "Club evenings", mix{{"club", 2}, {"food", 1}, {"culture", 1}})
	join := s.page(home, "/join.html", "Become a member", mix{{"club", 1}, {"admissions", 1}})
	c.sections = b.halls(s, home, "Section ", "club", "club", 4)
	home.list("The society", about, c.evenings, join)
	for _, h := range c.sections {
		home.list("", h.page)
	}
	members := s.keepOut("/members/", home, "/members/minutes.html", "Minutes", mix{{"club", 1}, {"council", 1}})
	home.list("Members only", members)
	s.menu = []*draft{home, about, c.evenings}
	b.club = c
}

// halls makes a page per subject, two pages of fields below each, and leaves about the field below those. role is a theme of
// the upper pages, kind one of the leaves.
func (b *builder) halls(s *site, parent *draft, prefix, role, kind string, most int) []*hall {
	var all []*hall
	for _, subject := range some(b.rng, subjects, len(subjects)) {
		dir := "/" + subject.theme + "/"
		h := &hall{subject: subject.theme}
		h.page = s.page(parent, dir, prefix+subject.title, mix{{subject.theme, 4}, {role, 1}})
		for _, f := range b.fieldsWithTopic(subject.theme, 2) {
			g := &group{field: f}
			g.page = s.page(h.page, dir+f.theme+"/", f.topic, mix{{f.theme, 3}, {subject.theme, 3}, {role, 1}})
			b.leaves(g, dir+f.theme+"/", b.between(most-1, most+1), mix{{f.theme, 4}, {subject.theme, 2}, {kind, 1}})
			g.page.list("Here", g.leaves...)
			h.rooms = append(h.rooms, g)
			h.page.list("", g.page)
		}
		all = append(all, h)
	}
	return all
}
