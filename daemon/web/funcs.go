package web

import (
	"embed"
	"html/template"
	"math"
	"strconv"
	"strings"

	"nightjar/daemon/chart"
	"nightjar/daemon/night/progress"
	"nightjar/daemon/night/tonight"
)

//go:embed templates/*.html
var templateFiles embed.FS

// funcs are the functions of the templates here.
func (s *Server) funcs() template.FuncMap {
	return template.FuncMap{
		"three":     three,
		"eraseStep": func(step string) string { return stepWords[step] },
		"copyKind":  func(kind string) string { return copyWords[kind] },
		"likely":    likely,
		"outcome":   func(outcome string) string { return progress.OutcomeName(outcome, 0) },
		"rounded":   rounded,
		"spaced":    func(t string) string { return strings.Join(strings.Split(t, ""), " ") },
		"heat":      heat,
		"startTick": func(topic int64, c tonight.Choice) tonight.Tick { return tonight.Tick{Topic: topic, Choice: c} },
		"turns":     chart.WebTurns,
	}
}

func three(v float64) string { return strconv.FormatFloat(v, 'f', 3, 64) }

// heat is the style class of a probability, one of 21 steps: the content security policy allows no style attributes.
func heat(p float64) string {
	return "heat-" + strconv.Itoa(int(math.Round(math.Min(math.Max(p, 0), 1)*20)))
}
