package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"nightjar/daemon/protocol"
	"nightjar/daemon/session"
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

// oneLine returns a text that a person typed without white space around it, and with one blank in place of each run of line
// breaks and control characters.
func oneLine(text string) string {
	text = strings.ToValidUTF8(text, "\ufffd")
	return strings.TrimSpace(strings.Join(strings.FieldsFunc(text, unicode.IsControl), " "))
}

// NameSession gives a session a name, or takes it back when the name is empty. It returns the change. The errors are
// ErrSessionTitle and ErrNotFound.
func (s *Store) NameSession(ctx context.Context, uuid, title string) (change int64, err error) {
	if title = oneLine(title); utf8.RuneCountInString(title) > protocol.MaxTopic {
		return 0, ErrSessionTitle
	}
	err = s.write(ctx, func(tx *sql.Tx) error {
		one, err := lockedSession(ctx, tx, uuid)
		if err != nil || one.Title == title {
			return err
		}
		if change, err = s.note(ctx, tx, ChangeName, edit{Sessions: []string{uuid}, Before: []placed{{UUID: uuid, Topic: one.Topic, Title: one.Title}}}); err != nil {
			return err
		}
		return setStart(ctx, tx, one.ID, one.TopicID, one.Topic, title)
	})
	return change, err
}

