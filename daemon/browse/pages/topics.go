package pages

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strconv"

	"nightjar/daemon/browse/protocol"
	"nightjar/daemon/browse/sessions"
	"nightjar/daemon/browse/topics"
	"nightjar/daemon/keep/erasing"
	"nightjar/daemon/learn/models"
	"nightjar/daemon/learn/overview"
	"nightjar/daemon/learn/trainingdata"
	"nightjar/daemon/morning/finds"
	"nightjar/daemon/night/crawls"
	"nightjar/daemon/store"
	"nightjar/daemon/web/frame"
)

// partsPage shows the members of a combined topic, and what dissolving it would delete.
type partsPage struct {
	Topic    topics.Topic
	View     overview.TopicView
	Members  []topics.Topic
	Versions int // of its model
	Crawls   int
	Own      int // sessions recorded under its own name
}

// handleCombine combines topics, and trains the combined one.
func (s *server) handleCombine(w http.ResponseWriter, r *http.Request) error {
	var members []int64
	for _, text := range r.PostForm["topic"] {
		id, err := frame.ReadID(text)
		if err != nil {
			return err
		}
		members = append(members, id)
	}
	t, err := topics.Combine(r.Context(), s.Store.DB, r.PostForm.Get("name"), members)
	if errors.Is(err, topics.ErrFewMembers) || errors.Is(err, topics.ErrMember) {
		return frame.At("topic", err)
	}
	if err != nil {
		return err
	}
	known, err := trainingdata.KnownOf(r.Context(), s.Store.DB, t.ID)
	if err != nil {
		return err
	}
	if !known.Empty() {
		s.Trainer.Submit(t.ID)
	}
	return frame.Done(w, r, protocol.ModelPath(t.ID), "combined")
}

// handleParts shows a combined topic; any other topic is not found.
func (s *server) handleParts(w http.ResponseWriter, r *http.Request, t topics.Topic) error {
	ctx := r.Context()
	p := partsPage{Topic: t}
	var err error
	if p.Members, err = topics.Members(ctx, s.Store.DB, t.ID); err != nil {
		return err
	}
	if len(p.Members) == 0 {
		return store.ErrNotFound
	}
	all, err := overview.Topics(ctx, s.Store.DB)
	if err != nil {
		return err
	}
	if i := slices.IndexFunc(all, func(v overview.TopicView) bool { return v.ID == t.ID }); i >= 0 {
		p.View = all[i]
	}
	versions, err := models.All(ctx, s.Store.DB, t.ID)
	if err != nil {
		return err
	}
	p.Versions = len(versions)
	if p.Crawls, p.Own, err = topics.OwnCounts(ctx, s.Store.DB, t.ID); err != nil {
		return err
	}
	return s.Render(w, r, http.StatusOK, "topic-parts", frame.Layout{Title: "Combined topic: " + t.Name, Section: "model"}, p)
}

func (s *server) handleRename(w http.ResponseWriter, r *http.Request, t topics.Topic) error {
	if err := topics.RenameCombined(r.Context(), s.Store.DB, t.ID, r.PostFormValue("name")); err != nil {
		return err
	}
	return frame.Done(w, r, "/topics/"+strconv.FormatInt(t.ID, 10)+"/parts", "renamed")
}

// handleDissolve stops the training and the crawls of a combined topic, and deletes it.
func (s *server) handleDissolve(w http.ResponseWriter, r *http.Request, t topics.Topic) error {
	ctx := r.Context()
	members, err := topics.Members(ctx, s.Store.DB, t.ID)
	if err != nil {
		return err
	}
	if len(members) == 0 {
		return topics.ErrNotCombined
	}
	err = s.endTopic(ctx, t.ID, "its topic was dissolved", func() error { return topics.Dissolve(ctx, s.Store.DB, t.ID) })
	if err != nil {
		return err
	}
	return frame.Done(w, r, "/model", "dissolved")
}

// topicDeletePage says what deleting a topic would delete.
type topicDeletePage struct {
	Topic topics.Topic
	Live  bool                // a session of it is being recorded
	Plan  *sessions.TopicPlan // nil before it was counted
	Wait  *frame.Waiting      // nil unless it is being counted
}

// handleTopicAsk asks for confirmation before a topic is deleted. What would be deleted is counted when the query asks for
// it; see handleEraseAsk.
func (s *server) handleTopicAsk(w http.ResponseWriter, r *http.Request, t topics.Topic) error {
	p := topicDeletePage{Topic: t}
	var err error
	if p.Live, err = sessions.TopicLive(r.Context(), s.Store.DB, t.ID); err != nil {
		return err
	}
	key := "topic " + strconv.FormatInt(t.ID, 10)
	p.Plan, p.Wait, err = frame.CountedIfAsked(r, s.Counts, key, func(ctx context.Context) (sessions.TopicPlan, error) {
		return sessions.PlanDeletion(ctx, s.Store.DB, t.ID)
	})
	if err != nil {
		return err
	}
	return s.Show(w, r, "topic-delete", "topic-plan", frame.Layout{Title: "Delete a topic", Section: "sessions"}, p)
}

// handleTopicDelete deletes a topic with everything of it.
func (s *server) handleTopicDelete(w http.ResponseWriter, r *http.Request, t topics.Topic) error {
	ctx := r.Context()
	live, err := sessions.TopicLive(ctx, s.Store.DB, t.ID)
	if err != nil {
		return err
	}
	if live {
		return sessions.ErrLive
	}
	var topics []int64
	err = s.endTopic(ctx, t.ID, "its topic was deleted", func() (err error) {
		if err := crawls.DropTopicQueues(ctx, s.Store.DB, t.ID); err != nil {
			return err
		}
		topics, err = sessions.DeleteTopic(ctx, s.Store.DB, t.ID)
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
