package scheduler

import (
	"context"

	"nightjar/daemon/night/crawls"
)

// GoOn continues a crawl that ended because its next pages promised too little; see crawls.GoOn. The error is ErrBusy when the topic has
// another crawl, or one of crawls.GoOn.
func (s *Scheduler) GoOn(ctx context.Context, crawlID int64) error {
	s.making.Lock()
	defer s.making.Unlock()
	c, err := crawls.Get(ctx, s.st.DB, crawlID)
	if err != nil {
		return err
	}
	if r, err := s.ofTopic(ctx, c.TopicID); err != nil {
		return err
	} else if r != nil {
		return ErrBusy
	}
	if err := crawls.GoOn(ctx, s.st.DB, crawlID); err != nil {
		return err
	}
	if err := s.load(ctx); err != nil {
		return err
	}
	s.poke()
	s.tell(crawlID)
	return nil
}
