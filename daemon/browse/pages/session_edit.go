package pages

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"slices"
	"strconv"

	"nightjar/daemon/browse/sessions"
	"nightjar/daemon/browse/topics"
	"nightjar/daemon/learn/trainingdata"
	"nightjar/daemon/web/frame"
)

// sessionEditPage lists the visits of a session, so that it can be split and visits can be deleted.
type sessionEditPage struct {
	Session sessions.Session
	Visits  []visitLine      // the part that is shown
	All     int              // visits of the session
	Parts   []frame.RowsPart // of the table, when it has several
	Topics  []topics.Topic
	Live    bool // a browser still records it, so it cannot be split
}

type visitLine struct {
	sessions.Visit
	N     int
	Link  frame.Link
	Again int  // visits of its page in the session
	First bool // nothing comes before it
}

func visitLines(visits []sessions.Visit) []visitLine {
	again := map[string]int{}
	for _, v := range visits {
		again[v.URL]++
	}
	var all []visitLine
	for i, v := range visits {
		all = append(all, visitLine{v, i + 1, frame.LinkTo(v.URL, v.Title), again[v.URL], i == 0})
	}
	return all
}

// handleSessionEdit shows the visits of a session.
func (s *server) handleSessionEdit(w http.ResponseWriter, r *http.Request, one sessions.Session) error {
	p := sessionEditPage{Session: one, Live: one.Status == sessions.Recording}
	visits, err := sessions.Visits(r.Context(), s.Store.DB, one.ID)
	if err != nil {
		return err
	}
	p.All = len(visits)
	p.Visits, p.Parts = frame.PartOf(visitLines(visits), frame.QueryInt(r, "from"), frame.RowsShown)
	if p.Topics, err = topics.List(r.Context(), s.Store.DB); err != nil {
		return err
	}
	return s.Render(w, r, http.StatusOK, "session-edit", frame.Layout{Title: "Edit session: " + one.Name(), Section: "sessions"}, p)
}

// handleSessionName gives a session a name of its own.
func (s *server) handleSessionName(w http.ResponseWriter, r *http.Request, one sessions.Session) error {
	change, err := sessions.Name(r.Context(), s.Store.DB, one.UUID, r.PostFormValue("name"))
	if err != nil {
		return err
	}
	s.tell("session", "")
	return frame.Undoable(w, r, "/sessions/"+one.UUID, "session-named", change)
}

// handleSessionMove moves a session to another topic.
func (s *server) handleSessionMove(w http.ResponseWriter, r *http.Request, one sessions.Session) error {
	return s.moveSessions(w, r, []string{one.UUID}, "/sessions/"+one.UUID)
}

func (s *server) moveSessions(w http.ResponseWriter, r *http.Request, uuids []string, path string) error {
	change, topics, err := sessions.Move(r.Context(), s.Store.DB, uuids, r.PostFormValue("topic"))
	if err != nil {
		return err
	}
	if err := s.edited(r.Context(), topics); err != nil {
		return err
	}
	notice, err := s.moved(r.Context(), change, "sessions-moved")
	if err != nil {
		return err
	}
	return frame.Undoable(w, r, path, notice, change)
}

// moved is the notice after sessions moved: another one when the topic that they were in has none left.
func (s *server) moved(ctx context.Context, change int64, notice string) (string, error) {
	left, err := sessions.LeftTopics(ctx, s.Store.DB, change)
	if err != nil || len(left) == 0 {
		return notice, err
	}
	return notice + "-all", nil
}

// handleSessionSplit splits a session at a visit.
func (s *server) handleSessionSplit(w http.ResponseWriter, r *http.Request, one sessions.Session) error {
	made, change, changed, err := sessions.Split(r.Context(), s.Store.DB, one.UUID, r.PostFormValue("load"), r.PostFormValue("topic"), r.PostFormValue("name"))
	switch {
	case errors.Is(err, topics.ErrName):
		return frame.At("topic", err)
	case errors.Is(err, sessions.ErrSessionTitle):
		return frame.At("name", err)
	case err != nil:
		return err
	}
	if err := s.edited(r.Context(), changed); err != nil {
		return err
	}
	return frame.Undoable(w, r, "/sessions/"+made, "session-split", change)
}

