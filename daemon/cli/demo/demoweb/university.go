package demoweb

import (
	"net/http"
	"slices"
)

// university is a university's site with the pages that other sites link to.
type university struct {
	site        *site
	bare        string // the name without www., which redirects
	departments *draft
	campus      *draft
	about       *draft
	admissions  *draft
	library     *draft
	sports      *draft
	depts       []*department
}

// department is one department's pages.
type department struct {
	subject  string
	home     *draft
	people   *draft
	teaching *draft
	courses  []*draft
	persons  []person
	groups   []*group
}

// group is a research group, hall room, club circle or news dossier: a page about a field with pages below it.
type group struct {
	field  field
	page   *draft
	leaves []*draft
}

// person is a member of a department and the short address that redirects to their page.
type person struct {
	page  *draft
	alias string
}

var firstNames = []string{
	"Ada", "Bruno", "Clara", "Dmitri", "Elif", "Farid", "Greta", "Hugo", "Ines", "Jonas", "Kiri", "Leo", "Mara", "Nils", "Olga", "Pavel", "Rosa", "Sven", "Tilda", "Umar",
}

var lastNames = []string{
	"Abel", "Brandt", "Castell", "Dorn", "Eriksen", "Falk", "Grimm", "Holm", "Ivers", "Jansen", "Keller", "Lund", "Moreau", "Novak", "Oakes", "Petri", "Quist", "Rourke", "Stein", "Thorne",
	"Ulmer", "Varga", "Winter", "Yilmaz", "Zeller", "Archer", "Birch", "Cole", "Dale", "Ember", "Frost", "Gale",
}

// places are names of towns.
var places = []string{"Northmoor", "Eastbridge", "Wexley", "Halden", "Ravensfield", "Calder", "Osterby", "Linwood", "Marchfield", "Thornbury"}

// buildUniversities makes three universities, each with the topic's department and two others.
func (b *builder) buildUniversities(names []string) {
	people := some(b.rng, lastNames, len(lastNames))
	for _, place := range names {
		u := b.university(place)
		for _, s := range b.subjectsWithTopic(3) {
			b.department(u, s.theme, s.title, people[:3])
			people = people[3:]
		}
		u.departments.list("Departments")
		for _, d := range u.depts {
			u.departments.list("", d.home)
		}
		b.universities = append(b.universities, u)
	}
}

// subjectsWithTopic draws n subjects in random order, with the topic's among them.
func (b *builder) subjectsWithTopic(n int) []struct{ theme, title string } {
	for {
		drawn := some(b.rng, subjects, n)
		if slices.ContainsFunc(drawn, func(s struct{ theme, title string }) bool { return s.theme == b.topic.subject }) {
			return drawn
		}
	}
}

// fieldsWithTopic draws n fields of a subject, with the topic if it belongs to the subject.
func (b *builder) fieldsWithTopic(subject string, n int) []field {
	for {
		drawn := some(b.rng, fieldsOf(subject), n)
		if subject != b.topic.subject || slices.Contains(drawn, b.topic) {
			return drawn
		}
	}
}

// university makes the pages of a university without its departments.
func (b *builder) university(place string) *university {
	name := slug(place) + "-university.test"
	s := b.site("www."+name, "University of "+place, mix{{"university", 1}})
	u := &university{site: s}
	u.bare = b.site(name, s.name, mix{{"university", 1}}).moved(s)
	home := s.front()
	u.about = s.page(home, "/about.html", "About the university", mix{{"university", 1}})
	u.admissions = s.page(home, "/admissions/", "Admissions", mix{{"admissions", 3}, {"university", 1}})
	u.admissions.list("How to apply",
		s.page(u.admissions, "/admissions/fees.html", "Fees and loans", mix{{"admissions", 1}}),
		s.page(u.admissions, "/admissions/apply.html", "The application form", mix{{"admissions", 1}}))
	u.campus = s.page(home, "/campus/", "Campus life", mix{{"campus", 1}})
	u.sports = s.page(u.campus, "/campus/sports.html", "University sports", mix{{"sports", 3}, {"campus", 1}})
	u.campus.list("On the campus", u.sports,
		s.page(u.campus, "/campus/canteen.html", "What the canteen cooks", mix{{"food", 3}, {"campus", 1}}),
		s.page(u.campus, "/campus/housing.html", "Housing", mix{{"campus", 1}}),
		s.page(u.campus, "/campus/stage.html", "The student stage", mix{{"culture", 3}, {"campus", 1}}))
	u.library = s.page(home, "/library.html", "Library", mix{{"library", 1}})
	u.departments = s.page(home, "/departments/", "Departments", mix{{"university", 2}, {"department", 1}})
	home.list("Welcome", u.about, u.departments, u.admissions, u.campus, u.library)
	staff := s.keepOut("/intranet/", home, "/intranet/", "Staff only", mix{{"council", 1}, {"department", 1}})
	staff.list("Inside", s.keepOut("/intranet/", staff, "/intranet/forms.html", "Forms", mix{{"admissions", 1}}))
	home.list("For staff", staff)
	s.menu = []*draft{home, u.about, u.admissions, u.campus}
	return u
}

