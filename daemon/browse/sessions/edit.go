package sessions

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"unicode/utf8"

	"nightjar/daemon/browse/protocol"
	"nightjar/daemon/browse/session"
	"nightjar/daemon/browse/topics"
	"nightjar/daemon/db"
	"nightjar/daemon/store"
)

// Errors of editing sessions, for people.
var (
	ErrSessionTitle = fmt.Errorf("a session's name has at most %d characters; choose a shorter one", protocol.MaxTopic)
	ErrSplitAt      = errors.New("a session can be split at any visit after its first one; choose another visit")
	ErrOneSession   = errors.New("choose at least two sessions to merge")
	ErrNotInSession = errors.New("the session has no such visit; it may have been deleted already")
)

// Name returns the name of a session: its own, or its topic and date.
func (s Session) Name() string {
	if s.Title != "" {
		return s.Title
	}
	return s.Topic + ", " + s.StartedAt.Local().Format("2 Jan 2006")
}

// Name gives a session a name, or takes it back when the name is empty. It returns the change. The errors are
// ErrSessionTitle and ErrNotFound.
func Name(ctx context.Context, d *db.DB, uuid, title string) (change int64, err error) {
	if title = topics.OneLine(title); utf8.RuneCountInString(title) > protocol.MaxTopic {
		return 0, ErrSessionTitle
	}
	err = d.Commit(ctx, func(w *db.Work) {
		one := lockedSession(w, uuid)
		if one.Title == title {
			return
		}
		change = store.Note(w, d.Now(), ChangeName, edit{Sessions: []string{uuid}, Before: []placed{{UUID: uuid, Topic: one.Topic, Title: one.Title}}})
		setStart(w, one.ID, one.TopicID, one.Topic, title)
	})
	return change, err
}

// Move moves sessions to a topic, which is created if needed. When they are all sessions of a topic and the name is
// new, the topic is renamed: models, finds, crawls and start pages stay with the sessions. It returns the change, 0 when
// all are there already, and the topics that must be trained again. The errors are ErrName and ErrNotFound.
func Move(ctx context.Context, d *db.DB, uuids []string, topic string) (change int64, topicIDs []int64, err error) {
	if topic, err = topics.CleanName(topic); err != nil {
		return 0, nil, err
	}
	defer d.Erasing()()
	err = d.Commit(ctx, func(w *db.Work) {
		uuids = expand(w, uuids)
		to := topicFor(d, w, uuids, topic)
		w.Row("SELECT name FROM topics WHERE id = ?", to.id).Read(&topic) // as it is spelled
		e := edit{}
		for _, uuid := range uuids {
			one := lockedSession(w, uuid)
			if one.TopicID == to.id && !to.renamed {
				continue
			}
			e.Sessions = append(e.Sessions, uuid)
			e.Before = append(e.Before, placed{UUID: uuid, Topic: to.was(one.Topic), Title: one.Title})
			topicIDs = append(topicIDs, one.TopicID)
			setStart(w, one.ID, to.id, topic, one.Title)
		}
		if len(e.Sessions) > 0 {
			topicIDs = db.Distinct(append(topicIDs, to.id))
			change = store.Note(w, d.Now(), ChangeTopic, e)
		}
		afterMove(w, db.Distinct(append(topicIDs, to.id)))
	})
	return change, topicIDs, err
}

// target is the topic that sessions move to.
type target struct {
	id      int64
	renamed bool   // it is the one that they are in, under another name
	before  string // that it had then
}

// was returns the name that a session's topic had before.
func (t target) was(name string) string {
	if t.renamed {
		return t.before
	}
	return name
}

