package pages

import (
	"cmp"
	"fmt"
	"html/template"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"nightjar/daemon/chart"
	"nightjar/daemon/panorama/communities"
	"nightjar/daemon/panorama/communities/report"
	"nightjar/daemon/panorama/maps"
	"nightjar/daemon/store"
	"nightjar/daemon/web/frame"
)

// mapPage shows a finished map.
type mapPage struct {
	*communities.View
	Line    mapLine
	Picture template.HTML
	Rows    []communityRow
	Pages   int // on the map
	Harvest float64
	Options optionsForm
	Own     bool // its topic is one of the person's
}

// communityRow is a line of the table of communities.
type communityRow struct {
	communities.Community
	Href  string
	Class string
	Near  string // the communities that it is most similar to
}

// viewOf reads a finished map. The error is badInput while it is not made.
func (s *server) viewOf(r *http.Request) (*communities.View, error) {
	m, err := s.mapOf(r)
	if err != nil {
		return nil, err
	}
	v, err := s.Maps.View(r.Context(), m.ID)
	return v, err
}

// showMap shows a finished map.
func (s *server) showMap(w http.ResponseWriter, r *http.Request, m maps.Map) error {
	v, err := s.Maps.View(r.Context(), m.ID)
	if err != nil {
		return err
	}
	p := mapPage{View: v, Line: lineOf(v.Map), Options: optionsForm{Map: v.Map, Limits: limits, Draw: true}}
	p.Picture = picture(v)
	if p.Own, err = maps.IsOwnTopic(r.Context(), s.Store.DB, m.Topic); err != nil {
		return err
	}
	for i, c := range v.Communities {
		p.Pages += c.Size
		p.Rows = append(p.Rows, communityRow{c, communityPath(m.ID, c.N), chart.ClusterClass(c.N), near(v, i)})
	}
	if n := len(v.Harvest); n > 0 {
		p.Harvest = v.Harvest[n-1].Rate
	}
	return s.Render(w, r, http.StatusOK, "map", frame.Layout{Title: "Map: " + frame.Printable(v.Map.Title), Section: "communities"}, p)
}

func communityPath(id int64, n int) string { return mapPath(id) + "/" + strconv.Itoa(n) }

// picture draws a map; its circles lead to the pages of the communities.
func picture(v *communities.View) template.HTML {
	all := make([]chart.Community, len(v.Communities))
	for i, c := range v.Communities {
		all[i] = chart.Community{N: c.N, Pages: c.Size, New: c.New, Harvest: c.Harvest, Circle: c.Circle}
		for _, l := range c.Labels {
			all[i].Labels = append(all[i].Labels, l.Text)
		}
	}
	return chart.Communities(all, v.Between, func(n int) string { return communityPath(v.Map.ID, n) })
}

// near names the communities that one is connected with on the map, the most similar first.
func near(v *communities.View, i int) string {
	type other struct {
		n      int
		cosine float64
	}
	var all []other
	for j, c := range v.Communities {
		if j != i && v.Between[i][j] >= .1 {
			all = append(all, other{c.N, v.Between[i][j]})
		}
	}
	slices.SortStableFunc(all, func(a, b other) int { return cmp.Compare(b.cosine, a.cosine) })
	var texts []string
	for _, o := range all[:min(2, len(all))] {
		texts = append(texts, fmt.Sprintf("%d (%.2f)", o.n, o.cosine))
	}
	return strings.Join(texts, ", ")
}

// communityPage shows one community of a map.
type communityPage struct {
	Map         *communities.View
	Community   communities.Community
	Class       string
	Lists       []communityList
	Marks       bool // pages can be marked: there is a topic
	Share       float64
	Before      string // address of the community before; "" for none
	After       string
	Near        string
	WordsInLine []string
}

// communityList is a list of pages of a community.
type communityList struct {
	Key, Name, Says string
	Cards           []communityCard
}

// communityCard is a page in such a list.
type communityCard struct {
	communities.Page
	List  string
	Map   int64
	Link  frame.Link
	Score string
	State string // the person's mark; "none" without one
	Marks bool
}

// communityMarks are the actions of a page in all lists, for a script that puts them in place.
type communityMarks struct{ Cards []communityCard }

var pageLists = []struct {
	key, name, says, score string
	pages                  func(communities.Community) []communities.Page
}{
	{"example", "Typical pages", "The pages that are most like the community as a whole.", "similarity", func(c communities.Community) []communities.Page { return c.Examples }},
	{"authority", "Authorities", "The pages that the community's hubs link to.", "weight", func(c communities.Community) []communities.Page { return c.Authorities }},
	{"hub", "Hubs", "The pages that link to the community's authorities.", "weight", func(c communities.Community) []communities.Page { return c.Hubs }},
}

