package session

import (
	"maps"
	"slices"
	"testing"

	"nightjar/daemon/browse/protocol"
)

// label is a label event for a page load; name "" takes the name back.
func label(m interface {
	Of(t protocol.Type, load, from string) protocol.Event
}, load, name string) protocol.Event {
	e := m.Of(protocol.Label, load, "")
	e.Name = name
	return e
}

func TestMilestoneOfVisits(t *testing.T) {
	m := maker(1)
	start := m.Start("Courses")
	a := m.Visit("http://uni.test/cs", "", protocol.HowTyped, "")
	again := m.Visit("http://uni.test/cs#people", "", protocol.HowLink, a.Page)
	b := m.Visit("http://uni.test/b", "", protocol.HowLink, a.Page)
	c := m.Visit("http://uni.test/c", "", protocol.HowLink, a.Page)
	events := []protocol.Event{start, a, again, b, c,
		label(m, a.Page, "Depart"), label(m, again.Page, "Department"), // the last one counts, whichever load it names
		label(m, b.Page, "faculty"), label(m, b.Page, ""), // taken back
		label(m, c.Page, "department"), label(m, c.Page, "goal"), // the case of the first; a reserved name is ignored
		label(m, m.UUID(), "nowhere"),
	}
	early := label(m, b.Page, "too early")
	early.Seq, events[7].Seq = events[7].Seq, early.Seq // taken back, then given
	r := mustFold(t, append(events, early)...)
	var got []string
	for _, v := range r.Visits {
		got = append(got, v.Milestone)
	}
	if want := []string{"Department", "Department", "faculty", "Department"}; !slices.Equal(got, want) {
		t.Errorf("milestones %q, want %q", got, want)
	}
}

func TestNamed(t *testing.T) {
	old, young := maker(1), maker(2)
	young.Now = old.Now.Add(60_000_000_000)
	a, b := old.Visit("http://uni.test/", "", protocol.HowTyped, ""), young.Visit("http://uni.test/", "", protocol.HowTyped, "")
	events := []protocol.Event{young.Start("x"), b, label(young, b.Page, "new"), old.Start("x"), a, label(old, a.Page, "old")}
	all, err := Fold(events)
	if err != nil {
		t.Fatal(err)
	}
	if got := Named(all); !maps.Equal(got, map[string]string{"http://uni.test/": "new"}) {
		t.Errorf("%v: the later name counts, whatever the order of the sessions", got)
	}
	if got := Named(nil); len(got) != 0 {
		t.Error(got)
	}
}

func TestMilestones(t *testing.T) {
	const whole, part, other = 1, 2, 3
	for _, c := range []struct {
		name string
		say  func(m *Milestones)
		want map[string]string
	}{
		{"a name that differs in case only is spelled like the first", func(m *Milestones) {
			m.Name(part, "a", "Faculty")
			m.Name(part, "b", "FACULTY")
		}, map[string]string{"a": "Faculty", "b": "Faculty"}},
		{"when no page has it, the next spelling counts", func(m *Milestones) {
			m.Name(part, "a", "Faculty")
			m.Name(part, "a", "")
			m.Name(part, "a", "FACULTY")
		}, map[string]string{"a": "FACULTY"}},
		{"renaming changes the case", func(m *Milestones) {
			m.Name(part, "a", "faculty")
			m.Name(part, "b", "faculty")
			m.Rename(part, "FACULTY", "Faculty")
		}, map[string]string{"a": "Faculty", "b": "Faculty"}},
		{"renaming to another name merges, in its spelling", func(m *Milestones) {
			m.Name(part, "a", "Staff")
			m.Name(part, "b", "faculty")
			m.Rename(part, "faculty", "STAFF")
		}, map[string]string{"a": "Staff", "b": "Staff"}},
		{"a name that is given after it was renamed is a new one", func(m *Milestones) {
			m.Name(part, "a", "faculty")
			m.Rename(part, "faculty", "staff")
			m.Name(part, "b", "faculty")
		}, map[string]string{"a": "staff", "b": "faculty"}},
		{"a member acts on its own pages alone", func(m *Milestones) {
			m.Name(part, "a", "x")
			m.Name(other, "b", "x")
			m.Rename(part, "x", "y")
			m.Delete(other, "y")
		}, map[string]string{"a": "y", "b": "x"}},
		{"the whole acts on all", func(m *Milestones) {
			m.Name(part, "a", "x")
			m.Name(other, "b", "x")
			m.Name(other, "c", "z")
			m.Rename(whole, "x", "y")
			m.Name(whole, "c", "")
		}, map[string]string{"a": "y", "b": "y"}},
		{"of two members' names the last counts, and then the other", func(m *Milestones) {
			m.Name(other, "a", "first")
			m.Name(part, "a", "last")
			m.Name(other, "b", "first")
			m.Name(part, "b", "last")
			m.Name(part, "b", "")
		}, map[string]string{"a": "last", "b": "first"}},
		{"deleted", func(m *Milestones) {
			m.Name(part, "a", "x")
			m.Name(part, "b", "y")
			m.Delete(part, "X")
		}, map[string]string{"b": "y"}},
	} {
		m := NewMilestones(whole)
		c.say(m)
		if got := m.Pages(); !maps.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
	m := NewMilestones(whole)
	m.Name(whole, "a", "x")
	if n := m.Rename(whole, "nothing", "y"); n != 0 {
		t.Errorf("renamed %d pages that there are not", n)
	}
	if n := m.Delete(whole, "X"); n != 1 {
		t.Errorf("deleted %d, want 1", n)
	}
}
