package store

import (
	"context"
	"database/sql"
	"fmt"
	"iter"
	"maps"
	"slices"

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
	b := &batch{s: s, sessions: map[string]bool{}, never: all.NeverRecord, last: last}
	err = s.write(ctx, func(tx *sql.Tx) error {
		b.tx = quick{Tx: tx}
		for e, err := range events {
			if err != nil {
				return err
			}
			if err := b.importOne(ctx, e); err != nil {
				return err
			}
			failpoint.Here("store.import.event")
		}
		return ctx.Err()
	})
	if err != nil {
		return Ingested{}, err
	}
	b.Sessions = slices.Sorted(maps.Keys(b.sessions))
	if b.scrub {
		err = s.scrub(ctx)
	}
	return b.Ingested, err
}

func (b *batch) importOne(ctx context.Context, e session.Event) error {
	refused := len(b.Refused)
	if err := b.take(ctx, &e); err != nil {
		return err
	}
	if len(b.Refused) == refused {
		return nil
	}
	if r := b.Refused[refused]; !LeftOut(r.Code) {
		return &protocol.Invalid{ID: r.ID, Code: r.Code, Message: r.Message}
	}
	return nil
}

// LeftOut reports whether an event that is refused with this code is one that the person does not want to have stored: of a
// page that is never recorded, or that was deleted.
func LeftOut(code protocol.Code) bool {
	return code == protocol.NeverRecord || code == protocol.PasswordPage || code == protocol.Erased
}
