package devtool

import (
	"fmt"
	"strings"
)

// Aim is a measured value that should reach a limit, or not exceed it.
type Aim struct {
	Aim   string  `json:"aim"`
	Value float64 `json:"value"`
	Limit float64 `json:"limit"`
	Most  bool    `json:"at_most"` // otherwise at least
	Unit  string  `json:"unit"`    // may be ""
	Met   bool    `json:"met"`
}

// AtLeast is the aim that a value reaches a limit.
func AtLeast(aim string, value, limit float64, unit string) Aim {
	return Aim{aim, value, limit, false, unit, value >= limit}
}

// AtMost is the aim that a value does not exceed a limit.
func AtMost(aim string, value, limit float64, unit string) Aim {
	return Aim{aim, value, limit, true, unit, value <= limit}
}

// AimTable says which aims were met.
func AimTable(all []Aim) Table {
	t := Table{Title: "Aims", Rows: [][]string{{"", "measured", "aim", ""}}}
	for _, a := range all {
		sign, verdict := "at least", "met"
		if a.Most {
			sign = "at most"
		}
		if !a.Met {
			verdict = "missed"
		}
		t.Add(a.Aim, strings.TrimSpace(fmt.Sprintf("%.3g %s", a.Value, a.Unit)), strings.TrimSpace(fmt.Sprintf("%s %g %s", sign, a.Limit, a.Unit)), verdict)
	}
	return t
}
