package pages

import (
	"context"
	"errors"
	"net/http"
	"strconv"
	"strings"

	"nightjar/daemon/browse/sessions"
	"nightjar/daemon/browse/topics"
	"nightjar/daemon/learn/overview"
	"nightjar/daemon/learn/startpages"
	"nightjar/daemon/night/tonight"
	"nightjar/daemon/web/frame"
)

// sessionsPerPage is the number of sessions that a page lists.
const sessionsPerPage = 40

// sessionsPage lists the sessions, and the start pages of each topic, both in parts.
type sessionsPage struct {
	Of           overview.TopicView // the topic whose sessions these are; its ID is 0 for all
	Sessions     []sessions.Session
	Older        string // address of the page with the sessions before these, or ""
	Newest       string // address of the first page, or "" there
	All          []overview.TopicView
	Topics       []topicCard
	OtherTopics  string // address of the page with the next topics, or ""
	ShownTopics  string // "1 to 5 of 40", or "" when all are shown
	firstTopic   int
	beforeNumber int64
}

// topicCard is a topic with its start pages.
type topicCard struct {
	overview.TopicView
	tonight.Choices
}

func (s *server) handleSessions(w http.ResponseWriter, r *http.Request) error {
	ctx := r.Context()
	var p sessionsPage
	p.beforeNumber, _ = strconv.ParseInt(r.URL.Query().Get("before"), 10, 64) // anything else means the newest
	p.firstTopic, _ = strconv.Atoi(r.URL.Query().Get("topics"))               // and the first topics
	topics, err := overview.Topics(ctx, s.Store.DB)
	if err != nil {
		return err
	}
	p.All = topics
	p.Of, topics = overview.Chosen(r.URL.Query().Get("topic"), topics)
	if err := s.sessionsPart(ctx, &p); err != nil {
		return err
	}
	shown, says, next := overview.Part(topics, p.firstTopic)
	if p.ShownTopics = says; says != "" {
		p.OtherTopics = "/sessions?topics=" + strconv.Itoa(next) + "#starts"
	}
	for _, t := range shown {
		choices, err := s.Night.Choices(ctx, t.ID)
		if err != nil {
			return err
		}
		if err := s.Night.ChooseVisited(ctx, &choices); err != nil {
			return err
		}
		p.Topics = append(p.Topics, topicCard{t, choices})
	}
	return s.Render(w, r, http.StatusOK, "sessions", frame.Layout{Title: "Sessions", Section: "sessions"}, p)
}

// sessionsPart fills in one part of the sessions and the addresses of the other parts.
func (s *server) sessionsPart(ctx context.Context, p *sessionsPage) error {
	all, err := sessions.Before(ctx, s.Store.DB, p.Of.ID, max(0, p.beforeNumber), sessionsPerPage+1)
	if err != nil {
		return err
	}
	if len(all) > sessionsPerPage {
		all = all[:sessionsPerPage]
		p.Older = frame.AddressOf("/sessions", "topic", frame.IdText(p.Of.ID), "before", frame.IdText(all[len(all)-1].ID))
	}
	if p.beforeNumber > 0 {
		p.Newest = frame.AddressOf("/sessions", "topic", frame.IdText(p.Of.ID))
	}
	p.Sessions = all
	return nil
}

// handleStarts ticks the start pages that the form names, with the one that the person typed, and unticks all others.
func (s *server) handleStarts(w http.ResponseWriter, r *http.Request, t topics.Topic) error {
	urls := r.PostForm["start-"+strconv.FormatInt(t.ID, 10)]
	if typed := strings.TrimSpace(r.PostForm.Get("url")); typed != "" {
		address, err := s.Night.StartURL(r.Context(), typed)
		if err != nil {
			return err
		}
		if address, err = startpages.Add(r.Context(), s.Store.DB, t.ID, address); err != nil {
			return err
		}
		urls = append(urls, address)
	}
	if err := errors.Join(s.Night.Tick(r.Context(), t.ID, urls), s.Night.FollowVisited(r.Context(), r.PostForm, t.ID)); err != nil {
		return err
	}
	return frame.Done(w, r, "/sessions", "ticked")
}
