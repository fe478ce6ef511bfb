package sessions

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"iter"

	"nightjar/crawler/failpoint"
	"nightjar/daemon/browse/protocol"
	"nightjar/daemon/browse/session"
	"nightjar/daemon/db"
	"nightjar/daemon/store"
	"nightjar/model"
)

// An import of any size is one thing to a person, and must not keep a browser waiting. So it is done like the queue of a browser:
//
//  1. Its events are checked. Nothing is written.
//  2. They are stored in import_events, in parts. A process that ends here leaves rows that the next one deletes.
//  3. The setting importKey is stored: from now on the events take effect, whatever happens.
//  4. They take effect as those of browsers do, in parts. The sessions that they begin have importing = 1, and only what writes sees
//     such a session, see readers.
//  5. The last part deletes the setting and shows the sessions.
//
// A session that was stored before gets more events part by part, as from a browser. One import goes on at a time.

// ImportKey is the setting that says that all events of an import are in import_events. Its value are the numbers of the last
// Submits of its sessions.
const ImportKey = "import"

// Limits of a part. It ends sooner when events of browsers wait.
const (
	importPart  = 64      // events
	importBytes = 1 << 20 // beyond the first event
)

// ErrImportLater says that an import was interrupted after it was decided. FinishImport does the rest.
var ErrImportLater = errors.New("the import was interrupted; Nightjar imports the rest of the file as soon as it can")

// errImportErased says that there is nothing left of an import.
var errImportErased = errors.New("everything was erased while the file was being imported")

// Import stores the events of a session file: all of them, or on any error but ErrImportLater none. They come in order of
// client and seq, as often as they are asked for. Events that are stored already change nothing. What the person does not want
// to have stored is left out (see LeftOut) and listed in Refused; any other refusal is an error, a *protocol.Invalid. last has the
// number of the last Submit of a session: an earlier one did not end it, since it went on.
func Import(ctx context.Context, s *store.Store, events iter.Seq2[session.Event, error], last map[string]int64) (Ingested, error) {
	s.Importing.Lock()
	defer s.Importing.Unlock()
	before, err := finishImport(ctx, s) // of a process that ended
	if err != nil {
		return Ingested{}, fmt.Errorf("finish an earlier import: %w", err)
	}
	checked, err := checkImport(ctx, s, events, last)
	if err != nil || len(checked.Acked) == 0 {
		return checked, err
	}
	if err := stageImport(ctx, s, events, last); err != nil {
		return Ingested{}, errors.Join(err, dropImport(context.WithoutCancel(ctx), s.DB))
	}
	in, err := finishImport(ctx, s)
	in.Submitted = db.Distinct(append(in.Submitted, before.Submitted...))
	return in, err
}

// FinishImport finishes an import that was decided when a process ended, and deletes what is left of one that was not. It
// reports whether there was one to finish.
func FinishImport(ctx context.Context, s *store.Store) (did bool, err error) {
	s.Importing.Lock()
	defer s.Importing.Unlock()
	did, err = s.Setting(ctx, ImportKey, &map[string]int64{})
	if err == nil {
		_, err = finishImport(ctx, s)
	}
	return did, db.Wrap(err, "finish an import")
}

// checkImport reports what would become of the events of an import, and writes nothing.
func checkImport(ctx context.Context, s *store.Store, events iter.Seq2[session.Event, error], last map[string]int64) (Ingested, error) {
	b := newBatch(s.DB, s.Reads(context.WithoutCancel(ctx))) // otherwise each statement starts a goroutine
	b.listen = s.Listen
	b.foreseen, b.last = map[string]openSession{}, last
	b.readNever()
	for e, err := range events {
		b.Fail(err)
		b.Fail(ctx.Err())
		b.foreseeOpen(&e, events)
		refused := len(b.Refused)
		b.take(&e)
		if len(b.Refused) > refused {
			if r := b.Refused[refused]; !LeftOut(r.Code) {
				b.Fail(&protocol.Invalid{ID: r.ID, Code: r.Code, Message: r.Message})
			}
		}
		if b.Err != nil {
			return Ingested{}, b.Err
		}
	}
	return b.Ingested, nil
}