// MoveSessions moves sessions to a topic, which is created if needed. When they are all sessions of a topic and the name is
// new, the topic is renamed: models, finds, crawls and start pages stay with the sessions. It returns the change, 0 when
// all are there already, and the topics that must be trained again. The errors are ErrTopicName and ErrNotFound.
func (s *Store) MoveSessions(ctx context.Context, uuids []string, topic string) (change int64, topics []int64, err error) {
	if topic, err = topicName(topic); err != nil {
		return 0, nil, err
	}
	defer s.erasing()()
	err = s.write(ctx, func(tx *sql.Tx) error {
		if uuids, err = expand(ctx, tx, uuids); err != nil {
			return err
		}
		to, err := s.topicFor(ctx, tx, uuids, topic)
		if err != nil {
			return err
		}
		if err := tx.QueryRowContext(ctx, "SELECT name FROM topics WHERE id = ?", to.id).Scan(&topic); err != nil { // as it is spelled
			return err
		}
		e := edit{}
		for _, uuid := range uuids {
			one, err := lockedSession(ctx, tx, uuid)
			if err != nil {
				return err
			}
			if one.TopicID == to.id && !to.renamed {
				continue
			}
			e.Sessions = append(e.Sessions, uuid)
			e.Before = append(e.Before, placed{UUID: uuid, Topic: to.was(one.Topic), Title: one.Title})
			topics = append(topics, one.TopicID)
			if err := setStart(ctx, tx, one.ID, to.id, topic, one.Title); err != nil {
				return err
			}
		}
		if len(e.Sessions) > 0 {
			topics = distinct(append(topics, to.id))
			if change, err = s.note(ctx, tx, ChangeTopic, e); err != nil {
				return err
			}
		}
		return afterMove(ctx, tx, distinct(append(topics, to.id)))
	})
	return change, topics, err
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
func (s *Store) topicFor(ctx context.Context, tx *sql.Tx, uuids []string, name string) (target, error) {
	var taken bool
	if err := tx.QueryRowContext(ctx, "SELECT EXISTS (SELECT 1 FROM topics WHERE name = ?)", name).Scan(&taken); err != nil {
		return target{}, err
	}
	whole, err := query(ctx, tx, scanTopic, selectTopic+`WHERE ?1 = 0 AND 1 = (SELECT count(DISTINCT topic_id) FROM sessions
			WHERE uuid IN (SELECT value FROM json_each(?2)))
		AND id = (SELECT topic_id FROM sessions WHERE uuid IN (SELECT value FROM json_each(?2)) LIMIT 1)
		AND NOT EXISTS (SELECT 1 FROM sessions WHERE topic_id = topics.id AND uuid NOT IN (SELECT value FROM json_each(?2)))`,
		taken, jsonList(uuids))
	if err != nil {
		return target{}, err
	}
	if len(whole) == 0 {
		id, err := ensureTopic(ctx, tx, name, s.Now())
		return target{id: id}, err
	}
	_, err = tx.ExecContext(ctx, "UPDATE topics SET name = ? WHERE id = ?", name, whole[0].ID)
	return target{whole[0].ID, true, whole[0].Name}, err
}

// setStart changes what the start of a session says.
func setStart(ctx context.Context, tx *sql.Tx, id, topicID int64, topic, title string) error {
	_, err := tx.ExecContext(ctx, "UPDATE sessions SET topic_id = ?, title = ? WHERE id = ?", topicID, title, id)
	if err != nil {
		return err
	}
	starts, err := query(ctx, tx, scanShown, "SELECT body, shown FROM events WHERE session_id = ? AND type = 'session.start'", id)
	if err != nil {
		return err
	}
	for _, e := range starts {
		e.Topic, e.Title = topic, title
		if _, err := tx.ExecContext(ctx, "UPDATE events SET body = ? WHERE id = ?", jsonOf{e.Event}, e.ID); err != nil {
			return err
		}
	}
	return nil
}

// SplitSession splits a session at a visit: it keeps what came before, and a new session gets the visit and what came
// after, with the topic and the name that are given; an empty topic stands for that of the session. Events about a page
// load go where its visit is. It returns the new session's UUID, the change, and the topics that must be trained again.
// The errors are ErrSplitAt, ErrTopicName, ErrSessionTitle, ErrLive and ErrNotFound.
func (s *Store) SplitSession(ctx context.Context, uuid, load, topic, title string) (made string, change int64, topics []int64, err error) {
	if title = oneLine(title); utf8.RuneCountInString(title) > protocol.MaxTopic {
		return "", 0, nil, ErrSessionTitle
	}
	if oneLine(topic) != "" {
		if topic, err = topicName(topic); err != nil {
			return "", 0, nil, err
		}
	}
	defer s.erasing()()
	err = s.write(ctx, func(tx *sql.Tx) error {
		one, err := lockedSession(ctx, tx, uuid)
		if err != nil {
			return err
		}
		if one, err = partWith(ctx, tx, one, load); err != nil {
			return err
		}
		uuid = one.UUID
		if err := beingRecorded(ctx, tx, one); err != nil {
			return err
		}
		before, events, err := readPlaced(ctx, tx, one)
		if err != nil {
			return err
		}
		first, second, err := split(before, events, load)
		if err != nil {
			return err
		}
		second.Title = title
		if oneLine(topic) != "" {
			second.Topic = topic
		}
		made = second.UUID
		e := edit{Sessions: []string{uuid, made}, Before: []placed{before}, Made: []string{made}}
		if change, err = s.note(ctx, tx, ChangeSplit, e); err != nil {
			return err
		}
		if topics, err = s.arrange(ctx, tx, []string{uuid}, []placed{first, second}); err != nil {
			return err
		}
		return shareModels(ctx, tx, uuid, made)
	})
	return made, change, topics, err
}

// split divides a session at a visit.
func split(all placed, events []session.Event, load string) (first, second placed, err error) {
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

// MergeSessions makes one session of several and of those recorded together with them: their events follow each other in the order in which the sessions were
// started. The merged session is the first of these, with its topic and name. It returns its UUID, the change, and the
// topics that must be trained again. The errors are ErrOneSession, ErrLive and ErrNotFound.
func (s *Store) MergeSessions(ctx context.Context, uuids []string) (into string, change int64, topics []int64, err error) {
	defer s.erasing()()
	err = s.write(ctx, func(tx *sql.Tx) error {
		if uuids, err = expand(ctx, tx, uuids); err != nil {
			return err
		}
		if len(uuids) < 2 {
			return ErrOneSession
		}
		var all []Session
		for _, uuid := range uuids {
			one, err := lockedSession(ctx, tx, uuid)
			if err != nil {
				return err
			}
			if err := beingRecorded(ctx, tx, one); err != nil {
				return err
			}
			all = append(all, one)
		}
		slices.SortFunc(all, func(a, b Session) int {
			if c := a.StartedAt.Compare(b.StartedAt); c != 0 {
				return c
			}
			return int(a.ID - b.ID)
		})
		e := edit{}
		var start, end protocol.Event
		var events []session.Event
		for i, one := range all {
			before, its, err := readPlaced(ctx, tx, one)
			if err != nil {
				return err
			}
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
		if change, err = s.note(ctx, tx, ChangeMerge, e); err != nil {
			return err
		}
		for _, other := range e.Sessions[1:] {
			if err := shareModels(ctx, tx, other, into); err != nil {
				return err
			}
		}
		topics, err = s.arrange(ctx, tx, e.Sessions, []placed{merged})
		return err
	})
	return into, change, topics, err
}

// shareModels notes that the models that learned from one session may hold pages of another one now, so that they are
// erased with it.
func shareModels(ctx context.Context, tx *sql.Tx, from, to string) error {
	return execute(ctx, tx, `UPDATE models SET facts = json_set(facts, '$.also',
		json_insert(coalesce(json_extract(facts, '$.also'), json('[]')), '$[#]', ?2)) WHERE `+knowsSession, from, to)
}

// knowsSession is the condition that a model may hold pages of a session (?1).
const knowsSession = `(EXISTS (SELECT 1 FROM json_each(facts, '$.sessions') WHERE value = ?1)
	OR EXISTS (SELECT 1 FROM json_each(facts, '$.background_sessions') WHERE value = ?1)
	OR EXISTS (SELECT 1 FROM json_each(facts, '$.also') WHERE value = ?1))`
