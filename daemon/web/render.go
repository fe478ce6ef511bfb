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
	"sync"

	"nightjar/daemon/keep/trouble"
	"nightjar/daemon/store"
)

//go:embed templates/*.html
var templateFiles embed.FS

// pages holds a template for each page: layout, shared parts (files whose name starts with _) and the page. It is parsed when
// the page is first shown: all of them together are a good part of what a start costs.
type pages map[string]func() *template.Template

// layout is what every page has around its content.
type layout struct {
	Title     string
	Section   string            // of the navigation: finds, sessions, model, crawls, settings
	Bare      bool              // without navigation, for people who are not logged in
	Notice    string            // about a finished action; shown once at the top
	Undo      int64             // the change that the notice offers to undo, or 0
	Left      []store.Topic     // topics that this change left without sessions
	Troubles  []trouble.Trouble // that keep the daemon from storing things now
	NewFinds  int
	Training  []trainingLine
	Pairs     bool   // the page itself shows the pairing
	PairState string // "open", "asking", or "" when pairing is closed
}

// view is the data of a template.
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
		all[name] = sync.OnceValue(func() *template.Template {
			return template.Must(template.Must(base.Clone()).ParseFS(templateFiles, file))
		})
	}
	return all
}

// render writes a page, or nothing when its template fails.
func (s *Server) render(w http.ResponseWriter, r *http.Request, status int, name string, l layout, page any) error {
	if !l.Bare {
		if err := s.fill(r, &l); err != nil {
			return err
		}
	}
	data := view{l, page}
	if ids := strings.Fields(r.Header.Get("X-Refresh")); len(ids) > 0 {
		return s.refresh(w, status, name, data, ids)
	}
	return s.execute(w, status, name, "layout", data)
}

// show writes a page, or only a part of it for a script that asks for that.
func (s *Server) show(w http.ResponseWriter, r *http.Request, name, part string, l layout, page any) error {
	if r.Header.Get("X-Fragment") != "" {
		return s.execute(w, http.StatusOK, name, part, page)
	}
	return s.render(w, r, http.StatusOK, name, l, page)
}

// refresh writes only the parts of a page with the given ids, for a script that keeps them up to date. The page is rendered
// as a whole, so that there is one way to make its HTML.
func (s *Server) refresh(w http.ResponseWriter, status int, name string, data view, ids []string) error {
	var out bytes.Buffer
	if err := s.write(&out, name, "layout", data); err != nil {
		return err
	}
	answer(w, status, parts(out.Bytes(), ids))
	return nil
}

// execute writes a part of a page: its whole layout, or a piece that a script puts in place.
func (s *Server) execute(w http.ResponseWriter, status int, name, part string, data any) error {
	var out bytes.Buffer
	if err := s.write(&out, name, part, data); err != nil {
		return err
	}
	answer(w, status, out.Bytes())
	return nil
}

func (s *Server) write(out *bytes.Buffer, name, part string, data any) error {
	t, ok := s.pages[name]
	if !ok {
		return fmt.Errorf("no template %q", name)
	}
	if err := t().ExecuteTemplate(out, part, data); err != nil {
		return fmt.Errorf("render %s: %w", name, err)
	}
	return nil
}

func answer(w http.ResponseWriter, status int, html []byte) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(status)
	_, _ = w.Write(thinAccents(labelCells(html))) // fails when the client is gone
}
