package web

import (
	"net/http"
	"strconv"

	"github.com/go-chi/chi/v5"

	"nightjar/crawler/weburl"
	"nightjar/daemon/store"
)

// sessionsPage lists the sessions, and the start pages of each topic.
type sessionsPage struct {
	Next     *nextStep
	Sessions []store.Session
	Topics   []topicCard
}

// topicCard is a topic with its start pages.
type topicCard struct {
	store.TopicView
	Starts []startLine
	Ticked int
}

type startLine struct {
	store.Start
	Link link
	Site string
}

func (s *Server) handleSessions(w http.ResponseWriter, r *http.Request) error {
	ctx := r.Context()
	var p sessionsPage
	var err error
	if p.Sessions, err = s.Store.Sessions(ctx); err != nil {
		return err
	}
	topics, err := s.Store.TopicViews(ctx)
	if err != nil {
		return err
	}
	if len(p.Sessions) == 0 {
		overview, err := s.Store.Overview(ctx)
		if err != nil {
			return err
		}
		p.Next = s.nextStep(overview, topics)
	}
	for _, t := range topics {
		starts, err := s.Store.Starts(ctx, t.ID)
		if err != nil {
			return err
		}
		titles, err := s.Store.StartTitles(ctx, t.ID)
		if err != nil {
			return err
		}
		card := topicCard{TopicView: t, Ticked: t.Ticked}
		for _, st := range starts {
			card.Starts = append(card.Starts, startLine{st, link{st.URL, titleOr(titles[st.URL], st.URL)}, weburl.Host(st.URL)})
		}
		p.Topics = append(p.Topics, card)
	}
	return s.render(w, r, http.StatusOK, "sessions", layout{Title: "Sessions", Section: "sessions"}, p)
}

// handleTrain trains a topic's model again.
func (s *Server) handleTrain(w http.ResponseWriter, r *http.Request) error {
	t, err := s.topic(r)
	if err != nil {
		return err
	}
	s.Trainer.Submit(t.ID)
	return done(w, r, "/model/"+strconv.FormatInt(t.ID, 10), "training")
}

// handleStartsTick ticks the start pages that the form names, and unticks all others.
func (s *Server) handleStartsTick(w http.ResponseWriter, r *http.Request) error {
	t, err := s.topic(r)
	if err != nil {
		return err
	}
	if err := r.ParseForm(); err != nil {
		return badInput{"the form could not be read"}
	}
	ticked := make(map[string]bool)
	for _, u := range r.PostForm["start"] {
		ticked[u] = true
	}
	starts, err := s.Store.Starts(r.Context(), t.ID)
	if err != nil {
		return err
	}
	for _, st := range starts {
		if st.Ticked == ticked[st.URL] {
			continue
		}
		if err := s.Store.TickStart(r.Context(), t.ID, st.URL, ticked[st.URL]); err != nil {
			return err
		}
	}
	return done(w, r, "/sessions", "ticked")
}

// handleStartsAdd adds the start page that the person typed, and ticks it.
func (s *Server) handleStartsAdd(w http.ResponseWriter, r *http.Request) error {
	t, err := s.topic(r)
	if err != nil {
		return err
	}
	address, err := startURL(r.PostFormValue("url"))
	if err != nil {
		return err
	}
	if _, err := s.Store.AddStart(r.Context(), t.ID, address); err != nil {
		return err
	}
	return done(w, r, "/sessions", "added")
}

// startURL checks an address that a person typed.
func startURL(typed string) (string, error) {
	address, err := weburl.Canonical(typed)
	if err != nil || weblink(address) == "" {
		return "", badInput{"that is not the address of a web page; it should look like https://example.org/start"}
	}
	if weburl.Secret(address) {
		return "", badInput{"that address contains a password or a secret, so the crawler does not request it"}
	}
	return address, nil
}

// topic is the topic that the path names.
func (s *Server) topic(r *http.Request) (store.Topic, error) {
	id, err := number64(chi.URLParam(r, "topic"))
	if err != nil {
		return store.Topic{}, err
	}
	return s.Store.TopicByID(r.Context(), id)
}

// done redirects to a page that shows a notice, a key of notices.
func done(w http.ResponseWriter, r *http.Request, path, notice string) error {
	http.Redirect(w, r, path+"?done="+notice, http.StatusSeeOther)
	return nil
}
