package web

import (
	"context"

	"nightjar/daemon/store"
)

// waitingCrawls lists the crawls that have not ended and wait for something.
func (s *Server) waitingCrawls(ctx context.Context) (waiting []store.CrawlView, err error) {
	open, err := s.Store.OpenCrawls(ctx)
	if err != nil {
		return nil, err
	}
	for _, c := range open {
		if c.Paused == "" {
			continue
		}
		v, err := s.Store.CrawlView(ctx, c.ID)
		if err != nil {
			return nil, err
		}
		waiting = append(waiting, v)
	}
	return waiting, nil
}
