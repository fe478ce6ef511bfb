package sessions

import (
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"nightjar/daemon/browse/protocol"
	"nightjar/daemon/browse/session/sessiontest"
	"nightjar/daemon/browse/topics"
	"nightjar/daemon/db"
	"nightjar/daemon/db/dbtest"
	"nightjar/daemon/db/plans"
	"nightjar/daemon/store"
)

// university makes a session with pages /0, /1, /2 of a site, which is not submitted, and returns the loads.
func university(tb testing.TB, s *store.Store, topic string, n uint64) (t topics.Topic, m *sessiontest.Maker, loads []string) {
	tb.Helper()
	m = maker(n)
	events := []protocol.Event{m.Start(topic)}
	for i := range 3 {
		v := m.Visit(fmt.Sprintf("http://uni%d.test/%d", n, i), "", protocol.HowTyped, "")
		events, loads = append(events, v, m.Snapshot(v.Page, fmt.Appendf(nil, "<p>text %d %d", n, i))), append(loads, v.Page)
	}
	mustIngest(tb, s, append(events, m.Of(protocol.Useful, loads[0], ""))...)
	t, err := topics.ByName(tb.Context(), s.DB, topic)
	if err != nil {
		tb.Fatal(err)
	}
	s.Now = func() time.Time { // the dashboard is used in turn with the browser
		m.Now = m.Now.Add(time.Second)
		return m.Now
	}
	return t, m, loads
}

func called(m *sessiontest.Maker, load, name string) protocol.Event {
	e := m.Of(protocol.Label, load, "")
	e.Name = name
	return e
}

func mustBeNamed(t *testing.T, s *store.Store, topic topics.Topic, want map[string]string) {
	t.Helper()
	got, err := topics.NamesOfPages(t.Context(), s.DB, topic.ID)
	if err != nil || !maps.Equal(got.Pages, want) {
		t.Errorf("%s: names %v, %v; want %v", topic.Name, got.Pages, err, want)
	}
	counts := map[string]int{}
	for _, name := range want {
		counts[name]++
	}
	var names []string
	for _, n := range got.Names {
		names = append(names, strings.ToLower(n.Name))
		if counts[n.Name] != n.Pages {
			t.Errorf("%+v, want %d pages", n, counts[n.Name])
		}
	}
	if len(names) != len(counts) || !slices.IsSorted(names) {
		t.Errorf("names %q, want %v sorted", names, counts)
	}
}

// What was said last counts, in the browser or in the dashboard.
func TestMilestonesInOrderOfTime(t *testing.T) {
	s := open(t)
	ctx := t.Context()
	topic, m, loads := university(t, s, "Courses", 1)
	const a, b, c = "http://uni1.test/0", "http://uni1.test/1", "http://uni1.test/2"
	mustBeNamed(t, s, topic, map[string]string{})
	late := called(m, loads[2], "faculty") // in the queue of a browser
	mustIngest(t, s, called(m, loads[0], "Department"), called(m, loads[1], "faculty"))
	mustBeNamed(t, s, topic, map[string]string{a: "Department", b: "faculty"})
	ok(t, topics.NamePage(ctx, s.DB, topic.ID, a, " my  department "))
	if pages, merged, err := topics.RenameMilestone(ctx, s.DB, topic.ID, "FACULTY", "Staff"); pages != 1 || merged || err != nil {
		t.Errorf("renamed %d, %v, %v", pages, merged, err)
	}
	mustBeNamed(t, s, topic, map[string]string{a: "my department", b: "Staff"})
	mustIngest(t, s, late) // said before the name was changed
	mustBeNamed(t, s, topic, map[string]string{a: "my department", b: "Staff", c: "Staff"})
	mustIngest(t, s, called(m, loads[0], "Department"), called(m, loads[2], ""))
	mustBeNamed(t, s, topic, map[string]string{a: "Department", b: "Staff"})
	if pages, merged, err := topics.RenameMilestone(ctx, s.DB, topic.ID, "department", "staff"); pages != 1 || !merged || err != nil {
		t.Errorf("merged %d, %v, %v", pages, merged, err)
	}
	mustBeNamed(t, s, topic, map[string]string{a: "Staff", b: "Staff"})
	if pages, err := topics.DeleteMilestone(ctx, s.DB, topic.ID, "staff"); pages != 2 || err != nil {
		t.Errorf("deleted %d, %v", pages, err)
	}
	mustBeNamed(t, s, topic, map[string]string{})
	if err := s.Check(ctx); err != nil {
		t.Error(err)
	}
}

