package sessions

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"nightjar/daemon/browse/protocol"
	"nightjar/daemon/browse/session/sessiontest"
	"nightjar/daemon/lab/effort"
	"nightjar/daemon/store"
	"nightjar/daemon/store/storetest"
)

// pair is a session that two browsers record together.
type pair struct {
	a, b           *sessiontest.Maker
	startA, startB protocol.Event
}

func newPair(t *testing.T, s *store.Store) *pair {
	t.Helper()
	p := &pair{a: maker(1), b: maker(2)}
	for i, m := range []*sessiontest.Maker{p.a, p.b} {
		storetest.Change(t, s, `INSERT INTO browsers (client, name, origin, key, paired_at) VALUES (?, ?, ?, zeroblob(32), 1)`,
			m.Client, []string{"Chromium", "Firefox"}[i], fmt.Sprintf("x://%d", i))
	}
	p.startA, p.startB = p.a.Start("Hockey"), p.b.Start("Hockey")
	p.startB.Joins = p.startA.Session
	return p
}

// pages are visits of pages on ice.test; those whose name begins with "!" are marked Useful.
func pages(m *sessiontest.Maker, names ...string) (events []protocol.Event) {
	for _, name := range names {
		path, useful := strings.CutPrefix(name, "!")
		v := m.Visit("http://ice.test/"+path, path, protocol.HowTyped, "")
		events = append(events, v, m.Snapshot(v.Page, []byte("<p>ice and words of "+path)))
		if useful {
			events = append(events, m.Of(protocol.Useful, v.Page, ""))
		}
	}
	return events
}

// sessionLines writes out the sessions as a person sees them.
func sessionLines(t *testing.T, s *store.Store) string {
	t.Helper()
	all := must(List(t.Context(), s.DB))(t)
	parts, err := Before(t.Context(), s.DB, 0, 0, 10)
	if err != nil || len(parts) != len(all) {
		t.Fatalf("%d sessions in parts, %d in all, %v", len(parts), len(all), err)
	}
	var lines []string
	for _, one := range all {
		lines = append(lines, fmt.Sprintf("%s %s %d/%d %v%s", one.Topic, one.Status, one.Pages, one.Useful, one.Browsers(), one.Problem))
	}
	return strings.Join(lines, "; ")
}

func mustList(t *testing.T, s *store.Store, want string) {
	t.Helper()
	if got := sessionLines(t, s); got != want {
		t.Fatalf("the sessions are %q, want %q", got, want)
	}
}

// Two browsers: one line with the counts of both; neither could be trained alone, and one Submit ends both.
func TestTwoBrowsersOneSession(t *testing.T) {
	t.Parallel()
	s := open(t)
	p := newPair(t, s)
	mustIngest(t, s, append([]protocol.Event{p.startA}, pages(p.a, "!goal", "way")...)...)
	elsewhere, err := OpenElsewhere(t.Context(), s.DB, p.b.Client, 5)
	if err != nil || len(elsewhere) != 1 || elsewhere[0].Key() != p.a.Session || elsewhere[0].Browser != "Chromium" || elsewhere[0].Pages != 2 {
		t.Fatalf("open elsewhere: %+v, %v", elsewhere, err)
	}
	mustIngest(t, s, append([]protocol.Event{p.startB}, pages(p.b, "way", "b1", "b2")...)...)
	mustList(t, s, "Hockey recording 4/1 [Chromium Firefox]")
	mustIngest(t, s, p.a.Event(protocol.SessionPause))
	mustList(t, s, "Hockey recording 4/1 [Chromium Firefox]")
	if of, err := ByUUID(t.Context(), s.DB, p.a.Session); err != nil || of.Status != Paused {
		t.Errorf("the part of the first browser is %s, %v", of.Status, err)
	}

	in, err := ingest(t, s, p.a.Event(protocol.Submit))
	if err != nil || len(in.Submitted) != 1 {
		t.Fatalf("submitted %v, %v", in.Submitted, err)
	}
	mustList(t, s, "Hockey submitted 4/1 [Chromium Firefox]")
	if got := asked(t, s); got != "false true" {
		t.Errorf("who is asked to submit: %s", got)
	}
	late := append([]protocol.Event{p.b.Event(protocol.SessionPause)}, pages(p.b, "late")...)
	if in, err = ingest(t, s, late...); err != nil || len(in.Acked) != len(late) || len(in.Submitted) == 0 {
		t.Errorf("late events: %+v, %v", in, err)
	}
	if in, err = ingest(t, s, p.b.Event(protocol.Submit)); err != nil || len(in.Acked) != 1 || len(in.Submitted) != 0 {
		t.Errorf("the other submit: %+v, %v", in, err)
	}
	mustList(t, s, "Hockey submitted 5/1 [Chromium Firefox]")
	if got := asked(t, s); got != "false false" {
		t.Errorf("who is asked to submit: %s", got)
	}
	if code := refusedAs(t, s, p.b.Event(protocol.SessionPause)); code != protocol.SessionEnded {
		t.Errorf("after its submit: %q", code)
	}

	ok(t, Reopen(t.Context(), s.DB, 2, "no text"))
	mustList(t, s, "Hockey recording 5/1 [Chromium Firefox]no text")
	mustIngest(t, s, p.b.Event(protocol.Submit))
	mustList(t, s, "Hockey submitted 5/1 [Chromium Firefox]")
}

