package doctor_test

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"testing"
	"time"

	"nightjar/daemon/app/wings"
	"nightjar/daemon/browse/protocol"
	"nightjar/daemon/browse/session"
	"nightjar/daemon/browse/session/sessiontest"
	"nightjar/daemon/browse/sessions"
	"nightjar/daemon/keep/backup"
	"nightjar/daemon/keep/doctor"
	"nightjar/daemon/keep/safekeeping"
	"nightjar/daemon/morning/search"
	"nightjar/daemon/store"
)

// searched is a store that is searched, indexed and checked by turns.
type searched struct {
	t     *testing.T
	o     doctor.Options
	maker *sessiontest.Maker
	index *search.Indexer
	keep  *safekeeping.Keeper
	hurt  []string // what was called damage
	n     int      // visits
}

func newSearched(t *testing.T) *searched {
	s := &searched{t: t, o: well(t), maker: sessiontest.NewMaker(1, noon.AddDate(0, 0, -1))}
	hurt := func(faults []string) { s.hurt = append(s.hurt, faults...) }
	s.o.Hurt, s.o.Limit = hurt, -1
	s.index = search.NewIndexer(s.o.Store, slog.New(slog.DiscardHandler))
	s.keep = safekeeping.NewKeeper(&safekeeping.Keeper{Store: s.o.Store, Dir: s.o.Data, Version: "test", Log: slog.New(slog.DiscardHandler),
		Now: func() time.Time { return noon.Add(time.Duration(s.n) * time.Hour) }, Free: func(context.Context) int64 { return -1 }, Hurt: hurt, Verifiers: wings.Verifiers})
	s.ingest(s.maker.Start("Hockey"))
	return s
}

func (s *searched) ingest(events ...protocol.Event) {
	s.t.Helper()
	admitted, refused := session.AdmitAll(events)
	in, err := sessions.Ingest(s.t.Context(), s.o.Store, admitted)
	if err != nil || len(refused)+len(in.Refused) > 0 {
		s.t.Fatal(err, refused, in.Refused)
	}
}

// visit indexes a page, most of the time one that was indexed before and has other words now.
func (s *searched) visit() {
	s.t.Helper()
	v := s.maker.Visit(fmt.Sprintf("http://ice.test/%d", s.n%7), "Ice", protocol.HowLink, "")
	s.ingest(v, s.maker.Snapshot(v.Page, fmt.Appendf(nil, "<title>Ice</title><p>skates %d rink%d stone%d", s.n, s.n%5, s.n*s.n)))
	s.n++
	if _, err := s.index.Step(s.t.Context()); err != nil {
		s.t.Fatal(err)
	}
}

func (s *searched) search() {
	s.t.Helper()
	if hits, _, err := search.Hits(s.t.Context(), s.o.Store.DB, search.Filter{Text: "skates"}); err != nil || len(hits) == 0 && s.n > 0 {
		s.t.Fatal(hits, err)
	}
}

func (s *searched) merge() {
	s.t.Helper()
	if done, err := store.MergeSearch(s.t.Context(), s.o.Store.DB, time.Minute); err != nil || !done {
		s.t.Fatal(done, err)
	}
}

// backUp makes both kinds of backups.
func (s *searched) backUp() error {
	if _, err := s.keep.Make(s.t.Context()); err != nil {
		return err
	}
	return backup.Write(s.t.Context(), new(bytes.Buffer), s.o.Store, backup.Options{Program: "test", Now: noon})
}

// TestCheckAfterSearch searches, merges and checks a hundred times: no check of a sound database calls it damaged, whatever its
// connections searched before others changed the index.
func TestCheckAfterSearch(t *testing.T) {
	s := newSearched(t)
	checks := []struct {
		name string
		run  func() error
	}{
		{"Check", func() error { return s.o.Store.Check(t.Context()) }},
		{"QuickCheck", func() error {
			if faults, err := s.o.Store.QuickCheck(t.Context()); err != nil || len(faults) > 0 {
				return fmt.Errorf("%q, %w", faults, err)
			}
			return nil
		}},
		{"doctor", func() error {
			if r := doctor.Examine(t.Context(), s.o, []doctor.Row{{Check: doctor.Database}}); r.Count(doctor.Good) != 1 {
				return fmt.Errorf("%+v", r)
			}
			return nil
		}},
	}
	for round := range 100 {
		s.search()
		s.visit()
		if round%2 == 0 {
			s.merge()
		}
		c := checks[round%len(checks)]
		if err := c.run(); err != nil {
			t.Fatalf("round %d: %s: %v", round, c.name, err)
		}
		if round%25 == 24 {
			s.search()
			s.visit()
			if err := s.backUp(); err != nil {
				t.Fatalf("round %d: back up: %v", round, err)
			}
		}
	}
	if len(s.hurt) > 0 {
		t.Errorf("called damaged: %q", s.hurt)
	}
}
