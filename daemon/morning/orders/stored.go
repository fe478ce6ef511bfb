package orders

import (
	"context"
	"time"

	"nightjar/daemon/db"
	"nightjar/daemon/morning/token"
	"nightjar/daemon/store"
)

// States of an order.
const (
	Waiting   = "waiting"   // for the person's yes
	Accepted  = "accepted"  // a search has its crawl, a mark is given
	Declined  = "declined"  // by the person
	Withdrawn = "withdrawn" // by the program, or the person revoked its token
	Failed    = "failed"
)

// Kept is how long orders are kept, and how long one waits for a yes.
const Kept = 30 * 24 * time.Hour

// Order is what a program asked for.
type Order struct {
	ID        int64
	TokenID   int64  // 0 once the token was revoked
	Program   string // name of the token
	TopicID   int64
	Topic     string
	Pages     int    // of a search: at most; 0 for a mark
	Mark      string // of a mark
	FindID    int64
	Title     string // of the find
	URL       string
	ActionID  int64 // of a mark that can be undone; 0 otherwise
	CrawlID   int64 // of a search that was accepted
	Joined    bool  // the crawl is one that the topic had already
	State     string
	Problem   string // for people: why it failed
	AskedAt   time.Time
	ChangedAt time.Time
}

// Search reports whether a search was asked for, and not a mark.
func (o Order) Search() bool { return o.Pages > 0 }

const selectOrders = `
	SELECT o.id, coalesce(o.token_id, 0), o.program, o.topic_id, t.name, o.pages, o.mark, coalesce(o.find_id, 0), coalesce(f.title, ''), coalesce(f.url, ''),
	       coalesce((SELECT id FROM actions WHERE id = o.action_id AND undone_at IS NULL), 0), coalesce(o.crawl_id, 0),
	       coalesce((SELECT created_at FROM crawls WHERE id = o.crawl_id) < o.asked_at, 0), o.state, o.problem, o.asked_at, o.changed_at
	FROM orders o CROSS JOIN topics t ON t.id = o.topic_id LEFT JOIN finds f ON f.id = o.find_id `

// List lists the orders that wait, and then others among the newest limit.
func List(ctx context.Context, d *db.DB, limit int) ([]Order, error) {
	all, err := db.Query(ctx, d.Readers, db.Fields[Order], selectOrders+`
		WHERE o.id IN (SELECT id FROM orders WHERE state = 'waiting' UNION SELECT id FROM orders WHERE id > (SELECT max(id) FROM orders) - ?)
		ORDER BY o.state <> 'waiting', o.id DESC`, limit)
	return all, db.Wrap(err, "list orders")
}

// ByID returns an order, or ErrNotFound.
func ByID(ctx context.Context, d *db.DB, id int64) (Order, error) {
	o, err := db.Fields[Order](d.Readers.QueryRowContext(ctx, selectOrders+`WHERE o.id = ?`, id))
	return o, db.Missing(err, "read order")
}

// CountWaiting counts the orders that wait for the person.
func CountWaiting(ctx context.Context, d *db.DB) (int, error) {
	n, err := db.Single[int](ctx, d.Readers, `SELECT count(*) FROM orders WHERE state = 'waiting'`)
	return n, db.Wrap(err, "count orders")
}

// lastMark returns the last mark that a token gave a find and that was not undone, or ErrNotFound.
func lastMark(ctx context.Context, d *db.DB, tokenID, find int64) (Order, error) {
	o, err := db.Fields[Order](d.Readers.QueryRowContext(ctx, selectOrders+`JOIN actions a ON a.id = o.action_id
		WHERE o.token_id = ? AND o.find_id = ? AND a.undone_at IS NULL ORDER BY o.id DESC LIMIT 1`, tokenID, find))
	return o, db.Missing(err, "read mark of a program")
}

// putSearch stores an order of a search, if it is within the pages that the token may ask for within a day.
func putSearch(ctx context.Context, d *db.DB, t token.Token, topic int64, pages int) (id int64, err error) {
	now := d.Now()
	err = d.Commit(ctx, func(w *db.Work) {
		w.Exec(`DELETE FROM orders WHERE asked_at < ?`, db.Millis(now.Add(-Kept)))
		var left int
		w.Row(`SELECT k.pages - (SELECT coalesce(sum(pages), 0) FROM orders WHERE token_id = k.id AND asked_at > ?2 AND state IN ('waiting', 'accepted'))
			FROM tokens k WHERE k.id = ?1 AND k.may <> ''`, t.ID, db.Millis(now.Add(-24*time.Hour))).Read(&left)
		if w.Err == nil && pages > left {
			w.Fail(tooMany(left))
		}
		db.First(w, db.ScanText, `SELECT name FROM topics WHERE id = ?`, topic)
		w.Row(`INSERT INTO orders (token_id, program, topic_id, pages, state, asked_at, changed_at) VALUES (?1, ?2, ?3, ?4, 'waiting', ?5, ?5) RETURNING id`,
			t.ID, t.Name, topic, pages, db.Millis(now)).Read(&id)
	})
	return id, db.Missing(err, "store order")
}

// putMark marks a find for a program as the person would, and stores that as an order. It returns no order when the find has the
// mark already.
func putMark(ctx context.Context, d *db.DB, t token.Token, find int64, mark string) (id int64, acted store.Acted, err error) {
	now := d.Now()
	err = d.Commit(ctx, func(w *db.Work) {
		if n := db.Value[int](w, `SELECT count(*) FROM orders WHERE token_id = ? AND pages = 0 AND asked_at > ?`, t.ID, db.Millis(now.Add(-24*time.Hour))); n >= MarksADay {
			w.Fail(errMarks)
		}
		acted = store.PutMarks(w, now, []int64{find}, mark)
		if acted.Action == 0 {
			return
		}
		w.Row(`INSERT INTO orders (token_id, program, topic_id, mark, find_id, action_id, state, asked_at, changed_at)
			SELECT ?1, ?2, topic_id, ?3, id, ?4, 'accepted', ?5, ?5 FROM finds WHERE id = ?6 RETURNING id`,
			t.ID, t.Name, mark, acted.Action, db.Millis(now), find).Read(&id)
	})
	return id, acted, db.Missing(err, "store mark of a program")
}

// end gives a waiting order another state, or returns ErrNotFound when none waits.
func end(ctx context.Context, d *db.DB, id int64, state, problem string, crawl int64) error {
	return d.Must(ctx, db.ErrNotFound, `UPDATE orders SET state = ?2, problem = ?3, crawl_id = nullif(?4, 0), changed_at = ?5 WHERE id = ?1 AND state = 'waiting'`,
		id, state, problem, crawl, db.Millis(d.Now()))
}
