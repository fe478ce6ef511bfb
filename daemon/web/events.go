package web

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"time"
)

// heartbeat is the interval of comments on an idle event stream, by which dead connections are noticed.
const heartbeat = 15 * time.Second

// handleEvents streams the kinds and ids of changes. A page then fetches itself again, so that HTML is made and escaped in
// one place.
func (s *Server) handleEvents(w http.ResponseWriter, r *http.Request) error {
	flusher, ok := w.(http.Flusher)
	if !ok {
		return errors.New("event stream: the connection cannot be flushed")
	}
	news, end := s.Bus.Listen()
	defer end()
	w.Header().Set("Content-Type", "text/event-stream")
	w.WriteHeader(http.StatusOK)
	fmt.Fprint(w, "retry: 2000\n\n")
	flusher.Flush()
	beat := time.NewTicker(heartbeat)
	defer beat.Stop()
	for {
		select {
		case <-r.Context().Done():
			return nil
		case <-beat.C:
			fmt.Fprint(w, ": still here\n\n")
		case n := <-news:
			data, err := json.Marshal(struct {
				Kind string `json:"kind"`
				ID   string `json:"id"`
			}{n.Kind, n.ID})
			if err != nil {
				return nil // two strings can always be encoded
			}
			fmt.Fprintf(w, "event: news\ndata: %s\n\n", data)
		}
		flusher.Flush()
	}
}
