package crawls

import (
	"fmt"
	"testing"

	"nightjar/crawler"
	"nightjar/daemon/browse/protocol"
	"nightjar/daemon/browse/session/sessiontest"
	"nightjar/daemon/browse/sessions"
	"nightjar/daemon/browse/sessions/sessionstest"
	"nightjar/daemon/browse/topics"
	"nightjar/daemon/db"
	"nightjar/daemon/store/storetest"
)

// twoTopics are two topics with a session each, of which two nights of both have crawled.
func twoTopics(t *testing.T) (n *nights, session string, birds int64) {
	t.Helper()
	n = newNights(t, "learner")
	m := sessiontest.New(1)
	events := []protocol.Event{m.Start("Hockey")} // the topic that there is
	from := ""
	for i := range 8 {
		v := m.Visit(fmt.Sprint("http://ice.test/", i), fmt.Sprint("page ", i), protocol.HowLink, from)
		from = v.Page
		events = append(events, v, m.Snapshot(v.Page, fmt.Appendf(nil, "<title>page %d</title><a href=/%d>next</a>", i, i+1)))
	}
	sessionstest.Ingest(t, n.s, append(events, m.Of(protocol.Useful, from, ""), m.Event(protocol.Submit))...)
	session = m.Session
	m = sessiontest.New(7)
	sessionstest.Ingest(t, n.s, m.Start("Birds"), m.Visit("http://nest.test/", "", "typed", ""))
	topic := storetest.Must(topics.ByName(t.Context(), n.s.DB, "Birds"))(t)
	birds = topic.ID
	storetest.Change(t, n.s, `INSERT INTO models (topic_id, version, bundle, facts, created_at) VALUES (?, 1, x'00', '{}', 1)`, birds)
	hockey := n.c
	for range 2 {
		n.c = hockey
		n.crawl(n.open(), crawler.Budget{Pages: 30})
		n.c.TopicID, n.c.ModelID, n.c.Options.Starts = birds, 2, []string{crawlURL(3)}
		n.crawl(n.open(), crawler.Budget{Pages: 20})
	}
	n.c = hockey
	return n, session, birds
}

func (n *nights) queueOf(topic int64) TopicQueue {
	n.Helper()
	q, err := QueueOf(n.Context(), n.s.DB, topic)
	if err != nil {
		n.Fatal(err)
	}
	return q
}

// TestQueueOfRenamedTopic: a topic under another name goes on with its queue.
func TestQueueOfRenamedTopic(t *testing.T) {
	n, session, _ := twoTopics(t)
	before := n.queueOf(n.c.TopicID)
	if _, _, err := sessions.Move(t.Context(), n.s.DB, []string{session}, "Ice hockey"); err != nil {
		t.Fatal(err)
	}
	if topic, err := topics.ByName(t.Context(), n.s.DB, "Ice hockey"); err != nil || topic.ID != n.c.TopicID || n.queueOf(topic.ID) != before {
		t.Errorf("renamed: %+v, %v, %+v, want %+v", topic, err, n.queueOf(topic.ID), before)
	}
	n.asked, n.web.asked = nil, map[string]int{}
	n.c.Options.Starts = append(n.c.Options.Starts, crawlURL(199))
	n.crawl(n.open(), crawler.Budget{Pages: 20})
	if n.asked[0] != crawlURL(199) || n.web.asked[crawlURL(0)] != 0 {
		t.Errorf("the next night read %v", n.asked)
	}
}

// TestQueueOfMergedTopic: when all sessions of a topic move to another one, that one goes on with its own queue, to which start pages
// that come with them are added. The other queue waits where it was until this is undone or the topic is deleted.
func TestQueueOfMergedTopic(t *testing.T) {
	n, session, birds := twoTopics(t)
	hockey := n.c.TopicID
	left, stays := n.queueOf(hockey), n.queueOf(birds)
	change, _, err := sessions.Move(t.Context(), n.s.DB, []string{session}, "Birds")
	if err != nil {
		t.Fatal(err)
	}
	if got := n.queueOf(birds); got != stays || stays.Waiting < 10 {
		t.Errorf("%+v, want %+v", got, stays)
	}
	read := map[string]int{}
	storetest.OK(t, db.Each(t.Context(), n.s.Readers, func(row db.Scanner) error {
		var url string
		err := row.Scan(&url)
		read[url]++
		return err
	}, `SELECT url FROM fetches JOIN crawls ON crawls.id = crawl_id WHERE topic_id = ?`, birds))
	n.c.TopicID, n.c.ModelID, n.c.Options.Starts = birds, 2, []string{crawlURL(3), "http://ice.test/1/1"}
	n.asked = nil
	c := n.open()
	n.crawl(c, crawler.Budget{Pages: 20})
	if n.asked[0] != "http://ice.test/1/1" || len(n.asked) != 20 {
		t.Errorf("the next night read %v", n.asked)
	}
	for _, url := range n.asked {
		if read[url] > 0 {
			t.Errorf("%s was read again", url)
		}
	}
	storetest.Must(sessions.Undo(t.Context(), n.s.DB, change))(t)
	if got := n.queueOf(hockey); got != left {
		t.Errorf("undone: %+v, want %+v", got, left)
	}
	if err := n.s.Check(t.Context()); err != nil {
		t.Error(err)
	}
}