// handleSessionsEdit merges or moves the chosen sessions.
func (s *server) handleSessionsEdit(w http.ResponseWriter, r *http.Request) error {
	chosen := r.PostForm["session"]
	if len(chosen) == 0 {
		return frame.At("session", frame.BadInput("choose the sessions first, by the boxes in front of them"))
	}
	if r.PostForm.Get("do") == "move" {
		return s.moveSessions(w, r, chosen, "/sessions")
	}
	into, change, topics, err := sessions.Merge(r.Context(), s.Store.DB, slices.Clone(chosen))
	if err != nil {
		return frame.At("session", err)
	}
	if err := s.edited(r.Context(), topics); err != nil {
		return err
	}
	notice, err := s.moved(r.Context(), change, "sessions-merged")
	if err != nil {
		return err
	}
	return frame.Undoable(w, r, "/sessions/"+into, notice, change)
}

// edited has the models of topics trained again whose sessions changed, and tells the open pages.
func (s *server) edited(ctx context.Context, changed []int64) error {
	s.tell("session", "")
	for _, id := range changed {
		wholes, err := topics.CombinedWith(ctx, s.Store.DB, id)
		if err != nil {
			return err
		}
		for _, of := range append(wholes, id) {
			known, err := trainingdata.KnownOf(ctx, s.Store.DB, of)
			if err != nil {
				return err
			}
			if !known.Empty() {
				s.Trainer.Submit(of)
			}
		}
	}
	return nil
}

// cutPage asks for confirmation before visits are deleted.
type cutPage struct {
	Session sessions.Session
	Link    frame.Link
	Visits  int
	Page    bool // all visits of the page
	From    int  // first visit of the part of the list with the first one of them
	Query   map[string]string
}

// chosenVisits returns the visits of a session that a form names: one by its page load, or all of a page by its address.
func (s *server) chosenVisits(r *http.Request, one sessions.Session) (cutPage, []string, error) {
	visits, err := sessions.Visits(r.Context(), s.Store.DB, one.ID)
	if err != nil {
		return cutPage{}, nil, err
	}
	p := cutPage{Session: one, Page: r.FormValue("url") != "", Query: map[string]string{"load": r.FormValue("load"), "url": r.FormValue("url")}}
	var loads []string
	for i, v := range visits {
		if p.Page && v.URL == r.FormValue("url") || !p.Page && v.Load == r.FormValue("load") {
			loads, p.Link = append(loads, v.Load), frame.LinkTo(v.URL, v.Title)
			p.From = cmp.Or(p.From, i/frame.RowsShown*frame.RowsShown+1)
		}
	}
	if p.Visits = len(loads); p.Visits == 0 {
		return p, nil, sessions.ErrNotInSession
	}
	return p, loads, nil
}

// handleVisitsAsk says what deleting visits would delete.
func (s *server) handleVisitsAsk(w http.ResponseWriter, r *http.Request, one sessions.Session) error {
	p, _, err := s.chosenVisits(r, one)
	if err != nil {
		return err
	}
	return s.Render(w, r, http.StatusOK, "visits-delete", frame.Layout{Title: "Delete from a session", Section: "sessions"}, p)
}

// handleVisitsDelete deletes visits from a session.
func (s *server) handleVisitsDelete(w http.ResponseWriter, r *http.Request, one sessions.Session) error {
	p, loads, err := s.chosenVisits(r, one)
	if err != nil {
		return err
	}
	topics, err := sessions.DeleteVisits(r.Context(), s.Store.DB, one.UUID, loads)
	if err != nil {
		return err
	}
	if err := s.edited(r.Context(), append(topics, one.TopicID)); err != nil {
		return err
	}
	return frame.SeeOther(w, r, "/sessions/"+one.UUID+"/edit?from="+strconv.Itoa(p.From)+"&done=visits-deleted")
}

// handleUndo undoes a change of sessions or settings.
func (s *server) handleUndo(w http.ResponseWriter, r *http.Request, id int64) error {
	c, err := s.Store.PastChange(r.Context(), id)
	if err != nil {
		return err
	}
	if c.OfSettings() {
		again, err := s.Store.UndoSettings(r.Context(), id, r.PostFormValue("field"))
		if err != nil {
			return err
		}
		s.tell("settings", "")
		return frame.Undoable(w, r, "/settings", "undone", again)
	}
	topics, err := sessions.Undo(r.Context(), s.Store.DB, id)
	if err != nil {
		return err
	}
	if err := s.edited(r.Context(), topics); err != nil {
		return err
	}
	return frame.Done(w, r, "/sessions", "undone")
}
