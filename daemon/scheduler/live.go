package scheduler

import (
	"context"

	"nightjar/crawler/fetch"
)

// openFetcher makes the fetcher, once for all crawls that run at a time: they share its politeness to hosts.
func (s *Scheduler) openFetcher(ctx context.Context) (fetch.Fetcher, error) {
	if s.fetcher != nil {
		return s.fetcher, nil
	}
	settings, err := s.st.Settings(ctx)
	if err != nil {
		return nil, err
	}
	s.fetcher, err = s.o.Fetcher(settings)
	return s.fetcher, err
}
