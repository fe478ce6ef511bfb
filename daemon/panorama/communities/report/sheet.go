package report

import (
	"cmp"
	"fmt"
	"html/template"
	"net/url"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"nightjar/daemon/chart"
	"nightjar/daemon/panorama/communities"
)

// sheet is what the template shows.
type sheet struct {
	Title     string
	Source    string // "document", "topic" or "crawl"
	Made      moment
	Subject   string // "" when it is not known
	Shown     string // how many communities of how many pages
	Warnings  []string
	Compared  bool // with an earlier map
	Judged    bool // there was a classifier, so that there is a harvest
	Map       template.HTML
	Sections  []section
	Unshown   int // communities without a section
	Curve     *curve
	Gone      []row
	GoneAll   int
	MoreGone  int
	End       ending
	Shortened bool
}

// moment is a time for people and for programs.
type moment struct{ Text, Machine string }

func momentOf(t time.Time) moment {
	if t.IsZero() {
		return moment{}
	}
	t = t.UTC()
	return moment{t.Format("2 January 2006, 15:04") + " UTC", t.Format(time.RFC3339)}
}

// section is a community.
type section struct {
	N            int
	Name         string
	Size         string // number of pages
	Pages        string // the same with the noun
	Compared     bool
	New          string
	Harvest      string // "" without a classifier
	Expansions   []expansion
	Near         []near
	Lists        []list
	Words        []string
	Example      *row // the best one, or nil
	Before, Next int  // neighbours in the order of size; 0 for none
}

// expansion is what an acronym stands for.
type expansion struct{ Short, Long string }

// near is another community that the map connects with a line.
type near struct {
	N      int
	Name   string
	Cosine string
}

// list is one of the three lists of a community.
type list struct {
	Name, Hint string
	Rows       []row
}

// row is a page.
type row struct {
	Title   string
	Href    string // "" for one that is not linked
	Address string // as it is shown
	Snippet string
	Score   string // "" for none
	Chance  string // P(c⁺|p), "" without a classifier
	New     bool
	Note    string // such as why it is a positive page
}

func newSheet(v *communities.View, l limits, shortened bool) sheet {
	s := sheet{
		Title: cut(v.Map.Title, l.title), Source: string(v.Map.Source), Made: momentOf(v.Made), Subject: cut(v.Subject, l.title),
		Shown: fmt.Sprintf("%s in %s", chart.Plural(len(v.Communities), "community", "communities"),
			chart.Plural(v.Counts.Kept, "page", "pages")),
		Compared: v.Earlier != nil, Judged: len(v.Harvest) > 0, Curve: newCurve(v.Harvest), Shortened: shortened,
	}
	for _, w := range v.Warnings[:min(len(v.Warnings), mostWarnings)] {
		s.Warnings = append(s.Warnings, cut(w, longestWarning))
	}
	shown := v.Communities[:min(len(v.Communities), l.communities)]
	s.Unshown = len(v.Communities) - len(shown)
	for i := range shown {
		s.Sections = append(s.Sections, newSection(v, shown, i, l))
	}
	s.Map = drawMap(shown, v.Between, l)
	s.GoneAll = max(v.GoneAll, len(v.Gone))
	for _, p := range v.Gone[:min(len(v.Gone), l.gone)] {
		s.Gone = append(s.Gone, newRow(p, l, s.Judged))
	}
	s.MoreGone = s.GoneAll - len(s.Gone)
	s.End = newEnding(v, l)
	return s
}

const (
	mostWarnings   = 10
	longestWarning = 500 // characters
	mostLabels     = 5   // of a community
)

// drawMap draws the communities that have a section; each circle leads to its own.
func drawMap(shown []communities.Community, between [][]float64, l limits) template.HTML {
	circles := make([]chart.Community, len(shown))
	for i, c := range shown {
		circles[i] = chart.Community{N: c.N, Pages: c.Size, New: c.New, Harvest: c.Harvest, Circle: c.Circle}
		for _, label := range c.Labels[:min(len(c.Labels), mostLabels)] {
			circles[i].Labels = append(circles[i].Labels, cut(label.Text, l.name))
		}
	}
	return chart.Communities(circles, between, target)
}

// target is the link to a community of this file.
func target(n int) string { return fmt.Sprintf("#community-%d", n) }