// topicFor returns the topic with a name for sessions that move there. A new name for all sessions of one topic is a new
// name for that topic.
func topicFor(d *db.DB, w *db.Work, uuids []string, name string) target {
	taken := w.Has("SELECT EXISTS (SELECT 1 FROM topics WHERE name = ?)", name)
	whole := db.List(w, db.Fields[topics.Topic], topics.Select+`WHERE ?1 = 0 AND 1 = (SELECT count(DISTINCT topic_id) FROM sessions
			WHERE uuid IN (SELECT value FROM json_each(?2)))
		AND id = (SELECT topic_id FROM sessions WHERE uuid IN (SELECT value FROM json_each(?2)) LIMIT 1)
		AND NOT EXISTS (SELECT 1 FROM sessions WHERE topic_id = topics.id AND uuid NOT IN (SELECT value FROM json_each(?2)))`,
		taken, db.JSONList(uuids))
	if len(whole) == 0 {
		return target{id: topics.Ensure(w, name, d.Now())}
	}
	w.Exec("UPDATE topics SET name = ? WHERE id = ?", name, whole[0].ID)
	return target{whole[0].ID, true, whole[0].Name}
}

// setStart changes what the start of a session says.
func setStart(w *db.Work, id, topicID int64, topic, title string) {
	w.Exec("UPDATE sessions SET topic_id = ?, title = ? WHERE id = ?", topicID, title, id)
	starts := db.List(w, scanShown, "SELECT body, shown FROM events WHERE session_id = ? AND type = 'session.start'", id)
	for _, e := range starts {
		e.Topic, e.Title = topic, title
		w.Exec("UPDATE events SET body = ? WHERE id = ?", db.JSONOf(e.Event), e.ID)
	}
}

// Split splits a session at a visit: it keeps what came before, and a new session gets the visit and what came
// after, with the topic and the name that are given; an empty topic stands for that of the session. Events about a page
// load go where its visit is. It returns the new session's UUID, the change, and the topics that must be trained again.
// The errors are ErrSplitAt, ErrName, ErrSessionTitle, ErrLive and ErrNotFound.
func Split(ctx context.Context, d *db.DB, uuid, load, topic, title string) (made string, change int64, topicIDs []int64, err error) {
	if title = topics.OneLine(title); utf8.RuneCountInString(title) > protocol.MaxTopic {
		return "", 0, nil, ErrSessionTitle
	}
	if topics.OneLine(topic) != "" {
		if topic, err = topics.CleanName(topic); err != nil {
			return "", 0, nil, err
		}
	}
	defer d.Erasing()()
	err = d.Commit(ctx, func(w *db.Work) {
		one := partWith(w, lockedSession(w, uuid), load)
		uuid = one.UUID
		beingRecorded(w, one)
		before, events := readPlaced(w, one)
		if w.Err != nil {
			return
		}
		first, second, err := divide(before, events, load)
		if err != nil {
			w.Fail(err)
			return
		}
		second.Title = title
		if topics.OneLine(topic) != "" {
			second.Topic = topic
		}
		made = second.UUID
		e := edit{Sessions: []string{uuid, made}, Before: []placed{before}, Made: []string{made}}
		change = store.Note(w, d.Now(), ChangeSplit, e)
		topicIDs = arrange(d, w, []string{uuid}, []placed{first, second})
		shareModels(w, uuid, made)
	})
	return made, change, topicIDs, err
}