// TestQueueOfDeletedTopic: nothing of a deleted topic's queue is left, nor of one that the person had left to start anew. The
// queues of other topics stay.
func TestQueueOfDeletedTopic(t *testing.T) {
	for name, before := range map[string]func(n *nights){
		"": func(*nights) {},
		"with a night that began anew": func(n *nights) {
			if err := StartAnew(t.Context(), n.s.DB, n.c.TopicID); err != nil {
				n.Fatal(err)
			}
		},
		"combined": func(n *nights) {
			ice, err := topics.Combine(t.Context(), n.s.DB, "Both", []int64{n.c.TopicID, n.c.TopicID + 1})
			if err != nil {
				n.Fatal(err)
			}
			storetest.Change(t, n.s, `INSERT INTO models (topic_id, version, bundle, facts, created_at) VALUES (?, 1, x'00', '{}', 1)`, ice.ID)
			part := n.c
			n.c.TopicID, n.c.ModelID = ice.ID, 3
			n.crawl(n.open(), crawler.Budget{Pages: 25})
			if err := topics.Dissolve(t.Context(), n.s.DB, ice.ID); err != nil {
				n.Fatal(err)
			}
			n.c = part
		},
	} {
		t.Run(name, func(t *testing.T) {
			n, _, birds := twoTopics(t)
			stays := n.queueOf(birds)
			before(n)
			storetest.OK(t, DropTopicQueues(t.Context(), n.s.DB, n.c.TopicID))
			storetest.Must(sessions.DeleteTopic(t.Context(), n.s.DB, n.c.TopicID))(t)
			for _, table := range []string{"frontier", "learned", "fetches"} {
				if left := storetest.Count(t, n.s, `SELECT count(*) FROM `+table+` WHERE crawl_id NOT IN (SELECT id FROM crawls WHERE topic_id = 2)`); left > 0 {
					t.Errorf("%d rows of %s are left", left, table)
				}
			}
			if left := storetest.Count(t, n.s, `SELECT count(*) FROM contents WHERE hash NOT IN (SELECT content_hash FROM fetches WHERE content_hash IS NOT NULL)
				AND hash NOT IN (SELECT content_hash FROM events WHERE content_hash IS NOT NULL)`); left > 0 {
				t.Errorf("%d contents are left", left)
			}
			if got := n.queueOf(birds); got != stays || stays.Waiting < 10 {
				t.Errorf("the other topic: %+v, want %+v", got, stays)
			}
			if err := n.s.Check(t.Context()); err != nil {
				t.Error(err)
			}
		})
	}
}

// TestLinksCounted: links are counted up to a bound, beyond which a page says that there are more.
func TestLinksCounted(t *testing.T) {
	n := newNights(t, "test")
	id := n.open().ID
	counts := func() (TopicQueue, int, int) {
		queued, dropped, err := FrontierCounts(t.Context(), n.s.DB, id)
		if err != nil {
			t.Fatal(err)
		}
		return n.queueOf(n.c.TopicID), queued, dropped
	}
	put := func(status string, from, to int) {
		storetest.Change(t, n.s, `WITH RECURSIVE n(i) AS (SELECT ?2 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < ?3)
			INSERT INTO frontier (crawl_id, url, status, priority, seq) SELECT ?4, 'http://many.test/' || i, ?1, '[]', i FROM n`, status, from, to, id)
	}
	put("queued", 1, 11)
	put("dropped", 11, 16)
	before, queued, dropped := counts()
	if before.Waiting != queued || queued < 10 || dropped != 5 || before.Many() {
		t.Errorf("few links: %+v, %d, %d", before, queued, dropped)
	}
	put("queued", 100, 100+MostLinks)
	if all, queued, dropped := counts(); all.Waiting != MostLinks || queued != MostLinks || dropped != 5 || !all.Many() {
		t.Errorf("many links: %+v, %d, %d", all, queued, dropped)
	}
}
