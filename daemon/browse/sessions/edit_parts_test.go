package sessions

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"nightjar/daemon/browse/protocol"
	"nightjar/daemon/browse/session"
	"nightjar/daemon/browse/topics"
	"nightjar/daemon/db"
	"nightjar/daemon/db/dbtest"
	"nightjar/daemon/store"
)

// three makes a session of eight pages with a useful one in each half, and returns its page loads.
func three(t *testing.T, s *store.Store, seed uint64) (uuid string, loads []string, events []protocol.Event) {
	t.Helper()
	m := maker(seed)
	events = []protocol.Event{m.Start("Hockey")}
	for i := range 8 {
		from := ""
		if i > 0 {
			from = loads[i-1]
		}
		v := m.Visit(fmt.Sprintf("http://ice.test/%d/%d", seed, i), fmt.Sprint("page ", i), protocol.HowLink, from)
		loads = append(loads, v.Page)
		events = append(events, v, m.Snapshot(v.Page, fmt.Appendf(nil, "<title>page %d</title><a href=/%d/%d>next</a> secret%d", i, seed, i+1, i)))
	}
	events = append(events, m.Of(protocol.Useful, loads[1], ""), m.Of(protocol.Useful, loads[6], ""), m.Event(protocol.Submit))
	mustIngest(t, s, events...)
	return m.Session, loads, events
}

func TestSplitAndMerge(t *testing.T) {
	s := open(t)
	uuid, loads, events := three(t, s, 1)
	for _, load := range []string{loads[0], "01890a5d-ac96-774b-bcce-b302099a8057", ""} {
		if _, _, _, err := Split(t.Context(), s.DB, uuid, load, "", ""); !errors.Is(err, ErrSplitAt) {
			t.Errorf("split at %q: %v", load, err)
		}
	}
	made, change, topics, err := Split(t.Context(), s.DB, uuid, loads[4], "Curling", " The\nrest ")
	if err != nil || len(topics) != 2 || change == 0 {
		t.Fatalf("%v, %v", topics, err)
	}
	mustBe := func(uuid, topic, name, status string, pages, useful int) {
		t.Helper()
		one, err := ByUUID(t.Context(), s.DB, uuid)
		if err != nil || one.Topic != topic || one.Title != name || one.Status != status || one.Pages != pages || one.Useful != useful {
			t.Errorf("%+v, %v; want %q %q %s, %d pages, %d useful", one, err, topic, name, status, pages, useful)
		}
	}
	mustBe(uuid, "Hockey", "", Submitted, 4, 1) // the mark came later than the split, but its page before
	mustBe(made, "Curling", "The rest", Submitted, 4, 1)
	mustIngest(t, s, events...) // imported again
	mustBe(uuid, "Hockey", "", Submitted, 4, 1)

	// A part that cannot be trained by itself is open and says why, and can be merged.
	last, _, _, err := Split(t.Context(), s.DB, made, loads[7], "", "")
	if err != nil {
		t.Fatal(err)
	}
	mustBe(last, "Curling", "", Paused, 1, 0)
	if one, err := ByUUID(t.Context(), s.DB, last); err != nil || one.Problem == "" {
		t.Errorf("%+v, %v", one, err)
	}
	into, _, _, err := Merge(t.Context(), s.DB, []string{last, made, uuid})
	if err != nil || into != uuid {
		t.Fatalf("merged into %s, %v", into, err)
	}
	mustBe(uuid, "Hockey", "", Submitted, 8, 2)
	mustBeWhole(t, s)
	if code := refusedAs(t, s, start(made, events[0])); code != protocol.NoSession {
		t.Errorf("the merged session starts again: %q", code)
	}
	if _, err := Undo(t.Context(), s.DB, change); !errors.Is(err, store.ErrNotUndone) {
		t.Errorf("undone before what came later: %v", err)
	}
}

func start(uuid string, e protocol.Event) protocol.Event {
	e.Session, e.ID = uuid, protocol.NewID()
	return e
}

