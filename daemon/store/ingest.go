package store

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"nightjar/crawler/failpoint"
	"nightjar/daemon/protocol"
	"nightjar/daemon/session"
	"nightjar/daemon/settings"
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
func (s *Store) Ingest(ctx context.Context, events []session.Event) (Ingested, error) {
	if len(events) == 0 {
		return Ingested{}, nil
	}
	b := &batch{s: s, sessions: map[string]bool{}}
	err := b.store(ctx, slices.SortedStableFunc(slices.Values(events), func(x, y session.Event) int {
		return cmp.Or(strings.Compare(x.Client, y.Client), cmp.Compare(x.Seq, y.Seq))
	}))
	if err != nil {
		return Ingested{}, fmt.Errorf("ingest: %w", err)
	}
	b.Sessions = slices.Sorted(maps.Keys(b.sessions))
	if b.scrub {
		return b.Ingested, s.scrub(ctx)
	}
	return b.Ingested, nil
}

// batch is one call of Ingest.
type batch struct {
	Ingested
	s        *Store
	tx       quick
	never    []string
	sessions map[string]bool
	scrub    bool             // stored data was deleted
	last     map[string]int64 // number of the last Submit of a session; earlier ones do not end it
}

func (b *batch) store(ctx context.Context, events []session.Event) error {
	return b.s.writeFirst(ctx, func(tx quick) error {
		b.tx = tx
		all := settings.Default()
		if _, err := setting(ctx, tx, settingsKey, &all); err != nil {
			return err
		}
		b.never = all.NeverRecord
		return b.takeAll(ctx, events)
	})
}

func (b *batch) takeAll(ctx context.Context, events []session.Event) error {
	for _, e := range events {
		if err := b.take(ctx, &e); err != nil {
			return fmt.Errorf("event %s: %w", e.ID, err)
		}
		failpoint.Here("store.ingest.event")
	}
	return nil
}

func (b *batch) refuse(id string, code protocol.Code, message string) {
	b.Refused = append(b.Refused, session.Refusal{ID: id, Code: code, Message: message})
}
