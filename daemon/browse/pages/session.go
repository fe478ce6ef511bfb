package pages

import (
	"context"
	"maps"
	"net/http"
	"net/url"

	"nightjar/crawler/weburl"
	"nightjar/daemon/browse/session"
	"nightjar/daemon/browse/sessions"
	"nightjar/daemon/browse/topics"
	"nightjar/daemon/panorama/reader"
	"nightjar/daemon/web/frame"
)

// sessionPage shows the web graph and the pages of a session.
type sessionPage struct {
	Session sessions.Session
	Web     *webView         // nil without a page
	WebPart int              // number of the part that the picture shows, 0 when there is one picture
	Age     string           // of a picture to which events came since, "" otherwise
	Again   string           // address that draws it again, "" while it is too young
	Draw    string           // address of what takes a moment to draw, "" when it is here
	Pages   []pageLine       // the part that is shown
	All     int              // pages of the session
	Parts   []frame.RowsPart // of the table, when it has several
	Links   int
	Moves   int
	Back    int
	Began   *weburl.Search      // nil when it did not begin with a search
	Names   []topics.NamedPages // milestones of the topic, to offer
	Undo    *undoView
	Said    []linkLine // links that looked useful
}

type pageLine struct {
	N       int
	Link    frame.Link
	Target  bool
	Visits  int
	LinksTo int // other pages of the session that it links to

	Session   string // UUID
	Milestone string // "" for none
	Named     string // the address that has the milestone, or is to get one
	Open      bool   // the form for its milestone is shown

	PDF *reader.PDF // nil for other pages

	urls []string // canonical addresses under which the page was loaded, that of Link first
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

// pdf sets the state of the page's text if it is a PDF.
func (l *pageLine) pdf(pdfs map[string]reader.PDF) {
	for _, url := range l.urls {
		if one, ok := pdfs[url]; ok {
			l.PDF = &one
			return
		}
	}
}

// pdfsOf returns the PDFs of a session by address.
func (s *server) pdfsOf(ctx context.Context, ids []int64) (map[string]reader.PDF, error) {
	all, err := s.Store.Settings(ctx)
	if err != nil {
		return nil, err
	}
	pdfs := map[string]reader.PDF{}
	for _, id := range ids {
		its, err := reader.PDFs(ctx, s.Store.DB, id, all.ReadPDFs)
		if err != nil {
			return nil, err
		}
		maps.Copy(pdfs, its)
	}
	return pdfs, nil
}

// session returns the session in the path; of what browsers recorded together, the part that began first.
func (s *server) session(r *http.Request) (sessions.Session, error) {
	one, err := sessions.ByUUID(r.Context(), s.Store.DB, r.PathValue("uuid"))
	if err == nil && len(one.Parts) > 0 && one.Parts[0].ID != one.ID {
		one, err = sessions.ByID(r.Context(), s.Store.DB, one.Parts[0].ID)
	}
	return one.AsWhole(), err
}

// firstVisits is the number of visits among which the search is looked for with which a session began.
const firstVisits = 50

// began returns the search with which a session began, nil for none.
func (s *server) began(ctx context.Context, one sessions.Session) (*weburl.Search, error) {
	visits, err := sessions.Began(ctx, s.Store.DB, one.First(), firstVisits)
	if search, ok := session.Began(visits); ok {
		return &search, err
	}
	return nil, err
}

// handleSession shows a session: its web graph and a part of its pages.
func (s *server) handleSession(w http.ResponseWriter, r *http.Request, one sessions.Session) error {
	ctx := r.Context()
	kept, err := s.webOf(ctx, one, r.URL.Query().Has("draw"))
	if err != nil {
		return err
	}
	p := sessionPage{Session: one, Draw: drawHref(r.URL.Query())}
	if kept != nil {
		if p, err = s.sessionShown(r, one, kept); err != nil {
			return err
		}
		if kept.before {
			age := s.Now().Sub(kept.Drawn)
			p.Age = frame.Duration(age)
			if age >= drawnEvery {
				p.Again = drawHref(r.URL.Query())
			}
		}
	}
	if r.Header.Get("X-Fragment") != "" {
		return s.Execute(w, http.StatusOK, "session", "session-web", p)
	}
	if p.Began, err = s.began(ctx, one); err != nil {
		return err
	}
	if p.Said, err = s.linksOf(ctx, one); err != nil {
		return err
	}
	return s.Render(w, r, http.StatusOK, "session", frame.Layout{Title: "Session: " + one.Topic, Section: "sessions"}, p)
}

// drawHref is the address of the same page for which the web graph is drawn, however long that takes.
func drawHref(q url.Values) string {
	q.Set("draw", "1")
	return "?" + q.Encode()
}

// sessionShown fills the page of a session with its web graph and the part of its pages that is asked for.
func (s *server) sessionShown(r *http.Request, one sessions.Session, kept *keptWeb) (p sessionPage, err error) {
	p = pagesOf(one, kept)
	names, err := topics.NamesOfPages(r.Context(), s.Store.DB, one.TopicID)
	if err != nil {
		return p, err
	}
	p.Names, p.Undo = names.Names, undoOf(one.TopicID, names.Last, one.UUID)
	asked := webAsked{step: frame.QueryInt(r, "step"), part: frame.QueryInt(r, "part"), from: frame.QueryInt(r, "from")}
	p.show(asked.from, frame.QueryInt(r, "name"))
	pdfs, err := s.pdfsOf(r.Context(), one.IDs())
	if err != nil {
		return p, err
	}
	for i := range p.Pages {
		p.Pages[i].name(names.Pages)
		p.Pages[i].pdf(pdfs)
	}
	if len(kept.Pages) > 0 {
		if p.Web, err = s.webViewOf(r.Context(), one, kept, asked); err == nil {
			p.WebPart = p.Web.part()
		}
	}
	return p, err
}

// pagesOf lists the pages of a session and counts its links and moves.
func pagesOf(one sessions.Session, w *keptWeb) sessionPage {
	p := sessionPage{Session: one, Links: len(w.Links), All: len(w.Pages)}
	out := make([]int, len(w.Pages))
	for _, e := range w.Links {
		out[e[0]]++
	}
	for i, n := range w.Pages {
		p.Pages = append(p.Pages, pageLine{Session: one.UUID, N: i + 1, Link: frame.Link{URL: n.URL, Name: n.Title},
			Target: n.Target, Visits: n.Visits, LinksTo: out[i], urls: append([]string{n.URL}, n.Also...)})
	}
	for _, m := range w.Moves {
		if m.Back {
			p.Back++
		} else {
			p.Moves++
		}
	}
	return p
}

// show keeps the part of the pages that begins with number from, and opens the naming of one of them.
func (p *sessionPage) show(from, naming int) {
	p.Pages, p.Parts = frame.PartOf(p.Pages, from, frame.RowsShown)
	for i := range p.Pages {
		p.Pages[i].Open = p.Pages[i].N == naming
	}
}

// handleSessionExport sends the session file.
func (s *server) handleSessionExport(w http.ResponseWriter, r *http.Request, one sessions.Session) error {
	events, err := sessions.Events(r.Context(), s.Store.DB, one.ID)
	if err != nil {
		return err
	}
	name := frame.FileName(one.Topic) + "-" + one.StartedAt.Format("2006-01-02") + ".session.jsonl"
	return s.Send(w, r, name, "application/x-ndjson", func() error { return session.Write(w, events) })
}

// handleSessionDelete deletes a session, and trains the models again that had learned from it.
func (s *server) handleSessionDelete(w http.ResponseWriter, r *http.Request, one sessions.Session) error {
	topics, err := sessions.Delete(r.Context(), s.Store.DB, one.ID)
	if err != nil {
		return err
	}
	for _, id := range topics {
		s.Trainer.Submit(id)
	}
	return frame.Done(w, r, "/sessions", "deleted")
}
