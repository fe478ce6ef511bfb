package web

import (
	"cmp"
	"context"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/go-chi/chi/v5"

	"nightjar/crawler/weburl"
	"nightjar/daemon/store"
	"nightjar/daemon/web/chart"
)

// findsPerPage is the number of finds on one page.
const findsPerPage = 40

// findsPage is the list of finds to review.
type findsPage struct {
	Headline     string
	Next         *nextStep
	Any          bool // there is a find in any state, or a filter is set
	State        string
	States       []stateTab
	Topic        int64
	Topics       []store.TopicView
	Text         string
	Finds        int // shown here
	Nothing      string
	Groups       []findGroup
	Newer, Older string
}

type stateTab struct {
	Name    string
	Href    string
	Count   int
	Current bool
}

// findGroup is what one crawl found.
type findGroup struct {
	CrawlID int64
	Topic   string
	At      time.Time
	Finds   []findCard
}

// findCard is one find with its explanation.
type findCard struct {
	Find    store.FindView
	Link    link
	Site    string
	Path    string
	Back    string // query of the list that shows it
	Trail   []trailLine
	Hops    bool     // the trail has estimates from the whole trail
	Course  []string // labels along the trail, nil without milestones
	Links   int
	Version int
}

type link struct{ URL, Name string }

var findStates = []struct{ key, name string }{
	{"new", "New"}, {"open", "Not reviewed"}, {"useful", "Useful"}, {"not-useful", "Not useful"}, {"all", "All"},
}

func (s *Server) handleFinds(w http.ResponseWriter, r *http.Request) error {
	ctx := r.Context()
	q := r.URL.Query()
	p := findsPage{State: cmp.Or(q.Get("state"), "new"), Text: chart.Shorten(200, printable(q.Get("q")))}
	p.Topic, _ = strconv.ParseInt(q.Get("topic"), 10, 64) // anything else means every topic
	after, _ := strconv.Atoi(q.Get("after"))
	after = max(after, 0)
	overview, err := s.Store.Overview(ctx)
	if err != nil {
		return err
	}
	if p.Topics, err = s.Store.TopicViews(ctx); err != nil {
		return err
	}
	filter := store.FindFilter{Topic: p.Topic, Text: p.Text, State: p.State, After: after, Limit: findsPerPage + 1}
	if p.State == "all" {
		filter.State = ""
	}
	counts, err := s.Store.FindCounts(ctx, filter)
	if err != nil {
		return err
	}
	for _, st := range findStates {
		p.States = append(p.States, stateTab{st.name, p.href(st.key, 0), counts[st.key], st.key == p.State})
	}
	finds, err := s.Store.FindViews(ctx, filter)
	if err != nil {
		return err
	}
	if len(finds) > findsPerPage {
		finds = finds[:findsPerPage]
		p.Older = p.href(p.State, after+findsPerPage)
	}
	if after > 0 {
		p.Newer = p.href(p.State, max(0, after-findsPerPage))
	}
	if p.Groups, err = s.groups(ctx, finds, r.URL.RawQuery); err != nil {
		return err
	}
	p.Finds = len(finds)
	p.Any = counts["all"] > 0 || p.Text != "" || p.Topic != 0
	p.Headline, p.Nothing = headline(overview, counts, p)
	if !p.Any {
		p.Next = s.nextStep(overview, p.Topics)
	}
	return s.render(w, r, http.StatusOK, "finds", layout{Title: "Finds", Section: "finds"}, p)
}

// href is the address of the list for a state, from the find at position after.
func (p findsPage) href(state string, after int) string {
	q := url.Values{}
	if state != "new" {
		q.Set("state", state)
	}
	if p.Topic != 0 {
		q.Set("topic", strconv.FormatInt(p.Topic, 10))
	}
	if p.Text != "" {
		q.Set("q", p.Text)
	}
	if after > 0 {
		q.Set("after", strconv.Itoa(after))
	}
	if len(q) == 0 {
		return "/"
	}
	return "/?" + q.Encode()
}

