package sessions

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"testing"

	"nightjar/daemon/browse/protocol"
	"nightjar/daemon/browse/topics"
	"nightjar/daemon/db"
	"nightjar/daemon/db/plans"
	"nightjar/daemon/store"
)

var errInjected = errors.New("injected")

// stop makes a statement of a transaction fail: the first whose text is not in past. It notes what runs in the transaction after it.
var stop struct {
	tx, txs int // the number of the transaction, 0 for none, and how many began
	past    map[string]bool
	failed  bool
	after   []string
}

func init() {
	plans.Register("sqlite-stopping", func(c db.Conn) driver.Conn { return &stopConn{Conn: c} })
}

// stopConn is a connection whose statements fail as stop says.
type stopConn struct {
	db.Conn
	inside bool // the transaction is open
}

func (c *stopConn) BeginTx(ctx context.Context, o driver.TxOptions) (driver.Tx, error) {
	tx, err := c.Conn.BeginTx(ctx, o)
	stop.txs++
	c.inside = stop.txs == stop.tx
	return stopTx{tx, c}, err
}

type stopTx struct {
	driver.Tx
	c *stopConn
}

func (t stopTx) Commit() error   { t.c.inside = false; return t.Tx.Commit() }
func (t stopTx) Rollback() error { t.c.inside = false; return t.Tx.Rollback() }

func (c *stopConn) step(text string) error {
	if !c.inside {
		return nil
	}
	if stop.failed {
		stop.after = append(stop.after, text)
		return nil
	}
	if stop.past[text] {
		return nil
	}
	stop.failed, stop.past[text] = true, true
	return errInjected
}

func (c *stopConn) ExecContext(ctx context.Context, text string, args []driver.NamedValue) (driver.Result, error) {
	if err := c.step(text); err != nil {
		return nil, err
	}
	return c.Conn.ExecContext(ctx, text, args)
}

func (c *stopConn) QueryContext(ctx context.Context, text string, args []driver.NamedValue) (driver.Rows, error) {
	if err := c.step(text); err != nil {
		return nil, err
	}
	return c.Conn.QueryContext(ctx, text, args)
}

func (c *stopConn) PrepareContext(ctx context.Context, text string) (driver.Stmt, error) {
	s, err := c.Conn.PrepareContext(ctx, text)
	plain, ok := s.(interface {
		driver.Stmt
		driver.StmtExecContext
		driver.StmtQueryContext
	})
	if err == nil && !ok {
		err = errors.New("the statements of the driver lack methods")
	}
	return stopStmt{plain, plain, plain, c, text}, err
}

type stopStmt struct {
	driver.Stmt
	exec  driver.StmtExecContext
	query driver.StmtQueryContext
	c     *stopConn
	text  string
}

func (s stopStmt) ExecContext(ctx context.Context, args []driver.NamedValue) (driver.Result, error) {
	if err := s.c.step(s.text); err != nil {
		return nil, err
	}
	return s.exec.ExecContext(ctx, args)
}

func (s stopStmt) QueryContext(ctx context.Context, args []driver.NamedValue) (driver.Rows, error) {
	if err := s.c.step(s.text); err != nil {
		return nil, err
	}
	return s.query.QueryContext(ctx, args)
}

