package demoweb

// Step is an action of the person.
type Step struct {
	Do  Action
	URL string // of Open and Follow: the address as typed or as in the link
}

// Action is a kind of step.
type Action string

// The actions.
const (
	Open   Action = "open"   // type an address
	Follow Action = "follow" // click a link of the current page or of one of its frames
	Back   Action = "back"
	Useful Action = "useful" // mark the current page
	Submit Action = "submit"
)

// diary collects steps.
type diary struct{ steps []Step }

func (d *diary) open(p *draft)     { d.steps = append(d.steps, Step{Open, p.url()}) }
func (d *diary) follow(url string) { d.steps = append(d.steps, Step{Follow, url}) }
func (d *diary) useful()           { d.steps = append(d.steps, Step{Do: Useful}) }
func (d *diary) click(path ...*draft) {
	for _, p := range path {
		d.follow(p.url())
	}
}

func (d *diary) back(times int) {
	for range times {
		d.steps = append(d.steps, Step{Do: Back})
	}
}

// glance follows a path of links and goes all the way back.
func (d *diary) glance(path ...*draft) {
	d.click(path...)
	d.back(len(path))
}

// mark follows a link, marks the page useful, and goes back.
func (d *diary) mark(p *draft) {
	d.click(p)
	d.useful()
	d.back(1)
}

// script is the session of a person who looks for the topic at the first university and in the museum, takes wrong turns,
// and never visits the other sites about the topic.
func (b *builder) script() []Step {
	d := &diary{}
	u, n := b.universities[0], b.news
	d.open(b.portal.front())
	d.click(b.category("Shopping"))
	d.glance(b.shops[0].front(), b.shops[0].menu[0])
	d.back(1)
	d.click(b.category("News"), n.site.front())
	d.glance(n.section("sports").page, n.section("sports").pages[1])
	d.glance(n.section("politics").page)
	d.glance(n.section("weather").page)
	d.glance(n.section("culture").page, n.section("culture").pages[0])
	d.back(2)
	d.click(b.category("Around the town"), b.town.front())
	d.glance(b.town.menu[0])
	d.glance(b.town.menu[2])
	d.back(2)
	d.click(b.category("Education"))
	d.follow(u.bare) // a 301
	d.glance(u.about)
	d.glance(u.admissions)
	d.glance(u.campus, u.sports)
	d.glance(u.library)
	d.click(u.departments)
	b.browseDepartments(d, u)
	d.open(b.museum.site.front())
	b.browseMuseum(d)
	d.steps = append(d.steps, Step{Do: Submit})
	return d.steps
}

// browseDepartments tries a wrong department, then finds the right one and four of its papers.
func (b *builder) browseDepartments(d *diary, u *university) {
	for _, other := range u.depts {
		if other.subject != b.topic.subject {
			d.click(other.home)
			d.glance(other.groups[0].page, other.groups[0].leaves[0])
			d.back(1)
			break
		}
	}
	right := u.department(b.topic.subject)
	d.click(right.home)
	d.click(right.teaching)
	for _, course := range right.courses {
		d.glance(course)
	}
	d.back(1)
	d.click(right.people)
	for _, p := range right.persons {
		d.follow(p.alias) // a 301
		d.back(1)
	}
	d.back(1)
	own, other := split(right.groups, b.topic)
	d.click(other.page)
	d.glance(other.leaves[0])
	d.glance(other.leaves[1])
	d.back(1)
	d.click(own.page)
	for _, leaf := range own.leaves[:4] {
		d.mark(leaf)
	}
	d.back(3)
}

// browseMuseum looks around, opens the collection's frameset and finds two objects.
func (b *builder) browseMuseum(d *diary) {
	m := b.museum
	d.glance(m.visit)
	d.glance(m.shop)
	d.follow(m.site.url("/halls")) // a 301 to a frameset
	for _, h := range m.halls {
		if h.subject != b.topic.subject {
			d.glance(h.page, h.rooms[0].page, h.rooms[0].leaves[0])
			break
		}
	}
	for _, h := range m.halls {
		if h.subject == b.topic.subject {
			own, other := split(h.rooms, b.topic)
			d.click(h.page)
			d.glance(other.page, other.leaves[0])
			d.click(own.page)
			d.mark(own.leaves[0])
			d.mark(own.leaves[1])
		}
	}
}

// split returns the group of the topic and another one.
func split(groups []*group, topic field) (own, other *group) {
	for _, g := range groups {
		if g.field == topic {
			own = g
		} else {
			other = g
		}
	}
	return own, other
}

// category is the portal's page with a title, which must exist.
func (b *builder) category(title string) *draft {
	for _, d := range b.portal.drafts {
		if d.title == title {
			return d
		}
	}
	panic("demoweb: no category " + title)
}
