package pages

import (
	"cmp"
	"context"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"nightjar/daemon/chart"
	"nightjar/daemon/learn/calibration"
	"nightjar/daemon/learn/models"
	"nightjar/daemon/learn/overview"
	"nightjar/daemon/morning/finds"
	"nightjar/daemon/night/tonight"
	"nightjar/daemon/store"
	"nightjar/daemon/web/frame"
)

// findsPerPage is the number of finds on one page.
const findsPerPage = 40

type findsPage struct {
	Headline     string
	Any          bool          // there is a find in any state, or a filter is set
	Tonight      *tonight.Card // nil while there are finds to review
	Changed      *changedList  // nil for none
	Off          *tonight.Off  // nil while the night is on, or Tonight says it
	State        string
	States       []stateTab
	Topic        int64
	Topics       []overview.TopicView
	Text         string
	Since        time.Time // when this visit of the list began: what was seen since then is still listed as new
	Back         string    // query of this list
	NewFinds     int
	Left         []*tonight.Left
	Echo         *echoView // nil for none
	Finds        int       // shown here
	IDs          string    // of the shown finds that are new
	Nothing      string
	Groups       []findGroup
	Newer, Older string

	models, open int // of all topics; finds of the filter that are neither marked nor visited
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
	TopicID int64
	Topic   string
	At      time.Time
	Likely  *calibration.Yield // nil when it cannot be told
	Shown   string             // how what makes a page a find changed with the model of the crawl; "" unless it changed a lot
	Finds   []findCard
}

// State is what the person said of the find: its mark, or "refused".
func (c findCard) State() string {
	if c.Refused {
		return "refused"
	}
	return c.Find.Mark
}

// SiteName is the site that “Never this site” refuses.
func (c findCard) SiteName() string { return siteName(c.Find.URL) }

var findStates = []struct{ key, name string }{
	{"new", "New"}, {"open", "Not reviewed"}, {store.StateMaybe, "Maybe"}, {"later", "Later"}, {"useful", "Useful"}, {"not-useful", "Not useful"}, {"all", "All"},
}

// list reads a list's filter, tabs and headline; q is the list's query.
func (s *server) list(ctx context.Context, q url.Values) (findsPage, finds.Filter, error) {
	p := findsPage{State: cmp.Or(q.Get("state"), "new"), Text: chart.Shorten(200, frame.Printable(q.Get("q"))), Back: q.Encode()}
	p.Topic, _ = strconv.ParseInt(q.Get("topic"), 10, 64) // anything else means every topic
	p.Since = s.Now()
	filter := finds.Filter{Topic: p.Topic, State: p.State}
	if strings.TrimSpace(p.Text) != "" {
		var err error
		if filter.Within, err = finds.With(ctx, s.Store.DB, p.Topic, p.Text); err != nil {
			return p, filter, err
		}
	}
	if ms, err := strconv.ParseInt(q.Get("since"), 10, 64); err == nil && ms > 0 && !time.UnixMilli(ms).After(p.Since) {
		p.Since = time.UnixMilli(ms)
		filter.Since = p.Since
	}
	if p.State == "all" {
		filter.State = ""
	}
	steps, err := overview.Read(ctx, s.Store.DB)
	if err != nil {
		return p, filter, err
	}
	if p.Topics, err = overview.Topics(ctx, s.Store.DB); err != nil {
		return p, filter, err
	}
	counts, err := finds.Counts(ctx, s.Store.DB, filter)
	if err != nil {
		return p, filter, err
	}
	if !q.Has("state") && counts["new"] == 0 && counts["open"] > 0 { // nobody looks for an empty list
		p.State, filter.State = "open", "open"
	}
	for _, st := range findStates {
		p.States = append(p.States, stateTab{st.name, p.href(st.key, "", 0), counts[st.key], st.key == p.State})
	}
	p.NewFinds = steps.NewFinds
	p.Any = counts["all"]+counts[store.StateMaybe] > 0 || p.Text != "" || p.Topic != 0
	p.Headline, p.Nothing = headline(steps, counts, p)
	p.models, p.open = steps.Models, counts["open"]
	return p, filter, nil
}

