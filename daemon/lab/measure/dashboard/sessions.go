package dashboard

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"nightjar/daemon/browse/protocol"
	"nightjar/daemon/browse/session"
)

// browser is that of the made-up sessions.
var browser = uuid(7, 7)

// makeSessions makes the visited pages: sessions of pagesOfSession pages, each linked with the others of its session.
func (g *generator) makeSessions(ctx context.Context) error {
	sessions := g.o.Pages / visitedShare / pagesOfSession
	for k := range sessions {
		if err := g.makeSession(ctx, k, 1-float64(k)/float64(sessions)); err != nil {
			return err
		}
		if (k+1)%500 == 0 {
			fmt.Fprintf(g.log, "%d sessions of %d\n", k+1, sessions)
		}
	}
	return nil
}

func (g *generator) makeSession(ctx context.Context, k int, ago float64) error {
	id, topic, start := int64(1000+k), g.topics[k%len(g.topics)], time.UnixMilli(g.past(ago)).UTC()
	seq := int64(0)
	err := g.put(ctx, "sessions", "id, uuid, topic_id, client, status, started_at, ended_at, ended_seq, pages, useful",
		id, uuid(1, k), topic, browser, "submitted", start.UnixMilli(), start.Add(2*time.Hour).UnixMilli(), 10_000, pagesOfSession, marksOfSession)
	event := func(kind protocol.Type, page string, set func(*protocol.Event), hash []byte, shown string) error {
		seq++
		e := protocol.Event{V: 1, ID: uuid(2, k*1000+int(seq)), Client: browser, Seq: int64(k)*1000 + seq, Session: uuid(1, k), Tab: 1,
			At: start.Add(time.Duration(seq) * 20 * time.Second), Type: kind, Page: page}
		set(&e)
		body, err := json.Marshal(e)
		if err != nil {
			return err
		}
		return g.put(ctx, "events", "id, session_id, client, seq, at, type, page, body, content_hash, shown",
			e.ID, id, browser, e.Seq, e.At.UnixMilli(), string(kind), page, string(body), hash, shown)
	}
	if err == nil {
		err = event(protocol.SessionStart, "", func(e *protocol.Event) { e.Topic = g.names[topic] }, nil, "")
	}
	for i := range pagesOfSession {
		if err != nil {
			return err
		}
		err = g.makeVisit(ctx, id, topic, k*pagesOfSession+i, i, event)
	}
	if err == nil {
		err = event(protocol.Submit, "", func(*protocol.Event) {}, nil, "")
	}
	return err
}

// makeVisit makes the visited page with number n, the i-th of its session.
func (g *generator) makeVisit(ctx context.Context, sessionID, topic int64, n, i int,
	event func(protocol.Type, string, func(*protocol.Event), []byte, string) error) error {
	links := make([]int, g.o.Links)
	for j := range links {
		links[j] = n - i + g.rand.IntN(pagesOfSession) // pages of the same session
		if j%3 == 0 {
			links[j] = g.rand.IntN(g.o.Pages)
		}
	}
	d := g.words.newDocument(n, links)
	loadID, from, how := uuid(3, n), "", protocol.HowTyped
	if i > 0 {
		from, how = uuid(3, n-1-g.rand.IntN(min(i, 5))), protocol.HowLink
	}
	id := int64(1_000_000 + n)
	shown, err := json.Marshal(session.Shown{Title: d.title, RealText: true})
	if err != nil {
		return err
	}
	at := g.past(1 - float64(n)/float64(g.o.Pages/visitedShare))
	steps := []func() error{
		func() error { return g.put(ctx, "contents", "hash, gzip", d.hash[:], d.gzip) },
		func() error {
			return g.put(ctx, "pages", "id, url, title, content_hash", id, d.url, d.title, d.hash[:])
		},
		func() error {
			return g.put(ctx, "visits", "load, session_id, page_id, title, how, from_load, seq, real_text", loadID, sessionID, id, d.title, how, from, int64(i*3), 1)
		},
		func() error {
			return event(protocol.Visit, loadID, func(e *protocol.Event) { e.URL, e.Title, e.How, e.From = d.url, d.title, how, from }, nil, "")
		},
		func() error {
			return event(protocol.Snapshot, loadID, func(*protocol.Event) {}, d.hash[:], string(shown))
		},
		func() error { return g.index(ctx, d, at, topic, "kv", id, 0, 0) },
	}
	if i > 5 && i%(pagesOfSession/marksOfSession) == 0 {
		steps = append(steps,
			func() error { return event(protocol.Useful, loadID, func(*protocol.Event) {}, nil, "") },
			func() error { return g.put(ctx, "marks", "session_id, page_id, useful", sessionID, id, 1) })
	}
	for _, step := range steps {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}
