package crawls

import (
	"context"
	"database/sql"
	"fmt"
	"time"

	"nightjar/crawler"
	"nightjar/crawler/failpoint"
	"nightjar/daemon/db"
)

// States of a task.
const (
	TaskWaiting   = "waiting"   // to be granted again
	TaskGranted   = "granted"   // a worker may be fetching it
	TaskArrived   = "arrived"   // its result is stored, and not used yet
	TaskCommitted = "committed" // its result was used
	TaskCancelled = "cancelled" // its crawl has ended
	TaskLost      = "lost"      // no worker brought a result
)

// maxTaskLost is how often a task may be lost before its crawl learns of it.
const maxTaskLost = 3

// Task is a page that a crawl gave to workers.
type Task struct {
	ID       string
	CrawlID  int64
	URL      string // of the link
	FinalURL string // that was granted last: URL, or where its redirects led
	Host     string // of FinalURL
	State    string
	Attempt  int // of the last grant: 1, 2, …; 0 for none
	Lost     int // grants of FinalURL whose lease ended without a result
	Moved    int // the last attempt that brought the result, or a redirect to another host; 0 for none
	Worker   string
	Granted  time.Time
	Until    time.Time // of the lease
	Delay    time.Duration
	Hops     []byte // see Arrival; nil for none
	Result   []byte // only while it has arrived
}

// Out reports whether a worker may be fetching the task, or may have been until a short while ago. That may be so of one whose result
// is here, when an earlier attempt brought it.
func (t *Task) Out(now time.Time) bool {
	return t.Attempt > t.Moved && t.Until.Add(t.Delay).After(now)
}

const selectTask = `SELECT id, crawl_id, url, final_url, host, state, attempt, lost, moved, worker, granted_at, lease_until, delay_ms, hops, result FROM tasks `

// OpenTask returns the task of a crawl's link that has not ended, or ErrNotFound.
func OpenTask(ctx context.Context, d *db.DB, crawlID int64, url string) (Task, error) {
	t, err := db.Fields[Task](d.Readers.QueryRowContext(ctx, selectTask+`WHERE crawl_id = ? AND url = ? AND state IN ('waiting', 'granted', 'arrived')`, crawlID, url))
	return t, db.Missing(err, "read a task")
}

// OpenTasks lists the tasks that have not ended, without results.
func OpenTasks(ctx context.Context, d *db.DB) ([]Task, error) {
	all, err := db.Query(ctx, d.Readers, db.Fields[Task], `SELECT id, crawl_id, url, final_url, host, state, attempt, lost, moved, worker, granted_at, lease_until, delay_ms, hops, NULL
		FROM tasks WHERE state IN ('waiting', 'granted', 'arrived')`)
	return all, db.Wrap(err, "list open tasks")
}

// TasksOut lists the tasks, without hops and results, that are granted, and all others whose hosts a worker may be asking.
func TasksOut(ctx context.Context, d *db.DB) ([]Task, error) {
	all, err := db.Query(ctx, d.Readers, db.Fields[Task], `SELECT id, crawl_id, url, final_url, host, state, attempt, lost, moved, worker, granted_at, lease_until, delay_ms, NULL, NULL
		FROM tasks WHERE state = 'granted' OR attempt > moved AND lease_until + delay_ms > ? ORDER BY lease_until`, db.Millis(d.Now()))
	return all, db.Wrap(err, "list the tasks that are out")
}

const grantTask = `INSERT INTO tasks (id, crawl_id, url, final_url, host, state, attempt, lost, worker, granted_at, lease_until, delay_ms, hops)
	SELECT ?1, ?2, ?3, ?4, ?5, 'granted', ?6, ?7, ?8, ?9, ?10, ?11, ?12 WHERE EXISTS (SELECT 1 FROM crawls WHERE id = ?2 AND status <> 'ended')
	ON CONFLICT (id) DO UPDATE SET state = 'granted', final_url = excluded.final_url, host = excluded.host, attempt = excluded.attempt,
		worker = excluded.worker, granted_at = excluded.granted_at, lease_until = excluded.lease_until, delay_ms = excluded.delay_ms
	WHERE state = 'waiting' AND attempt < excluded.attempt
	ON CONFLICT DO NOTHING`

