package store

import (
	"context"
	"fmt"
	"iter"

	"nightjar/crawler/failpoint"
	"nightjar/daemon/protocol"
	"nightjar/daemon/session"
)

// Import stores the events of a session file in one transaction: all of them, or on any error none. They come in order of
// client and seq. Events that are stored already change nothing. What the person does not want to have stored is left out
// (see LeftOut) and listed in Refused; any other refusal is an error, a *protocol.Invalid. last has the number of the last
// Submit of a session: an earlier one did not end it, since it went on.
func (s *Store) Import(ctx context.Context, events iter.Seq2[session.Event, error], last map[string]int64) (Ingested, error) {
	all, err := s.Settings(ctx)
	if err != nil {
		return Ingested{}, fmt.Errorf("import: %w", err)
	}
	b := s.newBatch(nil)
	b.never, b.last = all.NeverRecord, last
	err = s.commit(ctx, func(w *work) {
		b.work = w
		for e, err := range events {
			if err != nil {
				w.fail(err)
			}
			if b.importOne(e); w.err != nil {
				return
			}
			failpoint.Here("store.import.event")
		}
		w.fail(ctx.Err())
	})
	if err != nil {
		return Ingested{}, err
	}
	return b.end(ctx)
}

func (b *batch) importOne(e session.Event) {
	refused := len(b.Refused)
	b.take(&e)
	if len(b.Refused) == refused {
		return
	}
	if r := b.Refused[refused]; !LeftOut(r.Code) {
		b.fail(&protocol.Invalid{ID: r.ID, Code: r.Code, Message: r.Message})
	}
}

// LeftOut reports whether an event that is refused with this code is one that the person does not want to have stored: of a
// page that is never recorded, or that was deleted.
func LeftOut(code protocol.Code) bool {
	return code == protocol.NeverRecord || code == protocol.PasswordPage || code == protocol.Erased
}
