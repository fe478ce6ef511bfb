package store

import (
	"context"
	"database/sql"
	"slices"
	"time"

	"nightjar/crawler/weburl"
	"nightjar/daemon/browse/protocol"
	"nightjar/daemon/browse/session"
	"nightjar/daemon/db"
)

// actionLink is the kind of the action that marks a fetched page Useful since the person said that a link to it looks so.
const actionLink = "link"

// StandingLinks returns the links that look useful by what the submitted sessions of a topic and of its members say, in
// order, each once.
func StandingLinks(ctx context.Context, q db.Queryer, topicID int64) ([]string, error) {
	bySession := map[int64][]session.Said{}
	var order []int64
	err := db.Each(ctx, q, func(row db.Scanner) error {
		var id int64
		var said session.Said
		err := row.Scan(&id, &said.Type, &said.URL)
		if bySession[id] == nil {
			order = append(order, id)
		}
		bySession[id] = append(bySession[id], said)
		return err
	}, `SELECT s.id, e.type, e.body ->> '$.url' FROM sessions s CROSS JOIN events e ON e.session_id = s.id
		WHERE s.topic_id IN `+TopicAndMembers+` AND s.status = 'submitted' AND `+linkEvents+` AND coalesce(e.body ->> '$.url', '') <> ''
		ORDER BY s.id, e.seq, e.id`, topicID)
	var urls []string
	for _, id := range order {
		for _, url := range session.StandingLinks(bySession[id]) {
			if !slices.Contains(urls, url) {
				urls = append(urls, url)
			}
		}
	}
	return urls, err
}

// Unfit says why a link is never fetched, "" when it may be.
func Unfit(url string, never []string) string {
	switch {
	case protocol.Never(never, url):
		return LinkNever
	case weburl.Secret(url):
		return LinkSecret
	case weburl.Action(url):
		return LinkActs
	}
	return ""
}

// unmarkLinked takes back the marks that finds of a topic, and of combined topics that it is a member of, got since a link to
// them looked useful, once no submitted session of theirs says so any more.
func unmarkLinked(w *db.Work, now time.Time, topicID int64, url string) {
	type made struct{ action, topic int64 }
	all := db.List(w, func(row db.Scanner) (m made, err error) {
		return m, row.Scan(&m.action, &m.topic)
	}, `SELECT DISTINCT a.id, d.topic_id FROM fetches f CROSS JOIN finds d ON d.fetch_id = f.id CROSS JOIN feedback b ON b.find_id = d.id
		CROSS JOIN actions a ON a.id = b.action_id WHERE f.url = ?2 AND a.kind = 'link' AND a.undone_at IS NULL
		AND (d.topic_id = ?1 OR d.topic_id IN (SELECT topic_id FROM combined WHERE member_id = ?1))`, topicID, url)
	for _, m := range all {
		var links []string
		w.Do(func(ctx context.Context, tx *sql.Tx) (err error) {
			links, err = StandingLinks(ctx, tx, m.topic)
			return err
		})
		if !slices.Contains(links, url) {
			UndoAction(w, now, m.action)
		}
	}
}

// MarkLinked marks a find Useful since the person said that a link to its page looks so.
func MarkLinked(w *db.Work, now time.Time, findID int64) {
	for _, f := range readMarks(w, []int64{findID}) {
		setMark(w, now, &Acted{}, f, MarkUseful, "action_id", NewAction(w, now, actionLink, ""))
	}
}
