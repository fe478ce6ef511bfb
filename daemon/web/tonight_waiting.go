package web

import (
	"context"

	"nightjar/daemon/night/crawls"
)

// waitingCrawls lists the crawls that have not ended and wait for something.
func (s *Server) waitingCrawls(ctx context.Context) (waiting []crawls.View, err error) {
	open, err := crawls.Open(ctx, s.Store.DB)
	if err != nil {
		return nil, err
	}
	for _, c := range open {
		if c.Paused == "" {
			continue
		}
		v, err := crawls.ByID(ctx, s.Store.DB, c.ID)
		if err != nil {
			return nil, err
		}
		waiting = append(waiting, v)
	}
	return waiting, nil
}
