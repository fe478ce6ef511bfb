package pages

import (
	"context"
	"net/http"

	"nightjar/daemon/thesus/explore"
	"nightjar/daemon/web/frame"
)

// handleGroupingAgain makes a grouping again, with the same options.
func (s *server) handleGroupingAgain(w http.ResponseWriter, r *http.Request, g explore.Grouping) error {
	ask := explore.Request{Scope: g.Scope, ScopeID: g.ScopeID, Ontology: g.Ontology, Options: g.Options}
	g, err := s.Explore.Group(r.Context(), ask)
	if err != nil {
		return err
	}
	return frame.SeeOther(w, r, groupingPath(g.ID))
}

// handleGroupingAsk asks before a grouping is deleted.
func (s *server) handleGroupingAsk(w http.ResponseWriter, r *http.Request, g explore.Grouping) error {
	p, err := s.groupingPage(r.Context(), g)
	if err != nil {
		return err
	}
	return s.Render(w, r, http.StatusOK, "explore-delete", frame.Layout{Title: "Delete a grouping", Section: "explore"}, p.Line)
}

// groupingFiles are the files that a grouping can be saved as, with their media types.
var groupingFiles = map[string]string{"csv": "text/csv; charset=utf-8", "json": "application/json", "nt": "application/n-triples"}

// handleGroupingExport sends a grouping as a file.
func (s *server) handleGroupingExport(w http.ResponseWriter, r *http.Request, g explore.Grouping) error {
	format := r.URL.Query().Get("format")
	kind, known := groupingFiles[format]
	if !known {
		return frame.BadInput("choose a format: csv, json or nt")
	}
	if _, err := s.Explore.View(r.Context(), g.ID); err != nil { // once the file has begun, nothing can be said any more
		return err
	}
	name, err := s.groupingFile(r.Context(), g)
	if err != nil {
		return err
	}
	return s.Send(w, r, name+"."+format, kind, func() error { return s.Explore.Export(r.Context(), g.ID, format, w) })
}

// groupingFile is the name of the file of a grouping.
func (s *server) groupingFile(ctx context.Context, g explore.Grouping) (string, error) {
	p, err := s.groupingPage(ctx, g)
	if err != nil {
		return "", err
	}
	name := frame.FileName(p.Line.Title)
	if p.Line.Ontology != "" {
		name += "-by-" + frame.FileName(p.Line.Ontology)
	}
	return "nightjar-groups-" + name, nil
}
