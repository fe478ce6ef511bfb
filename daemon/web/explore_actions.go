package web

import (
	"context"
	"net/http"

	"nightjar/daemon/thesus/explore"
)

// handleGroupingAgain makes a grouping again, with the same options.
func (s *Server) handleGroupingAgain(w http.ResponseWriter, r *http.Request, g explore.Grouping) error {
	ask := explore.Request{Scope: g.Scope, ScopeID: g.ScopeID, Ontology: g.Ontology, Options: g.Options}
	g, err := s.Explore.Group(r.Context(), ask)
	if err != nil {
		return err
	}
	return seeOther(w, r, groupingPath(g.ID))
}

// handleGroupingAsk asks before a grouping is deleted.
func (s *Server) handleGroupingAsk(w http.ResponseWriter, r *http.Request, g explore.Grouping) error {
	p, err := s.groupingPage(r.Context(), g)
	if err != nil {
		return err
	}
	return s.render(w, r, http.StatusOK, "explore-delete", layout{Title: "Delete a grouping", Section: "explore"}, p.Line)
}

// groupingFiles are the files that a grouping can be saved as, with their media types.
var groupingFiles = map[string]string{"csv": "text/csv; charset=utf-8", "json": "application/json", "nt": "application/n-triples"}

// handleGroupingExport sends a grouping as a file.
func (s *Server) handleGroupingExport(w http.ResponseWriter, r *http.Request, g explore.Grouping) error {
	format := r.URL.Query().Get("format")
	kind, known := groupingFiles[format]
	if !known {
		return badInput{"choose a format: csv, json or nt"}
	}
	if _, err := s.Explore.View(r.Context(), g.ID); err != nil { // once the file has begun, nothing can be said any more
		return err
	}
	name, err := s.groupingFile(r.Context(), g)
	if err != nil {
		return err
	}
	return s.send(w, r, name+"."+format, kind, func() error { return s.Explore.Export(r.Context(), g.ID, format, w) })
}

// groupingFile is the name of the file of a grouping.
func (s *Server) groupingFile(ctx context.Context, g explore.Grouping) (string, error) {
	p, err := s.groupingPage(ctx, g)
	if err != nil {
		return "", err
	}
	name := fileName(p.Line.Title)
	if p.Line.Ontology != "" {
		name += "-by-" + fileName(p.Line.Ontology)
	}
	return "nightjar-groups-" + name, nil
}