// TestTransactionsStop lets each statement of the longest transactions fail once. The error is returned, no other statement follows
// in the transaction, and nothing panics for want of what could not be read. Then, with no fault, what the person asked for is done.
func TestTransactionsStop(t *testing.T) {
	db.Driver = "sqlite-stopping"
	defer func() { db.Driver = "sqlite" }()
	mapped, document, topic, crawl, drawn := Keep.Mapped(t)
	e := newEdited(t, 1)
	ctx := t.Context()
	all, err := List(ctx, e.DB)
	if err != nil || len(all) != 3 {
		t.Fatal(len(all), err)
	}
	visits := must(Visits(ctx, e.DB, all[0].ID))(t)
	m := maker(77)
	start := m.Start("Hockey")
	page := m.Visit("http://ice.test/new", "", protocol.HowTyped, "")
	link := m.Of(protocol.LinkUseful, page.Page, "")
	link.URL = "http://ice.test/linked"
	events := []protocol.Event{start, page, m.Snapshot(page.Page, []byte("<p>ice")), m.Of(protocol.Useful, page.Page, ""), link, m.Event(protocol.Submit)}
	var made string
	var change int64
	steps := 0
	for _, op := range []struct {
		name string
		tx   int // the long one
		do   func() error
	}{
		{"ingest", 1, func() error { _, err := ingest(t, e.Store, events...); return err }},
		{"discard", 1, func() error { _, err := ingest(t, e.Store, m.Event(protocol.Discard)); return err }},
		{"name", 1, func() (err error) { _, err = Name(ctx, e.DB, all[0].UUID, "A name"); return err }},
		{"split", 1, func() (err error) {
			made, change, _, err = Split(ctx, e.DB, all[0].UUID, visits[2].Load, "Curling", "")
			return err
		}},
		{"milestone", 1, func() error {
			topic, err := topics.ByName(ctx, e.DB, "Hockey")
			if err == nil {
				err = topics.NamePage(ctx, e.DB, topic.ID, visits[0].URL, "home")
			}
			return err
		}},
		{"undo", 1, func() error { _, err := Undo(ctx, e.DB, change); return err }},
		{"merge", 1, func() (err error) {
			made, _, _, err = Merge(ctx, e.DB, []string{all[0].UUID, all[1].UUID})
			return err
		}},
		{"move", 1, func() error { _, _, err := Move(ctx, e.DB, []string{made}, "Ice"); return err }},
		{"delete visits", 1, func() error {
			_, err := DeleteVisits(ctx, e.DB, all[2].UUID, loadsOf(t, e.Store, all[2].ID)[:1])
			return err
		}},
		{"delete session", 1, func() error { _, err := Delete(ctx, e.DB, all[2].ID); return err }},
		{"erase site", 2, func() error { _, err := Keep.EraseHost(ctx, e.Store, "ice.test"); return err }},
		{"positives", 1, func() error { return Keep.PutPositives(ctx, mapped, document, "http://x.test/") }},
		{"end crawl", 1, func() error { return Keep.EndCrawl(ctx, mapped, crawl, "over") }},
		{"erase mapped", 2, func() error { _, err := Keep.EraseHost(ctx, mapped, "canary.test"); return err }},
		{"delete map", 1, func() error { return Keep.DeleteMap(ctx, mapped, drawn) }},
		{"delete topic", 1, func() error { _, err := DeleteTopic(ctx, mapped.DB, topic); return err }},
	} {
		stop.past = map[string]bool{}
		for n := 0; ; n++ {
			stop.tx, stop.txs, stop.failed, stop.after = op.tx, 0, false, nil
			err := op.do()
			stop.tx = 0
			if !stop.failed {
				if n < 3 || err != nil {
					t.Errorf("%s: %d statements, %v", op.name, n, err)
				}
				steps += n
				break
			}
			if !errors.Is(err, errInjected) {
				t.Errorf("%s: fault %d, and the error is %v", op.name, n, err)
			}
			if len(stop.after) > 0 {
				t.Fatalf("%s: fault %d, and then ran %s", op.name, n, fmt.Sprintf("%.300q", stop.after))
			}
		}
	}
	if steps < 200 {
		t.Errorf("only %d statements", steps)
	}
}

// loadsOf lists the visits of a session.
func loadsOf(t *testing.T, s *store.Store, id int64) (loads []string) {
	t.Helper()
	visits := must(Visits(t.Context(), s.DB, id))(t)
	for _, v := range visits {
		loads = append(loads, v.Load)
	}
	return loads
}