// A part that stays open because it cannot be trained can be merged and undone, though its browser is connected.
func TestEditPartsOfConnectedBrowser(t *testing.T) {
	s := open(t)
	uuid, loads, events := three(t, s, 1)
	must(s.Writer.Exec("INSERT INTO browsers (client, name, origin, key, paired_at) VALUES (?, 'b', 'o', x'00', 0)", events[0].Client))(t)
	before := rowsOf(t, s)
	made, change, _, err := Split(t.Context(), s.DB, uuid, loads[1], "", "")
	if err != nil {
		t.Fatal(err)
	}
	if one, err := ByUUID(t.Context(), s.DB, uuid); err != nil || one.Status != Paused {
		t.Fatalf("%+v, %v", one, err)
	}
	_, merge, _, err := Merge(t.Context(), s.DB, []string{uuid, made})
	if err != nil {
		t.Fatal(err)
	}
	for _, id := range []int64{merge, change} {
		must(Undo(t.Context(), s.DB, id))(t)
	}
	if after := rowsOf(t, s); after != before {
		t.Errorf("undone, the rows differ: %s", firstDifference(strings.Split(after, "\n"), strings.Split(before, "\n")))
	}
}

func TestNoEditWhileRecording(t *testing.T) {
	s := open(t)
	done, _, _ := three(t, s, 1)
	m := maker(7)
	begin := m.Start("Curling")
	v := m.Visit("http://ice.test/now", "", protocol.HowTyped, "")
	next := m.Visit("http://ice.test/next", "", protocol.HowTyped, "")
	mustIngest(t, s, begin, v, next)
	live := func(step string) {
		t.Helper()
		before := rowsOf(t, s)
		if _, _, _, err := Split(t.Context(), s.DB, m.Session, next.Page, "", ""); !errors.Is(err, ErrLive) {
			t.Errorf("%s: split: %v", step, err)
		}
		if _, _, _, err := Merge(t.Context(), s.DB, []string{m.Session, done}); !errors.Is(err, ErrLive) {
			t.Errorf("%s: merge: %v", step, err)
		}
		if rowsOf(t, s) != before {
			t.Errorf("%s: something changed", step)
		}
	}
	live("recording")
	topic := must(topics.ByName(t.Context(), s.DB, "Curling"))(t)
	if _, err := DeleteTopic(t.Context(), s.DB, topic.ID); !errors.Is(err, ErrLive) {
		t.Errorf("the topic of a session that is recording: %v", err)
	}
	must(s.Writer.Exec("INSERT INTO browsers (client, name, origin, key, paired_at) VALUES (?, 'b', 'o', x'00', 0)", m.Client))(t)
	mustIngest(t, s, m.Event(protocol.SessionPause))
	live("paused in a connected browser")
	if _, err := Name(t.Context(), s.DB, m.Session, "Named meanwhile"); err != nil {
		t.Error(err)
	}
	mustIngest(t, s, m.Event(protocol.Discard))
	if _, err := topics.ByID(t.Context(), s.DB, topic.ID); !errors.Is(err, db.ErrNotFound) {
		t.Errorf("the topic of a discarded session: %v", err)
	}
	if one, err := Newest(t.Context(), s.DB, m.Client); err != nil || one.Status != Discarded {
		t.Errorf("%+v, %v", one, err)
	}
	mustIngest(t, s, v) // it comes again
	mustBeWhole(t, s)
	grepFiles(t, s, "Named meanwhile")
}

func TestDeleteVisits(t *testing.T) {
	s := open(t)
	uuid, loads, events := three(t, s, 1)
	one := must(ByUUID(t.Context(), s.DB, uuid))(t)
	for _, url := range []string{"http://ice.test/1/0", "http://ice.test/1/2"} {
		dbtest.Exec(t, s.DB, "INSERT INTO starts (topic_id, url, source, ticked, created_at) VALUES (?, ?, 'proposed', 0, 1)", one.TopicID, url)
	}
	must(s.Writer.Exec(`INSERT INTO models (topic_id, version, bundle, facts, created_at) VALUES (?, 1, x'0102', ?, 0)`,
		one.TopicID, `{"sessions":["`+uuid+`"]}`))(t)
	for _, wrong := range [][]string{nil, {"01890a5d-ac96-774b-bcce-b302099a8057"}, {loads[0], "x"}} {
		if _, err := DeleteVisits(t.Context(), s.DB, uuid, wrong); !errors.Is(err, ErrNotInSession) {
			t.Errorf("%q: %v", wrong, err)
		}
	}
	topics, err := DeleteVisits(t.Context(), s.DB, uuid, []string{loads[0], loads[1]})
	if err != nil || !slices.Equal(topics, []int64{one.TopicID}) {
		t.Fatalf("%v, %v", topics, err)
	}
	mustIngest(t, s, events[0], events[1])
	for _, e := range events {
		must(ingest(t, s, e))(t)
	}
	mustBeWhole(t, s)
	for _, word := range []string{"page 0", "secret0", "page 1<", "ice.test/1/0"} {
		grepFiles(t, s, word)
	}
	if n := mustCount(t, s, "SELECT count(*) FROM starts"); n != 1 {
		t.Errorf("%d start pages", n)
	}
	if n := mustCount(t, s, "SELECT count(*) FROM models WHERE length(bundle) > 0"); n != 0 {
		t.Errorf("%d models are left", n)
	}
	must(DeleteVisits(t.Context(), s.DB, uuid, []string{loads[6]}))(t)
	if one, err = ByUUID(t.Context(), s.DB, uuid); err != nil || one.Status != Paused || one.Problem == "" || one.Pages != 5 {
		t.Errorf("without a useful page: %+v, %v", one, err)
	}
	mustBeWhole(t, s)
}

