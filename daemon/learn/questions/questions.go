// Package questions stores the pages whose marks would teach a topic's model much, and the person's answers.
package questions

import (
	"context"
	"database/sql"
	"fmt"

	"nightjar/daemon/db"
	"nightjar/daemon/store"
)

// Skip is an answer to a question that marks nothing; the other answers are MarkUseful and MarkNotUseful.
const Skip = "skip"

// Question is a fetched page whose mark would teach a topic's model much.
type Question struct {
	FetchID int64
	N       int // 1 teaches most
	URL     string
	Title   string
	Useful  float64 // the judge's probability, when it was fetched
	Answer  string  // "", MarkUseful, MarkNotUseful or Skip
	Version int     // of the model before the first answer of the round, 0 until then
	Hash    []byte  // of its content; nil when it was deleted
}

const selectQuestions = `SELECT q.fetch_id, q.n, f.final_url, f.title, f.useful, q.answer, q.version, f.content_hash
	FROM questions q JOIN fetches f ON f.id = q.fetch_id `

// All lists a topic's questions, the one that teaches most first.
func All(ctx context.Context, d *db.DB, topicID int64) ([]Question, error) {
	all, err := db.Query(ctx, d.Readers, db.Fields[Question], selectQuestions+"WHERE q.topic_id = ? ORDER BY q.n, q.fetch_id", topicID)
	return all, db.Wrap(err, "list questions of topic %d", topicID)
}

// Save replaces a topic's questions by pages of a crawl, given by their final URLs, the one that teaches most
// first. Their contents are then kept when the crawl ends. It leaves out pages that the crawl has no content of.
func Save(ctx context.Context, d *db.DB, crawlID int64, urls []string) error {
	err := d.Commit(ctx, func(w *db.Work) {
		var topic int64
		w.Row("SELECT topic_id FROM crawls WHERE id = ?", crawlID).Read(&topic)
		ids := fetchesOf(w, crawlID, urls)
		replaceQuestions(w, topic, ids)
	})
	return db.Wrap(err, "save the questions of crawl %d", crawlID)
}

// fetchesOf finds the fetches with content of a crawl's pages, in the order of the URLs.
func fetchesOf(w *db.Work, crawlID int64, urls []string) []int64 {
	by := map[string]int64{}
	w.Each(func(row db.Scanner) error {
		var id int64
		var url string
		err := row.Scan(&id, &url)
		by[url] = id
		return err
	}, "SELECT id, final_url FROM fetches WHERE crawl_id = ? AND content_hash IS NOT NULL ORDER BY id", crawlID)
	var ids []int64
	for _, u := range urls {
		if id, ok := by[u]; ok {
			ids = append(ids, id)
		}
	}
	return ids
}

// replaceQuestions also deletes the contents of pages that were kept for earlier questions alone.
func replaceQuestions(w *db.Work, topicID int64, fetches []int64) {
	old := db.List(w, db.ScanID, `SELECT DISTINCT c.id FROM questions q JOIN fetches f ON f.id = q.fetch_id JOIN crawls c ON c.id = f.crawl_id
		WHERE q.topic_id = ? AND c.status = 'ended'`, topicID)
	w.Exec("DELETE FROM questions WHERE topic_id = ?", topicID)
	for i, id := range fetches {
		w.Exec("INSERT INTO questions (topic_id, fetch_id, n) VALUES (?, ?, ?) ON CONFLICT DO NOTHING", topicID, id, i+1)
	}
	for _, crawl := range old {
		store.DropUseless(w, crawl)
	}
}

// Ask makes fetched pages the topic's questions, the one that teaches most first.
func Ask(ctx context.Context, d *db.DB, topicID int64, fetches []int64) error {
	err := d.Commit(ctx, func(w *db.Work) { replaceQuestions(w, topicID, fetches) })
	return db.Wrap(err, "save the questions of topic %d", topicID)
}

