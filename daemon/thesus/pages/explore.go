package pages

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"nightjar/daemon/browse/sessions"
	"nightjar/daemon/browse/topics"
	"nightjar/daemon/chart"
	"nightjar/daemon/learn/overview"
	"nightjar/daemon/night/crawls"
	"nightjar/daemon/store"
	"nightjar/daemon/thesus/explore"
	"nightjar/daemon/thesus/links"
	"nightjar/daemon/thesus/ontologies"
	"nightjar/daemon/web/frame"
)

// explorePath lists the groupings of pages, and takes the form that starts one.
const explorePath = "/explore"

const (
	groupingsShown = 100 // in the list
	scopesShown    = 100 // crawls, and sessions, to choose from
)

// tab is an entry of a line of links.
type tab struct {
	Href, Name string
	Current    bool
}

// exploreTabs are the pages of Explore. current is the address of the page shown.
func exploreTabs(current string) []tab {
	all := []tab{{explorePath, "Groups of pages", false}, {"/explore/page", "What others say", false}, {"/explore/compare", "Compare two sets", false},
		{"/explore/operators", "Operators", false}, {"/explore/ontologies", "Ontologies", false}, {"/explore/wordnet", "WordNet", false}}
	for i := range all {
		all[i].Current = all[i].Href == current
	}
	return all
}

// explorePage lists groupings, and has the form that starts one.
type explorePage struct {
	Groupings  []groupingLine
	Left       int // groupings that are not shown
	Links      linkState
	Ontologies []ontologies.Ontology
	Form       groupForm
}

// linkState says how many links are stored, and how many pages are still to be read.
type linkState struct {
	Pages, Links, Words int
	Waiting             int  // pages whose links are still to be read
	More                bool // more than Waiting
	WordNet             bool
}

// linksCounted bounds the counts of links, and of pages whose links are still to be read.
const linksCounted = 100_000

// Many says that a count is the bound, so there may be more.
func (linkState) Many(n int) bool { return n >= linksCounted }

func (s *server) linkState(ctx context.Context) (l linkState, err error) {
	l.WordNet = s.WordNet.State().Folder != ""
	if l.Pages, l.Links, l.Words, err = links.Counts(ctx, s.Store.DB, linksCounted); err != nil {
		return l, err
	}
	l.Waiting, err = links.Waiting(ctx, s.Store.DB, linksCounted)
	l.More = l.Waiting >= linksCounted
	return l, err
}

// groupingLine is a grouping in a list.
type groupingLine struct {
	explore.Grouping
	Title    string // of its scope
	Ontology string // name; "" without one
	Tag      string // style class of the state
	State    string // in words
	Says     string // the problem, what is being done, or why it is out of date
	Progress explore.Progress
}

// At is when the grouping was finished, or begun.
func (l groupingLine) At() time.Time {
	if l.EndedAt.IsZero() {
		return l.CreatedAt
	}
	return l.EndedAt
}

// Works reports whether the grouping is being made.
func (l groupingLine) Works() bool { return l.Grouping.State == explore.GroupingWorks }

// By says how the pages are grouped.
func (l groupingLine) By() string {
	if l.Ontology != "" {
		return "terms of " + l.Ontology
	}
	if l.ByText() {
		return "text and links"
	}
	return "words of links"
}

// Method says how the pages are grouped.
func (l groupingLine) Method() string {
	switch {
	case l.ByText():
		return "k-means"
	case l.Options.Cobweb:
		return "COBWEB"
	}
	return "DBSCAN"
}

func groupingPath(id int64) string { return explorePath + "/" + strconv.FormatInt(id, 10) }

func (s *server) handleExplore(w http.ResponseWriter, r *http.Request) error {
	ctx := r.Context()
	var p explorePage
	var err error
	if p.Links, err = s.linkState(ctx); err != nil {
		return err
	}
	if p.Ontologies, err = s.Ontologies.List(ctx); err != nil {
		return err
	}
	all, err := explore.Groupings(ctx, s.Store.DB)
	if err != nil {
		return err
	}
	p.Left = max(0, len(all)-groupingsShown)
	names := scopeNames{server: s}
	for _, g := range all[:len(all)-p.Left] {
		line, err := names.line(ctx, g, p.Ontologies)
		if err != nil {
			return err
		}
		p.Groupings = append(p.Groupings, line)
	}
	if p.Form, err = s.groupForm(ctx, r.URL.Query().Get("scope"), p.Ontologies); err != nil {
		return err
	}
	return s.Render(w, r, http.StatusOK, "explore", frame.Layout{Title: "Explore", Section: "explore"}, p)
}