// asked says of each session whether its browser is asked to submit its part.
func asked(t *testing.T, s *store.Store) string {
	t.Helper()
	all := must(read(t.Context(), s.DB, "ORDER BY s.id"))(t)
	var words []string
	for _, one := range all {
		words = append(words, fmt.Sprint(one.Asked))
	}
	return strings.Join(words, " ")
}

func TestTogetherLacks(t *testing.T) {
	t.Parallel()
	s := open(t)
	p := newPair(t, s)
	mustIngest(t, s, append([]protocol.Event{p.startA}, pages(p.a, "!goal")...)...)
	mustIngest(t, s, append([]protocol.Event{p.startB}, pages(p.b, "b1")...)...)
	mustIngest(t, s, p.b.Event(protocol.Submit))
	one, err := ByUUID(t.Context(), s.DB, p.a.Session)
	if err != nil || one.Status != Recording || one.Problem == "" {
		t.Errorf("the other browser is not told what is missing: %+v, %v", one, err)
	}
	mustIngest(t, s, pages(p.a, "a1", "a2")...)
	mustList(t, s, "Hockey recording 4/1 [Chromium Firefox]")
}

// Discard of one part leaves the other; Discard of the whole leaves nothing, and what the other browser still sends is
// acknowledged.
func TestDiscardTogether(t *testing.T) {
	t.Parallel()
	for _, whole := range []bool{false, true} {
		s := open(t)
		p := newPair(t, s)
		mustIngest(t, s, append([]protocol.Event{p.startA}, pages(p.a, "!goal", "way")...)...)
		mustIngest(t, s, append([]protocol.Event{p.startB}, pages(p.b, "b1", "b2")...)...)
		discard := p.a.Event(protocol.Discard)
		discard.Whole = whole
		mustIngest(t, s, discard, discard)
		if whole {
			mustList(t, s, "")
			mustIngest(t, s, pages(p.b, "late")...)
			mustList(t, s, "")
			if of, err := Newest(t.Context(), s.DB, p.b.Client); err != nil || of.Status != Discarded {
				t.Errorf("the other browser hears %+v, %v", of, err)
			}
			grepFiles(t, s, "ice and words")
			continue
		}
		mustList(t, s, "Hockey recording 2/0 []")
		mustIngest(t, s, pages(p.b, "!b3", "b4")...)
		mustIngest(t, s, p.b.Event(protocol.Submit))
		mustList(t, s, "Hockey submitted 4/1 []")
	}
}

// A part that was discarded in its browser before the other one's Submit arrived goes, and the topic is learned again.
func TestDiscardAfterSubmitElsewhere(t *testing.T) {
	t.Parallel()
	s := open(t)
	p := newPair(t, s)
	mustIngest(t, s, append([]protocol.Event{p.startA}, pages(p.a, "!goal", "a1", "a2", "a3")...)...)
	mustIngest(t, s, append([]protocol.Event{p.startB}, pages(p.b, "secret")...)...)
	mustIngest(t, s, p.a.Event(protocol.Submit))
	must(s.Writer.Exec(`INSERT INTO models (topic_id, version, bundle, facts, created_at) VALUES (1, 1, x'4e4a', json_object('sessions', json_array(?, ?)), 1)`,
		p.a.Session, p.b.Session))(t)
	in, err := ingest(t, s, p.b.Event(protocol.Discard))
	if err != nil || len(in.Submitted) != 1 {
		t.Fatalf("%+v, %v", in, err)
	}
	mustList(t, s, "Hockey submitted 4/1 []")
	grepFiles(t, s, "words of secret")
}

