package web

import (
	"embed"
	"html/template"
	"strings"

	"nightjar/daemon/morning/notice"
	"nightjar/daemon/morning/token"
	"nightjar/daemon/web/frame"
)

//go:embed templates/*.html
var templateFiles embed.FS

// funcs are the functions of the templates here.
func (s *Server) funcs() template.FuncMap {
	return template.FuncMap{
		"spaced": func(t string) string { return strings.Join(strings.Split(t, ""), " ") },
	}
}

// mistake returns the text of an error about the person's input, and "" for any other error.
func mistake(err error) string {
	if frame.Is[*notice.Failure](err) {
		return frame.Printable(err.Error())
	}
	return frame.FirstOf(err, token.ErrName, token.ErrScope, token.ErrFull)
}