// scopeNames names the scopes of groupings. Topics are read once.
type scopeNames struct {
	server *server
	topics map[int64]string
}

// line is a grouping in words.
func (n *scopeNames) line(ctx context.Context, g explore.Grouping, all []ontologies.Ontology) (groupingLine, error) {
	l := groupingLine{Grouping: g, Progress: n.server.Explore.Progress(g.ID)}
	for _, o := range all {
		if o.ID == g.Ontology {
			l.Ontology = frame.Printable(o.Name)
		}
	}
	switch g.State {
	case explore.GroupingDone:
		l.Tag, l.State, l.Says = "good", "done", frame.Sentence(frame.Printable(g.Stale))
		if g.Stale != "" {
			l.Tag, l.State = "warn", "out of date"
		}
	case explore.GroupingFailed:
		l.Tag, l.State, l.Says = "bad", "failed", frame.Sentence(frame.Printable(g.Problem))
	default:
		l.Tag, l.State, l.Says = "live", "working", l.Progress.Step
	}
	var err error
	l.Title, err = n.title(ctx, g)
	if errors.Is(err, store.ErrNotFound) {
		l.Title, err = "something that was deleted", nil
	}
	return l, err
}

// title names the pages that are grouped.
func (n *scopeNames) title(ctx context.Context, g explore.Grouping) (string, error) {
	switch g.Scope {
	case links.PagesOfTopic:
		if n.topics == nil {
			topics, err := topics.Every(ctx, n.server.Store.DB) // also of a map, which can be grouped
			if err != nil {
				return "", err
			}
			n.topics = map[int64]string{}
			for _, t := range topics {
				n.topics[t.ID] = frame.Printable(t.Name)
			}
		}
		if name, ok := n.topics[g.ScopeID]; ok {
			return name, nil
		}
		return "", store.ErrNotFound
	case links.PagesOfCrawl:
		return "Crawl " + strconv.FormatInt(g.ScopeID, 10), nil
	case links.PagesOfSession:
		one, err := sessions.ByID(ctx, n.server.Store.DB, g.ScopeID)
		return frame.Printable(one.Name()), err
	}
	return "Everything", nil
}

// handleGroup groups pages.
func (s *server) handleGroup(w http.ResponseWriter, r *http.Request) error {
	ask, err := readGroup(r.PostForm)
	if err != nil {
		return err
	}
	g, err := s.Explore.Group(r.Context(), ask)
	switch {
	case errors.Is(err, store.ErrNotFound):
		return frame.At("scope", frame.BadInput("these pages, or the ontology, were deleted meanwhile: choose again"))
	case err != nil:
		return err
	}
	return frame.SeeOther(w, r, groupingPath(g.ID))
}

// What pages are grouped by, beside ontologies.
const byText, byLinks = "text", "links"

// readGroup reads the form of a new grouping.
func readGroup(form url.Values) (ask explore.Request, err error) {
	if ask.Scope, ask.ScopeID, err = readScope(form.Get("scope")); err != nil {
		return ask, frame.At("scope", err)
	}
	switch text := form.Get("ontology"); text {
	case "", byText:
		ask.Options.Text = true
	case byLinks:
	default:
		if ask.Ontology, err = strconv.ParseInt(text, 10, 64); err != nil || ask.Ontology < 1 {
			return ask, frame.At("ontology", frame.BadInput("choose text and links, words of links, or an ontology of the list"))
		}
	}
	o := &ask.Options
	whole := func(name string, least, most, usual int, into *int) {
		text := strings.TrimSpace(form.Get(name))
		if text == "" || err != nil {
			return
		}
		n, wrong := strconv.Atoi(text)
		if wrong != nil || n < least || n > most {
			err = frame.At(name, frame.BadInput("this must be a whole number from "+strconv.Itoa(least)+" to "+strconv.Itoa(most)))
			return
		}
		if n != usual {
			*into = n
		}
	}
	whole("words", 1, mostGroupWords, usualGroupWords, &o.Words)
	whole("docs", 1, mostGroupDocs, usualGroupDocs, &o.MinDocs)
	if text := strings.TrimSpace(form.Get("similarity")); err == nil && text != "" {
		v, wrong := strconv.ParseFloat(strings.Replace(text, ",", ".", 1), 64)
		if wrong != nil || !(v > 0 && v <= 1) {
			return ask, frame.At("similarity", frame.BadInput("this must be a number above 0, at most 1, such as 0.7"))
		}
		if v != usualGroupSimilarity {
			o.MinSimilarity = v
		}
	}
	o.BySite, o.Cobweb = form.Get("count") == "sites", form.Get("method") == "cobweb"
	return ask, err
}