func (s *server) handleFinds(w http.ResponseWriter, r *http.Request) error {
	ctx := r.Context()
	q := r.URL.Query()
	p, filter, err := s.list(ctx, q)
	if err != nil {
		return err
	}
	if !p.Any && p.models == 0 {
		return s.Start(w, r, "/")
	}
	if p.open == 0 && p.Text == "" && p.Topic == 0 {
		if p.Tonight, err = s.Night.Card(ctx, p.Topics, 0); err != nil {
			return err
		}
	} else if p.Off, err = s.Night.Off(ctx, p.Topics, "/"); err != nil {
		return err
	}
	if p.Changed, err = s.changed(ctx); err != nil {
		return err
	}
	filter.From, _ = strconv.ParseInt(q.Get("from"), 10, 64) // anything else means the beginning
	filter.Until, _ = strconv.ParseInt(q.Get("until"), 10, 64)
	filter.Limit = findsPerPage + 1
	finds, err := finds.List(ctx, s.Store.DB, filter)
	if err != nil {
		return err
	}
	finds = p.turn(finds, filter)
	if p.State == store.StateMaybe {
		s.explainMaybe(ctx, finds)
	}
	if p.Groups, err = s.groups(ctx, finds, r.URL.RawQuery); err != nil {
		return err
	}
	if p.Tonight == nil { // which says it
		if p.Left, err = s.leftOf(ctx, p); err != nil {
			return err
		}
	}
	p.Finds = len(finds)
	var fresh []string
	for _, f := range finds {
		if f.Fresh {
			fresh = append(fresh, strconv.FormatInt(f.ID, 10))
		}
	}
	p.IDs = strings.Join(fresh, ",")
	if p.Echo, err = s.echoView(ctx, "", r.URL.RawQuery); err != nil {
		return err
	}
	return s.Render(w, r, http.StatusOK, "finds", frame.Layout{Title: "Finds", Section: "finds"}, p)
}

// turn sets the addresses of the pages before and after, and returns the finds of this one. finds may have one more than
// fit: it shows that there is another page.
func (p *findsPage) turn(finds []finds.View, f finds.Filter) []finds.View {
	more := len(finds) > findsPerPage
	switch {
	case len(finds) == 0:
		if f.From != 0 || f.Until != 0 {
			p.Newer = p.href(p.State, "", 0)
		}
		return finds
	case f.Until != 0:
		if more {
			finds = finds[1:]
			p.Newer = p.href(p.State, "until", finds[0].ID)
		}
		p.Older = p.href(p.State, "from", finds[len(finds)-1].ID)
	default:
		if more {
			finds = finds[:findsPerPage]
			p.Older = p.href(p.State, "from", finds[len(finds)-1].ID)
		}
		if f.From != 0 {
			p.Newer = p.href(p.State, "until", finds[0].ID)
		}
	}
	return finds
}

// href is the address of the list for a state, from or until the find with the given id.
func (p findsPage) href(state, place string, id int64) string {
	pairs := []string{"state", state, "topic", frame.IdText(p.Topic), "q", p.Text}
	if place != "" {
		pairs = append(pairs, place, frame.IdText(id), "since", frame.IdText(p.Since.UnixMilli()))
	}
	return frame.AddressOf("/", pairs...)
}

