package dashboard

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"time"

	"nightjar/daemon/base/notify"
	"nightjar/daemon/browse/protocol"
	"nightjar/daemon/browse/session"
	"nightjar/daemon/cli/demo/demoweb"
	"nightjar/daemon/cli/demo/surfer"
	"nightjar/daemon/learn/trainer"
	"nightjar/daemon/store"
)

// Shape of the database: a session visits 100 pages, a crawl fetches 2,000. A topic has six models, as after six trainings.
const (
	visitedShare    = 5 // every fifth page was visited
	pagesOfSession  = 100
	pagesOfCrawl    = 2000
	pagesOfTopic    = 25_000
	modelsOfTopic   = 3
	queuedOfFetch   = 2  // links that a crawl did not follow
	fetchesOfFind   = 50 // fetches of which one is a find
	startsOfTopic   = 60
	marksOfSession  = 6
	wordsOfLanguage = 60_000
)

// generate makes the database in o.Dir.
func generate(ctx context.Context, o *options, log io.Writer) error {
	if err := os.MkdirAll(o.Dir, 0o700); err != nil {
		return err
	}
	name := filepath.Join(o.Dir, "nightjar.db")
	if err := playDemo(ctx, name); err != nil {
		return errors.Join(err, os.RemoveAll(name))
	}
	// What the indexer of the search would do is written with the pages.
	w, err := openWriter(ctx, name, "type = 'trigger' AND name GLOB 'search_*' OR type = 'index' AND tbl_name IN ('events', 'fetches', 'frontier', 'contents')")
	if err != nil {
		return err
	}
	g := &generator{w: w, o: o, log: log, rand: rand.New(rand.NewPCG(12, 1)), now: time.Now().UTC().Truncate(time.Second)}
	g.words = newVocabulary(g.rand, wordsOfLanguage)
	err = g.fill(ctx)
	fmt.Fprintln(log, "making indexes")
	if err := w.close(ctx, err); err != nil {
		return errors.Join(err, os.RemoveAll(name)) // half a database would be measured the next time
	}
	return nil
}

// playDemo makes a database with the demo's session and a model that the daemon trained on it.
func playDemo(ctx context.Context, name string) error {
	s, err := store.Open(ctx, name)
	if err != nil {
		return err
	}
	web := demoweb.Generate(1)
	var events []protocol.Event
	r := rand.New(rand.NewPCG(1, 2))
	surf := surfer.New(surfer.Options{
		Client: surfer.NewClient(r), Topic: web.Topic, Start: time.Now().Add(-14 * time.Hour), Rand: r,
		Load: func(_ context.Context, address string) (surfer.Document, error) { return load(web.Handler(), address) },
		Emit: func(e protocol.Event) error { events = append(events, e); return nil },
	})
	err = demoweb.Play(ctx, surf, web.Script(), nil)
	if err == nil {
		admitted, _ := session.AdmitAll(events)
		_, err = s.Ingest(ctx, admitted)
	}
	if err == nil {
		var topic store.Topic
		if topic, err = s.TopicByName(ctx, web.Topic); err == nil {
			_, err = trainer.New(trainer.Deps{Store: s, Bus: &notify.Bus{}, Log: slog.New(slog.DiscardHandler)}).Train(ctx, topic.ID)
		}
	}
	return errors.Join(err, s.Close())
}

// load gets a page of a made-up web, redirects followed.
func load(h http.Handler, address string) (surfer.Document, error) {
	for range 5 {
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequest(http.MethodGet, address, nil))
		if next := w.Header().Get("Location"); next != "" {
			address = next
			continue
		}
		return surfer.Document{URL: address, HTML: w.Body.Bytes()}, nil
	}
	return surfer.Document{}, fmt.Errorf("%s: redirects without end", address)
}

// generator fills a database.
type generator struct {
	w     *writer
	o     *options
	log   io.Writer
	rand  *rand.Rand
	now   time.Time
	words *vocabulary

	topics []int64
	models []int64 // newest of each topic

	names   map[int64]string // of topics
	entries int64            // of the search index
}

// fill writes all rows.
func (g *generator) fill(ctx context.Context) error {
	for _, step := range []func(context.Context) error{g.makeTopics, g.makeSessions, g.makeCrawls} {
		if err := step(ctx); err != nil {
			return err
		}
	}
	return g.w.run(ctx, "DELETE FROM search_queue")
}

// put writes a row.
func (g *generator) put(ctx context.Context, table, columns string, values ...any) error {
	return g.w.run(ctx, "INSERT INTO "+table+" ("+columns+") VALUES (?"+strings.Repeat(", ?", len(values)-1)+")", values...)
}

// workers is how many workers are invited.
const workers = 16

// makeTopics makes workers and topics, these with start pages, and gives each the trained models.
func (g *generator) makeTopics(ctx context.Context) error {
	g.topics, g.names = []int64{1}, map[int64]string{1: demoweb.Generate(1).Topic}
	for i := range workers {
		err := g.put(ctx, "workers", "name, key, invited_at, joined_at, seen_at, pages", fmt.Sprint("worker", i), fmt.Sprint("key", i), 1, 2, 3, 1000*i)
		if err != nil {
			return err
		}
	}
	for i := range g.o.Pages/pagesOfTopic + 2 {
		id := int64(1000 + i)
		name, _ := g.words.text(2)
		g.names[id] = fmt.Sprintf("%s %d", name, i)
		if err := g.put(ctx, "topics", "id, name, created_at", id, g.names[id], g.past(1)); err != nil {
			return err
		}
		g.topics = append(g.topics, id)
	}
	if err := g.combine(ctx, g.topics[1:3]); err != nil {
		return err
	}
	for _, topic := range g.topics {
		for k := range startsOfTopic {
			page := address(g.rand.IntN(g.o.Pages/startsOfTopic)*startsOfTopic + k)
			if err := g.put(ctx, "starts", "topic_id, url, source, ticked, created_at", topic, page, "proposed", k%20/19, g.past(1)+int64(k)); err != nil {
				return err
			}
		}
		last := int64(1)
		for v := range modelsOfTopic {
			if topic == 1 && v == 0 {
				continue // the demo's own
			}
			last = topic*10 + int64(v)
			if err := g.w.run(ctx, `INSERT INTO models (id, topic_id, version, bundle, facts, created_at)
				SELECT ?, ?, ?, bundle, facts, created_at + ? FROM models WHERE topic_id = 1 ORDER BY id LIMIT 1`, last, topic, v+1, v*86_400_000); err != nil {
				return err
			}
		}
		g.models = append(g.models, last)
	}
	return nil
}

// combine makes a topic that consists of others.
func (g *generator) combine(ctx context.Context, members []int64) error {
	const id = 999
	if err := g.put(ctx, "topics", "id, name, created_at", id, "Combined", g.past(.5)); err != nil {
		return err
	}
	for _, m := range members {
		if err := g.put(ctx, "combined", "topic_id, member_id", id, m); err != nil {
			return err
		}
	}
	return nil
}

// past returns a moment as it is stored: a share of five years ago.
func (g *generator) past(share float64) int64 {
	return g.now.Add(-time.Duration(share * 5 * 365 * 24 * float64(time.Hour))).UnixMilli()
}

// uuid returns an identifier of a kind of things.
func uuid(kind, n int) string { return fmt.Sprintf("%08x-0000-7000-8000-%012x", kind, n) }
