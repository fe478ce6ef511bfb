package crawls

import (
	"context"
	"database/sql"
	"fmt"
	"maps"
	"sync"
	"time"

	"nightjar/crawler"
	"nightjar/crawler/fetch"
	"nightjar/crawler/weburl"
	"nightjar/daemon/db"
)

// HostMemory keeps what hosts asked for. It is the daemon's fetch.Memory, the same for all fetchers of a store. Changes of
// several callers that wait for each other are one transaction.
type HostMemory struct {
	d *db.DB

	mu      sync.Mutex
	open    map[string]bool            // hosts that are open in the database
	erased  int64                      // db.DB.Erasures when open was right
	pending map[string]fetch.HostState // states that are not written yet
	queue   []*hostChange

	writing sync.Mutex // held by the caller that writes for all in the queue
}

// hostChange is a change that waits to be written.
type hostChange struct {
	do   func(*db.Work)
	done chan error // receives once
}

// NewHostMemory returns what hosts asked for. All that write to the database at a time share it.
func NewHostMemory(d *db.DB) *HostMemory {
	return &HostMemory{d: d, open: map[string]bool{}, pending: map[string]fetch.HostState{}}
}

// write writes a change, the changes that wait for it, and the pending states.
func (m *HostMemory) write(ctx context.Context, do func(*db.Work)) error {
	ctx = context.WithoutCancel(ctx)
	mine := &hostChange{do, make(chan error, 1)}
	m.mu.Lock()
	m.queue = append(m.queue, mine)
	m.mu.Unlock()
	m.writing.Lock()
	defer m.writing.Unlock()
	m.mu.Lock()
	all := m.queue
	m.queue = nil
	m.mu.Unlock()
	if len(all) > 0 { // otherwise another caller has written it
		err := m.commit(ctx, m.d.Write, func(tx *sql.Tx) error {
			return db.Within(ctx, tx, func(w *db.Work) {
				for _, c := range all {
					c.do(w)
				}
			})
		})
		err = db.Wrap(err, "store what hosts asked for")
		for _, c := range all {
			c.done <- err
		}
	}
	return <-mine.done
}

// commit runs do in a transaction, DB.Write or DB.WriteSmall, that also writes the pending states.
func (m *HostMemory) commit(ctx context.Context, write func(context.Context, func(*sql.Tx) error) error, do func(*sql.Tx) error) error {
	states := m.take()
	err := write(ctx, func(tx *sql.Tx) error {
		if err := do(tx); err != nil {
			return err
		}
		return putStates(ctx, tx, states)
	})
	if err != nil {
		m.giveBack(states)
	}
	return err
}

// take returns the pending states, which the caller writes or gives back.
func (m *HostMemory) take() map[string]fetch.HostState {
	m.mu.Lock()
	defer m.mu.Unlock()
	states := m.pending
	m.pending = map[string]fetch.HostState{}
	return states
}

// giveBack makes states pending again that were not written, unless there is a newer one.
func (m *HostMemory) giveBack(states map[string]fetch.HostState) {
	m.mu.Lock()
	defer m.mu.Unlock()
	maps.Copy(states, m.pending)
	m.pending = states
}

const openHost = `INSERT INTO hosts (host, open) VALUES (?, 1) ON CONFLICT (host) DO UPDATE SET open = 1`

// Open stores that requests may go to a host from now on.
func (m *HostMemory) Open(ctx context.Context, host string) error {
	if m.isOpen(host) {
		return nil
	}
	err := m.write(ctx, func(w *db.Work) { w.Exec(openHost, host) })
	if err == nil {
		m.opened([]string{host})
	}
	return err
}

func (m *HostMemory) isOpen(host string) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	if now := m.d.Erasures(); now != m.erased { // the row of the host may be gone
		clear(m.open)
		m.erased = now
	}
	return m.open[host]
}

func (m *HostMemory) opened(hosts []string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, host := range hosts {
		m.open[host] = true
	}
}

// openBegun opens the hosts of fetches that start, in the transaction that stores their start. It returns those that were
// not open before.
func (m *HostMemory) openBegun(ctx context.Context, tx *sql.Tx, b *crawler.Batch) (hosts []string, err error) {
	for _, url := range b.Begun {
		host := weburl.Host(url)
		if m.isOpen(host) {
			continue
		}
		if _, err := tx.ExecContext(ctx, openHost, host); err != nil {
			return nil, err
		}
		hosts = append(hosts, host)
	}
	return hosts, nil
}

// Keep stores the state of a known host, at once or with the next change.
func (m *HostMemory) Keep(ctx context.Context, h fetch.HostState, now bool) error {
	m.mu.Lock()
	m.pending[h.Host] = h
	m.mu.Unlock()
	if !now {
		return nil
	}
	return m.write(ctx, func(*db.Work) {})
}

const keepHost = `UPDATE hosts SET asked_at = ?, set_at = ?, not_before = ?, why = ?, busy = ?, failed = ? WHERE host = ?`

// putStates writes the states of hosts. A host that was erased meanwhile stays so.
func putStates(ctx context.Context, tx *sql.Tx, states map[string]fetch.HostState) error {
	for _, h := range states {
		_, err := tx.ExecContext(ctx, keepHost, db.Millis(h.Asked), db.Millis(h.Set), db.MillisUp(h.NotBefore), string(h.Why), h.Busy, h.Failed, h.Host)
		if err != nil {
			return err
		}
	}
	return nil
}

// Close stores all states, with every host closed.
func (m *HostMemory) Close(ctx context.Context) error {
	m.mu.Lock()
	none := len(m.open)+len(m.pending) == 0
	m.mu.Unlock()
	if none {
		return nil
	}
	err := m.write(ctx, func(w *db.Work) { w.Exec(`UPDATE hosts SET open = 0 WHERE open = 1`) })
	if err == nil {
		m.mu.Lock()
		m.open = map[string]bool{}
		m.mu.Unlock()
	}
	return err
}

// hostsRemembered is how long a host is remembered after its last demand.
const hostsRemembered = 30 * 24 * time.Hour

// Load returns the state of hosts, and deletes outdated entries.
func (m *HostMemory) Load(ctx context.Context) ([]fetch.HostState, error) {
	now := m.d.Now()
	err := m.d.Commit(ctx, func(w *db.Work) {
		old := db.Millis(now.Add(-hostsRemembered))
		w.Exec(`DELETE FROM hosts WHERE open = 0 AND max(asked_at, set_at, not_before, probed_at) < ?`, old)
		w.Exec(`DELETE FROM robots WHERE read_at + keep_ms < ?`, db.Millis(now))
		w.Exec(`DELETE FROM lists WHERE at < ?`, old)
	})
	if err != nil {
		return nil, fmt.Errorf("forget old hosts: %w", err)
	}
	all, err := db.Query(ctx, m.d.Readers, scanHost, selectHost)
	if err != nil {
		return nil, fmt.Errorf("read what hosts asked for: %w", err)
	}
	var open []string
	for _, h := range all {
		if h.Open {
			open = append(open, h.Host)
		}
	}
	m.opened(open)
	return all, nil
}

const selectHost = `SELECT host, open, asked_at, set_at, not_before, why, busy, failed, delay_ms FROM hosts`

func scanHost(row db.Scanner) (h fetch.HostState, err error) {
	return h, row.Scan(&h.Host, &h.Open, db.TimeOf(&h.Asked), db.TimeOf(&h.Set), db.TimeOf(&h.NotBefore), &h.Why, &h.Busy, &h.Failed, db.SpanOf(&h.Delay))
}
