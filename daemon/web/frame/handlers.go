package frame

import (
	"context"
	"net/http"
	"strconv"

	"github.com/go-chi/chi/v5"
)

// Handler answers a request, or returns why it does not.
type Handler = func(http.ResponseWriter, *http.Request) error

// With adapts a handler of what the path names, such as a topic. of reads it.
func With[T any](of func(*http.Request) (T, error), h func(http.ResponseWriter, *http.Request, T) error) Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		one, err := of(r)
		if err != nil {
			return err
		}
		return h(w, r, one)
	}
}

// Ask makes a handler of a page that asks before something is deleted. view makes the data of its template.
func Ask[T any](f *Frame, of func(*http.Request) (T, error), name string, l Layout, view func(T) any) Handler {
	return With(of, func(w http.ResponseWriter, r *http.Request, one T) error {
		return f.Render(w, r, http.StatusOK, name, l, view(one))
	})
}

// Order makes a handler that has a service carry out an order about what the path names by its number, and then shows the page
// at a path with a notice.
func Order[S any](of func(*http.Request) (int64, error), service S, give func(S, context.Context, int64) error, to func(int64) string, notice string) Handler {
	return With(of, func(w http.ResponseWriter, r *http.Request, id int64) error {
		if err := give(service, r.Context(), id); err != nil {
			return err
		}
		return Done(w, r, to(id), notice)
	})
}

// Always is a path for order that is the same for every number.
func Always(path string) func(int64) string { return func(int64) string { return path } }

// PathID is the number that the path has as {id}.
func PathID(r *http.Request) (int64, error) { return ID(r, "id") }

// ID is the number that the path has as {name}.
func ID(r *http.Request, name string) (int64, error) { return ReadID(chi.URLParam(r, name)) }

// Numbered reads what the path has the number of.
func Numbered[T any](r *http.Request, name string, read func(context.Context, int64) (T, error)) (one T, err error) {
	id, err := ID(r, name)
	if err != nil {
		return one, err
	}
	return read(r.Context(), id)
}

// Done redirects to a page that shows a notice, a key of notices, or none for "".
func Done(w http.ResponseWriter, r *http.Request, path, notice string) error {
	if notice != "" {
		path += "?done=" + notice
	}
	return SeeOther(w, r, path)
}

// Undoable redirects to a page that shows a notice with a button that undoes a change, 0 for none.
func Undoable(w http.ResponseWriter, r *http.Request, path, notice string, change int64) error {
	return SeeOther(w, r, AddressOf(path, "done", notice, "undo", IdText(change)))
}

// SeeOther redirects to a page after a form.
func SeeOther(w http.ResponseWriter, r *http.Request, path string) error {
	http.Redirect(w, r, path, http.StatusSeeOther)
	return nil
}

// ReadID reads an id from the path.
func ReadID(text string) (int64, error) {
	id, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return 0, ErrNoPage
	}
	return id, nil
}
