package search

import (
	"context"
	"database/sql"

	"nightjar/daemon/db"
	"nightjar/daemon/morning/search/words"
	"nightjar/daemon/store"
)

// renewAtOnce is the number of entries that one transaction queues to be indexed anew.
const renewAtOnce = 1000

const renewalKey = "search.words"

// renewal says by which rules the words of the index were made (words.Version), and which entries still have those of older
// rules.
type renewal struct {
	Version int   `json:"version"`
	Left    int64 `json:"left"` // the largest id of an entry with older words that is not queued; 0 if there is none
}

// Renew queues the next pages whose words were made by older rules, if no page waits. Until they are indexed, they keep
// their older words. It works in small steps, newest entries first, and goes on after a restart.
func Renew(ctx context.Context, d *db.DB) error {
	from := d.Reads(ctx)
	r, err := readRenewal(from), from.Err
	if err == nil && (r.Version != words.Version || r.Left > 0) {
		err = d.WriteDerived(ctx, func(tx *sql.Tx) error { return db.Within(ctx, tx, renew) })
	}
	return db.Wrap(err, "renew search index")
}

func readRenewal(w *db.Work) (r renewal) {
	store.ReadSetting(w, renewalKey, &r)
	return r
}

func renew(w *db.Work) {
	r := readRenewal(w)
	if r.Version != words.Version {
		r.Version = words.Version
		r.Left = db.Value[int64](w, `SELECT coalesce(max(id), 0) FROM search_entries`)
		store.PutSetting(w, renewalKey, r)
		return
	}
	if w.Has(`SELECT EXISTS (SELECT 1 FROM search_queue)`) {
		return
	}
	// The smallest id of this step.
	next := db.Value[int64](w, `SELECT coalesce(min(id), 0) FROM (SELECT id FROM search_entries WHERE id <= ? ORDER BY id DESC LIMIT ?)`, r.Left, renewAtOnce)
	// The last one that is queued is indexed first.
	w.Exec(`INSERT INTO search_queue (url) SELECT url FROM search_entries WHERE id BETWEEN ? AND ? ORDER BY id`,
		next, r.Left)
	r.Left = max(next-1, 0)
	store.PutSetting(w, renewalKey, r)
}