// moved makes the host an alias of another site, and returns the URL that redirects to its front page.
func (s *site) moved(to *site) string {
	s.drafts = nil
	return s.alias("/", http.StatusMovedPermanently, to.front())
}

// department makes a department with two research groups, its people and its courses.
func (b *builder) department(u *university, subject, title string, lastNames []string) {
	s, dir := u.site, "/"+subject+"/"
	d := &department{subject: subject}
	d.home = s.page(u.departments, dir, "Department of "+title, mix{{subject, 4}, {"department", 1}})
	d.people = s.page(d.home, dir+"people/", "People in "+title, mix{{subject, 3}, {"people", 1}})
	d.teaching = s.page(d.home, dir+"teaching/", "Courses in "+title, mix{{subject, 3}, {"teaching", 1}})
	chosen := b.fieldsWithTopic(subject, 2)
	for _, f := range chosen {
		d.groups = append(d.groups, b.researchGroup(d, f))
	}
	for i, last := range lastNames {
		d.persons = append(d.persons, b.person(d, d.groups[i%len(d.groups)], last))
		d.people.add("", link{url: d.persons[i].alias, anchor: d.persons[i].page.title})
	}
	for _, f := range chosen {
		c := s.page(d.teaching, dir+"teaching/"+f.theme+".html", "Introduction to "+f.theme, mix{{subject, 3}, {"teaching", 1}, {f.theme, 1}})
		d.courses = append(d.courses, c)
	}
	d.teaching.list("Courses", d.courses...)
	d.home.list("The department", d.people, d.teaching)
	var pages []*draft
	for _, g := range d.groups {
		pages = append(pages, g.page)
	}
	d.home.list("Research", pages...)
	u.depts = append(u.depts, d)
}

// researchGroup makes a group's page and its papers.
func (b *builder) researchGroup(d *department, f field) *group {
	dir := d.home.path + "research/" + f.theme + "/"
	g := &group{field: f}
	g.page = d.home.site.page(d.home, dir, capital(f.theme)+" group", mix{{f.theme, 3}, {d.subject, 3}, {"group", 1}})
	b.leaves(g, dir, b.between(5, 6), mix{{f.theme, 4}, {d.subject, 2}, {"paper", 1}})
	g.page.list("Publications", g.leaves...)
	return g
}

// leaves makes the pages about a group's field; some link to the next one. They are relevant if the field is the topic.
func (b *builder) leaves(g *group, dir string, n int, about mix) {
	for _, title := range b.prose.headlines(g.field.theme, n) {
		leaf := g.page.site.page(g.page, dir+slug(title)+".html", title, about)
		leaf.relevant = g.field == b.topic
		g.leaves = append(g.leaves, leaf)
	}
	for i, leaf := range g.leaves {
		if b.rng.IntN(3) == 0 {
			leaf.list("See also", g.leaves[(i+1)%n])
		}
	}
}

// person makes a member's page, and a short address that redirects to it.
func (b *builder) person(d *department, g *group, last string) person {
	s := d.home.site
	var p person
	name := b.prose.pick(firstNames) + " " + last
	p.page = s.page(d.people, d.people.path+slug(last)+".html", name, mix{{d.subject, 3}, {g.field.theme, 2}, {"people", 1}})
	p.alias = s.alias("/~"+slug(last), http.StatusMovedPermanently, p.page)
	p.page.list("Papers", some(b.rng, g.leaves, 2)...)
	p.page.list("Works in", g.page)
	g.page.list("Members", p.page)
	return p
}