// divide divides a session at a visit.
func divide(all placed, events []session.Event, load string) (first, second placed, err error) {
	at, visits := int64(0), 0
	from := map[string]int64{}    // seq of the visit or frame that brought a page load
	parent := map[string]string{} // of frames
	for _, e := range events {
		if e.Type != protocol.Visit && e.Type != protocol.Frame {
			continue
		}
		if _, ok := from[e.Page]; !ok {
			from[e.Page] = e.Seq
		}
		if e.Type == protocol.Frame {
			parent[e.Page] = e.Parent
			continue
		}
		if e.Page == load && visits > 0 && at == 0 {
			at = e.Seq
		}
		visits++
	}
	if at == 0 {
		return first, second, ErrSplitAt
	}
	later := func(e session.Event) bool {
		page := e.Page
		for range len(parent) { // frames go with the page that holds them
			if up := parent[page]; up != "" && from[up] != 0 {
				page = up
			}
		}
		if seq, ok := from[page]; ok {
			return seq >= at
		}
		return e.Seq >= at
	}
	first, second = all, placed{Topic: all.Topic}
	second.UUID, second.Client = protocol.NewSession()
	first.Events, first.Control = nil, nil
	var start, end protocol.Event
	var parts [2][]session.Event // about page loads, and pauses
	for _, e := range events {
		switch {
		case e.Type == protocol.SessionStart && start.ID == "":
			start = e.Event
		case e.Type == protocol.Submit:
			end = e.Event
		case later(e):
			parts[1] = append(parts[1], e)
		default:
			parts[0] = append(parts[0], e)
		}
	}
	first.put(start, parts[0], end)
	start.ID, start.At, start.Title, start.Joins = protocol.NewID(), parts[1][0].At, "", ""
	if end.ID != "" {
		end.ID = protocol.NewID()
	}
	second.put(start, parts[1], end)
	return first, second, nil
}

// put fills in events in order: the start, those about page loads and pauses, and the submit, if there is one, at the time
// of the last event.
func (p *placed) put(start protocol.Event, events []session.Event, end protocol.Event) {
	start.Seq = 1
	p.Control = append(p.Control, start)
	seq := int64(1)
	for _, e := range events {
		seq++
		if control(e.Event) {
			e.Seq = seq
			p.Control = append(p.Control, e.Event)
		} else {
			p.Events = append(p.Events, placedEvent{e.ID, seq})
		}
	}
	if end.ID != "" {
		end.Seq = seq + 1
		if last := lastTime(events); !last.IsZero() {
			end.At = last
		}
		p.Control = append(p.Control, end)
	}
}

// Merge makes one session of several and of those recorded together with them: their events follow each other in the order in which the sessions were
// started. The merged session is the first of these, with its topic and name. It returns its UUID, the change, and the
// topics that must be trained again. The errors are ErrOneSession, ErrLive and ErrNotFound.
func Merge(ctx context.Context, d *db.DB, uuids []string) (into string, change int64, topicIDs []int64, err error) {
	defer d.Erasing()()
	err = d.Commit(ctx, func(w *db.Work) {
		uuids = expand(w, uuids)
		if len(uuids) < 2 {
			w.Fail(ErrOneSession)
			return
		}
		var all []Session
		for _, uuid := range uuids {
			one := lockedSession(w, uuid)
			beingRecorded(w, one)
			all = append(all, one)
		}
		slices.SortFunc(all, func(a, b Session) int { return cmp.Or(a.StartedAt.Compare(b.StartedAt), cmp.Compare(a.ID, b.ID)) })
		e := edit{}
		var start, end protocol.Event
		var events []session.Event
		for i, one := range all {
			before, its := readPlaced(w, one)
			e.Sessions, e.Before = append(e.Sessions, one.UUID), append(e.Before, before)
			for _, ev := range its {
				switch {
				case ev.Type == protocol.SessionStart:
					if i == 0 && start.ID == "" {
						start = ev.Event
					}
				case ev.Type == protocol.Submit:
					end = ev.Event
				default:
					events = append(events, ev)
				}
			}
		}
		first := e.Before[0]
		into = first.UUID
		start.Joins = "" // all that it was recorded together with are parts of it now
		merged := placed{ID: first.ID, UUID: into, Client: first.Client, Topic: first.Topic, Title: first.Title}
		merged.put(start, events, end)
		change = store.Note(w, d.Now(), ChangeMerge, e)
		for _, other := range e.Sessions[1:] {
			shareModels(w, other, into)
		}
		topicIDs = arrange(d, w, e.Sessions, []placed{merged})
	})
	return into, change, topicIDs, err
}