// GrantTasks stores that tasks are given to a worker, and that requests may go to their hosts. It returns for each whether it may
// be handed out: not if its crawl has ended, if it is not waiting any more, or while the link has another task that is open.
func GrantTasks(ctx context.Context, m *HostMemory, tasks []Task) (granted []bool, err error) {
	ctx = context.WithoutCancel(ctx)
	var hosts []string
	granted = make([]bool, len(tasks))
	err = m.commit(ctx, m.d.Write, func(tx *sql.Tx) error {
		for i, t := range tasks {
			n, err := db.Affected(tx.ExecContext(ctx, grantTask, t.ID, t.CrawlID, t.URL, t.FinalURL, t.Host, t.Attempt, t.Lost, t.Worker,
				db.Millis(t.Granted), db.Millis(t.Until), t.Delay.Milliseconds(), blob(t.Hops)))
			if err != nil {
				return err
			}
			if granted[i] = n == 1; !granted[i] || m.isOpen(t.Host) {
				continue
			}
			if _, err := tx.ExecContext(ctx, openHost, t.Host); err != nil {
				return err
			}
			hosts = append(hosts, t.Host)
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("store that tasks are granted: %w", err)
	}
	m.opened(hosts)
	return granted, nil
}

// Arrival is what a worker returned.
type Arrival struct {
	Task    string
	Attempt int
	Worker  string
	Result  []byte // whole; nil when Next is set, or only to ask what the result would be

	// Redirect to another host: the task waits again, for Next on Host. Hops are the results so far.
	Next, Host string
	Hops       []byte
}

// Verdict says what became of an arrival.
type Verdict string

// The verdicts.
const (
	Accepted  Verdict = "accepted"
	Duplicate Verdict = "duplicate" // a result of the task, or of this part of it, came before
	Unknown   Verdict = "unknown"   // there is no such task, it was cancelled, or it was never given to the worker
)

const arriveTask = `UPDATE tasks SET state = 'arrived', result = ?4, moved = ?2
	WHERE id = ?1 AND state IN ('waiting', 'granted') AND attempt >= ?2 AND (attempt > ?2 OR worker = ?3) AND moved < ?2`

const moveTask = `UPDATE tasks SET state = 'waiting', final_url = ?4, host = ?5, hops = ?6, lost = 0, lease_until = 0, moved = ?2
	WHERE id = ?1 AND state IN ('waiting', 'granted') AND attempt >= ?2 AND (attempt > ?2 OR worker = ?3) AND moved < ?2`

// ArriveTasks stores results. The first of a task counts, whichever attempt it is of; it is durable when ArriveTasks returns.
func ArriveTasks(ctx context.Context, m *HostMemory, all []Arrival) (verdicts []Verdict, err error) {
	ctx = context.WithoutCancel(ctx)
	verdicts = make([]Verdict, len(all))
	err = m.commit(ctx, m.d.Write, func(tx *sql.Tx) error {
		for i, a := range all {
			if a.Result == nil && a.Next == "" {
				if verdicts[i], err = arrivedBefore(ctx, tx, a); err != nil {
					return err
				}
				continue
			}
			text, args := arriveTask, []any{a.Task, a.Attempt, a.Worker, a.Result}
			if a.Next != "" {
				text, args = moveTask, []any{a.Task, a.Attempt, a.Worker, a.Next, a.Host, blob(a.Hops)}
			}
			n, err := db.Affected(tx.ExecContext(ctx, text, args...))
			if err == nil && n == 1 {
				verdicts[i] = Accepted
				continue
			}
			if err == nil {
				verdicts[i], err = arrivedBefore(ctx, tx, a)
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("store the results of tasks: %w", err)
	}
	failpoint.Here("store.tasks.arrived")
	return verdicts, nil
}

// arrivedBefore says why a result was not stored.
func arrivedBefore(ctx context.Context, tx *sql.Tx, a Arrival) (Verdict, error) {
	n := 0
	err := tx.QueryRowContext(ctx, `SELECT count(*) FROM tasks WHERE id = ?1 AND attempt >= ?2
		AND (moved >= ?2 OR state IN ('arrived', 'committed', 'lost'))`, a.Task, a.Attempt).Scan(&n)
	if n == 1 {
		return Duplicate, err
	}
	return Unknown, err
}

// LoseTask stores that the lease of an attempt ended without a result, and with result, unless that is nil, that the task will
// not be granted again. It returns false, and changes nothing, when a result came meanwhile or the task was cancelled.
func LoseTask(ctx context.Context, d *db.DB, id string, attempt int, result []byte) (lost bool, err error) {
	n, err := d.Change(ctx, `UPDATE tasks SET state = iif(?3 IS NULL, 'waiting', 'arrived'), result = ?3, lost = iif(?3 IS NULL, lost + 1, ?4)
		WHERE id = ?1 AND attempt = ?2 AND state = 'granted'`, id, attempt, blob(result), maxTaskLost)
	return n == 1, db.Wrap(err, "store that a task is lost")
}

const commitTask = `UPDATE tasks SET state = iif(lost >= ?3, 'lost', 'committed'), result = NULL, hops = NULL
	WHERE id = ?1 AND crawl_id = ?2 AND state IN ('waiting', 'granted', 'arrived')`

// putTasks stores that the results of tasks were used. The error is for one that was used before.
func (j *Journal) putTasks(ctx context.Context, tx *sql.Tx, b *crawler.Batch) error {
	for _, id := range b.Tasks {
		n, err := db.Affected(tx.ExecContext(ctx, commitTask, id, j.crawlID, maxTaskLost))
		if err != nil {
			return err
		}
		if n == 1 {
			continue
		}
		err = tx.QueryRowContext(ctx, `SELECT count(*) FROM tasks WHERE id = ? AND state IN ('committed', 'lost')`, id).Scan(&n)
		if err != nil {
			return err
		}
		if n > 0 {
			return fmt.Errorf("the result of task %s was used before", id)
		}
	}
	return nil
}

// cancelTasks ends the tasks of a crawl. Their hosts are still left alone until their leases are over.
func cancelTasks(w *db.Work, crawlID int64) {
	w.Exec(`UPDATE tasks SET state = 'cancelled', result = NULL, hops = NULL
		WHERE crawl_id = ? AND state IN ('waiting', 'granted', 'arrived')`, crawlID)
}

// tasksKept is for how long a task is kept that has ended, to tell a result that comes again from one that nobody asked for.
const tasksKept = time.Hour

// PruneTasks deletes tasks that ended long ago.
func PruneTasks(ctx context.Context, d *db.DB) error {
	err := d.Exec(ctx, `DELETE FROM tasks WHERE rowid IN (SELECT rowid FROM tasks WHERE state IN ('committed', 'cancelled', 'lost')
		AND lease_until < ? LIMIT 5000)`, db.Millis(d.Now().Add(-tasksKept)))
	return db.Wrap(err, "forget old tasks")
}
