package web

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"github.com/go-chi/chi/v5"

	"nightjar/crawler/weburl"
	"nightjar/daemon/protocol"
	"nightjar/daemon/session"
	"nightjar/daemon/store"
	"nightjar/daemon/web/chart"
	"nightjar/model/webgraph"
)

// sessionPage shows the web graph and the pages of a session.
type sessionPage struct {
	Session store.Session
	Graph   *graphView
	Pages   []pageLine
	Links   int
	Moves   int
	Back    int
	Names   []store.NamedPages // milestones of the topic, to offer
	Undo    *undoView
}

// pageLine is one page of a session.
type pageLine struct {
	N       int
	Link    link
	Site    string
	Target  bool
	Visits  int
	LinksTo int // other pages of the session that it links to

	Session   string // UUID
	Milestone string // "" for none
	Named     string // the address that has the milestone, or is to get one

	urls []string // canonical addresses under which the page was loaded, that of Link first
}

func (s *Server) handleSession(w http.ResponseWriter, r *http.Request) error {
	one, events, err := s.sessionEvents(r)
	if err != nil {
		return err
	}
	p, err := readSession(one, events)
	if err != nil {
		return err
	}
	names, err := s.Store.MilestoneNames(r.Context(), one.TopicID)
	if err != nil {
		return err
	}
	p.Names, p.Undo = names.Names, undoOf(one.TopicID, names.Last, one.UUID)
	for i := range p.Pages {
		p.Pages[i].name(names.Pages)
	}
	return s.render(w, r, http.StatusOK, "session", layout{Title: "Session: " + one.Topic, Section: "sessions"}, p)
}

// name fills in the page's milestone. A page with several addresses has the name of the first one that has one.
func (l *pageLine) name(names map[string]string) {
	l.Named = l.urls[0]
	for _, url := range l.urls {
		if names[url] != "" {
			l.Milestone, l.Named = names[url], url
			return
		}
	}
}

// session returns the session in the path.
func (s *Server) session(r *http.Request) (store.Session, error) {
	return s.Store.SessionByUUID(r.Context(), chi.URLParam(r, "uuid"))
}

// sessionEvents returns the session in the path, and its events.
func (s *Server) sessionEvents(r *http.Request) (store.Session, []protocol.Event, error) {
	one, err := s.session(r)
	if err != nil {
		return one, nil, err
	}
	events, err := s.Store.SessionEvents(r.Context(), one.ID)
	return one, events, err
}

// readSession builds the web graph of a session as the trainer does, and lists the person's moves in it.
func readSession(one store.Session, events []protocol.Event) (sessionPage, error) {
	p := sessionPage{Session: one}
	all, err := session.Fold(events)
	if err != nil {
		return p, fmt.Errorf("read session %s: %w", one.UUID, err)
	}
	var loads []webgraph.Load
	var made []session.Move
	address := map[string]string{} // of page loads
	for _, s := range all {
		loads, made = append(loads, s.Loads()...), append(made, s.Moves...)
		for _, v := range s.Visits {
			address[v.Load] = v.URL
		}
	}
	g := webgraph.Build(loads)
	out := make([]int, len(g.Pages))
	for _, e := range g.Edges {
		out[e[0]]++
	}
	var nodes []chart.WebPage
	for i, n := range g.Pages {
		line := pageLine{Session: one.UUID, N: i + 1, Link: link{n.URL, titleOr(n.Title, n.URL)}, Site: weburl.Host(n.URL),
			Target: n.Target, Visits: len(n.Loads), LinksTo: out[i], urls: []string{n.URL}}
		for _, load := range n.Loads {
			line.urls = append(line.urls, address[load])
		}
		p.Pages = append(p.Pages, line)
		nodes = append(nodes, chart.WebPage{Title: titleOr(n.Title, n.URL), URL: n.URL, Target: n.Target, Href: "#page-" + strconv.Itoa(i+1)})
	}
	moves := movesOf(made, g)
	p.Links = len(g.Edges)
	for _, m := range moves {
		if m.Back {
			p.Back++
		} else {
			p.Moves++
		}
	}
	if len(nodes) > 0 {
		p.Graph = &graphView{ID: "web", Class: "web", Title: "Web graph of the session", Picture: chart.Web(nodes, g.Edges, moves),
			Caption: "Circles are pages, in the order you first saw them. Red rings are the pages you marked Useful. " +
				"Bold numbered arrows are the links you followed, dotted ones are Back, thin ones are links you did not take."}
		if p.Graph.Picture.Width > 1100 { // shrinks to the page, but not below what can be read
			p.Graph.Class += " wide"
		}
	}
	return p, nil
}

// movesOf lists the moves from page to page in order, without those by Forward. A frameset counts as its first frame.
func movesOf(made []session.Move, g *webgraph.Graph) []chart.Move {
	var moves []chart.Move
	for _, m := range made {
		from, to := g.ByLoad[m.From], g.ByLoad[m.To]
		if m.Type != protocol.Forward && len(from) > 0 && len(to) > 0 && from[0] != to[0] {
			moves = append(moves, chart.Move{From: from[0], To: to[0], Back: m.Type == protocol.Back})
		}
	}
	return moves
}

// handleSessionExport sends the session file.
func (s *Server) handleSessionExport(w http.ResponseWriter, r *http.Request) error {
	one, events, err := s.sessionEvents(r)
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", "application/x-ndjson")
	attachment(w, fileName(one.Topic)+"-"+one.StartedAt.Format("2006-01-02")+".session.jsonl")
	if err := session.Write(w, events); err != nil {
		s.Log.Warn("session export ended early", "err", err) // the response has started, so no error page can follow
	}
	return nil
}

// handleSessionAsk asks for confirmation before a session is deleted.
func (s *Server) handleSessionAsk(w http.ResponseWriter, r *http.Request) error {
	one, err := s.session(r)
	if err != nil {
		return err
	}
	return s.render(w, r, http.StatusOK, "session-delete", layout{Title: "Delete a session", Section: "sessions"}, sessionPage{Session: one})
}

// handleSessionDelete deletes a session, and trains the models again that had learned from it.
func (s *Server) handleSessionDelete(w http.ResponseWriter, r *http.Request) error {
	one, err := s.session(r)
	if err != nil {
		return err
	}
	topics, err := s.Store.DeleteSession(r.Context(), one.ID)
	if err != nil {
		return err
	}
	s.bundles.drop()
	for _, id := range topics {
		s.Trainer.Submit(id)
	}
	return done(w, r, "/sessions", "deleted")
}

// attachment makes the browser save the response under a name, which has only letters, digits, dots and dashes.
func attachment(w http.ResponseWriter, name string) {
	w.Header().Set("Content-Disposition", `attachment; filename="`+name+`"`)
}

// fileName turns a topic's name into a file name.
func fileName(topic string) string {
	name := strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9':
			return r
		case r >= 'A' && r <= 'Z':
			return r + 'a' - 'A'
		}
		return '-'
	}, chart.Shorten(40, topic))
	if name = strings.Trim(name, "-"); name == "" {
		return "session"
	}
	return name
}
