package links

import (
	"testing"
	"time"

	"nightjar/daemon/browse/protocol"
	"nightjar/daemon/browse/session"
	"nightjar/daemon/browse/session/sessiontest"
	"nightjar/daemon/store"
	"nightjar/daemon/store/storetest"
)

// to is a link with each word once.
func to(url string, words ...string) store.Link {
	l := store.Link{URL: url, Pos: 7}
	for _, w := range words {
		l.Words = append(l.Words, store.LinkWord{Word: w, N: 1})
	}
	return l
}

// readLinks stores links of all pages that wait; of gives those of each, by address.
func readLinks(t *testing.T, s *store.Store, of map[string][]store.Link) {
	t.Helper()
	for {
		queue := storetest.Must(s.LinkQueue(t.Context(), 3))(t)
		if len(queue) == 0 {
			return
		}
		var pages []store.PageLinks
		for _, source := range queue {
			p := store.PageLinks{LinkSource: source}
			if source.Hash != nil {
				p.Links = of[source.URL]
			}
			pages = append(pages, p)
		}
		storetest.OK(t, s.PutLinks(t.Context(), pages))
	}
}

func newMaker(seed uint64) *sessiontest.Maker {
	return sessiontest.NewMaker(seed, time.Date(2026, 11, 21, 10, 0, 0, 0, time.UTC))
}

// mustIngest stores events, admitted.
func mustIngest(t *testing.T, s *store.Store, events ...protocol.Event) {
	t.Helper()
	admitted, refused := session.AdmitAll(events)
	in := storetest.Must(s.Ingest(t.Context(), admitted))(t)
	if len(refused)+len(in.Refused) > 0 {
		t.Fatalf("refused %v, %v", refused, in.Refused)
	}
}
