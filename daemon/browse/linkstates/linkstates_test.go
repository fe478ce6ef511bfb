package linkstates

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"testing"

	"nightjar/daemon/browse/protocol"
	"nightjar/daemon/db/dbtest"
	"nightjar/daemon/db/plans"
	"nightjar/daemon/store"
	"nightjar/daemon/store/storetest"
)

// knownWorld has one page or find for every state that a link can be in.
func knownWorld(t *testing.T) *store.Store {
	st := storetest.Open(t)
	dbtest.Topics(t, st.DB)
	storetest.Change(t, st, `INSERT INTO sessions (id, uuid, topic_id, client, status, started_at) VALUES
		(1, 's1', 1, 'c', 'submitted', 1), (2, 's2', 2, 'c', 'recording', 1), (3, 's3', 1, 'c', 'discarded', 1)`)
	storetest.Change(t, st, `INSERT INTO pages (id, url) VALUES (1, 'http://a.test/seen'), (2, 'http://a.test/good'), (3, 'http://a.test/baked'),
		(4, 'http://a.test/thrown'), (5, 'http://a.test/withdrawn')`)
	storetest.Change(t, st, `INSERT INTO visits (load, session_id, page_id, how, seq, requested) VALUES ('l1', 1, 1, 'link', 1, 'http://short.test/s'), ('l2', 1, 2, 'link', 2, ''),
		('l3', 2, 3, 'link', 1, ''), ('l4', 3, 4, 'link', 1, ''), ('l5', 1, 5, 'link', 3, '')`)
	storetest.Change(t, st, `INSERT INTO marks (session_id, page_id, useful) VALUES (1, 2, 1), (1, 5, 0)`)
	dbtest.Crawl(t, st.DB, 1, 1, "", 10, "find", "liked", "disliked", "strange", "later", "refused", "asked", "moved", "seen", "good")
	for name, mark := range map[string]string{"liked": "useful", "disliked": "not-useful", "strange": "off-topic", "later": "later", "good": "not-useful"} {
		storetest.Change(t, st, `UPDATE finds SET mark = ? WHERE title = ?`, mark, name)
	}
	storetest.Change(t, st, `UPDATE finds SET refused = 1 WHERE title = 'refused'`)
	storetest.Change(t, st, `UPDATE finds SET asked = 1 WHERE title = 'asked'`)
	storetest.Change(t, st, `UPDATE fetches SET url = 'http://short.test/m' WHERE title = 'moved'`)
	return st
}

func TestKnownLinks(t *testing.T) {
	st := knownWorld(t)
	hockey := map[string]string{
		"http://a.test/seen":                   protocol.KnownVisited,
		"HTTP://A.test:80/seen?utm_source=x#y": protocol.KnownVisited, // another spelling
		"http://short.test/s":                  protocol.KnownVisited, // redirected the person
		"http://a.test/good":                   protocol.KnownUseful,  // the mark on the page counts before that on the find
		"http://a.test/withdrawn":              protocol.KnownVisited,
		"http://a.test/find":                   protocol.KnownFound,
		"http://a.test/liked":                  protocol.KnownUseful,
		"http://a.test/disliked":               protocol.KnownNotUseful,
		"http://a.test/strange":                protocol.KnownNotUseful,
		"http://a.test/later":                  protocol.KnownFound,
		"http://a.test/moved":                  protocol.KnownFound,
		"http://short.test/m":                  protocol.KnownFound, // redirected the crawl
	}
	unknown := []string{"http://a.test/thrown", "http://a.test/refused", "http://a.test/asked", "http://b.test/", "", "mailto:x@a.test", "nonsense", "http://[", "'; DROP TABLE pages"}
	asked := append([]string{"http://a.test/baked"}, unknown...)
	for url := range hockey {
		asked = append(asked, url)
	}
	all := maps.Clone(hockey)
	all["http://a.test/baked"] = protocol.KnownVisited
	for topic, want := range map[int64]map[string]string{1: hockey, 0: all, 2: {"http://a.test/baked": protocol.KnownVisited}, 9: {}} {
		got := storetest.Must(Of(t.Context(), st.DB, topic, asked))(t)
		if !maps.Equal(got, want) {
			t.Errorf("topic %d: %v, want %v", topic, got, want)
		}
	}
}

