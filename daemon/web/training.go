package web

import (
	"net/http"
	"strconv"

	"nightjar/daemon/store"
)

// handleTrainStop stops a topic's training. The previous model stays in use.
func (s *Server) handleTrainStop(w http.ResponseWriter, r *http.Request, t store.Topic) error {
	s.Trainer.Cancel(t.ID)
	return done(w, r, "/model/"+strconv.FormatInt(t.ID, 10), "train-stopped")
}
