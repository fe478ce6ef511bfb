package sessions

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"testing"

	"nightjar/daemon/browse/protocol"
	"nightjar/daemon/browse/session"
	"nightjar/daemon/db"
	"nightjar/daemon/store"
	"nightjar/model/webgraph"
)

// A session that has ended is counted anew when an event comes late that changes its pages or marks.
func TestLateEventsCount(t *testing.T) {
	s := open(t)
	m := maker(1)
	mustIngest(t, s, m.Start("Hockey"))
	var loads []string
	for i := range 5 {
		v := m.Visit(fmt.Sprintf("http://ice.test/%d", i), "", protocol.HowTyped, "")
		loads = append(loads, v.Page)
		mustIngest(t, s, v)
	}
	mark, unmark := m.Of(protocol.Useful, loads[1], ""), m.Of(protocol.NotUseful, loads[1], "")
	visit, password := m.Visit("http://ice.test/late", "", protocol.HowTyped, ""), m.Snapshot(loads[2], []byte("<input type=password>"))
	mustIngest(t, s, m.Of(protocol.Useful, loads[0], ""), m.Event(protocol.Submit))
	counts := func(pages, useful int) {
		t.Helper()
		got, err := ByUUID(t.Context(), s.DB, m.Session)
		if err != nil || got.Status != Submitted || got.Pages != pages || got.Useful != useful {
			t.Errorf("%+v, %v; want %d pages, %d Useful", got, err, pages, useful)
		}
		if _, err := s.Writer.Exec("UPDATE sessions SET pages = ?, useful = ?", got.Pages, got.Useful); err != nil { // as if just counted
			t.Fatal(err)
		}
	}
	counts(5, 1)
	mustIngest(t, s, mark)
	counts(5, 2)
	mustIngest(t, s, unmark)
	counts(5, 1)
	mustIngest(t, s, visit)
	counts(6, 1)
	if code := refusedAs(t, s, password); code != protocol.PasswordPage {
		t.Errorf("refused with %q", code)
	}
	counts(5, 1)
}

// mustBeFolded holds the tables visits, pages and marks, and the counts of sessions, against the sessions made of their
// events.
func mustBeFolded(t *testing.T, s *store.Store) {
	t.Helper()
	all := must(List(t.Context(), s.DB))(t)
	slices.SortFunc(all, func(a, b Session) int { return cmp.Compare(a.ID, b.ID) })
	var rows, marks []string
	pages := map[string]string{}  // URL -> last title
	hashes := map[string]string{} // URL -> last snapshot
	for _, one := range all {
		events := must(Events(t.Context(), s.DB, one.ID))(t)
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
func mustHave(t *testing.T, s *store.Store, table string, want []string, text string) {
	t.Helper()
	got := must(db.Query(t.Context(), s.Readers, db.ScanText, text))(t)
	slices.Sort(got)
	slices.Sort(want)
	if got, want := strings.Join(got, "\n"), strings.Join(slices.Compact(want), "\n"); got != want {
		t.Fatalf("%s hold\n%s\nwant\n%s", table, got, want)
	}
}