// Everything that was done in the dashboard can be undone, one after another.
func TestUndoMilestones(t *testing.T) {
	s := open(t)
	ctx := t.Context()
	other, _, _ := university(t, s, "Other", 2)
	topic, m, loads := university(t, s, "Courses", 1)
	mustIngest(t, s, called(m, loads[0], "Department"), called(m, loads[1], "faculty"))
	states := []map[string]string{}
	for _, do := range []func() error{
		func() error { return topics.NamePage(ctx, s.DB, topic.ID, "http://uni1.test/2", "Course") },
		func() error {
			_, _, err := topics.RenameMilestone(ctx, s.DB, topic.ID, "faculty", "course")
			return err
		},
		func() error { _, err := topics.DeleteMilestone(ctx, s.DB, topic.ID, "Course"); return err },
		func() error { return topics.NamePage(ctx, s.DB, topic.ID, "http://uni1.test/0", "") },
	} {
		now, err := topics.NamesOfPages(ctx, s.DB, topic.ID)
		states = append(states, now.Pages)
		ok(t, errors.Join(err, do()))
	}
	mustBeNamed(t, s, topic, map[string]string{})
	want := []topics.MilestoneAction{{Action: topics.MilestoneGiven}, {Action: topics.MilestoneDeleted, Name: "Course", Changed: 2},
		{Action: topics.MilestoneRenamed, Name: "faculty", NewName: "course", Changed: 1}, {Action: topics.MilestoneGiven, Name: "Course"}}
	for i, state := range slices.Backward(states) {
		now, err := topics.NamesOfPages(ctx, s.DB, topic.ID)
		if err != nil || now.Last == nil {
			t.Fatalf("%+v, %v", now, err)
		}
		last := *now.Last
		id := last.ID
		got := topics.MilestoneAction{Action: last.Action, Name: last.Name, NewName: last.NewName, Changed: last.Changed}
		if got != want[len(states)-1-i] {
			t.Errorf("the last action is %+v, want %+v", got, want[len(states)-1-i])
		}
		if err := topics.UndoMilestones(ctx, s.DB, other.ID, id); !errors.Is(err, topics.ErrNotLast) {
			t.Errorf("undone in another topic: %v", err)
		}
		ok(t, topics.UndoMilestones(ctx, s.DB, topic.ID, id))
		mustBeNamed(t, s, topic, state)
		if err := topics.UndoMilestones(ctx, s.DB, topic.ID, id); !errors.Is(err, topics.ErrNotLast) {
			t.Errorf("undone twice: %v", err)
		}
	}
	if now, err := topics.NamesOfPages(ctx, s.DB, topic.ID); err != nil || now.Last != nil {
		t.Errorf("there is more to undo: %+v, %v", now.Last, err)
	}
}

func TestMilestonesRefused(t *testing.T) {
	s := open(t)
	ctx := t.Context()
	other, _, _ := university(t, s, "Other", 2)
	topic, m, loads := university(t, s, "Courses", 1)
	mustIngest(t, s, called(m, loads[0], "faculty"))
	name := func(url, name string) error { return topics.NamePage(ctx, s.DB, topic.ID, url, name) }
	rename := func(name, to string) error {
		_, _, err := topics.RenameMilestone(ctx, s.DB, topic.ID, name, to)
		return err
	}
	for text, c := range map[string]struct{ got, want error }{
		"of another topic":   {topics.NamePage(ctx, s.DB, other.ID, "http://uni1.test/0", "x"), db.ErrNotFound},
		"never visited":      {name("http://uni1.test/9", "x"), db.ErrNotFound},
		"reserved":           {name("http://uni1.test/0", "GOAL"), protocol.ErrNameTaken},
		"blank":              {name("http://uni1.test/0", " "), protocol.ErrNoName},
		"to a reserved name": {rename("faculty", "pre-x"), protocol.ErrNameTaken},
		"to nothing":         {rename("faculty", ""), protocol.ErrNoName},
		"to itself":          {rename("faculty", " faculty"), topics.ErrSameName},
		"of no page":         {rename("staff", "x"), topics.ErrNoMilestone},
		"long":               {rename("faculty", strings.Repeat("x", 101)), protocol.ErrLongName},
	} {
		if !errors.Is(c.got, c.want) {
			t.Errorf("%s: %v, want %v", text, c.got, c.want)
		}
	}
	if _, err := topics.DeleteMilestone(ctx, s.DB, other.ID, "faculty"); !errors.Is(err, topics.ErrNoMilestone) {
		t.Errorf("deleted in another topic: %v", err)
	}
	if code := refusedAs(t, s, called(m, loads[0], "T3")); code != protocol.BadField {
		t.Errorf("a browser's reserved name: %q", code)
	}
	mustBeNamed(t, s, topic, map[string]string{"http://uni1.test/0": "faculty"})
	if n := mustCount(t, s, "SELECT count(*) FROM milestones"); n != 0 {
		t.Errorf("%d actions are stored", n)
	}
}

