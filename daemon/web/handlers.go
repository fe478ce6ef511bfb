package web

import (
	"context"
	"net/http"

	"github.com/go-chi/chi/v5"

	"nightjar/daemon/panorama/maps"
	"nightjar/daemon/store"
	"nightjar/daemon/thesus/explore"
	"nightjar/daemon/thesus/ontologies"
)

// handler answers a request, or returns why it does not.
type handler = func(http.ResponseWriter, *http.Request) error

// with adapts a handler of what the path names, such as a topic. of reads it.
func with[T any](of func(*http.Request) (T, error), h func(http.ResponseWriter, *http.Request, T) error) handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		one, err := of(r)
		if err != nil {
			return err
		}
		return h(w, r, one)
	}
}

// ask makes a handler of a page that asks before something is deleted. view makes the data of its template.
func ask[T any](s *Server, of func(*http.Request) (T, error), name string, l layout, view func(T) any) handler {
	return with(of, func(w http.ResponseWriter, r *http.Request, one T) error {
		return s.render(w, r, http.StatusOK, name, l, view(one))
	})
}

// order makes a handler that has a service carry out an order about what the path names by its number, and then shows the page
// at a path with a notice.
func order[S any](of func(*http.Request) (int64, error), service S, give func(S, context.Context, int64) error, to func(int64) string, notice string) handler {
	return with(of, func(w http.ResponseWriter, r *http.Request, id int64) error {
		if err := give(service, r.Context(), id); err != nil {
			return err
		}
		return done(w, r, to(id), notice)
	})
}

// always is a path for order that is the same for every number.
func always(path string) func(int64) string { return func(int64) string { return path } }

// pathID is the number that the path has as {id}.
func pathID(r *http.Request) (int64, error) { return number64(chi.URLParam(r, "id")) }

// numbered reads what the path has the number of.
func numbered[T any](r *http.Request, name string, read func(context.Context, int64) (T, error)) (one T, err error) {
	id, err := number64(chi.URLParam(r, name))
	if err != nil {
		return one, err
	}
	return read(r.Context(), id)
}

// What paths name by a number.
func (s *Server) topic(r *http.Request) (store.Topic, error) {
	return numbered(r, "topic", s.Store.TopicByID)
}
func (s *Server) mapOf(r *http.Request) (maps.Map, error) {
	return numbered(r, "map", func(ctx context.Context, id int64) (maps.Map, error) { return maps.ByID(ctx, s.Store.DB, id) })
}
func (s *Server) groupingOf(r *http.Request) (explore.Grouping, error) {
	return numbered(r, "grouping", func(ctx context.Context, id int64) (explore.Grouping, error) {
		return explore.GroupingByID(ctx, s.Store.DB, id)
	})
}
func (s *Server) ontologyOf(r *http.Request) (ontologies.Ontology, error) {
	return numbered(r, "ontology", s.Ontologies.Head)
}

// The numbers of those that are there.
func (s *Server) topicID(r *http.Request) (int64, error) {
	t, err := s.topic(r)
	return t.ID, err
}

func (s *Server) mapID(r *http.Request) (int64, error) {
	m, err := s.mapOf(r)
	return m.ID, err
}

func (s *Server) groupingID(r *http.Request) (int64, error) {
	g, err := s.groupingOf(r)
	return g.ID, err
}

func (s *Server) ontologyID(r *http.Request) (int64, error) {
	o, err := s.ontologyOf(r)
	return o.ID, err
}