// handleCommunity shows one community of a map.
func (s *server) handleCommunity(w http.ResponseWriter, r *http.Request, v *communities.View) error {
	i, err := indexOfCommunity(r, v)
	if err != nil {
		return err
	}
	c := v.Communities[i]
	p := communityPage{Map: v, Community: c, Class: chart.ClusterClass(c.N), Near: near(v, i), Marks: v.Map.Topic != 0}
	all := 0
	for _, one := range v.Communities {
		all += one.Size
	}
	p.Share = float64(c.Size) / float64(max(1, all))
	if i > 0 {
		p.Before = communityPath(v.Map.ID, v.Communities[i-1].N)
	}
	if i+1 < len(v.Communities) {
		p.After = communityPath(v.Map.ID, v.Communities[i+1].N)
	}
	for _, l := range pageLists {
		list := communityList{Key: l.key, Name: l.name, Says: l.says}
		for _, page := range l.pages(c) {
			card := cardOfPage(v, page, l.key)
			card.Score = l.score + " " + frame.Decimal(page.Score)
			list.Cards = append(list.Cards, card)
		}
		p.Lists = append(p.Lists, list)
	}
	for _, word := range c.Words {
		p.WordsInLine = append(p.WordsInLine, word.Term)
	}
	return s.Render(w, r, http.StatusOK, "community", frame.Layout{Title: "Community: " + frame.Printable(c.Name), Section: "communities"}, p)
}

func indexOfCommunity(r *http.Request, v *communities.View) (int, error) {
	n, err := frame.ID(r, "community")
	if err != nil {
		return 0, err
	}
	i := slices.IndexFunc(v.Communities, func(c communities.Community) bool { return int64(c.N) == n })
	if i < 0 {
		return 0, frame.ErrNoPage
	}
	return i, nil
}

// mostSnippet is the length of a passage in runes.
const mostSnippet = 420

func cardOfPage(v *communities.View, page communities.Page, list string) communityCard {
	page.Snippet = chart.Shorten(mostSnippet, page.Snippet)
	c := communityCard{Page: page, List: list, Map: v.Map.ID, Link: frame.LinkTo(page.URL, page.Title),
		State: page.Mark, Marks: v.Map.Topic != 0}
	if c.State == "" {
		c.State = store.MarkNone
	}
	return c
}

// findPage is a page of a map's lists by its fetch, and where on the pages of communities it is.
func findPage(v *communities.View, fetch int64) (page communities.Page, place string, ok bool) {
	for _, c := range v.Communities {
		for _, l := range pageLists {
			for _, one := range l.pages(c) {
				if one.Fetch == fetch {
					return one, communityPath(v.Map.ID, c.N) + "#" + l.key + "-" + strconv.FormatInt(fetch, 10), true
				}
			}
		}
	}
	return page, "", false
}

// handleMapMark stores the person's mark of a page of a map, and what it changes is compared as for finds.
func (s *server) handleMapMark(w http.ResponseWriter, r *http.Request, v *communities.View) error {
	fetch, err := frame.ReadID(r.PostFormValue("page"))
	if err != nil {
		return err
	}
	mark := r.PostFormValue("mark")
	if mark != store.MarkUseful && mark != store.MarkNotUseful && mark != store.MarkNone {
		return frame.BadInput("a page can be marked Useful or Not useful")
	}
	page, place, ok := findPage(v, fetch)
	if !ok {
		return communities.ErrNotOnMap
	}
	acted, err := s.Maps.Mark(r.Context(), v.Map.ID, fetch, mark)
	if err != nil {
		return err
	}
	if acted.Action != 0 && len(acted.Topics) > 0 {
		s.Echoes.Marked(acted.Topics, acted.Since)
	}
	if r.Header.Get("X-Fragment") == "" {
		return frame.SeeOther(w, r, place)
	}
	page.Mark = mark
	var a communityMarks
	for _, l := range pageLists {
		a.Cards = append(a.Cards, cardOfPage(v, page, l.key))
	}
	return s.Execute(w, http.StatusOK, "community", "community-marked", a)
}

// trailPage shows how a page of a map was reached.
type trailPage struct {
	Map   *communities.View
	Page  communities.Page
	Link  frame.Link
	Back  string // address of the list that it is in
	About any    // for the template "find-details"
}

// handleMapTrail shows how a page of a map was reached: a page of its own, or its part for a script.
func (s *server) handleMapTrail(w http.ResponseWriter, r *http.Request, v *communities.View) error {
	fetch, err := frame.ID(r, "fetch")
	if err != nil {
		return err
	}
	page, place, ok := findPage(v, fetch)
	if !ok {
		return frame.ErrNoPage
	}
	p := trailPage{Map: v, Page: page, Link: frame.LinkTo(page.URL, page.Title), Back: place}
	if p.About, err = s.Finds.TrailPart(r.Context(), v.Map.Crawl, fetch); err != nil {
		return err
	}
	if r.Header.Get("X-Fragment") != "" {
		return s.Execute(w, http.StatusOK, "map-page", "find-details", p.About)
	}
	return s.Render(w, r, http.StatusOK, "map-page", frame.Layout{Title: p.Link.Name, Section: "communities"}, p)
}

// handleCommunityLike makes a topic of a community's examples.
func (s *server) handleCommunityLike(w http.ResponseWriter, r *http.Request, v *communities.View) error {
	i, err := indexOfCommunity(r, v)
	if err != nil {
		return err
	}
	if _, err := s.Maps.MoreLikeThis(r.Context(), v.Map.ID, v.Communities[i].N); err != nil {
		return err
	}
	return frame.Done(w, r, "/tonight", "map-like")
}

// handleMapReport sends a map as one file.
func (s *server) handleMapReport(w http.ResponseWriter, r *http.Request, v *communities.View) error {
	var out strings.Builder
	if err := report.Write(&out, v); err != nil {
		return fmt.Errorf("write the report of a map: %w", err)
	}
	return s.SendText(w, r, "communities-"+frame.FileName(v.Map.Title)+"-"+v.Made.Format("2006-01-02")+".html", "text/html; charset=utf-8", out.String())
}
