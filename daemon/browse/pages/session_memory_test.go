package pages

import (
	"fmt"
	"net/http"
	"runtime"
	"strings"
	"testing"

	"nightjar/daemon/browse/protocol"
	"nightjar/daemon/browse/session"
	"nightjar/daemon/browse/session/sessiontest"
	"nightjar/daemon/browse/sessions"
	"nightjar/daemon/lab/effort"
)

// longSession stores a session whose pages have 30 kB of HTML each, with links to one another, and returns its address.
func (f *fixture) longSession(t *testing.T, pages int) string {
	t.Helper()
	m := sessiontest.NewMaker(1, f.Clock)
	events := []protocol.Event{m.Start("Hockey")}
	from := ""
	for i := range pages {
		var html strings.Builder
		fmt.Fprintf(&html, "<title>Page %d</title>", i)
		for j := 0; html.Len() < 30_000; j++ {
			fmt.Fprintf(&html, "<p>goalkeepers number %d stop pucks and forwards %d skate around them</p><a href=/p%d>to page %d</a><a href=/q%d>more</a>",
				i*j, j, (i*7+j*13)%(pages*10), j, i*1000+j)
		}
		v := m.Visit(fmt.Sprintf("http://ice.test/p%d", i), "page", protocol.HowLink, from)
		events = append(events, v, m.Snapshot(v.Page, []byte(html.String())))
		from = v.Page
	}
	admitted, refused := session.AdmitAll(events)
	if len(refused) > 0 {
		t.Fatal(refused)
	}
	if _, err := sessions.Ingest(t.Context(), f.Store, admitted); err != nil {
		t.Fatal(err)
	}
	return "/sessions/" + m.Session
}

// The picture of a session holds one of its pages in memory at a time. What is held when the last one is read is counted
// after a garbage collection, so it does not depend on when collections happen.
func TestSessionIsDrawnInLittleMemory(t *testing.T) {
	effort.Long(t)
	const pages, most = 120, 1 << 20 // parsed pages of 30 kB take some 100 kB each
	f := newFixture(t)
	path := f.longSession(t, pages)
	one, err := sessions.ByUUID(t.Context(), f.Store.DB, strings.TrimPrefix(path, "/sessions/"))
	if err != nil {
		t.Fatal(err)
	}
	events, err := sessions.Steps(t.Context(), f.Store.DB, one.ID)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range events {
		if len(e.HTML) > 0 {
			t.Fatal("the events come with their pages")
		}
	}
	before, read := held(), 0
	var grown int64
	w, err := readWeb(events, func(e protocol.Event) ([]byte, error) {
		if read++; read == pages {
			grown = held() - before
		}
		return sessions.Snapshot(t.Context(), f.Store.DB, e.ID)
	})
	if err != nil || read != pages || len(w.Pages) != pages || len(w.Links) < pages {
		t.Fatalf("%d snapshots read, %d pages and %d links: %v", read, len(w.Pages), len(w.Links), err)
	}
	if grown > most {
		t.Errorf("%d bytes are held after %d pages, want at most %d", grown, pages, most)
	}
	if res := f.Get(path); res.Code != http.StatusOK || !strings.Contains(res.Body.String(), "?draw=1") || f.Count(t, `SELECT count(*) FROM pictures`) != 0 {
		t.Errorf("the page of a large session waits for its picture: status %d", res.Code)
	}
}

// held returns the bytes in use after a garbage collection.
func held() int64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}