func headline(o store.Overview, counts map[string]int, p findsPage) (head, nothing string) {
	switch {
	case o.NewFinds > 0:
		head = plural(o.NewFinds, "new page", "new pages") + " to review."
	case counts["open"] > 0:
		head = "Nothing new since last night. " + plural(counts["open"], "earlier find is", "earlier finds are") + " not reviewed yet."
	case counts["all"] > 0:
		head = "You have reviewed every find."
	case o.Models > 0:
		head = "Nothing has been found yet."
	default:
		head = "In the morning, the pages that Nightjar found at night are here."
	}
	switch {
	case p.Text != "":
		nothing = "No find here matches these words."
	case p.State == "new" && counts["open"] > 0:
		nothing = "Nothing new. Look under “Not reviewed” for earlier finds."
	case p.State == "new":
		nothing = "Nothing new. Your marks train the model of the next night."
	default:
		nothing = "This list is empty."
	}
	return head, nothing
}

// groups puts the finds of one crawl together. finds are sorted by crawl.
func (s *Server) groups(ctx context.Context, finds []store.FindView, back string) ([]findGroup, error) {
	var all []findGroup
	for _, f := range finds {
		if len(all) == 0 || all[len(all)-1].CrawlID != f.CrawlID {
			all = append(all, findGroup{CrawlID: f.CrawlID, Topic: f.Topic, At: f.FoundAt})
		}
		card, err := s.card(ctx, f, back)
		if err != nil {
			return nil, err
		}
		g := &all[len(all)-1]
		g.Finds = append(g.Finds, card)
	}
	return all, nil
}

// card explains one find.
func (s *Server) card(ctx context.Context, f store.FindView, back string) (findCard, error) {
	c := findCard{Find: f, Link: link{f.URL, titleOr(f.Title, f.URL)}, Site: weburl.Host(f.URL), Path: pathOf(f.URL), Back: back}
	trail, err := s.Store.TrailView(ctx, f.FetchID)
	if err != nil {
		return c, err
	}
	bundle, version, err := s.bundles.get(ctx, s.Store, f.ModelID)
	if err != nil && !unreadable(err) {
		return c, err
	}
	c.Version = version
	c.Links = max(0, len(trail)-1)
	c.Trail, c.Hops = explain(trail, bundle)
	c.Course = course(c.Trail)
	return c, nil
}

func titleOr(title, fallback string) string {
	return cmp.Or(strings.TrimSpace(title), fallback)
}

// pathOf is what follows the host in an address.
func pathOf(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.RequestURI() == "/" {
		return ""
	}
	return chart.Shorten(90, u.RequestURI())
}

// handleFindMark stores the person's mark of a find. It sends the find's card to a script, and a redirect to the list to a
// plain form.
func (s *Server) handleFindMark(w http.ResponseWriter, r *http.Request) error {
	id, err := number64(chi.URLParam(r, "id"))
	if err != nil {
		return err
	}
	mark := r.FormValue("mark")
	if mark != "useful" && mark != "not-useful" && mark != "none" {
		return badInput{"a find can be marked Useful or Not useful"}
	}
	if _, err := s.Store.FindView(r.Context(), id); err != nil {
		return err
	}
	if err := s.Store.Mark(r.Context(), id, mark); err != nil {
		return err
	}
	back := r.FormValue("back")
	if r.Header.Get("X-Fragment") == "" {
		q, err := url.ParseQuery(back)
		if err != nil {
			q = nil
		}
		http.Redirect(w, r, "/?"+q.Encode()+"#find-"+strconv.FormatInt(id, 10), http.StatusSeeOther)
		return nil
	}
	f, err := s.Store.FindView(r.Context(), id)
	if err != nil {
		return err
	}
	c, err := s.card(r.Context(), f, back)
	if err != nil {
		return err
	}
	return s.execute(w, http.StatusOK, "finds", "find", c)
}

// number64 reads an id from the path.
func number64(text string) (int64, error) {
	id, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return 0, errNoPage
	}
	return id, nil
}
