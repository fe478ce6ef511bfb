package pages

import (
	"net/http"

	"nightjar/daemon/morning/api"
	"nightjar/daemon/web/frame"
)

// apiPage describes how programs read.
type apiPage struct {
	Base  string // address of the API
	Paths []api.Described
}

func (s *server) handleAPI(w http.ResponseWriter, r *http.Request) error {
	paths, err := api.Describe()
	if err != nil {
		return err
	}
	p := apiPage{Base: "http://" + s.Listen + api.Base, Paths: paths}
	return s.Render(w, r, http.StatusOK, "api", frame.Layout{Title: "How programs read", Section: "settings"}, p)
}
