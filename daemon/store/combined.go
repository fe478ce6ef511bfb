package store

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"unicode/utf8"

	"nightjar/daemon/protocol"
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
const parts = `(SELECT ?1 UNION SELECT member_id FROM combined WHERE topic_id = ?1)`

// Combine creates a topic that learns from all sessions and marked finds of several other topics, its members, and from
// its own ([HMM] §6). The errors are ErrTopicName, ErrTopicTaken, ErrFewMembers, ErrMember, and ErrNotFound for a
// missing member.
func (s *Store) Combine(ctx context.Context, name string, members []int64) (Topic, error) {
	name, err := topicName(name)
	if err != nil {
		return Topic{}, err
	}
	members = distinct(members)
	if len(members) < 2 {
		return Topic{}, ErrFewMembers
	}
	var t Topic
	err = s.write(ctx, func(tx *sql.Tx) error {
		if err := nameIsFree(ctx, tx, name, 0); err != nil {
			return err
		}
		id, err := ensureTopic(ctx, tx, name, s.Now())
		if err != nil {
			return err
		}
		for _, m := range members {
			if err := addMember(ctx, tx, id, m); err != nil {
				return err
			}
		}
		t, err = scanTopic(tx.QueryRowContext(ctx, selectTopic+"WHERE id = ?", id))
		return err
	})
	return t, err
}

func addMember(ctx context.Context, tx *sql.Tx, topicID, memberID int64) error {
	switch err := mustBeCombined(ctx, tx, memberID); {
	case err == nil:
		return ErrMember
	case !errors.Is(err, ErrNotCombined):
		return err
	}
	return execute(ctx, tx, "INSERT INTO combined (topic_id, member_id) VALUES (?, ?)", topicID, memberID)
}

// RenameCombined renames a combined topic. Other topics cannot be renamed, since sessions refer to them by name. The
// errors are ErrTopicName, ErrTopicTaken, ErrNotCombined and ErrNotFound.
func (s *Store) RenameCombined(ctx context.Context, id int64, name string) error {
	name, err := topicName(name)
	if err != nil {
		return err
	}
	return s.write(ctx, func(tx *sql.Tx) error {
		if err := mustBeCombined(ctx, tx, id); err != nil {
			return err
		}
		if err := nameIsFree(ctx, tx, name, id); err != nil {
			return err
		}
		return execute(ctx, tx, "UPDATE topics SET name = ? WHERE id = ?", name, id)
	})
}

// Dissolve deletes a combined topic with its models, crawls, finds and start pages; its crawls must have ended. The
// members keep theirs. If the topic has sessions of its own, it stays as an ordinary topic with them. The errors are
// ErrNotFound and ErrNotCombined.
func (s *Store) Dissolve(ctx context.Context, id int64) error {
	err := s.write(ctx, func(tx *sql.Tx) error {
		if err := mustBeCombined(ctx, tx, id); err != nil {
			return err
		}
		for _, table := range []string{"combined", "stopped", "finds", "crawls", "models"} {
			if _, err := tx.ExecContext(ctx, "DELETE FROM "+table+" WHERE topic_id = ?", id); err != nil {
				return err
			}
		}
		if _, err := tx.ExecContext(ctx, `DELETE FROM topics WHERE id = ?1
			AND NOT EXISTS (SELECT 1 FROM sessions WHERE topic_id = ?1)`, id); err != nil {
			return err
		}
		if err := pruneMilestones(ctx, tx, id); err != nil {
			return err
		}
		if err := pruneActions(ctx, tx); err != nil {
			return err
		}
		return dropOrphans(ctx, tx)
	})
	if err != nil {
		return err
	}
	return s.scrub(ctx)
}

// Members lists the members of a combined topic by name. Other topics have none.
func (s *Store) Members(ctx context.Context, id int64) ([]Topic, error) {
	return query(ctx, s.r, scanTopic, selectTopic+"WHERE id IN (SELECT member_id FROM combined WHERE topic_id = ?) ORDER BY name", id)
}

// CombinedWith lists the ids of the combined topics that a topic is a member of.
func (s *Store) CombinedWith(ctx context.Context, id int64) ([]int64, error) {
	return query(ctx, s.r, scanID, "SELECT topic_id FROM combined WHERE member_id = ? ORDER BY topic_id", id)
}

func mustBeCombined(ctx context.Context, tx *sql.Tx, id int64) error {
	combined, err := found(single[bool](ctx, tx, `SELECT EXISTS (SELECT 1 FROM combined WHERE topic_id = topics.id)
		FROM topics WHERE id = ?`, id))
	if err == nil && !combined {
		err = ErrNotCombined
	}
	return err
}

// nameIsFree returns ErrTopicTaken when a topic other than self has the name.
func nameIsFree(ctx context.Context, tx *sql.Tx, name string, self int64) error {
	taken, err := single[bool](ctx, tx, "SELECT EXISTS (SELECT 1 FROM topics WHERE name = ? AND id <> ?)", name, self)
	if err == nil && taken {
		err = fmt.Errorf("%w: %q", ErrTopicTaken, name)
	}
	return err
}

// topicName returns a name as it is stored, or ErrTopicName.
func topicName(name string) (string, error) {
	name = oneLine(name)
	if name == "" || utf8.RuneCountInString(name) > protocol.MaxTopic {
		return "", ErrTopicName
	}
	return name, nil
}

func distinct[T cmp.Ordered](all []T) []T {
	all = slices.Clone(all)
	slices.Sort(all)
	return slices.Compact(all)
}

// OwnCounts returns the number of a topic's crawls and of its own sessions, without those of its members.
func (s *Store) OwnCounts(ctx context.Context, id int64) (crawls, sessions int, err error) {
	err = s.r.QueryRowContext(ctx, `SELECT (SELECT count(*) FROM crawls WHERE topic_id = ?1),
		(SELECT count(*) FROM sessions WHERE topic_id = ?1 AND status <> 'discarded')`, id).Scan(&crawls, &sessions)
	return crawls, sessions, err
}
