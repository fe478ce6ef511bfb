package web

import (
	"bytes"
	"embed"
	"fmt"
	"html/template"
	"io/fs"
	"net/http"
	"path"
	"strings"
)

//go:embed templates/*.html
var templateFiles embed.FS

// pages holds one parsed template a page: the layout, the shared parts (files whose name begins with _), the page.
type pages map[string]*template.Template

// layout is what every page has around its own content.
type layout struct {
	Title     string
	Section   string // of the navigation: finds, sessions, model, crawls, settings
	Bare      bool   // without navigation, for who is not logged in
	Notice    string // something was done; shown once at the top
	Problem   string // something could not be done
	Openings  []string
	NewFinds  int
	Training  []trainingLine
	PairState string // "open" or "asking" while pairing goes on
}

// view is what a template gets.
type view struct {
	Layout layout
	Page   any
}

func parsePages(s *Server) pages {
	base := template.New("layout").Funcs(s.funcs())
	template.Must(base.ParseFS(templateFiles, "templates/_*.html"))
	names, err := fs.Glob(templateFiles, "templates/*.html")
	if err != nil {
		panic(err) // the pattern is a constant
	}
	all := make(pages)
	for _, file := range names {
		name := strings.TrimSuffix(path.Base(file), ".html")
		if strings.HasPrefix(name, "_") {
			continue
		}
		all[name] = template.Must(template.Must(base.Clone()).ParseFS(templateFiles, file))
	}
	return all
}

// render writes a whole page, or nothing when the template fails.
func (s *Server) render(w http.ResponseWriter, r *http.Request, status int, name string, l layout, page any) error {
	if !l.Bare {
		if err := s.fill(r, &l); err != nil {
			return err
		}
	}
	return s.execute(w, status, name, "layout", view{l, page})
}

// fragment writes one named part of a page, for a script that puts it in place.
func (s *Server) fragment(w http.ResponseWriter, name, part string, data any) error {
	return s.execute(w, http.StatusOK, name, part, data)
}

func (s *Server) execute(w http.ResponseWriter, status int, name, part string, data any) error {
	t, ok := s.pages[name]
	if !ok {
		return fmt.Errorf("no template %q", name)
	}
	var out bytes.Buffer
	if err := t.ExecuteTemplate(&out, part, data); err != nil {
		return fmt.Errorf("render %s: %w", name, err)
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(status)
	_, _ = out.WriteTo(w) // an error means that the reader went away
	return nil
}
