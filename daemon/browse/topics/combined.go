package topics

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"nightjar/daemon/browse/protocol"
	"nightjar/daemon/db"
	"nightjar/daemon/store"
)

// Errors of combining topics, for people.
var (
	ErrTaken       = errors.New("a topic with this name exists; choose another name")
	ErrFewMembers  = errors.New("choose at least two topics to combine")
	ErrMember      = errors.New("a combined topic cannot be part of another one; choose its members instead")
	ErrNotCombined = errors.New("the topic is not a combined topic")
)

// WithMembers selects the ids of the topics that a topic (?1) learns from: the topic itself and, if it is combined, its
// members.
const WithMembers = `(SELECT ?1 UNION SELECT member_id FROM combined WHERE topic_id = ?1)`

// Combine creates a topic that learns from all sessions and marked finds of several other topics, its members, and from
// its own ([HMM] §6). The errors are ErrName, ErrTaken, ErrFewMembers, ErrMember, and ErrNotFound for a
// missing member.
func Combine(ctx context.Context, d *db.DB, name string, members []int64) (Topic, error) {
	name, err := CleanName(name)
	if err != nil {
		return Topic{}, err
	}
	members = db.Distinct(members)
	if len(members) < 2 {
		return Topic{}, ErrFewMembers
	}
	var t Topic
	err = d.Commit(ctx, func(w *db.Work) {
		nameIsFree(w, name, 0)
		id := Ensure(w, name, d.Now())
		for _, m := range members {
			addMember(w, id, m)
		}
		t = db.First(w, db.Fields[Topic], Select+"WHERE id = ?", id)
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
// errors are ErrName, ErrTaken, ErrNotCombined and ErrNotFound.
func RenameCombined(ctx context.Context, d *db.DB, id int64, name string) error {
	name, err := CleanName(name)
	if err != nil {
		return err
	}
	return d.Commit(ctx, func(w *db.Work) {
		mustBeCombined(w, id)
		nameIsFree(w, name, id)
		w.Exec("UPDATE topics SET name = ? WHERE id = ?", name, id)
	})
}

// Dissolve deletes a combined topic with its models, crawls, finds and start pages; its crawls must have ended. The
// members keep theirs. If the topic has sessions of its own, it stays as an ordinary topic with them. The errors are
// ErrNotFound and ErrNotCombined.
func Dissolve(ctx context.Context, d *db.DB, id int64) error {
	defer d.Erasing()()
	err := d.Commit(ctx, func(w *db.Work) {
		mustBeCombined(w, id)
		for _, table := range []string{"combined", "stopped", "finds", "crawls", "models"} {
			w.Exec("DELETE FROM "+table+" WHERE topic_id = ?", id)
		}
		w.Exec(`DELETE FROM topics WHERE id = ?1
			AND NOT EXISTS (SELECT 1 FROM sessions WHERE topic_id = ?1)`, id)
		PruneMilestones(w, id)
		store.PruneActions(w)
		store.DropOrphans(w)
	})
	if err != nil {
		return err
	}
	return d.ScrubSoon(ctx)
}

// Members lists the members of a combined topic by name. Other topics have none.
func Members(ctx context.Context, d *db.DB, id int64) ([]Topic, error) {
	return db.Query(ctx, d.Readers, db.Fields[Topic], Select+"WHERE id IN (SELECT member_id FROM combined WHERE topic_id = ?) ORDER BY name", id)
}

// CombinedWith lists the ids of the combined topics that a topic is a member of.
func CombinedWith(ctx context.Context, d *db.DB, id int64) ([]int64, error) {
	return db.Query(ctx, d.Readers, db.ScanID, "SELECT topic_id FROM combined WHERE member_id = ? ORDER BY topic_id", id)
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

// nameIsFree returns ErrTaken when a topic other than self has the name.
func nameIsFree(w *db.Work, name string, self int64) {
	if w.Has("SELECT EXISTS (SELECT 1 FROM topics WHERE name = ? AND id <> ?)", name, self) {
		w.Fail(fmt.Errorf("%w: %q", ErrTaken, name))
	}
}

// CleanName returns a name as it is stored, or ErrName.
func CleanName(name string) (string, error) {
	name = OneLine(name)
	if name == "" || utf8.RuneCountInString(name) > protocol.MaxTopic {
		return "", ErrName
	}
	return name, nil
}

// OwnCounts returns the number of a topic's crawls and of its own sessions, without those of its members.
func OwnCounts(ctx context.Context, d *db.DB, id int64) (crawls, sessions int, err error) {
	err = d.Readers.QueryRowContext(ctx, `SELECT (SELECT count(*) FROM crawls WHERE topic_id = ?1),
		(SELECT count(*) FROM sessions WHERE topic_id = ?1 AND status <> 'discarded')`, id).Scan(&crawls, &sessions)
	return crawls, sessions, err
}

// OneLine returns a text that a person typed without white space around it, and with one blank in place of each run of line
// breaks and control characters.
func OneLine(text string) string {
	text = strings.ToValidUTF8(text, "\ufffd")
	return strings.TrimSpace(strings.Join(strings.FieldsFunc(text, unicode.IsControl), " "))
}
