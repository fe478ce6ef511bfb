package frame

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
	ErrNoPage    = errors.New("this page does not exist")
	errMethod    = errors.New("this page does not accept this kind of request")
	ErrLogin     = errors.New("log in with a one-time link")
	ErrCrossSite = errors.New("the request came from another site, so nothing was done")
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
	{ErrNoPage, http.StatusNotFound, "Not found", "This page does not exist."},
	{errMethod, http.StatusMethodNotAllowed, "Not allowed", "This page does not accept this kind of request."},
	{ErrCrossSite, http.StatusForbidden, "Refused", "The request came from another site, so nothing was done."},
}

// Problem is what the error page shows.
type Problem struct {
	Status int
	Title  string
	Text   string
	ID     string // of the log line; "" when nothing was logged
}

// Open adapts a handler that returns an error. It asks for no login.
func (f *Frame) Open(h Handler) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		err := f.parseForm(r)
		if err == nil {
			err = h(w, r)
		}
		if err != nil {
			f.Fail(w, r, err)
		}
	}
}

// parseForm reads the form of a request. Forms with files are read by their handlers.
func (f *Frame) parseForm(r *http.Request) error {
	if _, isUpload := f.Uploads[r.URL.Path]; isUpload || r.Method != http.MethodPost {
		return nil
	}
	err := r.ParseForm()
	var large *http.MaxBytesError
	if err != nil && !errors.As(err, &large) {
		return BadInput("the form could not be read; try again")
	}
	return err
}

// Fail responds with the page for err.
func (f *Frame) Fail(w http.ResponseWriter, r *http.Request, err error) {
	if errors.Is(err, context.Canceled) && r.Context().Err() != nil {
		return // nobody is listening any more
	}
	if errors.Is(err, ErrLogin) {
		if err := f.Render(w, r, http.StatusUnauthorized, "locked", Layout{Title: "Locked", Bare: true}, nil); err != nil {
			f.options.Log.Error("render login page", "err", err)
		}
		return
	}
	if f.again(w, r, err) {
		return
	}
	p := f.explain(r, err)
	if err := f.Render(w, r, p.Status, "error", Layout{Title: p.Title, Bare: true}, p); err != nil {
		f.options.Log.Error("render error page", "err", err)
		http.Error(w, p.Text, p.Status)
	}
}

func (f *Frame) explain(r *http.Request, err error) Problem {
	if wrong := f.problemsIn(err); wrong != nil {
		return Problem{Status: http.StatusUnprocessableEntity, Title: "That did not work", Text: wrong.Error()}
	}
	var large *http.MaxBytesError
	if errors.As(err, &large) {
		return Problem{Status: http.StatusRequestEntityTooLarge, Title: "Too large", Text: "A form can hold at most 1 MB."}
	}
	for _, a := range answers {
		if errors.Is(err, a.err) {
			return Problem{Status: a.status, Title: a.title, Text: a.text}
		}
	}
	if p, ok := f.options.Explain(r, err); ok {
		return p
	}
	id := make([]byte, 4)
	rand.Read(id) // never fails
	p := Problem{Status: http.StatusInternalServerError, Title: "Something went wrong",
		Text: "Nightjar could not do this. Nothing that was saved is lost.", ID: hex.EncodeToString(id)}
	f.options.Log.Error("dashboard request failed", "id", p.ID, "method", r.Method, "err", err)
	return p
}
