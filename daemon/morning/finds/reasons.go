package finds

import (
	"context"
	"time"

	"nightjar/daemon/db"
	"nightjar/daemon/store"
)

// Reason says why a page is a find. Package reason makes it and says it in a sentence.
type Reason struct {
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
func withReasons(ctx context.Context, d *db.DB, finds []View) error {
	at := make(map[int64]int, len(finds))
	ids := make([]int64, len(finds))
	for i, f := range finds {
		at[f.ID], ids[i] = i, f.ID
	}
	said, err := db.Query(ctx, d.Readers, db.ScanID, linked, db.JSONList(ids))
	if err != nil {
		return err
	}
	for _, id := range said {
		finds[at[id]].Linked = finds[at[id]].Mark == store.MarkUseful
	}
	return db.Each(ctx, d.Readers, func(row db.Scanner) error {
		id, r, err := scanReason(row)
		if i, ok := at[id]; ok && err == nil {
			finds[i].Reason = r
		}
		return err
	}, `SELECT find_id, words, passage, like_url, like_title, like_at FROM json_each(?) JOIN reasons ON find_id = value`, db.JSONList(ids))
}

func scanReason(row db.Scanner) (id int64, r *Reason, err error) {
	r = &Reason{}
	var like LikePage
	err = row.Scan(&id, db.JSONOf(&r.Words), &r.Passage, &like.URL, &like.Title, db.TimeOf(&like.MarkedAt))
	if like.URL != "" {
		r.Like = &like
	}
	return id, r, err
}