// Models that learned from a session are erased with what was split off it later, and with what it was merged into.
func TestEditedSessionsForgetModels(t *testing.T) {
	s := open(t)
	a, loads, _ := three(t, s, 1)
	b, _, _ := three(t, s, 2)
	topic := must(topics.ByName(t.Context(), s.DB, "Hockey"))(t)
	put := func(version int, uuid string) {
		t.Helper()
		must(s.Writer.Exec(`INSERT INTO models (topic_id, version, bundle, facts, created_at) VALUES (?, ?, x'0102', ?, 0)`,
			topic.ID, version, `{"sessions":["`+uuid+`"]}`))(t)
	}
	put(1, a)
	put(2, b)
	made, _, _, err := Split(t.Context(), s.DB, a, loads[4], "", "")
	if err != nil {
		t.Fatal(err)
	}
	if _, _, _, err := Merge(t.Context(), s.DB, []string{a, b}); err != nil {
		t.Fatal(err)
	}
	left := func(want int) {
		t.Helper()
		if n := mustCount(t, s, "SELECT count(*) FROM models WHERE length(bundle) > 0"); n != want {
			t.Errorf("%d models are left, want %d", n, want)
		}
	}
	left(2)
	gone := must(ByUUID(t.Context(), s.DB, made))(t)
	must(Delete(t.Context(), s.DB, gone.ID))(t)
	left(1)
	if gone, err = ByUUID(t.Context(), s.DB, a); err != nil {
		t.Fatal(err)
	}
	must(Delete(t.Context(), s.DB, gone.ID))(t)
	left(0)
}

// A name or topic that a person typed is kept in one line, and a session file with it can be read.
func TestHostileNames(t *testing.T) {
	s := open(t)
	uuid, _, _ := three(t, s, 1)
	for _, name := range []string{"\u202eright to left", "tab\tand\nline\x00 end", "<script>alert(1)</script>", "{{.}}", `"'` + "`", "\xff\xfe", strings.Repeat("ü", protocol.MaxTopic), "  "} {
		if _, err := Name(t.Context(), s.DB, uuid, name); err != nil {
			t.Errorf("name %q: %v", name, err)
		}
		if _, _, err := Move(t.Context(), s.DB, []string{uuid}, "x "+name); err != nil && !errors.Is(err, topics.ErrName) {
			t.Errorf("topic %q: %v", name, err)
		}
		one := must(ByUUID(t.Context(), s.DB, uuid))(t)
		events := must(Events(t.Context(), s.DB, one.ID))(t)
		if _, refused := session.AdmitAll(events); len(refused) > 0 {
			t.Errorf("%q: the session file is refused: %+v", name, refused[0])
		}
		if one.Name() == "" {
			t.Errorf("%q: no name", name)
		}
	}
	for _, long := range []string{strings.Repeat("x", 10_000), strings.Repeat("ü", protocol.MaxTopic+1)} {
		if _, err := Name(t.Context(), s.DB, uuid, long); !errors.Is(err, ErrSessionTitle) {
			t.Errorf("a name of %d bytes: %v", len(long), err)
		}
		if _, _, err := Move(t.Context(), s.DB, []string{uuid}, long); !errors.Is(err, topics.ErrName) {
			t.Errorf("a topic of %d bytes: %v", len(long), err)
		}
	}
}