// A training learns from the names of pages in submitted sessions, and a change of them makes its model stale.
func TestMilestonesAreKnown(t *testing.T) {
	s := open(t)
	ctx := t.Context()
	topic, m, loads := university(t, s, "Courses", 1)
	known := func() string {
		t.Helper()
		_, names, err := Keep.Known(ctx, s, topic.ID)
		ok(t, err)
		return names
	}
	mustIngest(t, s, called(m, loads[0], "faculty"))
	ok(t, topics.NamePage(ctx, s.DB, topic.ID, "http://uni1.test/1", "staff"))
	if names, err := topics.Milestones(ctx, s.DB, topic.ID); err != nil || len(names) != 0 || known() != "" {
		t.Errorf("of a session that is not submitted: %v, %v", names, err)
	}
	mustIngest(t, s, m.Visit("http://uni1.test/3", "", protocol.HowTyped, ""), m.Event(protocol.Submit))
	names, err := topics.Milestones(ctx, s.DB, topic.ID)
	if want := map[string]string{"http://uni1.test/0": "faculty", "http://uni1.test/1": "staff"}; err != nil || !maps.Equal(names, want) {
		t.Errorf("%v, %v; want %v", names, err, want)
	}
	before := known()
	if before == "" {
		t.Fatal("the names are not known")
	}
	if _, _, err := topics.RenameMilestone(ctx, s.DB, topic.ID, "faculty", "Faculty"); err != nil {
		t.Fatal(err)
	}
	if known() == before {
		t.Error("a renamed milestone is not seen")
	}
	all, err := topics.NamesOfPages(ctx, s.DB, topic.ID)
	if err := errors.Join(err, topics.UndoMilestones(ctx, s.DB, topic.ID, all.Last.ID)); err != nil || known() != before {
		t.Errorf("after undoing it the names are others: %v", err)
	}
}

// A combined topic has its members' milestones, and what is done with them there stays there.
func TestMilestonesOfCombinedTopics(t *testing.T) {
	s := open(t)
	ctx := t.Context()
	a, ma, la := university(t, s, "A", 1)
	b, mb, lb := university(t, s, "B", 2)
	s.Now = func() time.Time { return ma.Now.Add(time.Hour) }
	mustIngest(t, s, called(ma, la[0], "x"), called(mb, lb[0], "x"), called(mb, lb[1], "y"))
	both := must(topics.Combine(ctx, s.DB, "Both", []int64{a.ID, b.ID}))(t)
	const pa, pb, pc = "http://uni1.test/0", "http://uni2.test/0", "http://uni2.test/1"
	mustBeNamed(t, s, both, map[string]string{pa: "x", pb: "x", pc: "y"})
	if _, _, err := topics.RenameMilestone(ctx, s.DB, both.ID, "x", "z"); err != nil {
		t.Fatal(err)
	}
	ok(t, topics.NamePage(ctx, s.DB, both.ID, pc, "z"))
	mustBeNamed(t, s, both, map[string]string{pa: "z", pb: "z", pc: "z"})
	mustBeNamed(t, s, a, map[string]string{pa: "x"})
	mustBeNamed(t, s, b, map[string]string{pb: "x", pc: "y"})
	must(topics.DeleteMilestone(ctx, s.DB, b.ID, "x"))(t)
	mustBeNamed(t, s, b, map[string]string{pc: "y"})
	mustBeNamed(t, s, both, map[string]string{pa: "z", pb: "z", pc: "z"}) // renamed before it was deleted
	ok(t, topics.Dissolve(ctx, s.DB, both.ID))
	if n := mustCount(t, s, "SELECT count(*) FROM milestones"); n != 1 {
		t.Errorf("%d actions are left, want that of a member", n)
	}
}