func headline(o overview.Steps, counts map[string]int, p findsPage) (head, nothing string) {
	switch {
	case o.NewFinds > 0:
		head = chart.Plural(o.NewFinds, "new page", "new pages") + " to review."
	case counts["open"] > 0:
		head = "Nothing new. " + chart.Plural(counts["open"], "earlier find is", "earlier finds are") + " not reviewed yet."
	case counts["all"] > 0:
		head = "You have reviewed every find."
	default:
		head = "Nothing has been found yet."
	}
	switch {
	case p.Text != "":
		nothing = "No find here matches these words."
	case p.State == store.StateMaybe:
		nothing = "No page is listed. The next crawl adds the best of those that just miss being finds."
	case p.State == "new" && counts["open"] > 0:
		nothing = "Nothing new. Look under “Not reviewed” for earlier finds."
	case p.State == "new" && counts[store.StateMaybe] > 0:
		nothing = "Nothing new. Look under “Maybe” for pages that were rated too low for a find."
	case p.State == "new":
		nothing = "Nothing new. Your marks train the model of the next night."
	default:
		nothing = "This list is empty."
	}
	return head, nothing
}

// groups puts the finds of one crawl together. finds are sorted by crawl.
func (p Pages) groups(ctx context.Context, finds []finds.View, back string) ([]findGroup, error) {
	books, err := p.books(ctx, finds)
	if err != nil {
		return nil, err
	}
	var all []findGroup
	var crawls []int64
	for _, f := range finds {
		if len(all) == 0 || all[len(all)-1].CrawlID != f.CrawlID {
			shown, err := models.ShownChange(ctx, p.Store.DB, f.ModelID)
			if err != nil {
				return nil, err
			}
			all = append(all, findGroup{CrawlID: f.CrawlID, TopicID: f.TopicID, Topic: f.Topic, At: f.FoundAt, Shown: frame.Sentence(shown)})
			crawls = append(crawls, f.CrawlID)
		}
		g := &all[len(all)-1]
		card := p.cardOf(f, back)
		card.Book = books[f.ID]
		g.Finds = append(g.Finds, card)
	}
	views, err := calibration.Likely(ctx, p.Store.DB, crawls)
	for i := range all {
		all[i].Likely = views[all[i].CrawlID]
	}
	return all, err
}

// leftShown is the number of topics for which Finds says what is left.
const leftShown = 3

// leftOf says what is left of the topics of the first finds in a list.
func (s *server) leftOf(ctx context.Context, p findsPage) (all []*tonight.Left, err error) {
	shown := map[int64]bool{}
	for _, g := range p.Groups {
		if shown[g.TopicID] || len(shown) == leftShown {
			continue
		}
		shown[g.TopicID] = true
		v, err := s.Night.ForeseenTopic(ctx, g.TopicID)
		if err != nil {
			return nil, err
		}
		if v != nil && v.Left != nil {
			v.Left.Topic = g.Topic
			all = append(all, v.Left)
		}
	}
	return all, nil
}

// FindCards are the cards of finds, for the template "find" of pages that show some. back is the query of the list to which they lead.
func (p Pages) FindCards(ctx context.Context, finds []finds.View, back string) (cards []any, err error) {
	groups, err := p.groups(ctx, finds, back)
	for _, g := range groups {
		for _, c := range g.Finds {
			cards = append(cards, c)
		}
	}
	return cards, err
}

// mostChanged is the number of finds that changed on one page.
const mostChanged = 20

// changedList tells of finds whose pages changed much or are gone.
type changedList struct {
	IDs   string // separated by commas
	Finds []finds.View
}

// changed lists changed finds that the person has not seen yet, nil for none.
func (s *server) changed(ctx context.Context) (*changedList, error) {
	finds, err := finds.Changed(ctx, s.Store.DB, mostChanged)
	if err != nil || len(finds) == 0 {
		return nil, err
	}
	var ids []string
	for _, f := range finds {
		ids = append(ids, strconv.FormatInt(f.ID, 10))
	}
	return &changedList{strings.Join(ids, ","), finds}, nil
}

// handleChangesSeen records that the person has seen the changed finds.
func (s *server) handleChangesSeen(w http.ResponseWriter, r *http.Request) error {
	ids, err := numbers(strings.Split(r.PostFormValue("ids"), ","))
	if err != nil {
		return err
	}
	if err := finds.TellChanges(r.Context(), s.Store.DB, ids); err != nil {
		return err
	}
	return frame.SeeOther(w, r, "/")
}
