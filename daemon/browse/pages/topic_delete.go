package pages

import (
	"context"
	"net/http"
	"strconv"

	"nightjar/daemon/keep/erasing"
	"nightjar/daemon/morning/finds"
	"nightjar/daemon/night/crawls"
	"nightjar/daemon/store"
	"nightjar/daemon/web/frame"
)

// topicDeletePage says what deleting a topic would delete.
type topicDeletePage struct {
	Topic store.Topic
	Live  bool             // a session of it is being recorded
	Plan  *store.TopicPlan // nil before it was counted
	Wait  *frame.Waiting   // nil unless it is being counted
}

// handleTopicAsk asks for confirmation before a topic is deleted. What would be deleted is counted when the query asks for
// it; see handleEraseAsk.
func (s *server) handleTopicAsk(w http.ResponseWriter, r *http.Request, t store.Topic) error {
	p := topicDeletePage{Topic: t}
	var err error
	if p.Live, err = store.TopicLive(r.Context(), s.Store.DB, t.ID); err != nil {
		return err
	}
	key := "topic " + strconv.FormatInt(t.ID, 10)
	p.Plan, p.Wait, err = frame.CountedIfAsked(r, s.Counts, key, func(ctx context.Context) (store.TopicPlan, error) { return s.Store.TopicPlan(ctx, t.ID) })
	if err != nil {
		return err
	}
	return s.Show(w, r, "topic-delete", "topic-plan", frame.Layout{Title: "Delete a topic", Section: "sessions"}, p)
}

// handleTopicDelete deletes a topic with everything of it.
func (s *server) handleTopicDelete(w http.ResponseWriter, r *http.Request, t store.Topic) error {
	ctx := r.Context()
	live, err := store.TopicLive(ctx, s.Store.DB, t.ID)
	if err != nil {
		return err
	}
	if live {
		return store.ErrLive
	}
	var topics []int64
	err = s.endTopic(ctx, t.ID, "its topic was deleted", func() (err error) {
		if err := crawls.DropTopicQueues(ctx, s.Store.DB, t.ID); err != nil {
			return err
		}
		topics, err = s.Store.DeleteTopic(ctx, t.ID)
		return err
	})
	if err != nil {
		return err
	}
	if err := s.edited(ctx, topics); err != nil {
		return err
	}
	return frame.Done(w, r, "/sessions", "topic-deleted")
}

// endTopic stops the training and the crawls of a topic, and erases what only these fetched from the archive. Then it runs
// drop, which deletes the topic; no crawl begins meanwhile.
func (s *server) endTopic(ctx context.Context, id int64, reason string, drop func() error) error {
	s.Trainer.Cancel(id)
	return s.Scheduler.Apart(ctx, reason, func(c crawls.Crawl) bool { return c.TopicID == id }, func() error {
		only, err := finds.OnlyCrawledFor(ctx, s.Store.DB, id)
		if err != nil {
			return err
		}
		if err := s.eraseArchived(ctx, only); err != nil {
			return err
		}
		return drop()
	})
}

// eraseArchived erases the pages with these addresses from the archive.
func (s *server) eraseArchived(ctx context.Context, match func(url string) bool) error {
	_, err := s.Archive.Erase(match, func(file string, to map[int64]int64) error { return erasing.MoveArchived(ctx, s.Store.DB, file, to) })
	return err
}
