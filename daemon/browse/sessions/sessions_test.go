package sessions

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"nightjar/daemon/browse/protocol"
	"nightjar/daemon/browse/topics"
	"nightjar/daemon/db"
	"nightjar/daemon/lab/effort"
	"nightjar/daemon/store"
)

// grepFiles fails the test when a word stands anywhere in the database's files.
func grepFiles(tb testing.TB, s *store.Store, word string) {
	tb.Helper()
	files := must(os.ReadDir(filepath.Dir(s.Path())))(tb)
	for _, f := range files {
		data := must(os.ReadFile(filepath.Join(filepath.Dir(s.Path()), f.Name())))(tb)
		if n := bytes.Count(data, []byte(word)); n > 0 {
			tb.Errorf("%q stands %d times in %s", word, n, f.Name())
		}
	}
}

func TestDeleteSession(t *testing.T) {
	s := open(t)
	a, b := maker(1), maker(2)
	shared := []byte("<title>Both</title><a href=/x>x</a>")
	startA, startB := a.Start("Hockey"), b.Start("Hockey")
	va := a.Visit("http://ice.test/both", "", protocol.HowTyped, "")
	secret := a.Visit("http://ice.test/canary", "canary", protocol.HowTyped, "")
	vb := b.Visit("http://ice.test/both", "", protocol.HowTyped, "")
	mustIngest(t, s, startB, vb, b.Snapshot(vb.Page, shared), b.Of(protocol.Useful, vb.Page, ""))
	before := dump(t, s)
	mustIngest(t, s, startA, va, a.Snapshot(va.Page, shared), a.Snapshot(va.Page, []byte("<title>canary</title><a href=/canary>canary</a>")),
		secret, a.Snapshot(secret.Page, []byte("<p>canary")), a.Of(protocol.Useful, secret.Page, ""), a.Of(protocol.Useful, va.Page, ""))
	if dump(t, s) == before {
		t.Fatal("the session left no trace, so the test proves nothing")
	}
	session := must(ByUUID(t.Context(), s.DB, a.Session))(t)
	must(Delete(t.Context(), s.DB, session.ID))(t)
	if after := dump(t, s); after != before {
		t.Errorf("after the deletion\n%s\nwant\n%s", after, before)
	}
	for _, late := range []protocol.Event{startA, va, secret, a.Event(protocol.Submit)} {
		if code := refusedAs(t, s, late); code != protocol.NoSession {
			t.Errorf("%s of the erased session: refused with %q", late.Type, code)
		}
	}
	grepFiles(t, s, "canary")
	if _, err := Delete(t.Context(), s.DB, session.ID); !errors.Is(err, db.ErrNotFound) {
		t.Errorf("deleting it again: %v", err)
	}
	if err := s.Check(t.Context()); err != nil {
		t.Error(err)
	}
}

// A session's events come out as they went in, but for secrets in their pages, and taken in elsewhere they make the same rows.
func TestSessionEvents(t *testing.T) {
	for seed := range uint64(effort.Seeds()) {
		s := open(t)
		m := maker(seed)
		events := web(m, rand.New(rand.NewPCG(seed, 1)))
		must(ingest(t, s, events...))(t)
		session := must(ByUUID(t.Context(), s.DB, m.Session))(t)
		out := must(Events(t.Context(), s.DB, session.ID))(t)
		byID := map[string]protocol.Event{}
		for _, e := range events {
			byID[e.ID] = e
		}
		for i, e := range out {
			if i > 0 && e.Seq <= out[i-1].Seq {
				t.Errorf("event %d is out of order", i)
			}
			want := byID[e.ID]
			h1, err1 := e.Unpack()
			h2, err2 := want.Unpack()
			h2 = bytes.ReplaceAll(h2, []byte("=/x?access_token=abc"), []byte(`="/x?access_token=redacted"`))
			if e.Type == protocol.Snapshot && (err1 != nil || err2 != nil || !bytes.Equal(h1, h2)) {
				t.Errorf("snapshot %d differs", i)
			}
			e.HTML, want.HTML = nil, nil
			if !reflect.DeepEqual(e, want) {
				t.Errorf("event %d: %+v, want %+v", i, e, want)
			}
			if err := protocol.Validate(out[i]); err != nil {
				t.Errorf("event %d is not valid: %v", i, err)
			}
		}
		again := open(t)
		mustIngest(t, again, out...)
		if got, err := ByUUID(t.Context(), again.DB, m.Session); err != nil || got.Pages != session.Pages || got.Useful != session.Useful {
			t.Errorf("taken in elsewhere: %+v, %v; want %+v", got, err, session)
		}
	}
}

func TestTopicEvents(t *testing.T) {
	s := open(t)
	open, done := maker(1), maker(2)
	mustIngest(t, s, open.Start("Hockey"), open.Visit("http://ice.test/open", "", protocol.HowTyped, ""))
	mustIngest(t, s, done.Start("Hockey"))
	var last string
	for _, path := range []string{"a", "b", "c", "d"} {
		v := done.Visit("http://ice.test/"+path, "", protocol.HowTyped, "")
		last = v.Page
		mustIngest(t, s, v)
	}
	mustIngest(t, s, done.Of(protocol.Useful, last, ""), done.Event(protocol.Submit))
	topic := must(topics.ByName(t.Context(), s.DB, "HOCKEY"))(t)
	events, err := TopicEvents(t.Context(), s.DB, topic.ID)
	if err != nil || len(events) != 7 || events[0].Session != done.Session {
		t.Errorf("%d events, %v; want the 7 of the submitted session", len(events), err)
	}
	sessions, err := OfTopic(t.Context(), s.DB, topic.ID)
	if err != nil || len(sessions) != 1 || sessions[0].UUID != done.Session {
		t.Errorf("sessions %+v, %v", sessions, err)
	}
	all, err := List(t.Context(), s.DB)
	if err != nil || len(all) != 2 || all[0].UUID != done.Session {
		t.Errorf("sessions %+v, %v; want the newest first", all, err)
	}
}
