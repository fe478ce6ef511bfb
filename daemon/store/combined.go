package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"nightjar/daemon/protocol"
)

// Errors of combining topics, in words for the person.
var (
	ErrTopicTaken  = errors.New("there is a topic of that name already; choose another name")
	ErrFewMembers  = errors.New("choose at least two topics to combine")
	ErrMember      = errors.New("a combined topic cannot be part of another; choose the topics that it is made of")
	ErrNotCombined = errors.New("the topic is not a combined one")
)

// parts are the topics, as ids, that a topic (?1) learns from: itself, and for a combined one its members.
const parts = `(SELECT ?1 UNION SELECT member_id FROM combined WHERE topic_id = ?1)`

// Combine makes a topic of several others ([HMM] §6): its sessions and marked finds are the union of theirs, with those
// that are recorded and found under its own name. The errors are ErrTopicName, ErrTopicTaken, ErrFewMembers, ErrMember,
// and ErrNotFound for a topic that is not there.
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
	_, err := tx.ExecContext(ctx, "INSERT INTO combined (topic_id, member_id) VALUES (?, ?)", topicID, memberID)
	return err
}

// RenameCombined gives a combined topic another name. Other topics keep theirs: sessions name them. The errors are those
// of Combine, and ErrNotCombined.
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
		_, err := tx.ExecContext(ctx, "UPDATE topics SET name = ? WHERE id = ?", name, id)
		return err
	})
}

// Dissolve deletes a combined topic with its models, crawls, finds and start pages; its members keep all of theirs.
// Sessions that were recorded under its own name stay, and it with them, as a topic like others. Its crawls must have
// ended. The errors are ErrNotFound and ErrNotCombined.
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
		return dropOrphans(ctx, tx)
	})
	if err != nil {
		return err
	}
	return s.scrub(ctx)
}

// Members lists what a combined topic is made of, by name; none for another topic.
func (s *Store) Members(ctx context.Context, id int64) ([]Topic, error) {
	return query(ctx, s.r, scanTopic, selectTopic+"WHERE id IN (SELECT member_id FROM combined WHERE topic_id = ?) ORDER BY name", id)
}

// Wholes lists the ids of the combined topics that a topic is part of.
func (s *Store) Wholes(ctx context.Context, id int64) ([]int64, error) {
	return query(ctx, s.r, scanID, "SELECT topic_id FROM combined WHERE member_id = ? ORDER BY topic_id", id)
}

func mustBeCombined(ctx context.Context, tx *sql.Tx, id int64) error {
	var combined bool
	_, err := found(0, tx.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM combined WHERE topic_id = topics.id)
		FROM topics WHERE id = ?`, id).Scan(&combined))
	if err == nil && !combined {
		err = ErrNotCombined
	}
	return err
}

// nameIsFree looks whether another topic than self has the name.
func nameIsFree(ctx context.Context, tx *sql.Tx, name string, self int64) error {
	var taken bool
	err := tx.QueryRowContext(ctx, "SELECT EXISTS (SELECT 1 FROM topics WHERE name = ? AND id <> ?)", name, self).Scan(&taken)
	if err == nil && taken {
		err = fmt.Errorf("%w: %q", ErrTopicTaken, name)
	}
	return err
}

// topicName is a name as it is kept, or ErrTopicName.
func topicName(name string) (string, error) {
	name = strings.TrimSpace(name)
	if name == "" || utf8.RuneCountInString(name) > protocol.MaxTopic {
		return "", ErrTopicName
	}
	return name, nil
}

func distinct(ids []int64) []int64 {
	ids = slices.Clone(ids)
	slices.Sort(ids)
	return slices.Compact(ids)
}

// OwnCounts says how many crawls a topic has had, and how many sessions were recorded under its own name.
func (s *Store) OwnCounts(ctx context.Context, id int64) (crawls, sessions int, err error) {
	err = s.r.QueryRowContext(ctx, `SELECT (SELECT count(*) FROM crawls WHERE topic_id = ?1),
		(SELECT count(*) FROM sessions WHERE topic_id = ?1 AND status <> 'discarded')`, id).Scan(&crawls, &sessions)
	return crawls, sessions, err
}
