// Package pages is the part of the dashboard about searching pages, and about programs that read.
package pages

import (
	"embed"
	"html/template"

	"nightjar/daemon/store"
	"nightjar/daemon/web/frame"
)

//go:embed templates/*.html
var templates embed.FS

// Pages are the pages of the search and of the API, with what they show.
type Pages struct {
	Store  *store.Store
	Listen string // address of the dashboard's listener, such as 127.0.0.1:4774
}

// server answers requests for the pages.
type server struct {
	*frame.Frame
	Pages
}

// Register adds the pages to the dashboard.
func (p Pages) Register(f *frame.Frame) {
	s := &server{f, p}
	s.Add(templates, template.FuncMap{}, func(error) string { return "" })
	s.Get("/search", s.handleSearch)
	s.Get("/api", s.handleAPI)
}
