package machine

import "strings"

// readPmset reads what `pmset -g batt` prints on macOS: its first line is
//
//	Now drawing from 'AC Power'
//
// or 'Battery Power', or 'UPS Power'.
//
//lint:ignore U1000 macOS alone needs it, and its test runs everywhere
func readPmset(text string) Answer {
	line, _, _ := strings.Cut(text, "\n")
	switch {
	case strings.Contains(line, "'AC Power'"):
		return No
	case strings.Contains(line, "'Battery Power'"), strings.Contains(line, "'UPS Power'"):
		return Yes
	}
	return Unknown
}
