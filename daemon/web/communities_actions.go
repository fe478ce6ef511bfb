package web

import (
	"context"
	"net/http"
	"slices"
	"strings"

	"nightjar/daemon/panorama/maps"
)

// handleMapTitles changes the titles of a document and who is asked for them. “Find pages” goes on, unless queries would be
// sent that the page did not list.
func (s *Server) handleMapTitles(w http.ResponseWriter, r *http.Request, m maps.Map) error {
	ctx, goes := r.Context(), r.PostFormValue("do") == "go"
	before, err := s.planned(ctx, m.ID)
	if err != nil {
		return err
	}
	var o maps.Options
	if r.PostForm.Has("search") {
		if err := readSearch(r.PostForm, &o); err != nil {
			return err
		}
		if err := s.Maps.SetOptions(ctx, m.ID, func(all *maps.Options) { all.Search, all.List = o.Search, o.List }); err != nil {
			return at("search", err)
		}
	}
	if r.PostForm.Has("titles") {
		titles := strings.Split(strings.ReplaceAll(r.PostForm.Get("titles"), "\r\n", "\n"), "\n")
		if err := s.Maps.SetTitles(ctx, m.ID, r.PostForm.Get("main"), titles); err != nil {
			return at("titles", err)
		}
	}
	if !goes {
		return done(w, r, mapPath(m.ID), "map-saved")
	}
	after, err := s.planned(ctx, m.ID)
	if err != nil {
		return err
	}
	if len(after) > 0 && !slices.Equal(before, after) {
		return done(w, r, mapPath(m.ID), "map-look")
	}
	return s.goOn(w, r, m.ID)
}

// planned are the queries that a map would send, the address first; none when nothing is sent.
func (s *Server) planned(ctx context.Context, id int64) ([]string, error) {
	plan, err := s.Maps.Plan(ctx, id)
	if _, wrong := mistakeIn(err); wrong {
		return nil, nil
	}
	sends := plan.Sends()
	if err != nil || len(sends) == 0 {
		return nil, err
	}
	return append([]string{plan.To}, sends...), nil
}

// handleMapPages leaves positive pages out, or takes them back.
func (s *Server) handleMapPages(w http.ResponseWriter, r *http.Request, m maps.Map) error {
	pages, err := s.Maps.Positives(r.Context(), m.ID)
	if err != nil {
		return err
	}
	for _, one := range pages[:min(len(pages), positivesShown)] {
		out := !slices.Contains(r.PostForm["keep"], one.URL)
		if out == one.LeftOut {
			continue
		}
		if err := s.Maps.LeaveOut(r.Context(), m.ID, one.URL, out); err != nil {
			return err
		}
	}
	if r.PostForm.Get("do") == "go" {
		return s.goOn(w, r, m.ID)
	}
	return done(w, r, mapPath(m.ID), "map-saved")
}

// handleMapOptions changes the options of the crawl and of the map.
func (s *Server) handleMapOptions(w http.ResponseWriter, r *http.Request, m maps.Map) error {
	if err := readOptions(r.PostForm, new(maps.Options)); err != nil {
		return err
	}
	form := r.PostForm
	change := func(o *maps.Options) { _ = readOptions(form, o) } // it was read without an error above
	if err := s.Maps.SetOptions(r.Context(), m.ID, change); err != nil {
		return err
	}
	if form.Get("do") == "go" {
		return s.goOn(w, r, m.ID)
	}
	return done(w, r, mapPath(m.ID), "map-saved")
}

func (s *Server) goOn(w http.ResponseWriter, r *http.Request, id int64) error {
	if err := s.Maps.Go(r.Context(), id); err != nil {
		return err
	}
	return seeOther(w, r, mapPath(id))
}

// handleMapAgain makes a map again.
func (s *Server) handleMapAgain(w http.ResponseWriter, r *http.Request, m maps.Map) error {
	next, err := s.Maps.Again(r.Context(), m.ID)
	if err != nil {
		return err
	}
	return seeOther(w, r, mapPath(next.ID))
}

// handleMapTopic makes the topic that crawled for a map one of the person's, so that nights can crawl it.
func (s *Server) handleMapTopic(w http.ResponseWriter, r *http.Request, m maps.Map) error {
	if m.Topic == 0 {
		return badInput{"this map can become a topic once its classifier is trained"}
	}
	if err := maps.OwnTopic(r.Context(), s.Store.DB, m.Topic); err != nil {
		return err
	}
	s.tell("settings")
	return done(w, r, "/tonight", "map-topic")
}