// Erasing takes with it what the person did with the names of the erased pages.
func TestEraseMilestones(t *testing.T) {
	for _, c := range []struct {
		name  string
		erase func(s *store.Store, id int64) error
	}{
		{"session", func(s *store.Store, id int64) error { _, err := Delete(t.Context(), s.DB, id); return err }},
		{"host", func(s *store.Store, id int64) error {
			_, err := Keep.EraseHost(t.Context(), s, "uni1.test")
			return err
		}},
		{"everything", func(s *store.Store, id int64) error { return Keep.EraseAll(t.Context(), s) }},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, ctx := open(t), t.Context()
			topic, m, loads := university(t, s, "Courses", 1)
			_, stays, others := university(t, s, "Courses", 2)
			s.Now = func() time.Time { stays.Now = stays.Now.Add(time.Hour); return stays.Now }
			mustIngest(t, s, called(m, loads[0], "canary one"), called(stays, others[0], "staff"))
			_, _, err1 := topics.RenameMilestone(ctx, s.DB, topic.ID, "canary one", "canary two")
			err2 := topics.NamePage(ctx, s.DB, topic.ID, "http://uni1.test/1", "canary three")
			_, err3 := topics.DeleteMilestone(ctx, s.DB, topic.ID, "canary three")
			_, _, err4 := topics.RenameMilestone(ctx, s.DB, topic.ID, "staff", "people")
			_, _, err5 := topics.RenameMilestone(ctx, s.DB, topic.ID, "canary two", "canary four")
			now, err6 := topics.NamesOfPages(ctx, s.DB, topic.ID)
			err7 := topics.UndoMilestones(ctx, s.DB, topic.ID, now.Last.ID)
			one, err8 := ByUUID(ctx, s.DB, m.Session)
			ok(t, errors.Join(err1, err2, err3, err4, err5, err6, err7, err8))
			ok(t, c.erase(s, one.ID))
			grepFiles(t, s, "canary")
			want := 1
			if c.name == "everything" {
				want = 0
			} else {
				mustBeNamed(t, s, topic, map[string]string{"http://uni2.test/0": "people"})
			}
			if n := mustCount(t, s, "SELECT count(*) FROM milestones"); n != want {
				t.Errorf("%d actions are left, want %d", n, want)
			}
			if err := s.Check(ctx); err != nil {
				t.Error(err)
			}
		})
	}
}

// Names that were given before there was something that reads them count.
func TestUpdateReadsLabels(t *testing.T) {
	path := filepath.Join(t.TempDir(), "nightjar.db")
	dbtest.OldVersion(t, path, "../../store/testdata", 1)
	s := must(store.Open(t.Context(), path))(t)
	defer s.Close()
	names, err := topics.Milestones(t.Context(), s.DB, 1)
	if want := map[string]string{"http://ice.test/": "Department"}; err != nil || !reflect.DeepEqual(names, want) {
		t.Errorf("%v, %v; want %v", names, err, want)
	}
}

// Reading milestones reads no whole table: Known is asked whenever a training may be due.
func TestMilestonesScanNoTable(t *testing.T) {
	s, all := record(t)
	topic, m, loads := university(t, s, "Courses", 1)
	mustIngest(t, s, called(m, loads[0], "faculty"))
	clear(all)
	ok(t, topics.NamePage(t.Context(), s.DB, topic.ID, "http://uni1.test/1", "staff"))
	must(topics.NamesOfPages(t.Context(), s.DB, topic.ID))(t)
	must(topics.Milestones(t.Context(), s.DB, topic.ID))(t)
	if len(all) < 4 {
		t.Fatalf("%d statements ran: the test proves little", len(all))
	}
	plans.NoFullScans(t, s.Readers, all)
}
