package sessions

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"

	"nightjar/daemon/browse/protocol"
	"nightjar/daemon/db"
	"nightjar/daemon/store"
)

// TestEventsDuringImport: events of a browser wait for at most importPart events of an import, from its first to its last. Only then
// does anything that reads see the session.
func TestEventsDuringImport(t *testing.T) {
	const pages = 200
	s := open(t)
	browser, m := maker(1), maker(2)
	mustIngest(t, s, browser.Start("Curling"))
	file := []protocol.Event{m.Start("Hockey")}
	for i := range pages {
		v := m.Visit(fmt.Sprintf("http://ice.test/%d", i), "Ice", protocol.HowTyped, "")
		mark := []protocol.Type{protocol.Useful, protocol.NotUseful}[i%2]
		file = append(file, v, m.Snapshot(v.Page, []byte("<title>Ice</title><p>rink")), m.Of(mark, v.Page, ""))
	}
	file = append(file, m.Event(protocol.Submit))

	const progress = `SELECT (SELECT count(*) FROM events WHERE client = ?) * 2 + (SELECT count(*) FROM import_events)`
	var done sync.WaitGroup
	var own atomic.Bool // the next write is one of events of the browser
	parts, before := 0, 0
	s.Wrote = func(error) { // after each transaction, before the next
		if own.Swap(false) {
			return
		}
		parts++
		rows := must(db.Single[int](t.Context(), s.Readers, progress, m.Client))(t)
		if rows-before > importPart {
			t.Errorf("part %d has %d events, want at most %d", parts, rows-before, importPart)
		}
		before = rows
		if all := must(List(t.Context(), s.DB))(t); len(all) != 1 && rows != 2*len(file) {
			t.Errorf("sessions while an import goes on: %+v", all)
		}
		own.Store(true)
		done.Go(func() { mustIngest(t, s, browser.Event(protocol.SessionPause)) })
		wait(t, s, 1, 0) // it gets the next turn
	}
	in, err := Import(t.Context(), s, inFile(t, nil, file...), map[string]int64{m.Session: file[len(file)-1].Seq})
	done.Wait()
	s.Wrote = nil
	if err != nil || len(in.Acked) != len(file) || len(in.Submitted) != 1 {
		t.Errorf("%d of %d events are stored, submitted %d, %v", len(in.Acked), len(file), in.Submitted, err)
	}
	if least := 2 * len(file) / importPart; parts < least {
		t.Errorf("%d parts, want at least %d", parts, least)
	}
	all := must(List(t.Context(), s.DB))(t)
	if len(all) != 2 || all[0].Status != Submitted || all[0].Pages != pages {
		t.Errorf("sessions in the end: %+v", all)
	}
}

// wait returns once as many urgent writes wait, and as many others.
func wait(t *testing.T, s *store.Store, urgent, others int) {
	for t.Context().Err() == nil {
		if u, o := s.Waiting(); u >= urgent && o >= others {
			return
		}
		runtime.Gosched()
	}
}

// TestDerivedWrites: only what is made again does not wait for the disk, also when such a write fails or is given up.
func TestDerivedWrites(t *testing.T) {
	s := open(t)
	level := func(q db.Queryer) (n int) {
		if err := q.QueryRowContext(context.WithoutCancel(t.Context()), "PRAGMA synchronous").Scan(&n); err != nil {
			t.Error(err)
		}
		return n
	}
	const normal, full = 1, 2
	wrong := errors.New("wrong")
	for _, c := range []struct {
		want error
		do   func(ctx context.Context, cancel func(), tx *sql.Tx) error
	}{
		{nil, func(context.Context, func(), *sql.Tx) error { return nil }},
		{wrong, func(context.Context, func(), *sql.Tx) error { return wrong }},
		{context.Canceled, func(ctx context.Context, cancel func(), tx *sql.Tx) error {
			cancel()
			_, err := tx.ExecContext(ctx, "DELETE FROM search_queue")
			return err
		}},
	} {
		ctx, cancel := context.WithCancel(t.Context())
		if err := s.WriteDerived(ctx, func(tx *sql.Tx) error {
			if n := level(tx); n != normal {
				t.Errorf("level %d in the transaction, want %d", n, normal)
			}
			return c.do(ctx, cancel, tx)
		}); !errors.Is(err, c.want) {
			t.Errorf("%v, want %v", err, c.want)
		}
		cancel()
		if n := level(s.Writer); n != full {
			t.Fatalf("level %d after %v, want %d", n, c.want, full)
		}
	}
	if err := s.Write(t.Context(), func(tx *sql.Tx) error {
		if n := level(tx); n != full {
			t.Errorf("level %d in another transaction, want %d", n, full)
		}
		return nil
	}); err != nil {
		t.Error(err)
	}
}
