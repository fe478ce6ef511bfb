package web

import (
	"embed"
	"html/template"
	"strings"

	"nightjar/daemon/chart"
)

//go:embed templates/*.html
var templateFiles embed.FS

// funcs are the functions of the templates here.
func (s *Server) funcs() template.FuncMap {
	return template.FuncMap{
		"spaced": func(t string) string { return strings.Join(strings.Split(t, ""), " ") },
		"turns":  chart.WebTurns,
	}
}
