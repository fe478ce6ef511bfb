package tonight

import (
	"cmp"
	"errors"

	"nightjar/daemon/night/settings"
	"nightjar/daemon/web/frame"
)

// ProblemsOf returns the settings that an error of the store refuses, none for other errors.
func ProblemsOf(err error) frame.Problems {
	p := frame.Problems{}
	var one *settings.FieldError
	if joined, ok := err.(interface{ Unwrap() []error }); ok { // errors.Join of Validate, not wrapped
		for _, err := range joined.Unwrap() {
			if !errors.As(err, &one) {
				continue
			}
			if name := cmp.Or(fieldNames[one.Field], one.Field); p[name] == "" {
				p[name] = frame.Sentence(one.Text)
			}
		}
	}
	return p
}

// fieldNames are the fields of settings whose names in forms differ.
var fieldNames = map[string]string{"start": "night_start", "end": "night_end", "never_record": "never"}
