package sessions

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"nightjar/daemon/browse/protocol"
	"nightjar/daemon/db"
	"nightjar/daemon/store"
)

// rowsOf lists what there is of sessions, without what only keeps erased page loads away.
func rowsOf(t *testing.T, s *store.Store) string {
	t.Helper()
	var out strings.Builder
	for _, text := range []string{
		`SELECT s.uuid || ' ' || t.name || ' ' || s.title || ' ' || s.client || ' ' || s.status || ' ' || s.started_at || ' ' || coalesce(s.ended_at, '')
			|| ' ' || coalesce(s.ended_seq, '') || ' ' || s.problem FROM sessions s JOIN topics t ON t.id = s.topic_id`,
		"SELECT name FROM topics",
		`SELECT e.id || ' ' || s.uuid || ' ' || e.client || ' ' || e.seq || ' ' || e.at || ' ' || e.type || ' ' || e.page || ' ' || e.body || ' ' || coalesce(hex(e.content_hash), '')
			|| e.shown FROM events e JOIN sessions s ON s.id = e.session_id WHERE e.page NOT IN (SELECT load FROM withheld)`,
		"SELECT hex(hash) FROM contents",
		"SELECT url || ' ' || title || ' ' || coalesce(hex(content_hash), '') FROM pages",
		`SELECT load || ' ' || s.uuid || ' ' || p.url || ' ' || v.requested || ' ' || v.title || ' ' || how || ' ' || from_load || ' ' || seq || ' ' || real_text
			FROM visits v JOIN sessions s ON s.id = v.session_id JOIN pages p ON p.id = v.page_id`,
		"SELECT s.uuid || ' ' || p.url || ' ' || m.useful FROM marks m JOIN sessions s ON s.id = m.session_id JOIN pages p ON p.id = m.page_id",
	} {
		rows := must(db.Query(t.Context(), s.Readers, db.ScanText, text+" ORDER BY 1"))(t)
		out.WriteString(strings.Join(rows, "\n") + "\n\n")
	}
	return out.String()
}

// mustBeWhole holds the invariants of edited sessions: the rows are what the events say, nothing is left over, and the
// exported sessions make the same rows elsewhere.
func mustBeWhole(t *testing.T, s *store.Store) {
	t.Helper()
	mustBeFolded(t, s)
	ok(t, s.Check(t.Context()))
	for what, text := range map[string]string{
		"topics without a session":     "SELECT name FROM topics WHERE id NOT IN (SELECT topic_id FROM sessions)",
		"contents of nothing":          "SELECT hex(hash) FROM contents WHERE hash NOT IN (SELECT content_hash FROM events WHERE content_hash IS NOT NULL)",
		"pages without a visit":        "SELECT url FROM pages WHERE id NOT IN (SELECT page_id FROM visits)",
		"visits without an event":      "SELECT load FROM visits WHERE load NOT IN (SELECT page FROM events)",
		"visits in another session":    "SELECT load FROM visits v JOIN events e ON e.page = v.load WHERE e.session_id <> v.session_id",
		"withheld in another session":  "SELECT w.load FROM withheld w JOIN events e ON e.page = w.load WHERE e.session_id <> w.session_id",
		"sessions that are recording":  "SELECT uuid FROM sessions WHERE status = 'recording'",
		"sessions without one start":   "SELECT uuid FROM sessions s WHERE 1 <> (SELECT count(*) FROM events WHERE session_id = s.id AND type = 'session.start')",
		"sessions with several ends":   "SELECT uuid FROM sessions s WHERE 1 < (SELECT count(*) FROM events WHERE session_id = s.id AND type = 'submit')",
		"envelopes that are not their": "SELECT e.id FROM events e JOIN sessions s ON s.id = e.session_id WHERE e.body ->> 'session' <> s.uuid OR e.body ->> 'client' <> e.client OR e.client <> s.client OR e.body ->> 'seq' <> e.seq",
	} {
		rows := must(db.Query(t.Context(), s.Readers, db.ScanText, text))(t)
		if len(rows) > 0 {
			t.Fatalf("%s: %q", what, rows)
		}
	}
	all := must(List(t.Context(), s.DB))(t)
	other := open(t)
	slices.Reverse(all) // by id, as they were stored
	for _, one := range all {
		events := must(Events(t.Context(), s.DB, one.ID))(t)
		mustIngest(t, other, events...)
	}
	if got, want := rowsOf(t, other), rowsOf(t, s); got != want {
		t.Fatalf("the exported sessions make other rows: %s", firstDifference(strings.Split(got, "\n"), strings.Split(want, "\n")))
	}
}

// edited is a store with submitted sessions of several browsers, and the source of randomness for editing them.
type edited struct {
	*store.Store
	rng   *rand.Rand
	done  map[string]int
	undos []int64
}

func newEdited(t *testing.T, seed uint64) *edited {
	e := &edited{Store: open(t), rng: rand.New(rand.NewPCG(seed, 14)), done: map[string]int{}}
	for i := range uint64(3) {
		m := maker(3*seed + i)
		events := web(m, e.rng)
		var loads []string
		for j := range 5 {
			v := m.Visit(fmt.Sprintf("http://ice.test/%d/%d", i, j%4), "", protocol.HowLink, events[len(events)-1].Page)
			loads = append(loads, v.Page)
			events = append(events, v, m.Snapshot(v.Page, fmt.Appendf(nil, "<title>%d</title><a href=/x>x</a>", j)))
		}
		events = append(events, m.Of(protocol.Useful, loads[0], ""), m.Of(protocol.Back, loads[1], loads[4]), m.Of(protocol.Useful, loads[3], ""))
		must(ingest(t, e.Store, append(events, m.Event(protocol.Submit))...))(t)
	}
	return e
}

// some returns a session and one of its visits, at random.
func (e *edited) some(t *testing.T) (uuid, load string) {
	t.Helper()
	all, err := List(t.Context(), e.DB)
	if err != nil || len(all) == 0 {
		t.Fatalf("%d sessions, %v", len(all), err)
	}
	one := all[e.rng.IntN(len(all))]
	loads := must(db.Query(t.Context(), e.Readers, db.ScanText, "SELECT load FROM visits WHERE session_id = ? ORDER BY seq", one.ID))(t)
	if len(loads) > 0 {
		load = loads[e.rng.IntN(len(loads))]
	}
	return one.UUID, load
}

// edit does one thing at random that can be undone.
func (e *edited) edit(t *testing.T) {
	t.Helper()
	uuid, load := e.some(t)
	var change int64
	var err error
	what := []string{"name", "move", "split", "merge"}[e.rng.IntN(4)]
	switch what {
	case "name":
		change, err = Name(t.Context(), e.DB, uuid, []string{"", "Finals\u202e of\x00 2026", "Ligue 1 😀"}[e.rng.IntN(3)])
	case "move":
		change, _, err = Move(t.Context(), e.DB, []string{uuid}, []string{"Hockey", "Curling", "<script>alert(1)</script>"}[e.rng.IntN(3)])
	case "split":
		_, change, _, err = Split(t.Context(), e.DB, uuid, load, []string{"", "Curling"}[e.rng.IntN(2)], "the rest")
		if errors.Is(err, ErrSplitAt) {
			return
		}
	case "merge":
		other, _ := e.some(t)
		_, change, _, err = Merge(t.Context(), e.DB, []string{uuid, other})
		if errors.Is(err, ErrOneSession) {
			return
		}
	}
	if err != nil {
		t.Fatalf("%s: %v", what, err)
	}
	if change != 0 {
		e.done[what]++
		e.undos = append(e.undos, change)
	}
}
