package store

import (
	"context"
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
		if OnHost(url, host) {
			forgetLiked(w, url)
		}
	}
}

// forgetLiked removes a page from the reasons of the finds that are like it.
func forgetLiked(w *db.Work, url string) {
	w.Exec(`UPDATE reasons SET like_url = '', like_title = '', like_at = 0 WHERE like_url = ? AND like_url <> ''`, url)
}
