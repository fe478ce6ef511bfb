package store

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"nightjar/daemon/protocol"
	"nightjar/daemon/session"
	"nightjar/model/webgraph"
)

// What the tables say of sessions is what package session makes of their events, whatever came in which order, was
// repeated, withheld, thrown away or erased.
func TestRowsAreWhatSessionsSay(t *testing.T) {
	t.Parallel()
	var visits, frames, withheld, iframes int
	for round := range 8 {
		s := open(t)
		rng := rand.New(rand.NewPCG(uint64(round), 11))
		makers := []uint64{uint64(3 * round), uint64(3*round + 1), uint64(3*round + 2)}
		var rest, discards []protocol.Event
		for _, seed := range makers {
			m := maker(seed)
			events := web(m, rng)
			mustIngest(t, s, events[0])
			rest = append(rest, events...)
			discards = append(discards, m.Event(protocol.Discard))
		}
		rng.Shuffle(len(rest), func(i, j int) { rest[i], rest[j] = rest[j], rest[i] })
		for len(rest) > 0 {
			n := min(1+rng.IntN(8), len(rest))
			if _, err := ingest(t, s, rest[:n]...); err != nil {
				t.Fatal(err)
			}
			if rest = rest[n:]; len(rest) == 0 || rng.IntN(4) == 0 {
				mustBeFolded(t, s)
			}
		}
		visits += mustCount(t, s, "SELECT count(*) FROM visits")
		frames += mustCount(t, s, "SELECT count(*) FROM visits WHERE how = 'frame'")
		iframes += mustCount(t, s, "SELECT count(*) FROM visits WHERE how = 'iframe' AND real_text = 1")
		withheld += mustCount(t, s, "SELECT count(*) FROM withheld")
		if _, err := s.EraseHost(t.Context(), []string{"old.test", "ad.test", "ice.test"}[rng.IntN(3)]); err != nil {
			t.Fatal(err)
		}
		mustBeFolded(t, s)
		mustIngest(t, s, discards[0])
		mustBeFolded(t, s)
		if _, err := s.DeleteSession(t.Context(), 2); err != nil {
			t.Fatal(err)
		}
		mustBeFolded(t, s)
		if err := s.Check(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if visits == 0 || frames == 0 || iframes == 0 || withheld == 0 {
		t.Errorf("%d visits, %d frames, %d iframes with real text, %d withheld: the test proves little", visits, frames, iframes, withheld)
	}
}

// mustBeFolded holds the tables visits, pages and marks, and the counts of sessions, against the sessions made of their
// events.
func mustBeFolded(t *testing.T, s *Store) {
	t.Helper()
	all, err := s.Sessions(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	slices.SortFunc(all, func(a, b Session) int { return cmp.Compare(a.ID, b.ID) })
	var rows, marks []string
	pages := map[string]string{}  // URL -> last title
	hashes := map[string]string{} // URL -> last snapshot
	for _, one := range all {
		events, err := s.SessionEvents(t.Context(), one.ID)
		if err != nil {
			t.Fatal(err)
		}
		folded, err := session.Fold(events)
		if err != nil || len(folded) != 1 {
			t.Fatalf("%d sessions, %v", len(folded), err)
		}
		last := lastSnapshots(t, events)
		visits := map[string]*session.Visit{}
		for _, v := range folded[0].Visits {
			visits[v.Load] = v
		}
		loads := folded[0].Loads()
		if len(visits) != len(loads) {
			t.Errorf("session %d: %d visits, %d loads: something should have been withheld", one.ID, len(visits), len(loads))
		}
		for _, l := range loads {
			v := visits[l.ID]
			rows = append(rows, fmt.Sprintf("%d %s %s %s %s %s %s %d %t", one.ID, l.ID, l.URL, l.Aliases, l.Title, cmp.Or(v.How, v.Kind),
				cmp.Or(v.From, v.Parent), v.Seq, webgraph.RealText(l.Text)))
			if l.Target {
				marks = append(marks, fmt.Sprintf("%d %s", one.ID, l.URL))
			}
			pages[l.URL] = cmp.Or(l.Title, pages[l.URL])
			hashes[l.URL] = cmp.Or(last[l.ID], hashes[l.URL])
		}
		targets := 0
		g := webgraph.Build(loads)
		for _, p := range g.Pages {
			if p.Target {
				targets++
			}
		}
		if one.Pages != len(g.Pages) || one.Useful != targets {
			t.Errorf("session %d: %d pages and %d Useful, its web graph has %d and %d", one.ID, one.Pages, one.Useful, len(g.Pages), targets)
		}
	}
	mustHave(t, s, "visits", rows, `SELECT v.session_id || ' ' || load || ' ' || url || ' [' || requested || '] ' || v.title || ' ' || how || ' ' || from_load
		|| ' ' || seq || ' ' || iif(real_text, 'true', 'false') FROM visits v JOIN pages p ON p.id = v.page_id`)
	mustHave(t, s, "marks", marks, "SELECT session_id || ' ' || url FROM marks m JOIN pages p ON p.id = m.page_id WHERE useful = 1")
	var kept []string
	for url, title := range pages {
		kept = append(kept, url+" "+title+" "+hashes[url])
	}
	mustHave(t, s, "pages", kept, "SELECT url || ' ' || title || ' ' || coalesce(hex(content_hash), '') FROM pages")
}

// lastSnapshots are the hashes of the last snapshots of page loads.
func lastSnapshots(t *testing.T, events []protocol.Event) map[string]string {
	t.Helper()
	last := map[string]string{}
	admitted, refused := session.AdmitAll(events)
	if len(refused) > 0 {
		t.Fatalf("refused %+v", refused)
	}
	for _, e := range admitted {
		if e.Type == protocol.Snapshot {
			last[e.Page] = fmt.Sprintf("%X", e.Hash)
		}
	}
	return last
}

// mustHave holds the rows of a table, as text, against what they should be.
func mustHave(t *testing.T, s *Store, table string, want []string, text string) {
	t.Helper()
	got, err := query(t.Context(), s.r, scanText, text)
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(got)
	slices.Sort(want)
	if got, want := strings.Join(got, "\n"), strings.Join(slices.Compact(want), "\n"); got != want {
		t.Fatalf("%s hold\n%s\nwant\n%s", table, got, want)
	}
}
