package kills

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"nightjar/daemon/browse/protocol"
	"nightjar/daemon/browse/sessions"
	"nightjar/daemon/lab/effort"
	"nightjar/daemon/store"
)

// placesOf lists the places of a phase.
func placesOf(p phase) []string {
	var all []string
	for name, phases := range places {
		if slices.Contains(phases, p) {
			all = append(all, name)
		}
	}
	slices.Sort(all)
	return all
}

// atRandom stands for a kill after a random time instead of at a place.
const atRandom = "at random"

// TestRecording ends the program while a browser sends events and submits sessions as fast as it can, one life after
// another on the same data. After each life every acknowledged event must be stored, at the end each event once, and all that
// is counted of them must be as in a store that was never killed.
func TestRecording(t *testing.T) {
	effort.Long(t)
	t.Parallel()
	inParts(t, kills(), 2, func(t *testing.T, n, part int) {
		r := &recorder{browser: newBrowser(), data: filepath.Join(t.TempDir(), "data"), random: rand.New(rand.NewPCG(1, uint64(part)))}
		r.pair(t, r.data)
		for range n {
			for _, place := range append(placesOf(recording), atRandom) {
				r.live(t, place)
			}
		}
		r.finish(t)
		t.Logf("%d kills, %d sessions, %d events", r.ended, r.sessions, len(r.made))
	})
}

// recorder is a browser that records sessions into one data folder.
type recorder struct {
	*browser
	data     string
	random   *rand.Rand
	pending  []protocol.Event // of the present session
	sessions int
	ended    int // lives
}

// next is the next event.
func (r *recorder) next() protocol.Event {
	if len(r.pending) == 0 {
		r.pending = browse(r.sessions, r.who.Client, fmt.Sprintf("%s %d", topic, r.sessions%7))
		r.sessions++
	}
	e := r.pending[0]
	r.pending = r.pending[1:]
	return e
}

// live runs the program until it is ended at a place.
func (r *recorder) live(t *testing.T, place string) {
	t.Helper()
	after := time.Duration(20+r.random.IntN(280)) * time.Millisecond
	l := serve(t, at(place, 1+r.random.IntN(10)), r.data)
	if l.ready() {
		if place == atRandom {
			time.AfterFunc(after, l.kill)
		}
		r.sendUntilGone(l, r.next)
	}
	l.dies()
	r.ended++
	r.stored(t, r.data)
}

// finish sends what is left to a program that is not killed, and compares what is stored then.
func (r *recorder) finish(t *testing.T) {
	t.Helper()
	for len(r.pending) > 0 {
		r.add(r.next())
	}
	l := mustServe(t, r.data)
	c, err := r.connect(l)
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Send(within(t), r.waiting()...); err != nil {
		t.Fatal(err)
	}
	c.Close()
	l.stop()
	r.compare(t, r.data)
}

// sendUntilGone sends the waiting events and then new ones until the daemon is gone.
func (b *browser) sendUntilGone(l *life, next func() protocol.Event) {
	l.t.Helper()
	c, err := b.connect(l)
	if err != nil {
		if !l.alive() || gone(err) {
			return
		}
		l.t.Fatal(err)
	}
	defer c.Close()
	for _, e := range b.waiting() {
		if c.Post(l.t.Context(), e) != nil {
			return
		}
	}
	for {
		for len(b.waiting()) > 100 { // not too far ahead of the daemon
			select {
			case <-c.Done():
				return
			case <-time.After(2 * time.Millisecond):
			}
		}
		e := next()
		b.add(e)
		if c.Post(l.t.Context(), e) != nil {
			return
		}
	}
}

// stored checks that a database that was just killed is sound and holds every acknowledged event, and no other.
func (b *browser) stored(t *testing.T, data string) {
	t.Helper()
	sound(t, database(data))
	db := look(t, database(data))
	defer db.Close()
	ids := map[string]bool{}
	for _, id := range lines(t, db, "SELECT id FROM events") {
		ids[id] = true
	}
	for _, id := range b.known() {
		if !ids[id] {
			t.Fatalf("the acknowledged event %s is lost", id)
		}
	}
	for _, e := range b.made {
		delete(ids, e.ID)
	}
	if len(ids) > 0 {
		t.Fatalf("%d events are stored that no browser sent", len(ids))
	}
	if len(b.wrong) > 0 {
		t.Fatalf("refused: %s", b.wrong[0])
	}
}

// tables are queries for what events become, by names that do not depend on the order in which rows were made.
var tables = map[string]string{
	"events":   "SELECT e.id, s.uuid, e.client, e.seq, e.at, e.type, e.page, e.body, e.content_hash, e.shown FROM events e JOIN sessions s ON s.id = e.session_id ORDER BY 1",
	"sessions": "SELECT s.uuid, t.name, s.client, s.status, s.started_at, s.ended_at, s.ended_seq, s.problem, s.title, s.joins FROM sessions s JOIN topics t ON t.id = s.topic_id ORDER BY 1",
	"visits": `SELECT v.load, s.uuid, p.url, v.requested, v.title, v.how, v.from_load, v.seq, v.real_text, v.media FROM visits v
		JOIN sessions s ON s.id = v.session_id JOIN pages p ON p.id = v.page_id ORDER BY 1`,
	"pages":    "SELECT url, title, content_hash FROM pages ORDER BY 1",
	"marks":    "SELECT s.uuid, p.url, m.useful FROM marks m JOIN sessions s ON s.id = m.session_id JOIN pages p ON p.id = m.page_id ORDER BY 1, 2",
	"contents": "SELECT hash, gzip FROM contents ORDER BY 1",
}

// compare compares a database with one into which the same events were put without any kill.
func (b *browser) compare(t *testing.T, data string) {
	t.Helper()
	if n, want := len(b.known()), len(b.made); n != want {
		t.Errorf("%d events acknowledged, %d sent", n, want)
	}
	b.stored(t, data)
	calm := filepath.Join(t.TempDir(), "calm")
	b.pair(t, calm)
	var counts [2][]string
	withStore(t, calm, func(st *store.Store) {
		storeEvents(t, st, b.made)
		counts[1] = counted(t, st)
	})
	withStore(t, data, func(st *store.Store) { counts[0] = counted(t, st) })
	same(t, "counts of sessions", counts[0], counts[1])
	got, want := look(t, database(data)), look(t, database(calm))
	for what, text := range tables {
		same(t, what, lines(t, got, text), lines(t, want, text))
	}
}

// counted lists what the store counts of each session.
func counted(t *testing.T, st *store.Store) (all []string) {
	t.Helper()
	sessions, err := sessions.List(t.Context(), st.DB)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range sessions {
		all = append(all, fmt.Sprintf("%s of %s: %s, %d pages, %d useful", s.UUID, s.Topic, s.Status, s.Pages, s.Useful))
	}
	slices.Sort(all)
	return all
}