// Askable lists pages with content that the topic's last crawls (at most 3) fetched and that the person neither visited
// nor marked, newest crawl first, at most limit. N is 0.
func Askable(ctx context.Context, d *db.DB, topicID int64, limit int) ([]Question, error) {
	all, err := db.Query(ctx, d.Readers, db.Fields[Question], `
		SELECT f.id, 0, f.final_url, f.title, f.useful, '', 0, f.content_hash FROM crawls c CROSS JOIN fetches f ON f.crawl_id = c.id
		WHERE c.id IN (SELECT id FROM crawls WHERE topic_id = ?1 ORDER BY id DESC LIMIT 3)
			AND f.content_hash IS NOT NULL AND f.outcome = 'ok' AND f.credit = 1
			AND NOT EXISTS (SELECT 1 FROM pages p WHERE p.url = f.final_url)
			AND NOT EXISTS (SELECT 1 FROM finds d WHERE d.url = f.final_url AND d.topic_id = ?1 AND (d.mark <> 'none' OR d.refused = 1))
		ORDER BY c.id DESC, abs(f.useful - 0.5), f.id LIMIT ?2`, topicID, limit)
	return all, db.Wrap(err, "list pages to ask about")
}

// Answer stores the person's answer to a question, as a mark on its page unless it is Skip; version is that of the
// model that the round began with. A page that is no find is stored as one that is not shown. The error is ErrNotFound
// when there is no such question; one that was answered already keeps its answer.
func Answer(ctx context.Context, d *db.DB, topicID, fetchID int64, answer string, version int) (acted store.Acted, err error) {
	if answer != store.MarkUseful && answer != store.MarkNotUseful && answer != Skip {
		return acted, fmt.Errorf("unknown answer %q", answer)
	}
	err = d.Commit(ctx, func(w *db.Work) {
		before := db.First(w, db.ScanText, "SELECT answer FROM questions WHERE topic_id = ? AND fetch_id = ?", topicID, fetchID)
		if before != "" {
			return
		}
		if answer != Skip {
			find := askedFind(w, topicID, fetchID)
			acted = store.PutMarks(w, d.Now(), []int64{find}, answer)
		}
		w.Exec("UPDATE questions SET answer = ?, action_id = nullif(?, 0) WHERE topic_id = ? AND fetch_id = ?",
			answer, acted.Action, topicID, fetchID)
		w.Exec("UPDATE questions SET version = ? WHERE topic_id = ? AND version = 0", version, topicID)
	})
	return acted, err
}

// askedFind returns the find of a fetched page, and makes one that is not shown when there is none.
func askedFind(w *db.Work, topicID, fetchID int64) (id int64) {
	if w.Row(`SELECT d.id FROM fetches f JOIN finds d ON d.topic_id = ?1 AND d.url = f.final_url WHERE f.id = ?2`, topicID, fetchID).Find(&id) {
		return id
	}
	return db.Value[int64](w, `
		INSERT INTO finds (topic_id, crawl_id, fetch_id, url, title, snippet, similarity, found_at, useful, asked)
		SELECT ?1, crawl_id, id, final_url, title, '', similarity, at, useful, 1 FROM fetches WHERE id = ?2 RETURNING id`, topicID, fetchID)
}

// Undo takes back the topic's last answer. The error is ErrNotFound when there is none.
func Undo(ctx context.Context, d *db.DB, topicID int64) (acted store.Acted, err error) {
	err = d.Commit(ctx, func(w *db.Work) {
		var fetch int64
		var action sql.NullInt64
		w.Row(`SELECT fetch_id, action_id FROM questions WHERE topic_id = ? AND answer <> ''
			ORDER BY n DESC LIMIT 1`, topicID).Read(&fetch, &action)
		if action.Valid {
			acted = store.UndoAction(w, d.Now(), action.Int64)
		}
		w.Exec("UPDATE questions SET answer = '', action_id = NULL WHERE topic_id = ? AND fetch_id = ?", topicID, fetch)
	})
	return acted, err
}
