package tonight

import (
	"cmp"
	"errors"
	"net/http"

	"nightjar/daemon/base/notify"
	"nightjar/daemon/store"
	"nightjar/daemon/store/settings"
	"nightjar/daemon/web/frame"
)

// ChangeSettings saves settings that a form of the page Settings changed, and shows that page with a notice and an undo.
func ChangeSettings(w http.ResponseWriter, r *http.Request, st *store.Store, bus *notify.Bus, next settings.Settings, notice string) error {
	change, err := st.ChangeSettings(r.Context(), next)
	if wrong := ProblemsOf(err); len(wrong) > 0 {
		return wrong
	}
	if err != nil {
		return err
	}
	bus.Tell(notify.News{Kind: "settings"})
	return frame.Undoable(w, r, "/settings", notice, change)
}

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
