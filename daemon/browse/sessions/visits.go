package sessions

import (
	"context"

	"nightjar/daemon/browse/protocol"
	"nightjar/daemon/browse/topics"
	"nightjar/daemon/db"
	"nightjar/daemon/store"
)

// DeleteVisits erases page loads from a session, with their frames: visits, snapshots, marks, links and names, and pages,
// contents and proposed start pages that nothing else refers to. They cannot come back by an import. A submitted session
// that cannot be trained any more is open again, and paused. It also erases the bundles of models that were trained with
// the session, and returns their topics, which must be trained again. The errors are ErrNotInSession and ErrNotFound.
func DeleteVisits(ctx context.Context, d *db.DB, uuid string, loads []string) (topicIDs []int64, err error) {
	defer d.Erasing()()
	err = d.Commit(ctx, func(w *db.Work) {
		one := lockedSession(w, uuid)
		b := newBatch(d, w)
		of := openSession{id: one.ID, topic: one.TopicID, client: one.Client, status: one.Status}
		found := b.visitsToDelete(of, loads)
		var urls []string
		for _, v := range found {
			urls = append(urls, v.url)
			its := openSession{id: v.session, topic: one.TopicID, client: v.client}
			b.withhold(its, v.load, protocol.Erased)
		}
		dropStarts(w, one.TopicID, urls)
		if one.Status == Submitted {
			b.reconsider(of)
		}
		topics.PruneMilestones(w, one.TopicID)
		store.DropVisited(w, one.TopicID)
		for _, v := range found {
			learned := forgetSession(w, v.uuid)
			topicIDs = append(topicIDs, learned...)
		}
		topicIDs = db.Distinct(topicIDs)
	})
	if err != nil {
		return nil, err
	}
	return topicIDs, d.Scrub(ctx)
}

// visitOf is a visit, and the session that it is of.
type visitOf struct {
	load, url    string
	session      int64
	uuid, client string
}

// visitsToDelete finds page loads in a session and in those recorded together with it, or returns ErrNotInSession.
func (b *batch) visitsToDelete(of openSession, loads []string) []visitOf {
	ids := Together(b.Work, of.id)
	all := db.List(b.Work, func(row db.Scanner) (v visitOf, err error) {
		return v, row.Scan(&v.load, &v.url, &v.session, &v.uuid, &v.client)
	}, `SELECT v.load, p.url, s.id, s.uuid, s.client FROM visits v JOIN pages p ON p.id = v.page_id JOIN sessions s ON s.id = v.session_id
		WHERE v.session_id IN (SELECT value FROM json_each(?)) AND v.load IN (SELECT value FROM json_each(?))`, db.JSONList(ids), db.JSONList(loads))
	if len(all) != len(loads) || len(loads) == 0 {
		b.Fail(ErrNotInSession)
	}
	return all
}

// partWith returns the session with a page load, among those recorded together with a session; that one itself if none has it.
func partWith(w *db.Work, one Session, load string) Session {
	ids := Together(w, one.ID)
	with := db.List(w, scanSession, selectSession+`WHERE s.id IN (SELECT value FROM json_each(?))
		AND EXISTS (SELECT 1 FROM visits v WHERE v.load = ? AND v.session_id = s.id)`, db.JSONList(ids), load)
	if len(with) == 0 {
		return one
	}
	return with[0]
}

// dropStarts deletes proposed start pages that no session of the topic visits any more.
func dropStarts(w *db.Work, topicID int64, urls []string) {
	for _, url := range urls {
		w.Exec(`DELETE FROM starts WHERE topic_id = ?1 AND url = ?2 AND source = 'proposed' AND NOT EXISTS (
			SELECT 1 FROM pages p JOIN visits v ON v.page_id = p.id JOIN sessions s ON s.id = v.session_id
			WHERE p.url = ?2 AND s.topic_id = ?1)`, topicID, url)
	}
}

// reconsider counts a submitted session again, and opens and pauses it when it cannot be trained any more, with those
// recorded together with it.
func (b *batch) reconsider(of openSession) {
	lacks := trainable(b.Work, of.id)
	if lacks == nil {
		return
	}
	ids := Together(b.Work, of.id)
	for _, id := range ids {
		part := openSession{id: id, topic: of.topic, status: Recording, problem: lacks.Error()}
		b.Row(`UPDATE sessions SET status = 'recording', ended_at = NULL, ended_seq = NULL, problem = ?
			WHERE id = ? RETURNING client`, lacks.Error(), id).Read(&part.client)
		events := storedEvents(b.Work, id)
		b.rest(part, events)
	}
}

// Visit is one visit of a session, without the frames in it.
type Visit struct {
	Load   string // of the page load
	URL    string
	Title  string
	Useful bool // its page is marked Useful in the session
}

// Visits lists the visits of a session and of those recorded together with it, session by session and in order.
func Visits(ctx context.Context, d *db.DB, id int64) ([]Visit, error) {
	r := d.Reads(ctx)
	all := db.List(r, db.Fields[Visit], `SELECT v.load, p.url, v.title, coalesce(m.useful, 0) FROM visits v JOIN pages p ON p.id = v.page_id
		LEFT JOIN marks m ON m.session_id = v.session_id AND m.page_id = v.page_id
		WHERE v.session_id IN (SELECT value FROM json_each(?)) AND v.how NOT IN ('frame', 'iframe') ORDER BY v.session_id, v.seq`, db.JSONList(Together(r, id)))
	return all, db.Wrap(r.Err, "list visits of session %d", id)
}
