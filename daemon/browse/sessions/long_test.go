//go:build !race

package sessions

import (
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"nightjar/daemon/browse/protocol"
	"nightjar/daemon/browse/topics"
	"nightjar/daemon/db"
	"nightjar/daemon/db/dbtest"
	"nightjar/daemon/lab/effort"
	"nightjar/daemon/store"
	"nightjar/migrations"
)

// Tests of one goroutine that would take minutes under the race detector, which has nothing to see in them.

func TestEditsKeepSessionsWhole(t *testing.T) {
	t.Parallel()
	done := map[string]int{}
	for seed := range uint64(effort.Seeds()) {
		e := newEdited(t, seed)
		for n := range 12 {
			switch e.rng.IntN(8) {
			case 0:
				uuid, load := e.some(t)
				if _, err := DeleteVisits(t.Context(), e.DB, uuid, []string{load}); err != nil && load != "" {
					t.Fatal(err)
				}
				e.done["delete"]++
			case 1:
				if n := len(e.undos); n > 0 {
					if _, err := Undo(t.Context(), e.DB, e.undos[n-1]); err == nil {
						e.done["undo"]++
					} else if !errors.Is(err, store.ErrNotUndone) && !errors.Is(err, db.ErrNotFound) {
						t.Fatal(err)
					}
					e.undos = e.undos[:n-1]
				}
			default:
				e.edit(t)
			}
			if n%4 == 3 { // what is wrong stays so
				mustBeWhole(t, e.Store)
			}
		}
		for what, n := range e.done {
			done[what] += n
		}
		topics := must(topics.List(t.Context(), e.DB))(t)
		for _, topic := range topics {
			must(DeleteTopic(t.Context(), e.DB, topic.ID))(t)
		}
		for _, table := range []string{"topics", "sessions", "events", "visits", "pages", "contents", "marks", "changes"} {
			if n := mustCount(t, e.Store, "SELECT count(*) FROM "+table); n != 0 {
				t.Errorf("%d rows of %s are left after all topics were deleted", n, table)
			}
		}
	}
	for _, what := range []string{"name", "move", "split", "merge", "delete", "undo"} {
		if done[what] == 0 && effort.Thorough() {
			t.Errorf("%v: %s never happened, so the test proves little", done, what)
		}
	}
}

// Undone in reverse order, edits leave no trace.
func TestUndoEdits(t *testing.T) {
	t.Parallel()
	for seed := range uint64(effort.Seeds()) {
		e := newEdited(t, seed+100)
		before := rowsOf(t, e.Store)
		for range 8 {
			e.edit(t)
		}
		if len(e.undos) > 0 && rowsOf(t, e.Store) == before {
			t.Fatal("nothing changed, so the test proves nothing")
		}
		for _, id := range slices.Backward(e.undos) {
			must(Undo(t.Context(), e.DB, id))(t)
			if _, err := Undo(t.Context(), e.DB, id); !errors.Is(err, store.ErrNotUndone) && !errors.Is(err, db.ErrNotFound) {
				t.Errorf("undone twice: %v", err)
			}
		}
		mustBeWhole(t, e.Store)
		if after := rowsOf(t, e.Store); after != before {
			t.Fatalf("undone, the rows differ: %s", firstDifference(strings.Split(after, "\n"), strings.Split(before, "\n")))
		}
	}
}

