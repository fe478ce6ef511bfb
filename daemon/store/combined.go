package store

import (
	"context"
	"errors"
	"fmt"
	"unicode/utf8"

	"nightjar/daemon/browse/protocol"
	"nightjar/daemon/db"
)

// Errors of combining topics, for people.
var (
	ErrTopicTaken  = errors.New("a topic with this name exists; choose another name")
	ErrFewMembers  = errors.New("choose at least two topics to combine")
	ErrMember      = errors.New("a combined topic cannot be part of another one; choose its members instead")
	ErrNotCombined = errors.New("the topic is not a combined topic")
)

// parts selects the ids of the topics that a topic (?1) learns from: the topic itself and, if it is combined, its
// members.
const TopicAndMembers = `(SELECT ?1 UNION SELECT member_id FROM combined WHERE topic_id = ?1)`

// Combine creates a topic that learns from all sessions and marked finds of several other topics, its members, and from
// its own ([HMM] §6). The errors are ErrTopicName, ErrTopicTaken, ErrFewMembers, ErrMember, and ErrNotFound for a
// missing member.
func (s *Store) Combine(ctx context.Context, name string, members []int64) (Topic, error) {
	name, err := TopicName(name)
	if err != nil {
		return Topic{}, err
	}
	members = db.Distinct(members)
	if len(members) < 2 {
		return Topic{}, ErrFewMembers
	}
	var t Topic
	err = s.Commit(ctx, func(w *db.Work) {
		nameIsFree(w, name, 0)
		id := ensureTopic(w, name, s.Now())
		for _, m := range members {
			addMember(w, id, m)
		}
		t = db.First(w, db.Fields[Topic], SelectTopic+"WHERE id = ?", id)
	})
	return t, err
}

func addMember(w *db.Work, topicID, memberID int64) {
	if isCombined(w, memberID) {
		w.Fail(ErrMember)
	}
	w.Exec("INSERT INTO combined (topic_id, member_id) VALUES (?, ?)", topicID, memberID)
}

// RenameCombined renames a combined topic. Other topics cannot be renamed, since sessions refer to them by name. The
// errors are ErrTopicName, ErrTopicTaken, ErrNotCombined and ErrNotFound.
func (s *Store) RenameCombined(ctx context.Context, id int64, name string) error {
	name, err := TopicName(name)
	if err != nil {
		return err
	}
	return s.Commit(ctx, func(w *db.Work) {
		mustBeCombined(w, id)
		nameIsFree(w, name, id)
		w.Exec("UPDATE topics SET name = ? WHERE id = ?", name, id)
	})
}

// Dissolve deletes a combined topic with its models, crawls, finds and start pages; its crawls must have ended. The
// members keep theirs. If the topic has sessions of its own, it stays as an ordinary topic with them. The errors are
// ErrNotFound and ErrNotCombined.
func (s *Store) Dissolve(ctx context.Context, id int64) error {
	defer s.Erasing()()
	err := s.Commit(ctx, func(w *db.Work) {
		mustBeCombined(w, id)
		for _, table := range []string{"combined", "stopped", "finds", "crawls", "models"} {
			w.Exec("DELETE FROM "+table+" WHERE topic_id = ?", id)
		}
		w.Exec(`DELETE FROM topics WHERE id = ?1
			AND NOT EXISTS (SELECT 1 FROM sessions WHERE topic_id = ?1)`, id)
		pruneMilestones(w, id)
		PruneActions(w)
		DropOrphans(w)
	})
	if err != nil {
		return err
	}
	return s.ScrubSoon(ctx)
}

// Members lists the members of a combined topic by name. Other topics have none.
func (s *Store) Members(ctx context.Context, id int64) ([]Topic, error) {
	return db.Query(ctx, s.Readers, db.Fields[Topic], SelectTopic+"WHERE id IN (SELECT member_id FROM combined WHERE topic_id = ?) ORDER BY name", id)
}

// CombinedWith lists the ids of the combined topics that a topic is a member of.
func (s *Store) CombinedWith(ctx context.Context, id int64) ([]int64, error) {
	return db.Query(ctx, s.Readers, db.ScanID, "SELECT topic_id FROM combined WHERE member_id = ? ORDER BY topic_id", id)
}

func mustBeCombined(w *db.Work, id int64) {
	if !isCombined(w, id) {
		w.Fail(ErrNotCombined)
	}
}

// isCombined reports whether a topic is a combined one. The work fails with ErrNotFound when there is no such topic.
func isCombined(w *db.Work, id int64) bool {
	return w.Has(`SELECT EXISTS (SELECT 1 FROM combined WHERE topic_id = topics.id) FROM topics WHERE id = ?`, id)
}

// nameIsFree returns ErrTopicTaken when a topic other than self has the name.
func nameIsFree(w *db.Work, name string, self int64) {
	if w.Has("SELECT EXISTS (SELECT 1 FROM topics WHERE name = ? AND id <> ?)", name, self) {
		w.Fail(fmt.Errorf("%w: %q", ErrTopicTaken, name))
	}
}

// TopicName returns a name as it is stored, or ErrTopicName.
func TopicName(name string) (string, error) {
	name = oneLine(name)
	if name == "" || utf8.RuneCountInString(name) > protocol.MaxTopic {
		return "", ErrTopicName
	}
	return name, nil
}

// OwnCounts returns the number of a topic's crawls and of its own sessions, without those of its members.
func (s *Store) OwnCounts(ctx context.Context, id int64) (crawls, sessions int, err error) {
	err = s.Readers.QueryRowContext(ctx, `SELECT (SELECT count(*) FROM crawls WHERE topic_id = ?1),
		(SELECT count(*) FROM sessions WHERE topic_id = ?1 AND status <> 'discarded')`, id).Scan(&crawls, &sessions)
	return crawls, sessions, err
}