// readScope reads which pages are grouped: "all", "topic:3", "crawl:12" or "session:5".
func readScope(text string) (links.Scope, int64, error) {
	kind, number, _ := strings.Cut(text, ":")
	scope := links.Scope(kind)
	switch scope {
	case "", links.AllPages:
		return links.AllPages, 0, nil
	case links.PagesOfTopic, links.PagesOfCrawl, links.PagesOfSession:
		if id, err := strconv.ParseInt(number, 10, 64); err == nil && id > 0 {
			return scope, id, nil
		}
	}
	return "", 0, frame.BadInput("choose pages of the list")
}

// Usual and largest values of the form.
const (
	usualGroupWords, mostGroupWords = explore.DefaultWords, explore.MaxWords
	usualGroupDocs, mostGroupDocs   = explore.DefaultMinDocs, explore.MaxMinDocs
	usualGroupSimilarity            = explore.DefaultMinSimilarity
)

// groupForm asks for pages to be grouped.
type groupForm struct {
	Everything choice
	Topics     []choice
	Crawls     []choice
	Sessions   []choice
	Ontologies []choice
	Words      int
	Docs       int
	Similarity string
	MostWords  int
	MostDocs   int
}

// choice is an entry of a list to choose from.
type choice struct {
	Value, Name string
	On          bool
}

// groupForm makes the form. scope is the pages that are chosen at first, as readScope reads them.
func (s *server) groupForm(ctx context.Context, scope string, all []ontologies.Ontology) (f groupForm, err error) {
	f = groupForm{Everything: choice{string(links.AllPages), "Everything that was visited or crawled", scope == ""},
		Words: usualGroupWords, Docs: usualGroupDocs, Similarity: strconv.FormatFloat(usualGroupSimilarity, 'g', -1, 64),
		MostWords: mostGroupWords, MostDocs: mostGroupDocs}
	add := func(list *[]choice, kind links.Scope, id int64, name string) {
		value := string(kind) + ":" + strconv.FormatInt(id, 10)
		*list = append(*list, choice{value, chart.Shorten(80, frame.Printable(name)), value == scope})
	}
	topics, err := overview.Topics(ctx, s.Store.DB)
	if err != nil {
		return f, err
	}
	for _, t := range topics {
		add(&f.Topics, links.PagesOfTopic, t.ID, t.Name)
	}
	crawls, err := crawls.Views(ctx, s.Store.DB, scopesShown)
	if err != nil {
		return f, err
	}
	for _, c := range crawls {
		if c.Fetched > 0 {
			add(&f.Crawls, links.PagesOfCrawl, c.ID, strconv.FormatInt(c.ID, 10)+": "+c.Topic+", "+chart.Plural(c.Fetched, "page", "pages"))
		}
	}
	sessions, err := sessions.Before(ctx, s.Store.DB, 0, 0, scopesShown)
	if err != nil {
		return f, err
	}
	for _, one := range sessions {
		add(&f.Sessions, links.PagesOfSession, one.ID, one.Name())
	}
	for _, o := range all {
		name := chart.Shorten(80, frame.Printable(o.Name)) + " (" + chart.Plural(o.Count, "term", "terms") + ")"
		f.Ontologies = append(f.Ontologies, choice{strconv.FormatInt(o.ID, 10), name, false})
	}
	return f, nil
}