// TestKnownLinksByBruteForce compares with an answer that goes over all rows in memory, on random visits, marks and finds.
func TestKnownLinksByBruteForce(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	st := storetest.Open(t)
	dbtest.Topics(t, st.DB)
	visited, useful, finds := map[string][]int64{}, map[string][]int64{}, map[string]map[int64]string{}
	url := func(i int) string { return fmt.Sprintf("http://a.test/%d", i) }
	for s := range 6 {
		storetest.Change(t, st, `INSERT INTO sessions (id, uuid, topic_id, client, status, started_at) VALUES (?, ?, ?, 'c', 'submitted', 1)`, s+1, fmt.Sprint(s), s%2+1)
	}
	for i := range 60 {
		storetest.Change(t, st, `INSERT INTO pages (id, url) VALUES (?, ?)`, i+1, url(i))
		for s := range 6 {
			if r.IntN(8) == 0 {
				storetest.Change(t, st, `INSERT INTO visits (load, session_id, page_id, how, seq) VALUES (?, ?, ?, 'link', 1)`, fmt.Sprintf("%d-%d", i, s), s+1, i+1)
				visited[url(i)] = append(visited[url(i)], int64(s%2+1))
				if r.IntN(2) == 0 {
					storetest.Change(t, st, `INSERT INTO marks (session_id, page_id, useful) VALUES (?, ?, 1)`, s+1, i+1)
					useful[url(i)] = append(useful[url(i)], int64(s%2+1))
				}
			}
		}
	}
	marks := []string{"none", "later", "useful", "not-useful", "off-topic"}
	for topic := int64(1); topic <= 2; topic++ {
		var names []string
		for i := range 60 {
			if r.IntN(3) == 0 {
				names = append(names, fmt.Sprint(i))
			}
		}
		dbtest.Crawl(t, st.DB, topic, topic, "", 10, names...)
		for _, name := range names {
			mark := marks[r.IntN(len(marks))]
			storetest.Change(t, st, `UPDATE finds SET mark = ? WHERE title = ? AND topic_id = ?`, mark, name, topic)
			if finds["http://a.test/"+name] == nil {
				finds["http://a.test/"+name] = map[int64]string{}
			}
			finds["http://a.test/"+name][topic] = mark
		}
	}
	in := func(topics []int64, topic int64) bool {
		for _, one := range topics {
			if topic == 0 || one == topic {
				return true
			}
		}
		return false
	}
	for topic := int64(0); topic <= 2; topic++ {
		want := map[string]string{}
		var asked []string
		for i := range 60 {
			u := url(i)
			asked = append(asked, u)
			var said []string
			for of, mark := range finds[u] {
				if topic == 0 || topic == of {
					said = append(said, mark)
				}
			}
			has := func(any ...string) bool {
				for _, a := range any {
					for _, b := range said {
						if a == b {
							return true
						}
					}
				}
				return false
			}
			switch {
			case in(useful[u], topic) || has("useful"):
				want[u] = "useful"
			case has("not-useful", "off-topic"):
				want[u] = "not-useful"
			case in(visited[u], topic):
				want[u] = "visited"
			case has("none", "later"):
				want[u] = "found"
			}
		}
		got, err := Of(t.Context(), st.DB, topic, asked)
		if err != nil || !maps.Equal(got, want) {
			t.Errorf("topic %d: %v, %v; want %v", topic, got, err, want)
		}
	}
}

// TestLinksScanNoTable: a page with many links is answered by look-ups alone.
func TestLinksScanNoTable(t *testing.T) {
	plans.NoFullScans(t, storetest.Open(t).Readers, map[string][]any{statement: {`["http://a.test/"]`, 1}})
}
