package sessions

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"nightjar/crawler/failpoint"
	"nightjar/daemon/browse/protocol"
	"nightjar/daemon/browse/session"
	"nightjar/daemon/db"
	"nightjar/daemon/store"
)

// Ingested is what became of a batch of events.
type Ingested struct {
	Acked     []string // ids of events that are stored now
	Known     int      // how many of them were stored before, or are of a discarded session
	Refused   []session.Refusal
	Submitted []int64  // topics of sessions that were submitted with this batch and can be trained
	Sessions  []string // UUIDs of sessions with new events
}

// Ingest stores admitted events in one transaction, in order of client and seq whatever order they are handed in, and
// brings the visits, pages and marks that package session makes of them up to date. It is idempotent: an event whose id
// is stored is acked and changes nothing. Apart from the start and the end of a session, events may arrive in any order
// and the rows come out the same. On an error nothing was stored.
func Ingest(ctx context.Context, s *store.Store, events []session.Event) (Ingested, error) {
	if len(events) == 0 {
		return Ingested{}, nil
	}
	inOrder := slices.SortedStableFunc(slices.Values(events), func(x, y session.Event) int {
		return cmp.Or(strings.Compare(x.Client, y.Client), cmp.Compare(x.Seq, y.Seq))
	})
	b := newBatch(s.DB, nil)
	b.listen = s.Listen
	if err := s.CommitUrgent(ctx, func(w *db.Work) { b.takeAll(w, inOrder) }); err != nil {
		return Ingested{}, fmt.Errorf("ingest: %w", err)
	}
	return b.end(ctx)
}

// batch is one call of Ingest, or an import.
type batch struct {
	Ingested
	*db.Work  // the transaction
	d         *db.DB
	listen    string // as in store.Options
	never     []string
	sessions  map[string]bool
	scrub     bool                   // stored data was deleted
	last      map[string]int64       // number of the Submit that ends a session; earlier ones do not
	importing bool                   // sessions that begin are those of an import
	foreseen  map[string]openSession // nil, or the batch writes nothing: its sessions as they would be, by UUID
}

// newBatch returns a batch of events in a transaction.
func newBatch(d *db.DB, w *db.Work) *batch {
	return &batch{Work: w, d: d, sessions: map[string]bool{}}
}

// takeAll stores events, which come in order.
func (b *batch) takeAll(w *db.Work, events []session.Event) {
	b.Work = w
	b.readNever()
	for _, e := range events {
		if b.take(&e); b.Err != nil {
			b.Err = fmt.Errorf("event %s: %w", e.ID, b.Err)
			return
		}
		failpoint.Here("store.ingest.event")
	}
}

// readNever reads the never-record list.
func (b *batch) readNever() {
	b.never = store.ReadSettings(b.Work).NeverRecord
}

// end returns what became of a batch that was committed.
func (b *batch) end(ctx context.Context) (in Ingested, err error) {
	b.Sessions = slices.Sorted(maps.Keys(b.sessions))
	if b.scrub {
		err = b.d.ScrubSoon(ctx)
	}
	return b.Ingested, err
}

func (b *batch) refuse(id string, code protocol.Code, message string) {
	b.Refused = append(b.Refused, session.Refusal{ID: id, Code: code, Message: message})
}