func newSection(v *communities.View, shown []communities.Community, i int, l limits) section {
	c, judged := shown[i], len(v.Harvest) > 0
	s := section{N: c.N, Name: cut(c.Name, l.name),
		Size: chart.Thousands(c.Size), Pages: chart.Plural(c.Size, "page", "pages"), Compared: v.Earlier != nil, New: chart.Thousands(c.New)}
	if judged {
		s.Harvest = percent(c.Harvest)
	}
	if i > 0 {
		s.Before = shown[i-1].N
	}
	if i < len(shown)-1 {
		s.Next = shown[i+1].N
	}
	for _, label := range c.Labels[:min(len(c.Labels), mostLabels)] {
		if label.Expansion != "" {
			s.Expansions = append(s.Expansions, expansion{cut(label.Text, l.name), cut(label.Expansion, l.name)})
		}
	}
	s.Near = newNear(v, shown, i, l)
	for _, w := range c.Words[:min(len(c.Words), l.words)] {
		s.Words = append(s.Words, cut(w.Term, l.name))
	}
	s.Lists = []list{
		{"Typical pages", "The pages most similar to the centre of the community, with their cosine.", rows(c.Examples, l, judged, true)},
		{"Authorities", "Pages to which pages of this community point.", rows(c.Authorities, l, judged, false)},
		{"Hubs", "Pages that point to many authorities.", rows(c.Hubs, l, judged, false)},
	}
	if len(s.Lists[0].Rows) > 0 {
		s.Example = &s.Lists[0].Rows[0]
	}
	s.Lists = slices.DeleteFunc(s.Lists, func(l list) bool { return len(l.Rows) == 0 })
	return s
}

// newNear lists the communities to which the map draws a line, the most similar first.
func newNear(v *communities.View, shown []communities.Community, i int, l limits) (all []near) {
	for _, j := range slices.SortedStableFunc(slices.Values(others(len(shown), i)), func(a, b int) int {
		return cmp.Compare(v.Between[i][b], v.Between[i][a])
	}) {
		if cosine := v.Between[i][j]; cosine >= leastShown && len(all) < mostNear {
			all = append(all, near{shown[j].N, cut(shown[j].Name, l.name), decimal(cosine)})
		}
	}
	return all
}

const (
	leastShown = .1 // cosine of communities that a line connects; see layout.LineWidth
	mostNear   = 4
)

// others are the numbers from 0 to n-1 without i.
func others(n, i int) []int {
	var all []int
	for j := range n {
		if j != i {
			all = append(all, j)
		}
	}
	return all
}

func rows(pages []communities.Page, l limits, judged, snippets bool) (all []row) {
	for _, p := range pages[:min(len(pages), l.listed)] {
		r := newRow(p, l, judged)
		r.Score = decimal(p.Score)
		if snippets {
			r.Snippet = cut(p.Snippet, l.snippet)
		}
		all = append(all, r)
	}
	return all
}

func newRow(p communities.Page, l limits, judged bool) row {
	r := newLink(p.URL, p.Title, l)
	r.New = p.New
	if judged {
		r.Chance = percent(p.P)
	}
	return r
}

// newLink is a page by its address and title. Only http and https are linked, and only addresses of a bounded length.
func newLink(address, title string, l limits) row {
	r := row{Title: cut(title, l.title), Address: cut(address, l.title)}
	if u, err := url.Parse(address); err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Host != "" && u.User == nil {
		r.Address = cut(strings.TrimSuffix(u.Host+u.EscapedPath(), "/"), shownAddress)
		if len(address) <= l.address {
			r.Href = address
		}
	}
	r.Address = cut(r.Address, shownAddress)
	if r.Title == "" {
		r.Title = r.Address
	}
	return r
}

const shownAddress = 60 // characters

// cut shortens a text to n characters, the last of which then is "…".
func cut(s string, n int) string {
	s = strings.TrimSpace(strings.ToValidUTF8(s, "\ufffd"))
	if utf8.RuneCountInString(s) <= n {
		return s
	}
	count := 0
	for i := range s {
		if count++; count == n {
			return strings.TrimSpace(s[:i]) + "…"
		}
	}
	return s
}

// percent writes a share without decimals.
func percent(v float64) string { return fmt.Sprintf("%.0f %%", 100*v) }

func decimal(v float64) string { return fmt.Sprintf("%.2f", v) }
