package topics

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"nightjar/daemon/browse/protocol"
	"nightjar/daemon/browse/session"
	"nightjar/daemon/db"
)

// Errors of milestones, for people.
var (
	ErrNoMilestone = errors.New("no page of this topic has this name any more; it may have been renamed or deleted")
	ErrSameName    = errors.New("the milestone has this name already; type another one")
	ErrNotLast     = errors.New("something else was changed since; look at the milestones again, then undo the last change")
)

// What a person does with milestones in the dashboard.
const (
	MilestoneGiven   = "name"
	MilestoneRenamed = "rename"
	MilestoneDeleted = "delete"
	milestoneUndo    = "undo"
)

// MilestoneAction is something that the person did with a topic's milestones in the dashboard.
type MilestoneAction struct {
	ID      int64
	Action  string // MilestoneGiven, MilestoneRenamed or MilestoneDeleted
	URL     string // MilestoneGiven: the page
	Name    string // MilestoneGiven: "" takes the name back; MilestoneRenamed: the old name
	NewName string // MilestoneRenamed
	Changed int    // pages whose name it changed, for MilestoneRenamed and MilestoneDeleted
	At      time.Time

	topic  int64
	undoes int64
	undone bool
}

// MilestoneNames are a topic's milestones.
type MilestoneNames struct {
	Pages map[string]string // name by canonical URL
	Names []NamedPages      // by name, whatever its case
	Last  *MilestoneAction  // that can be undone; nil for none
}

// NamedPages is a milestone and the number of pages that have its name, at least 1.
type NamedPages struct {
	Name  string
	Pages int
}

// Milestones returns the milestones that a training of the topic learns from: names by canonical URL of pages in the
// submitted sessions of the topic and of its members. The name given last counts, whether in the browser (label events)
// or in the dashboard.
func Milestones(ctx context.Context, d *db.DB, topicID int64) (map[string]string, error) {
	r := d.Reads(ctx)
	m, _ := milestones(r, topicID, protocol.StatusSubmitted)
	names, kept := m.Pages(), map[string]string{}
	if len(names) == 0 {
		return kept, db.Wrap(r.Err, "read milestones of topic %d", topicID)
	}
	for _, url := range db.List(r, db.ScanText, `SELECT DISTINCT p.url FROM sessions s JOIN visits v ON v.session_id = s.id JOIN pages p ON p.id = v.page_id
		WHERE s.topic_id IN `+WithMembers+` AND s.status = 'submitted'`, topicID) {
		if names[url] != "" {
			kept[url] = names[url]
		}
	}
	return kept, db.Wrap(r.Err, "read milestones of topic %d", topicID)
}

// NamesOfPages returns the milestones of a topic and of its members as the person sees them: with those of sessions
// that are not submitted yet.
func NamesOfPages(ctx context.Context, d *db.DB, topicID int64) (MilestoneNames, error) {
	r := d.Reads(ctx)
	m, actions := milestones(r, topicID, "")
	if r.Err != nil {
		return MilestoneNames{}, fmt.Errorf("read milestones of topic %d: %w", topicID, r.Err)
	}
	all := MilestoneNames{Pages: m.Pages()}
	counts := map[string]int{}
	for _, name := range all.Pages {
		counts[name]++
	}
	for name, pages := range counts {
		all.Names = append(all.Names, NamedPages{name, pages})
	}
	slices.SortFunc(all.Names, func(a, b NamedPages) int {
		return strings.Compare(protocol.MilestoneKey(a.Name), protocol.MilestoneKey(b.Name))
	})
	all.Last = lastAction(actions, topicID)
	return all, nil
}

// lastAction returns the topic's last action that was not undone, or nil.
func lastAction(actions []*MilestoneAction, topicID int64) *MilestoneAction {
	for _, a := range slices.Backward(actions) {
		if a.topic == topicID && a.Action != milestoneUndo && !a.undone {
			return a
		}
	}
	return nil
}