// What the tables say of sessions is what package session makes of their events, whatever came in which order, was
// repeated, withheld, thrown away or erased.
func TestRowsAreWhatSessionsSay(t *testing.T) {
	t.Parallel()
	var visits, frames, withheld, iframes, submitted int
	for round := range effort.Seeds() {
		s := open(t)
		rng := rand.New(rand.NewPCG(uint64(round), 11))
		makers := []uint64{uint64(3 * round), uint64(3*round + 1), uint64(3*round + 2)}
		var rest, discards, submits []protocol.Event
		for _, seed := range makers {
			m := maker(seed)
			events := web(m, rng)
			mustIngest(t, s, events[0])
			rest = append(rest, events...)
			discards = append(discards, m.Event(protocol.Discard))
			submits = append(submits, m.Event(protocol.Submit))
		}
		rng.Shuffle(len(rest), func(i, j int) { rest[i], rest[j] = rest[j], rest[i] })
		for len(rest) > 0 {
			n := min(1+rng.IntN(8), len(rest))
			must(ingest(t, s, rest[:n]...))(t)
			if rest = rest[n:]; len(rest) == 0 || rng.IntN(4) == 0 {
				mustBeFolded(t, s)
			}
		}
		mustIngest(t, s, submits[1:]...)
		mustBeFolded(t, s)
		visits += mustCount(t, s, "SELECT count(*) FROM visits")
		frames += mustCount(t, s, "SELECT count(*) FROM visits WHERE how = 'frame'")
		iframes += mustCount(t, s, "SELECT count(*) FROM visits WHERE how = 'iframe' AND real_text = 1")
		submitted += mustCount(t, s, "SELECT count(*) FROM sessions WHERE status = 'submitted' AND pages IS NOT NULL")
		withheld += mustCount(t, s, "SELECT count(*) FROM withheld")
		must(Keep.EraseHost(t.Context(), s, []string{"old.test", "ad.test", "ice.test"}[rng.IntN(3)]))(t)
		mustBeFolded(t, s)
		mustIngest(t, s, discards[0])
		mustBeFolded(t, s)
		must(Delete(t.Context(), s.DB, 2))(t)
		mustBeFolded(t, s)
		ok(t, s.Check(t.Context()))
	}
	if effort.Thorough() && (visits == 0 || frames == 0 || iframes == 0 || withheld == 0 || submitted == 0) {
		t.Errorf("%d visits, %d frames, %d iframes with real text, %d withheld, %d sessions counted: the test proves little",
			visits, frames, iframes, withheld, submitted)
	}
}

// Whatever the order in which events arrive, in batches of whatever size and however often repeated, the tables made of
// them are the same: order is by client and seq. Only a session's start comes first, as the extension sends it. Events
// themselves are compared but for those of loads that are withheld: a snapshot that is refused is not kept, and whether
// one before it was refused too depends on which came first.
func TestAnyOrderGivesTheSameRows(t *testing.T) {
	t.Parallel()
	for round := range effort.Seeds() {
		rng := rand.New(rand.NewPCG(uint64(round), 7))
		a, b := web(maker(uint64(2*round)), rng), web(maker(uint64(2*round+1)), rng)
		inOrder := open(t)
		mustIngest(t, inOrder, a[0])
		mustIngest(t, inOrder, b[0])
		must(ingest(t, inOrder, append(slices.Clone(a), b...)...))(t)
		want := withoutWithheldEvents(dump(t, inOrder), inOrder, t)
		shuffled := open(t)
		mustIngest(t, shuffled, a[0])
		mustIngest(t, shuffled, b[0])
		rest := append(append(slices.Clone(a), b...), a...)
		rng.Shuffle(len(rest), func(i, j int) { rest[i], rest[j] = rest[j], rest[i] })
		for len(rest) > 0 {
			n := min(1+rng.IntN(8), len(rest))
			must(ingest(t, shuffled, rest[:n]...))(t)
			rest = rest[n:]
		}
		if got := withoutWithheldEvents(dump(t, shuffled), shuffled, t); got != want {
			t.Fatalf("round %d, shuffled against in order: %s", round, firstDifference(strings.Split(got, "\n"), strings.Split(want, "\n")))
		}
		ok(t, shuffled.Check(t.Context()))
	}
}

