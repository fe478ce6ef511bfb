package store

import (
	"context"
	"database/sql"
	"time"

	"nightjar/daemon/db"
)

// FindReason says why a page is a find. Package reason makes it and says it in a sentence.
type FindReason struct {
	Words   []string  // telling words and phrases as the page writes them, the most telling first; empty when none stands out
	Passage string    // of the page's text, with as many of the words as possible; "" when the page has no text
	Like    *LikePage // a page that the person marked Useful and that has these words, too; nil without one
}

// LikePage is a page that the person marked Useful.
type LikePage struct {
	URL, Title string
	MarkedAt   time.Time // zero when that is not known
}

// PutReason stores why a page is a find, replacing any earlier reason. A missing find is not an error.
func (s *Store) PutReason(ctx context.Context, findID int64, r FindReason) error {
	var like LikePage
	var at int64
	if r.Like != nil {
		if like = *r.Like; !like.MarkedAt.IsZero() {
			at = db.Millis(like.MarkedAt)
		}
	}
	err := s.WriteDerived(ctx, func(tx *sql.Tx) error {
		return db.Execute(ctx, tx, `INSERT INTO reasons (find_id, words, passage, like_url, like_title, like_at)
			SELECT id, ?2, ?3, ?4, ?5, ?6 FROM finds WHERE id = ?1
			ON CONFLICT (find_id) DO UPDATE SET words = excluded.words, passage = excluded.passage, like_url = excluded.like_url,
				like_title = excluded.like_title, like_at = excluded.like_at
			WHERE (words, passage, like_url, like_title, like_at) IS NOT
				(excluded.words, excluded.passage, excluded.like_url, excluded.like_title, excluded.like_at)`,
			findID, db.JSONList(r.Words), r.Passage, like.URL, like.Title, at)
	})
	return db.Wrap(err, "store the reason of find %d", findID)
}

// FindsWithoutReason lists finds whose reason was not computed yet, newest first: up to limit ids below before, 0 for any.
func (s *Store) FindsWithoutReason(ctx context.Context, before int64, limit int) ([]int64, error) {
	ids, err := db.Query(ctx, s.Readers, db.ScanID, `
		SELECT id FROM finds WHERE (?1 = 0 OR id < ?1) AND NOT EXISTS (SELECT 1 FROM reasons WHERE find_id = finds.id)
		ORDER BY id DESC LIMIT ?2`, before, limit)
	return ids, db.Wrap(err, "list finds without a reason")
}

// FindsWithReason lists finds that have a reason, as FindsWithoutReason lists the others.
func (s *Store) FindsWithReason(ctx context.Context, before int64, limit int) ([]int64, error) {
	ids, err := db.Query(ctx, s.Readers, db.ScanID, `
		SELECT find_id FROM reasons WHERE ?1 = 0 OR find_id < ?1 ORDER BY find_id DESC LIMIT ?2`, before, limit)
	return ids, db.Wrap(err, "list finds with a reason")
}

// ReasonedFinds lists the finds of a crawl that have a reason: up to limit ids above after.
func (s *Store) ReasonedFinds(ctx context.Context, crawl, after int64, limit int) ([]int64, error) {
	ids, err := db.Query(ctx, s.Readers, db.ScanID, `
		SELECT f.id FROM finds f CROSS JOIN reasons r ON r.find_id = f.id WHERE f.crawl_id = ? AND f.id > ? ORDER BY f.id LIMIT ?`, crawl, after, limit)
	return ids, db.Wrap(err, "list the finds of crawl %d with a reason", crawl)
}

// MarkedAt returns when the person last marked a page Useful, in a session of the topic or of its members or as a find of
// theirs; the zero time when never.
func (s *Store) MarkedAt(ctx context.Context, topicID int64, url string) (time.Time, error) {
	at, err := db.Single[sql.NullInt64](ctx, s.Readers, `
		SELECT max(at) FROM (
			SELECT e.at FROM pages p JOIN visits v ON v.page_id = p.id JOIN sessions s ON s.id = v.session_id
			JOIN events e ON e.page = v.load AND e.type = 'useful'
			WHERE p.url = ?2 AND s.topic_id IN `+TopicAndMembers+`
			UNION ALL
			SELECT b.at FROM finds f JOIN feedback b ON b.find_id = f.id AND b.mark = 'useful'
			WHERE f.url = ?2 AND f.topic_id IN `+TopicAndMembers+`)`, topicID, url)
	return db.Moment(at), db.Wrap(err, "read when a page was marked")
}

// linked finds those of some finds (a JSON list) that are marked since a link to them looks useful.
const linked = `SELECT DISTINCT b.find_id FROM json_each(?) CROSS JOIN feedback b ON b.find_id = value CROSS JOIN actions a ON a.id = b.action_id
	WHERE a.kind = 'link' AND a.undone_at IS NULL`

// withReasons fills in why finds are finds.
func (s *Store) withReasons(ctx context.Context, finds []FindView) error {
	at := make(map[int64]int, len(finds))
	ids := make([]int64, len(finds))
	for i, f := range finds {
		at[f.ID], ids[i] = i, f.ID
	}
	said, err := db.Query(ctx, s.Readers, db.ScanID, linked, db.JSONList(ids))
	if err != nil {
		return err
	}
	for _, id := range said {
		finds[at[id]].Linked = finds[at[id]].Mark == MarkUseful
	}
	return db.Each(ctx, s.Readers, func(row db.Scanner) error {
		id, r, err := scanReason(row)
		if i, ok := at[id]; ok && err == nil {
			finds[i].Reason = r
		}
		return err
	}, `SELECT find_id, words, passage, like_url, like_title, like_at FROM json_each(?) JOIN reasons ON find_id = value`, db.JSONList(ids))
}

func scanReason(row db.Scanner) (id int64, r *FindReason, err error) {
	r = &FindReason{}
	var like LikePage
	err = row.Scan(&id, db.JSONOf(&r.Words), &r.Passage, &like.URL, &like.Title, db.TimeOf(&like.MarkedAt))
	if like.URL != "" {
		r.Like = &like
	}
	return id, r, err
}

// EraseReasons forgets a host's pages as the marked ones that finds of other hosts are like.
func EraseReasons(w *db.Work, host string) {
	liked := db.List(w, db.ScanText, `SELECT DISTINCT like_url FROM reasons WHERE like_url <> ''`)
	for _, url := range liked {
		if !OnHost(url, host) {
			continue
		}
		forgetLiked(w, url)
	}
}

// forgetLiked removes a page from the reasons of the finds that are like it.
func forgetLiked(w *db.Work, url string) {
	w.Exec(`UPDATE reasons SET like_url = '', like_title = '', like_at = 0 WHERE like_url = ? AND like_url <> ''`, url)
}