// MilestoneDigest returns a short text that identifies milestones, "" for none.
func MilestoneDigest(names map[string]string) string {
	if len(names) == 0 {
		return ""
	}
	h := sha256.New()
	for _, url := range slices.Sorted(maps.Keys(names)) {
		fmt.Fprintf(h, "%s\n%s\n", url, names[url]) // neither has a line feed
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}

// NamePage gives a page of the topic's sessions a name, or takes its name back when name is empty. The errors are those
// of protocol.MilestoneName, and ErrNotFound when no session of the topic or of its members visited the page.
func NamePage(ctx context.Context, d *db.DB, topicID int64, url, name string) error {
	if name != "" {
		clean, err := protocol.MilestoneName(name)
		if err != nil {
			return err
		}
		name = clean
	}
	return d.Commit(ctx, func(w *db.Work) {
		m, _ := milestones(w, topicID, "")
		page := db.Value[int64](w, `SELECT p.id FROM pages p WHERE p.url = ?2 AND EXISTS (
			SELECT 1 FROM visits v JOIN sessions s ON s.id = v.session_id WHERE v.page_id = p.id AND s.topic_id IN `+WithMembers+`)`,
			topicID, url)
		if protocol.MilestoneKey(m.Pages()[url]) == protocol.MilestoneKey(name) {
			return
		}
		act(d, w, topicID, MilestoneAction{Action: MilestoneGiven, Name: name}, sql.NullInt64{Int64: page, Valid: true})
	})
}

// RenameMilestone gives all pages with a name another one. If there are pages with the new name already, the two
// milestones become one. It returns the number of pages that are renamed and whether two milestones became one. The
// errors are those of protocol.MilestoneName, ErrNoMilestone and ErrSameName.
func RenameMilestone(ctx context.Context, d *db.DB, topicID int64, name, to string) (pages int, merged bool, err error) {
	if to, err = protocol.MilestoneName(to); err != nil {
		return 0, false, err
	}
	err = d.Commit(ctx, func(w *db.Work) {
		m, _ := milestones(w, topicID, "")
		for _, known := range m.Pages() {
			if known == to && protocol.MilestoneKey(name) == protocol.MilestoneKey(to) {
				w.Fail(ErrSameName)
				return
			}
			merged = merged || protocol.MilestoneKey(known) == protocol.MilestoneKey(to)
		}
		merged = merged && protocol.MilestoneKey(name) != protocol.MilestoneKey(to) // else only the case changes
		if pages = m.Rename(topicID, name, to); pages == 0 {
			w.Fail(ErrNoMilestone)
			return
		}
		act(d, w, topicID, MilestoneAction{Action: MilestoneRenamed, Name: name, NewName: to}, sql.NullInt64{})
	})
	return pages, merged, err
}

// DeleteMilestone takes a name back from all pages that have it, and returns their number. The error is ErrNoMilestone
// when there are none.
func DeleteMilestone(ctx context.Context, d *db.DB, topicID int64, name string) (pages int, err error) {
	err = d.Commit(ctx, func(w *db.Work) {
		m, _ := milestones(w, topicID, "")
		if pages = m.Delete(topicID, name); pages == 0 {
			w.Fail(ErrNoMilestone)
			return
		}
		act(d, w, topicID, MilestoneAction{Action: MilestoneDeleted, Name: name}, sql.NullInt64{})
	})
	return pages, err
}

// UndoMilestones undoes an action. The error is ErrNotLast when it is not the topic's last one that was not undone, so
// that a form sent twice undoes one action.
func UndoMilestones(ctx context.Context, d *db.DB, topicID, action int64) error {
	return d.Commit(ctx, func(w *db.Work) {
		actions := milestoneActions(w, topicID)
		if last := lastAction(actions, topicID); last == nil || last.ID != action {
			w.Fail(ErrNotLast)
			return
		}
		act(d, w, topicID, MilestoneAction{Action: milestoneUndo, undoes: action}, sql.NullInt64{})
	})
}

// act stores an action.
func act(d *db.DB, w *db.Work, topicID int64, a MilestoneAction, page sql.NullInt64) {
	w.Exec(`INSERT INTO milestones (topic_id, at, action, page_id, name, new_name, undoes)
		VALUES (?, ?, ?, ?, ?, ?, nullif(?, 0))`, topicID, db.Millis(d.Now()), a.Action, page, a.Name, a.NewName, a.undoes)
}

// said is something that was said about milestones, to be put in order of time.
type said struct {
	at time.Time
	do func(*session.Milestones)
}

// milestones replays what was said about the milestones of a topic (?1) and of its members: the label events of their
// sessions with a status, "" for all, and the actions in the dashboard. It returns the actions, too, oldest first.
func milestones(w *db.Work, topicID int64, status string) (*session.Milestones, []*MilestoneAction) {
	all := labels(w, topicID, status)
	actions := milestoneActions(w, topicID)
	for _, a := range actions {
		if !a.undone {
			all = append(all, said{a.At, a.on})
		}
	}
	slices.SortStableFunc(all, func(a, b said) int { return a.at.Compare(b.at) })
	m := session.NewMilestones(topicID)
	for _, one := range all {
		one.do(m)
	}
	return m, actions
}

// on repeats the action, and counts the pages that it changes.
func (a *MilestoneAction) on(m *session.Milestones) {
	switch a.Action {
	case MilestoneGiven:
		m.Name(a.topic, a.URL, a.Name)
	case MilestoneRenamed:
		a.Changed = m.Rename(a.topic, a.Name, a.NewName)
	case MilestoneDeleted:
		a.Changed = m.Delete(a.topic, a.Name)
	}
}

// labels reads the label events of a topic's and its members' sessions. Within a session, seq orders them, whatever
// their times say.
func labels(w *db.Work, topicID int64, status string) []said {
	var all []said
	var last int64
	w.Each(func(row db.Scanner) error {
		var at sql.NullInt64
		var of, topic int64
		var url, name string
		if err := row.Scan(&of, &topic, &at, &url, &name); err != nil {
			return err
		}
		when := db.Moment(at)
		if n := len(all); n > 0 && of == last && when.Before(all[n-1].at) {
			when = all[n-1].at
		}
		last = of
		all = append(all, said{when, func(m *session.Milestones) { m.Name(topic, url, name) }})
		return nil
	}, `SELECT s.id, s.topic_id, e.at, p.url, coalesce(json_extract(e.body, '$.name'), '')
		FROM sessions s JOIN events e ON e.session_id = s.id JOIN visits v ON v.load = e.page JOIN pages p ON p.id = v.page_id
		WHERE s.topic_id IN `+WithMembers+` AND e.type = 'label' AND (?2 = '' OR s.status = ?2) ORDER BY s.id, e.client, e.seq, e.id`,
		topicID, status)
	return all
}

// milestoneActions reads the actions of a topic and of its members, oldest first.
func milestoneActions(w *db.Work, topicID int64) []*MilestoneAction {
	byID := map[int64]*MilestoneAction{}
	var last time.Time
	all := db.List(w, func(row db.Scanner) (*MilestoneAction, error) {
		var a MilestoneAction
		var at sql.NullInt64
		err := row.Scan(&a.ID, &a.topic, &at, &a.Action, &a.URL, &a.Name, &a.NewName, &a.undoes)
		a.At = last
		if when := db.Moment(at); when.After(last) { // even if the computer's clock was set back
			a.At, last = when, when
		}
		byID[a.ID] = &a
		if undone := byID[a.undoes]; undone != nil {
			undone.undone = true
		}
		return &a, err
	}, `SELECT m.id, m.topic_id, m.at, m.action, coalesce(p.url, ''), m.name, m.new_name, coalesce(m.undoes, 0)
		FROM milestones m LEFT JOIN pages p ON p.id = m.page_id WHERE m.topic_id IN `+WithMembers+` ORDER BY m.id`, topicID)
	return all
}

// PruneMilestones deletes what the actions of a topic, and of the combined topics that it is a member of, say about
// erased pages: the names of pages that no session of theirs visited any more, and renamings and deletions that change
// no page. What was undone goes, too.
func PruneMilestones(w *db.Work, topicID int64) {
	topics := db.List(w, db.ScanID, "SELECT topic_id FROM milestones WHERE topic_id = ?1 UNION "+
		"SELECT m.topic_id FROM combined c JOIN milestones m ON m.topic_id = c.topic_id WHERE c.member_id = ?1", topicID)
	for _, id := range topics {
		pruneMilestonesOf(w, id)
	}
}

// PruneAllMilestones is PruneMilestones for every topic.
func PruneAllMilestones(w *db.Work) {
	topics := db.List(w, db.ScanID, "SELECT DISTINCT topic_id FROM milestones")
	for _, id := range topics {
		pruneMilestonesOf(w, id)
	}
}

func pruneMilestonesOf(w *db.Work, topicID int64) {
	w.Exec(`DELETE FROM milestones WHERE topic_id = ?1 AND page_id IS NOT NULL AND NOT EXISTS (
		SELECT 1 FROM visits v JOIN sessions s ON s.id = v.session_id
		WHERE v.page_id = milestones.page_id AND s.topic_id IN `+WithMembers+`)`, topicID)
	_, actions := milestones(w, topicID, "")
	for _, a := range actions {
		idle := a.undone || a.Changed == 0 && (a.Action == MilestoneRenamed || a.Action == MilestoneDeleted)
		if a.topic != topicID || !idle {
			continue
		}
		w.Exec("DELETE FROM milestones WHERE id = ?", a.ID) // with what undoes it
	}
}

// MoveMilestones gives the names of pages that a topic's sessions do not visit any more to the topic whose session visits
// them now, when there is one such topic.
func MoveMilestones(w *db.Work, topicID int64) {
	w.Exec(`UPDATE milestones SET topic_id = (SELECT s.topic_id FROM visits v
			JOIN sessions s ON s.id = v.session_id WHERE v.page_id = milestones.page_id ORDER BY s.id DESC LIMIT 1)
		WHERE topic_id = ?1 AND page_id IS NOT NULL AND action = 'name'
		AND NOT EXISTS (SELECT 1 FROM combined WHERE topic_id = ?1)
		AND EXISTS (SELECT 1 FROM visits WHERE page_id = milestones.page_id)
		AND NOT EXISTS (SELECT 1 FROM visits v JOIN sessions s ON s.id = v.session_id
			WHERE v.page_id = milestones.page_id AND s.topic_id = ?1)`, topicID)
}
