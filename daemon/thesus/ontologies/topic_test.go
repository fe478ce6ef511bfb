package ontologies

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"nightjar/daemon/browse/topics"
	"nightjar/daemon/store"
	"nightjar/daemon/store/storetest"
)

// mustSaid stores a topic whose pages are those of a document, and links to them: said[page] lists the words of the links from
// other pages, one page each.
func mustSaid(t *testing.T, s *store.Store, topic string, said ...[]string) int64 {
	t.Helper()
	exec := func(text string, args ...any) { t.Helper(); storetest.Exec(t, s.Path(), text, args...) }
	one, err := topics.Create(t.Context(), s.DB, topic)
	if err != nil {
		t.Fatal(err)
	}
	exec(`INSERT INTO documents (id, key, title, source, created_at, topic_id) VALUES (1, 'k', 't', 's', 1, ?)`, one.ID)
	page, link := 100, 0
	for dst, sources := range said {
		url := fmt.Sprintf("http://a.test/%d", dst)
		exec(`INSERT INTO document_pages (document_id, url, final_url, host, outcome, at) VALUES (1, ?1, ?1, 'a.test', 'ok', 1)`, url)
		exec(`INSERT INTO link_page (id, url, site) VALUES (?, ?, 'a.test')`, dst+1, url)
		for _, words := range sources {
			page, link = page+1, link+1
			exec(`INSERT INTO link_page (id, url, site) VALUES (?, ?, 'b.test')`, page, fmt.Sprintf("http://b.test/%d", page))
			exec(`INSERT INTO link (id, src, dst, pos) VALUES (?, ?, ?, 0)`, link, page, dst+1)
			for w := range strings.FieldsSeq(words) {
				exec(`INSERT OR IGNORE INTO word (word) VALUES (?)`, w)
				exec(`INSERT INTO link_word (link, word, n) VALUES (?, (SELECT id FROM word WHERE word = ?), 1)`, link, w)
			}
		}
	}
	return one.ID
}

func TestFromTopic(t *testing.T) {
	st := mustStore(t)
	topic := mustSaid(t, st, "Sailing",
		[]string{"wind gale regatta", "wind gale", "weather"}, // 2 of 3 pages say wind and gale
		[]string{"drum regatta", "drum"},
		[]string{"hound"})
	s := New(st, mustDictionary(t))
	o, err := s.FromTopic(t.Context(), "", topic, 0)
	if err != nil || o.Name != "Sailing" {
		t.Fatalf("%+v, %v", o, err)
	}
	// beast, hunter, creature and event are left out, since there is one term below each; WordNet lacks the regatta.
	mustEqual(t, "all", mustText(t, s, o.ID), `Sailing [thing.n.01]
  regatta
  thing [thing.n.01]
    hound | dog [hound.n.01]
    weather [weather.n.01]
      wind | air current [wind.n.01]
        gale [gale.n.01]
    drum [drum.n.01]
`)
	o, err = s.FromTopic(t.Context(), "two", topic, 2)
	if err != nil {
		t.Fatal(err)
	}
	mustEqual(t, "the two most used", mustText(t, s, o.ID), `Sailing [thing.n.01]
  regatta
  drum [drum.n.01]
`)
	s = New(st, nil)
	o, err = s.FromTopic(t.Context(), "plain", topic, 4)
	if err != nil {
		t.Fatal(err)
	}
	mustEqual(t, "without WordNet", mustText(t, s, o.ID), "Sailing\n  drum\n  gale\n  regatta\n  wind\n")
}

func TestFromTopicRefuses(t *testing.T) {
	st := mustStore(t)
	s := New(st, nil)
	topic := mustSaid(t, st, "Silence", []string{""})
	var none NoWords
	if _, err := s.FromTopic(t.Context(), "", topic, 10); !errors.As(err, &none) || none.Topic != "Silence" {
		t.Errorf("a topic without words: %v", err)
	}
	if _, err := s.FromTopic(t.Context(), "", 99, 10); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("no topic: %v", err)
	}
	for _, terms := range []int{-1, MaxTopicTerms + 1} {
		if _, err := s.FromTopic(t.Context(), "", topic, terms); err == nil || !strings.Contains(err.Error(), "1 to 2000") {
			t.Errorf("%d terms: %v", terms, err)
		}
	}
}