// TestMoveAll: all sessions of a topic under a new name take its models, crawls and finds along. In a topic that is there,
// they leave them behind, where nothing crawls any more. Undone, all is as it was.
func TestMoveAll(t *testing.T) {
	s := open(t)
	a, _, _ := three(t, s, 1)
	b, _, _ := three(t, s, 2)
	hockey := must(topics.ByName(t.Context(), s.DB, "Hockey"))(t)
	for _, text := range []string{
		`INSERT INTO models (id, topic_id, version, bundle, facts, created_at) VALUES (1, ?, 1, x'00', '{"sessions": ["u"]}', 1)`,
		`INSERT INTO crawls (id, topic_id, model_id, strategy, options, status, created_at) VALUES (1, ?, 1, 'hmm', '{}', 'ended', 1)`,
		`INSERT INTO starts (topic_id, url, source, ticked, created_at) VALUES (?, 'http://ice.test/', 'added', 1, 1)`,
	} {
		must(s.Writer.Exec(text, hockey.ID))(t)
	}
	state := func() string {
		t.Helper()
		rows, err := db.Query(t.Context(), s.Readers, db.ScanText, `SELECT name || ': ' || (SELECT count(*) FROM sessions WHERE topic_id = t.id) || ' sessions, '
			|| (SELECT count(*) FROM models WHERE topic_id = t.id) || ' models, ' || (SELECT count(*) FROM crawls WHERE topic_id = t.id) || ' crawls' FROM topics t ORDER BY name`)
		ready, cerr := Keep.Startable(t.Context(), s)
		if err != nil || cerr != nil {
			t.Fatal(err, cerr)
		}
		return fmt.Sprint(strings.Join(rows, "; "), "; crawled: ", len(ready))
	}
	before := state()
	if before != "Hockey: 2 sessions, 1 models, 1 crawls; crawled: 1" {
		t.Fatal(before)
	}
	move := func(topic, want string, uuids ...string) {
		t.Helper()
		was := rowsOf(t, s)
		change, topics, err := Move(t.Context(), s.DB, uuids, topic)
		if err != nil || change == 0 || len(topics) == 0 {
			t.Fatal(change, topics, err)
		}
		if got := state(); got != want {
			t.Errorf("moved to %s: %s", topic, got)
		}
		mustBeWhole(t, s)
		must(Undo(t.Context(), s.DB, change))(t)
		if got := state(); got != before {
			t.Errorf("moved to %s and undone: %s", topic, got)
		}
		if now := rowsOf(t, s); now != was {
			t.Errorf("moved to %s and undone, the rows differ: %s", topic, firstDifference(strings.Split(now, "\n"), strings.Split(was, "\n")))
		}
	}
	move("Ice hockey", "Ice hockey: 2 sessions, 1 models, 1 crawls; crawled: 1", a, b)
	move("Ice hockey", "Hockey: 1 sessions, 1 models, 1 crawls; Ice hockey: 1 sessions, 0 models, 0 crawls; crawled: 1", b)
	m := maker(7)
	start := m.Start("Curling")
	mustIngest(t, s, start, m.Visit("http://stone.test/", "", protocol.HowTyped, ""), m.Event(protocol.SessionPause))
	before = state()
	was, _, err := Move(t.Context(), s.DB, []string{a, b}, "curling")
	if err != nil {
		t.Fatal(err)
	}
	if got := state(); got != "Curling: 3 sessions, 0 models, 0 crawls; Hockey: 0 sessions, 1 models, 1 crawls; crawled: 0" {
		t.Errorf("moved to a topic that is there: %s", got)
	}
	left, err := LeftTopics(t.Context(), s.DB, was)
	if err != nil || len(left) != 1 || left[0].ID != hockey.ID {
		t.Errorf("left behind: %+v, %v", left, err)
	}
	must(Undo(t.Context(), s.DB, was))(t)
	if got := state(); got != before {
		t.Errorf("undone: %s, before %s", got, before)
	}
	if left, err := LeftTopics(t.Context(), s.DB, was); err != nil || len(left) != 0 {
		t.Errorf("undone, left behind: %+v, %v", left, err)
	}
}
