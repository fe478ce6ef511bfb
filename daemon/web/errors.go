package web

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"net/http"

	"nightjar/daemon/store"
)

// Errors of handlers. Their text is for people.
var (
	errNoPage    = errors.New("this page does not exist")
	errMethod    = errors.New("this page does not accept this kind of request")
	errLogin     = errors.New("log in with a one-time link")
	errCrossSite = errors.New("the request came from another site, so nothing was done")
)

// answers maps the errors of handlers to the texts that the person sees. Any other error is logged under an id, and the
// person sees only the id: the text may be private.
var answers = []struct {
	err    error
	status int
	title  string
	text   string
}{
	{store.ErrNotFound, http.StatusNotFound, "Not found", "This does not exist. It may have been deleted."},
	{errNoPage, http.StatusNotFound, "Not found", "This page does not exist."},
	{errMethod, http.StatusMethodNotAllowed, "Not allowed", "This page does not accept this kind of request."},
	{errCrossSite, http.StatusForbidden, "Refused", "The request came from another site, so nothing was done."},
}

// problem is what the error page shows.
type problem struct {
	Status int
	Title  string
	Text   string
	ID     string // of the log line; "" when nothing was logged
}

// page adapts a handler that returns an error.
func (s *Server) page(h handler) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		err := parse(r)
		if err == nil {
			err = h(w, r)
		}
		if err != nil {
			s.fail(w, r, err)
		}
	}
}

// parse reads the form of a request. Forms with files are read by their handlers.
func parse(r *http.Request) error {
	if _, isUpload := uploads[r.URL.Path]; isUpload || r.Method != http.MethodPost {
		return nil
	}
	err := r.ParseForm()
	var large *http.MaxBytesError
	if err != nil && !errors.As(err, &large) {
		return badInput{"the form could not be read; try again"}
	}
	return err
}

// fail responds with the page for err.
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
	if s.damaged == nil && s.again(w, r, err) {
		return
	}
	p := s.explain(r, err)
	if err := s.render(w, r, p.Status, "error", layout{Title: p.Title, Bare: true}, p); err != nil {
		s.Log.Error("render error page", "err", err)
		http.Error(w, p.Text, p.Status)
	}
}

func (s *Server) explain(r *http.Request, err error) problem {
	if wrong := problemsIn(err); wrong != nil {
		return problem{Status: http.StatusUnprocessableEntity, Title: "That did not work", Text: wrong.Error()}
	}
	var large *http.MaxBytesError
	if errors.As(err, &large) {
		return problem{Status: http.StatusRequestEntityTooLarge, Title: "Too large", Text: "A form can hold at most 1 MB."}
	}
	for _, a := range answers {
		if errors.Is(err, a.err) {
			return problem{Status: a.status, Title: a.title, Text: a.text}
		}
	}
	s.Troubles.Saw(err) // a file may find no room where the database does
	if t, is := s.Troubles.About(err); is {
		s.Log.Error("dashboard request failed", "method", r.Method, "trouble", t.Kind, "err", err)
		return problem{Status: http.StatusInsufficientStorage, Title: t.Title(), Text: t.Says() + " " + t.Fix() + " What you did last was not stored: do it again then."}
	}
	id := make([]byte, 4)
	rand.Read(id) // never fails
	p := problem{Status: http.StatusInternalServerError, Title: "Something went wrong",
		Text: "Nightjar could not do this. Nothing that was saved is lost.", ID: hex.EncodeToString(id)}
	s.Log.Error("dashboard request failed", "id", p.ID, "method", r.Method, "err", err)
	return p
}
