package links_test

import (
	"fmt"
	"runtime"
	"sync"
	"testing"

	"nightjar/daemon/browse/protocol"
	"nightjar/daemon/browse/session/sessiontest"
	"nightjar/daemon/browse/sessions/sessionstest"
	"nightjar/daemon/db/turns"
	"nightjar/daemon/store"
	"nightjar/daemon/store/storetest"
	"nightjar/daemon/thesus/links"
)

// TestEventsGoFirst: events that wait while the links of a page are being written are stored before the rest of these.
func TestEventsGoFirst(t *testing.T) {
	const pages, most = 12, 500
	s, c := withCrawl(t)
	m := sessiontest.New(1)
	sessionstest.Ingest(t, s, m.Start("Hockey"))
	for i := range pages {
		url := fmt.Sprintf("http://a.test/%d", i)
		storetest.Fetched(t, s, c.ID, i+1, url, url, "<p>a page")
	}
	waiting := storetest.Must(links.Queue(t.Context(), s.DB, 1))(t)
	one := links.PageLinks{Source: waiting[0]}
	for i := range most {
		one.Links = append(one.Links, to(fmt.Sprintf("http://b.test/%d", i), "ice", "rink"))
	}
	const stored = "SELECT count(*) FROM link"
	events, rows := count(t, s, "SELECT count(*) FROM events"), -1
	s.Wrote = func(error) { // after each transaction, before the next
		if rows < 0 && count(t, s, "SELECT count(*) FROM events") > events {
			rows = count(t, s, stored)
		}
	}
	end := storetest.Must(s.Turn(t.Context(), false))(t)
	var done sync.WaitGroup
	done.Go(func() {
		if err := links.Put(t.Context(), s.DB, []links.PageLinks{one}); err != nil {
			t.Error(err)
		}
	})
	untilWaiting(t, s, 0, 1)
	for i := range turns.MostInRow { // after these, the events come when the other transaction has just begun
		done.Go(func() { storetest.Must(s.Turn(t.Context(), true))(t)() })
		untilWaiting(t, s, i+1, 1)
	}
	done.Go(func() { sessionstest.Ingest(t, s, m.Event(protocol.SessionPause)) })
	untilWaiting(t, s, turns.MostInRow+1, 1)
	end()
	done.Wait()
	s.Wrote = nil
	if rows <= 0 || rows >= most {
		t.Errorf("%d of %d links were stored when the events were, want some", rows, most)
	}
	if n := count(t, s, stored); n != most {
		t.Errorf("%d links in the end, want %d", n, most)
	}
	wholeLinks(t, s)
}

// untilWaiting waits until so many transactions wait for their turn.
func untilWaiting(t *testing.T, s *store.Store, urgent, others int) {
	for t.Context().Err() == nil {
		if u, o := s.Waiting(); u >= urgent && o >= others {
			return
		}
		runtime.Gosched()
	}
}