// TestUpdateKeepsRows: an update keeps every row of an earlier version, and its schema is then that of a new database. There are rows
// of the first version, of the one before the newest, and of those before the steps that change stored rows the most: 13 copies
// marks, gives each find its list and moves discarded sessions; 19 to 21 make hosts of contacts and of a setting, copy the contacts
// and hide topics of maps; 22 to 24 give each crawl a queue, and each topic the one that it goes on with.
func TestUpdateKeepsRows(t *testing.T) {
	steps, err := db.MigrationNames(migrations.Files)
	if err != nil || len(steps) < 2 {
		t.Fatalf("steps %q, %v", steps, err)
	}
	for _, version := range []int{1, 12, 18, 21, len(steps) - 1} {
		t.Run(fmt.Sprint(version), func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "nightjar.db")
			dbtest.OldVersion(t, path, "../../store/testdata", version)
			tables := columns(t, path)
			before := contents(t, path, tables)
			s := must(store.Open(t.Context(), path))(t)
			defer s.Close()
			if s.Copied() != path+".before-"+steps[version][:4] {
				t.Errorf("copied to %q", s.Copied())
			}
			if after := contents(t, path, updated(tables)); after != before {
				t.Errorf("after the update\n%s\nbefore\n%s", after, before)
			}
			if err := s.Check(t.Context()); err != nil {
				t.Error(err)
			}
			if _, err := os.Stat(filepath.Join("../../store/testdata", fmt.Sprintf("version%d.sql", version))); err != nil {
				t.Errorf("rows of version %d: %v", version, err)
			}
			if err := db.CheckSchema(t.Context(), s.Readers); err != nil {
				t.Error(err)
			}
		})
	}
}

// TestLeadsStayRight edits sessions at random, and compares what is kept with what is counted anew. The numbers of the
// sessions' pages stay the same meanwhile, so that only what the triggers and the mark see can tell.
func TestLeadsStayRight(t *testing.T) {
	kept, led := 0, 0
	for seed := range uint64(effort.Seeds()) {
		e := newEdited(t, seed)
		for range 15 {
			uuid, load := e.some(t)
			switch e.rng.IntN(6) {
			case 0:
				if _, err := DeleteVisits(t.Context(), e.DB, uuid, []string{load}); err != nil && load != "" {
					t.Fatal(err)
				}
			case 1:
				all, err := topics.List(t.Context(), e.DB)
				if err != nil || len(all) == 0 {
					t.Fatal(all, err)
				}
				if _, err := topics.Combine(t.Context(), e.DB, "Both", []int64{all[0].ID, all[len(all)-1].ID}); err != nil {
					t.Log(err) // one topic, or there is one already
				}
			default:
				e.edit(t)
			}
			setRows(t, e.Store, "UPDATE sessions SET pages = 3, useful = 1")
			before := mustCount(t, e.Store, "SELECT count(*) FROM leads")
			kept += before
			topics := must(topics.List(t.Context(), e.DB))(t)
			for _, topic := range topics {
				got := must(Keep.StartLeads(t.Context(), e.Store, topic.ID))(t)
				r := e.Reads(t.Context())
				want := Keep.CountLeads(r, topic.ID)
				if err := r.Err; err != nil || !maps.Equal(got, want) {
					t.Fatalf("topic %s: %v is kept, %v is right, %v", topic.Name, got, want, err)
				}
				led += len(want)
			}
			if n := mustCount(t, e.Store, "SELECT count(*) FROM leads"); n != len(topics) {
				t.Fatalf("%d of %d topics are kept", n, len(topics))
			}
			gone, err := db.Query(t.Context(), e.Readers, db.ScanText, "SELECT j.key FROM leads l, json_each(l.led) j WHERE j.key NOT IN (SELECT url FROM pages)")
			if err != nil || len(gone) > 0 {
				t.Fatalf("kept of erased pages: %q, %v", gone, err)
			}
		}
	}
	if kept == 0 || led == 0 {
		t.Errorf("%d were kept, %d pages led somewhere: the test proves nothing", kept, led)
	}
}
