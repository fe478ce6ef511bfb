package sessions

import (
	"context"
	"fmt"

	"nightjar/daemon/browse/topics"
	"nightjar/daemon/db"
	"nightjar/daemon/store"
)

// TopicPlan says what DeleteTopic would delete.
type TopicPlan struct {
	Sessions int
	Pages    int // visited pages that no session of another topic visited
	Visits   int
	Models   int // versions
	Crawls   int
	Fetched  int // pages that its crawls fetched; see CrawlView
	Finds    int
	Marked   int      // of Finds with a mark
	Starts   int      // start pages
	Document int      // documents that it crawls for
	Positive int      // positive pages of these
	Maps     int      // of communities
	Bytes    int64    // of models, recordings and pages that nothing else uses
	Combined []string // names of the combined topics that it is part of
	Trained  []string // names of other topics whose models learned from its pages and must be trained again
}

// TopicLive reports whether a session of a topic is being recorded.
func TopicLive(ctx context.Context, d *db.DB, id int64) (live bool, err error) {
	err = d.Readers.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM sessions WHERE topic_id = ? AND status = 'recording')`, id).Scan(&live)
	return live, db.Wrap(err, "look for live sessions of topic %d", id)
}

// PlanDeletion counts what DeleteTopic would delete. The error is ErrNotFound when there is no such topic.
func PlanDeletion(ctx context.Context, d *db.DB, id int64) (TopicPlan, error) {
	var p TopicPlan
	if _, err := topics.ByID(ctx, d, id); err != nil {
		return p, err
	}
	r := d.Reads(ctx)
	r.Row(`SELECT
		(SELECT count(*) FROM sessions WHERE topic_id = ?1),
		(SELECT count(DISTINCT v.page_id) FROM sessions s JOIN visits v ON v.session_id = s.id WHERE s.topic_id = ?1
			AND NOT EXISTS (SELECT 1 FROM visits o JOIN sessions os ON os.id = o.session_id
				WHERE o.page_id = v.page_id AND os.topic_id <> ?1)),
		(SELECT count(*) FROM sessions s JOIN visits v ON v.session_id = s.id WHERE s.topic_id = ?1),
		(SELECT count(*) FROM models WHERE topic_id = ?1),
		(SELECT count(*) FROM crawls WHERE topic_id = ?1),
		(SELECT coalesce(sum(fetched), 0) FROM crawls WHERE topic_id = ?1),
		(SELECT count(*) FROM finds WHERE topic_id = ?1 AND `+store.ShownFinds+`),
		(SELECT count(*) FROM finds f JOIN feedback b ON b.id = (SELECT max(id) FROM feedback WHERE find_id = f.id)
			WHERE f.topic_id = ?1 AND `+store.ShownFinds+` AND b.mark <> 'none'),
		(SELECT count(*) FROM starts WHERE topic_id = ?1),
		(SELECT count(*) FROM documents WHERE topic_id = ?1),
		(SELECT count(*) FROM documents d JOIN positives p ON p.document_id = d.id WHERE d.topic_id = ?1),
		(SELECT count(*) FROM maps WHERE topic_id = ?1 OR document_id IN (SELECT id FROM documents WHERE topic_id = ?1)
			OR crawl_id IN (SELECT id FROM crawls WHERE topic_id = ?1)),
		(SELECT coalesce(sum(length(bundle) + length(facts)), 0) FROM models WHERE topic_id = ?1)
			+ (SELECT coalesce(sum(length(e.body)), 0) FROM sessions s JOIN events e ON e.session_id = s.id WHERE s.topic_id = ?1)
			+ (SELECT coalesce(sum(length(c.gzip)), 0) FROM (`+contentsOf+`) o JOIN contents c ON c.hash = o.hash
				WHERE NOT EXISTS (SELECT 1 FROM events e JOIN sessions s ON s.id = e.session_id WHERE e.content_hash = o.hash AND s.topic_id <> ?1)
				AND NOT EXISTS (SELECT 1 FROM fetches f JOIN crawls c ON c.id = f.crawl_id WHERE f.content_hash = o.hash AND c.topic_id <> ?1)
				AND NOT EXISTS (SELECT 1 FROM document_pages d JOIN documents ON documents.id = d.document_id
					WHERE d.content_hash = o.hash AND documents.topic_id IS NOT ?1))`, id).
		Read(&p.Sessions, &p.Pages, &p.Visits, &p.Models, &p.Crawls, &p.Fetched, &p.Finds, &p.Marked, &p.Starts,
			&p.Document, &p.Positive, &p.Maps, &p.Bytes)
	p.Combined = db.List(r, db.ScanText, "SELECT t.name FROM combined c JOIN topics t ON t.id = c.topic_id WHERE c.member_id = ? ORDER BY t.name", id)
	p.Trained = db.List(r, db.ScanText, `SELECT DISTINCT t.name FROM models m JOIN topics t ON t.id = m.topic_id
		WHERE m.topic_id <> ?1 AND length(m.bundle) > 0 AND EXISTS (SELECT 1 FROM sessions s WHERE s.topic_id = ?1 AND (
			EXISTS (SELECT 1 FROM json_each(m.facts, '$.sessions') WHERE value = s.uuid)
			OR EXISTS (SELECT 1 FROM json_each(m.facts, '$.background_sessions') WHERE value = s.uuid)
			OR EXISTS (SELECT 1 FROM json_each(m.facts, '$.also') WHERE value = s.uuid))) ORDER BY t.name`, id)
	return p, db.Wrap(r.Err, "count what topic %d has", id)
}

// contentsOf selects the hashes of the contents that a topic's (?1) sessions, crawls and documents have.
const contentsOf = `SELECT e.content_hash AS hash FROM sessions s JOIN events e ON e.session_id = s.id
		WHERE s.topic_id = ?1 AND e.content_hash IS NOT NULL
	UNION SELECT f.content_hash FROM crawls c JOIN fetches f ON f.crawl_id = c.id WHERE c.topic_id = ?1 AND f.content_hash IS NOT NULL
	UNION SELECT p.content_hash FROM documents d JOIN document_pages p ON p.document_id = d.id
		WHERE d.topic_id = ?1 AND p.content_hash IS NOT NULL`

// DeleteTopic erases a topic with everything of it: sessions, models, crawls, finds, start pages, milestones, the document that
// it crawls for with what was found for it, and maps. Its crawls must have ended, and DropTopicQueues deletes their links before: in
// this transaction, a long queue would keep events waiting. Events of its sessions that arrive later are refused. It also erases the bundles of models that learned
// from its sessions, and returns their topics, which must be trained again. The members of a combined topic stay, and so
// do combined topics of which it is a member. The errors are ErrNotFound, and ErrLive while a session of it is recording.
func DeleteTopic(ctx context.Context, d *db.DB, id int64) (topicIDs []int64, err error) {
	defer d.Erasing()()
	err = d.Commit(ctx, func(w *db.Work) {
		topicIDs = db.List(w, db.ScanID, "SELECT topic_id FROM combined WHERE member_id = ?", id)
		sessions := db.List(w, scanSession, selectSession+"WHERE s.topic_id = ? ORDER BY s.id", id)
		for _, one := range sessions {
			if one.Status == Recording {
				w.Fail(ErrLive)
				return
			}
			topicIDs = append(topicIDs, eraseSession(w, one.ID, one.UUID)...)
		}
		for _, table := range []string{"stopped", "documents", "maps", "finds", "crawls", "models"} {
			w.Exec("DELETE FROM "+table+" WHERE topic_id = ?", id)
		}
		if w.Change("DELETE FROM topics WHERE id = ?", id) == 0 && len(sessions) == 0 { // a topic without more goes with its last session
			w.Fail(db.ErrNotFound)
		}
		topics.PruneAllMilestones(w)
		store.DropTitleQueries(w)
		topicIDs = db.List(w, db.ScanID, "SELECT id FROM topics WHERE id IN (SELECT value FROM json_each(?)) ORDER BY id", db.JSONList(topicIDs))
		store.DropOrphans(w)
	})
	if err != nil {
		return nil, fmt.Errorf("delete topic %d: %w", id, err)
	}
	return topicIDs, d.Scrub(ctx)
}

// eraseSession deletes a session with everything of it, so that it cannot come back, and its topic if nothing else is left
// of that. It returns the topics whose models learned from it.
func eraseSession(w *db.Work, id int64, uuid string) []int64 {
	w.Exec("INSERT OR IGNORE INTO erased (uuid) VALUES (?)", uuid)
	emptySession(w, id)
	topicIDs := forgetSession(w, uuid)
	dropSession(w, id, uuid)
	return db.List(w, db.ScanID, "SELECT id FROM topics WHERE id IN (SELECT value FROM json_each(?)) ORDER BY id", db.JSONList(topicIDs))
}

// LeftTopics lists the topics that a change of sessions left without any, but with models, crawls or finds: the topic that
// a session was moved from, unless a document has it. The list is empty when the change was undone, and for no such change.
func LeftTopics(ctx context.Context, d *db.DB, change int64) ([]topics.Topic, error) {
	return db.Query(ctx, d.Readers, db.Fields[topics.Topic], topics.Select+`WHERE name IN (SELECT b.value ->> 'topic' FROM changes c, json_each(c.data, '$.before') b
			WHERE c.id = ? AND c.undone = 0 AND c.kind <> 'settings')
		AND NOT EXISTS (SELECT 1 FROM sessions WHERE topic_id = topics.id)
		AND NOT EXISTS (SELECT 1 FROM documents WHERE topic_id = topics.id)
		AND NOT EXISTS (SELECT 1 FROM combined WHERE topic_id = topics.id) ORDER BY name`, change)
}