// Whatever arrives first, the whole is the same: a part that names another one which is yet to come, or which names a third.
func TestPartsInAnyOrder(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(5, 17))
	first, second, third := maker(1), maker(2), maker(3)
	streams := make([][]protocol.Event, 3)
	for i, m := range []*sessiontest.Maker{first, second, third} {
		start := m.Start("Hockey")
		switch i {
		case 1:
			start.Joins = first.Session
		case 2:
			start.Joins = second.Session
		}
		streams[i] = append([]protocol.Event{start}, pages(m, fmt.Sprintf("!%d", i), "way", fmt.Sprintf("x%d", i))...)
		streams[i] = append(streams[i], m.Event(protocol.Submit))
	}
	want := ""
	for round := range 1 + 2*effort.Seeds() { // the first in order
		s := open(t)
		left := [][]protocol.Event{streams[0], streams[1], streams[2]}
		for len(left[0])+len(left[1])+len(left[2]) > 0 {
			i := rng.IntN(3)
			if round == 0 {
				i = slices.IndexFunc(left, func(l []protocol.Event) bool { return len(l) > 0 })
			}
			n := min(1+rng.IntN(5), len(left[i]))
			in, err := ingest(t, s, left[i][:n]...)
			if err != nil || len(in.Acked) != n {
				t.Fatalf("%+v, %v", in, err)
			}
			left[i] = left[i][n:]
		}
		got := sessionLines(t, s)
		if n := mustCount(t, s, "SELECT count(DISTINCT "+keyOf+") FROM sessions s"); n != 1 {
			t.Fatalf("round %d: %d wholes", round, n)
		}
		if want == "" {
			want = got
			mustList(t, s, "Hockey submitted 7/3 [another browser]")
		}
		if got != want {
			t.Errorf("round %d: %q, want %q", round, got, want)
		}
	}
}

// A session file holds the whole, and its import makes the same rows.
func TestTogetherInAFile(t *testing.T) {
	t.Parallel()
	s := open(t)
	p := newPair(t, s)
	mustIngest(t, s, append([]protocol.Event{p.startA}, pages(p.a, "!goal", "way")...)...)
	mustIngest(t, s, append([]protocol.Event{p.startB}, pages(p.b, "b1", "b2")...)...)
	mustIngest(t, s, p.a.Event(protocol.Submit))
	mustIngest(t, s, p.b.Event(protocol.Submit))
	for _, id := range []int64{1, 2} {
		events := must(Events(t.Context(), s.DB, id))(t)
		for range 2 {
			again := open(t)
			mustIngest(t, again, events...)
			if got, want := dump(t, again), dump(t, s); got != want {
				t.Errorf("imported\n%s\nwant\n%s", got, want)
			}
			if got := mustCount(t, again, "SELECT count(*) FROM sessions WHERE joins = '"+p.a.Session+"'"); got != 1 {
				t.Errorf("%d sessions belong to another one", got)
			}
			slices.Reverse(events[1:])
		}
	}
	must(Delete(t.Context(), s.DB, 2))(t)
	mustList(t, s, "")
	grepFiles(t, s, "ice and words")
}

// What a person does with a session is done with the whole, and can be undone.
func TestEditTogether(t *testing.T) {
	t.Parallel()
	s := open(t)
	p := newPair(t, s)
	mustIngest(t, s, append([]protocol.Event{p.startA}, pages(p.a, "!goal", "a1", "a2", "a3")...)...)
	mustIngest(t, s, append([]protocol.Event{p.startB}, pages(p.b, "!b1", "b2", "b3", "b4", "b5")...)...)
	mustIngest(t, s, p.a.Event(protocol.Submit))
	mustIngest(t, s, p.b.Event(protocol.Submit))
	before := dump(t, s)
	const whole = "Hockey submitted 9/2 [Chromium Firefox]"
	mustList(t, s, whole)

	undo := func(change int64) {
		t.Helper()
		must(Undo(t.Context(), s.DB, change))(t)
		mustList(t, s, whole)
		if after := dump(t, s); after != before {
			t.Errorf("undone\n%s\nbefore\n%s", after, before)
		}
	}
	change, _, err := Move(t.Context(), s.DB, []string{p.b.Session}, "Curling")
	if err != nil {
		t.Fatal(err)
	}
	mustList(t, s, "Curling submitted 9/2 [Chromium Firefox]")
	undo(change)

	into, change, _, err := Merge(t.Context(), s.DB, []string{p.b.Session})
	if err != nil || into != p.a.Session {
		t.Fatalf("into %s, %v", into, err)
	}
	mustList(t, s, "Hockey submitted 9/2 []")
	undo(change)

	visits, err := Visits(t.Context(), s.DB, 1)
	if err != nil || len(visits) != 9 {
		t.Fatalf("%d visits, %v", len(visits), err)
	}
	_, change, _, err = Split(t.Context(), s.DB, p.a.Session, visits[6].Load, "", "")
	if err != nil {
		t.Fatal(err)
	}
	if got := sessionLines(t, s); !strings.Contains(got, "Hockey submitted 6/2 [Chromium Firefox]") {
		t.Errorf("after the split: %s", got)
	}
	undo(change)

	must(DeleteVisits(t.Context(), s.DB, p.a.Session, []string{visits[1].Load, visits[5].Load}))(t)
	mustList(t, s, "Hockey submitted 7/2 [Chromium Firefox]")
	must(DeleteVisits(t.Context(), s.DB, p.b.Session, []string{visits[0].Load, visits[4].Load}))(t)
	if got := sessionLines(t, s); !strings.HasPrefix(got, "Hockey paused 5/0 [Chromium Firefox]mark") {
		t.Errorf("without a useful page: %s", got)
	}
}