// foreseeOpen notes that a session goes on when its Submit in the file will not end it, since there was too little to learn from.
func (b *batch) foreseeOpen(e *session.Event, events iter.Seq2[session.Event, error]) {
	s := b.foreseen[e.Session]
	if b.Err != nil || s.status != Submitted || !s.endedSeq.Valid || e.Seq <= s.endedSeq.Int64 {
		return
	}
	var until []protocol.Event
	real, submitted := map[string]bool{}, false
	for old, err := range events {
		b.Fail(err)
		switch {
		case old.Session != e.Session || old.Seq > s.endedSeq.Int64:
		case old.Type == protocol.Snapshot:
			real[old.Page] = old.Shown.RealText
		default:
			until = append(until, old.Event)
			submitted = submitted || old.Type == protocol.Submit && old.Seq == s.endedSeq.Int64
		}
	}
	all, err := session.Fold(until)
	if b.Err != nil || err != nil || !submitted {
		return
	}
	var visits []session.Visit
	for _, one := range all {
		for _, v := range one.Visits {
			v.RealText = real[v.Load]
			visits = append(visits, *v)
		}
	}
	pages, useful := session.Count(visits)
	if model.Trainable(useful, pages-useful) != nil {
		s.status, s.endedSeq = Recording, sql.NullInt64{}
		b.foreseen[e.Session] = s
	}
}

// stageImport stores the events of an import, and then that it is decided.
func stageImport(ctx context.Context, s *store.Store, events iter.Seq2[session.Event, error], last map[string]int64) error {
	next, stop := iter.Pull2(events)
	defer stop()
	staged := int64(0)
	for more := true; more; {
		err := s.Commit(ctx, func(w *db.Work) {
			for n, size := 0, 0; more && w.Err == nil && partGoesOn(s.DB, n, size); n++ {
				var e session.Event
				var text []byte
				var err error
				if e, err, more = next(); more && err == nil {
					text, err = e.Pack()
					staged += w.Change(`INSERT INTO import_events (event) VALUES (?)`, text)
				}
				w.Fail(err)
				size += len(text)
				failpoint.Here("store.import.staged")
			}
			if !more && db.Value[int64](w, `SELECT coalesce(max(id), 0) FROM import_events`) != staged {
				w.Fail(errImportErased)
			} else if !more {
				store.PutSetting(w, ImportKey, last)
			}
		})
		if err != nil {
			return err
		}
	}
	failpoint.Here("store.import.decided")
	return nil
}

// partGoesOn reports whether a part of an import that has some events already takes another one.
func partGoesOn(d *db.DB, events, bytes int) bool {
	return events == 0 || events < importPart && bytes < importBytes && !d.Hurry()
}

// finishImport does what FinishImport does, and returns what became of the events.
func finishImport(ctx context.Context, s *store.Store) (Ingested, error) {
	b := newBatch(s.DB, nil)
	b.listen = s.Listen
	decided, err := s.Setting(ctx, ImportKey, &b.last)
	if err != nil {
		return Ingested{}, err
	}
	if !decided {
		return Ingested{}, dropImport(ctx, s.DB)
	}
	b.importing = true
	whole := context.WithoutCancel(ctx)
	for more := true; more && err == nil; {
		if err = ctx.Err(); err == nil {
			err = s.Commit(whole, func(w *db.Work) { more = b.takeStaged(w) })
		}
	}
	if err != nil && !errors.Is(err, errImportErased) {
		err = fmt.Errorf("%w: %w", ErrImportLater, err)
	}
	if err != nil {
		return Ingested{}, err
	}
	b.Submitted = db.Distinct(b.Submitted)
	return b.end(whole)
}

// takeStaged takes the next events of an import, and reports whether there are more.
func (b *batch) takeStaged(w *db.Work) (more bool) {
	b.Work = w
	b.readNever()
	for n, size := 0, 0; partGoesOn(b.d, n, size); n++ {
		var id int64
		var text []byte
		if !b.Row(`SELECT id, event FROM import_events ORDER BY id LIMIT 1`).Find(&id, &text) {
			b.showImported()
			return false
		}
		e, err := session.Unpack(text)
		b.Fail(err)
		b.take(&e)
		b.Exec(`DELETE FROM import_events WHERE id = ?`, id)
		size += len(text)
		failpoint.Here("store.import.event")
	}
	return true
}

// showImported ends an import, all of whose events took effect.
func (b *batch) showImported() {
	if b.Change(`DELETE FROM settings WHERE key = ?`, ImportKey) == 0 {
		b.Fail(errImportErased)
	}
	b.Submitted = append(b.Submitted, db.List(b.Work, db.ScanID, `SELECT DISTINCT topic_id FROM sessions WHERE importing = 1 AND status = 'submitted'`)...)
	b.Exec(`UPDATE sessions SET importing = 0 WHERE importing = 1`)
}

// dropImport deletes the events of an import that was not decided.
func dropImport(ctx context.Context, d *db.DB) error {
	for {
		n, err := d.Change(ctx, `DELETE FROM import_events WHERE id IN (SELECT id FROM import_events LIMIT ?)`, importPart)
		if err != nil || n == 0 {
			return err
		}
	}
}

// LeftOut reports whether an event that is refused with this code is one that the person does not want to have stored: of a
// page that is never recorded, or that was deleted.
func LeftOut(code protocol.Code) bool {
	return code == protocol.NeverRecord || code == protocol.PasswordPage || code == protocol.Erased
}
