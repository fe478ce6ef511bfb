package web

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"net/http"

	"nightjar/daemon/store"
)

// The errors that a handler answers with; their text is for people.
var (
	errNoPage    = errors.New("there is no such page")
	errMethod    = errors.New("this page cannot be asked that way")
	errLogin     = errors.New("log in with a one-time link")
	errCrossSite = errors.New("the request came from another site, so nothing was done")
)

// badInput is an error of the person's input: its text is shown as it is.
type badInput struct{ problem string }

func (e badInput) Error() string { return e.problem }

// answers maps what a handler may return to what the person is told. An error that is not here is logged under a
// request id and shown only by that id: its text may name what is private.
var answers = []struct {
	err    error
	status int
	title  string
	text   string
}{
	{store.ErrNotFound, http.StatusNotFound, "Not here", "What you asked for is not there. It may have been deleted."},
	{errNoPage, http.StatusNotFound, "Not here", "There is no such page."},
	{errMethod, http.StatusMethodNotAllowed, "Not like that", "This page cannot be asked that way."},
	{errCrossSite, http.StatusForbidden, "Refused", "The request came from another site, so nothing was done."},
}

// problem is what the error page shows.
type problem struct {
	Status int
	Title  string
	Text   string
	ID     string // names the log line, "" for errors that need none
}

// page adapts a handler that returns an error.
func (s *Server) page(h func(http.ResponseWriter, *http.Request) error) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if err := h(w, r); err != nil {
			s.fail(w, r, err)
		}
	}
}

// fail answers with the page for err.
func (s *Server) fail(w http.ResponseWriter, r *http.Request, err error) {
	if errors.Is(err, context.Canceled) && r.Context().Err() != nil {
		return // nobody is listening any more
	}
	if errors.Is(err, errLogin) {
		if err := s.render(w, r, http.StatusUnauthorized, "locked", layout{Title: "Locked", Bare: true}, nil); err != nil {
			s.Log.Error("render login page", "err", err)
		}
		return
	}
	p := s.explain(r, err)
	if err := s.render(w, r, p.Status, "error", layout{Title: p.Title, Bare: true}, p); err != nil {
		s.Log.Error("render error page", "err", err)
		http.Error(w, p.Text, p.Status)
	}
}

func (s *Server) explain(r *http.Request, err error) problem {
	var bad badInput
	if errors.As(err, &bad) {
		return problem{Status: http.StatusUnprocessableEntity, Title: "That did not work", Text: sentence(bad.problem)}
	}
	var large *http.MaxBytesError
	if errors.As(err, &large) {
		return problem{Status: http.StatusRequestEntityTooLarge, Title: "Too much", Text: "That was more than a form may hold."}
	}
	for _, a := range answers {
		if errors.Is(err, a.err) {
			return problem{Status: a.status, Title: a.title, Text: a.text}
		}
	}
	id := make([]byte, 4)
	rand.Read(id) // never fails
	p := problem{Status: http.StatusInternalServerError, Title: "Something went wrong",
		Text: "Nightjar could not do that. Nothing that was saved before is lost.", ID: hex.EncodeToString(id)}
	s.Log.Error("dashboard request failed", "id", p.ID, "method", r.Method, "err", err)
	return p
}
