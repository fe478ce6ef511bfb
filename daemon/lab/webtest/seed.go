package webtest

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"nightjar/crawler/page"
	"nightjar/crawler/strategy"
	"nightjar/crawler/weburl"
	"nightjar/daemon/browse/protocol"
	"nightjar/daemon/browse/session"
	"nightjar/daemon/browse/sessions"
	"nightjar/daemon/browse/topics"
	"nightjar/daemon/chart"
	"nightjar/daemon/cli/demo/demoweb"
	"nightjar/daemon/cli/demo/surfer"
	"nightjar/daemon/keep/backup"
	"nightjar/daemon/learn/models"
	"nightjar/daemon/learn/startpages"
	"nightjar/model"
	"nightjar/model/webgraph"
)

// Demo is what a seeded store has: the session that the demo plays, a model of it, and a crawl.
type Demo struct {
	Web     *demoweb.Web
	Topic   int64
	Session string
	Bundle  *model.Bundle
	Model   int64
	Crawl   int64
}

// first is the seeded store that the others are copies of, since training takes its time.
var first struct {
	sync.Once
	Demo
	file []byte
}

// Seed writes a store in which the demo's session was played, with a model of it that has crawled some pages.
func Seed(t testing.TB) (file string, d Demo) {
	t.Helper()
	first.Do(func() {
		s := seeding{New(t), &first.Demo}
		s.Web = demoweb.Generate(1)
		s.play(t)
		s.train(t)
		s.crawl(t, 1000, "2026-11-21")
		name := filepath.Join(t.TempDir(), "copy.db")
		if err := backup.CopyTo(t.Context(), s.Store.DB, name); err != nil {
			t.Fatal(err)
		}
		var err error
		if first.file, err = os.ReadFile(name); err != nil {
			t.Fatal(err)
		}
	})
	if first.file == nil {
		t.Fatal("the store could not be seeded")
	}
	file = filepath.Join(t.TempDir(), "nightjar.db")
	if err := os.WriteFile(file, first.file, 0o600); err != nil {
		t.Fatal(err)
	}
	return file, first.Demo
}

// seeding is a site whose store becomes the seeded one.
type seeding struct {
	*Site
	*Demo
}

func (s seeding) play(t testing.TB) {
	t.Helper()
	rng := rand.New(rand.NewPCG(1, 2))
	var events []protocol.Event
	surf := surfer.New(surfer.Options{
		Client: surfer.NewClient(rng), Topic: s.Web.Topic, Start: s.Clock.Add(-14 * time.Hour), Rand: rng,
		Load: func(_ context.Context, address string) (surfer.Document, error) { return s.load(address) },
		Emit: func(e protocol.Event) error {
			events = append(events, e)
			return nil
		},
	})
	if err := demoweb.Play(t.Context(), surf, s.Web.Script(), nil); err != nil {
		t.Fatal(err)
	}
	admitted, refused := session.AdmitAll(events)
	if in, err := sessions.Ingest(t.Context(), s.Store, admitted); err != nil || len(refused)+len(in.Refused) > 0 {
		t.Fatalf("ingest: %v %v %v", refused, in.Refused, err)
	}
	s.Session = surf.Session()
	topic, err := topics.ByName(t.Context(), s.Store.DB, s.Web.Topic)
	if err != nil {
		t.Fatal(err)
	}
	s.Topic = topic.ID
}

// load gets a page of the demo's web, redirects followed.
func (s seeding) load(address string) (surfer.Document, error) {
	for range 5 {
		w := httptest.NewRecorder()
		s.Web.Handler().ServeHTTP(w, httptest.NewRequest(http.MethodGet, address, nil))
		if w.Code == http.StatusOK {
			return surfer.Document{URL: address, HTML: w.Body.Bytes()}, nil
		}
		next := w.Header().Get("Location")
		if next == "" {
			return surfer.Document{}, fmt.Errorf("%s: status %d", address, w.Code)
		}
		address = next
	}
	return surfer.Document{}, fmt.Errorf("%s: redirects without end", address)
}

func (s seeding) train(t testing.TB) {
	t.Helper()
	one, err := sessions.ByUUID(t.Context(), s.Store.DB, s.Session)
	if err != nil {
		t.Fatal(err)
	}
	events, err := sessions.Events(t.Context(), s.Store.DB, one.ID)
	if err != nil {
		t.Fatal(err)
	}
	recs, err := session.Fold(events)
	if err != nil {
		t.Fatal(err)
	}
	graph := webgraph.Build(recs[0].Loads())
	if s.Bundle, err = model.Train(t.Context(), model.FromGraph(s.Web.Topic, graph, s.Clock), model.DefaultSettings(), nil); err != nil {
		t.Fatal(err)
	}
	m, err := models.Save(t.Context(), s.Store.DB, s.Store.Erasures(), s.Topic, s.Bundle, models.Facts{Facts: s.Bundle.Facts,
		Gamma: s.Bundle.Gamma.Value, Calibrated: s.Bundle.Gamma.Calibrated, Sessions: []string{s.Session}, Changes: []string{"first version"}})
	if err != nil {
		t.Fatal(err)
	}
	s.Model = m.ID
	for i, u := range recs[0].EntryPages() {
		s.Exec(t, `INSERT INTO starts (topic_id, url, source, ticked, created_at) VALUES (?, ?, 'proposed', ?, ?)`,
			s.Topic, u, i%2, s.Clock.UnixMilli())
	}
}

// crawlSome fetches pages of the demo's web best first and writes what a crawl would have written.
func (s seeding) crawl(t testing.TB, budget int, night string) {
	t.Helper()
	begin := s.Clock.Add(-6 * time.Hour)
	options := fmt.Sprintf(`{"starts":[%q],"budget":{"pages":%d,"per_host":40}}`, s.Web.Script()[0].URL, budget)
	crawl := s.Exec(t, `INSERT INTO crawls (topic_id, model_id, night, strategy, options, status, stop_reason, spent_ms, created_at, started_at, ended_at)
		VALUES (?, ?, ?, 'hmm-paper', ?, 'ended', 'there was nothing left to fetch', 1834000, ?, ?, ?)`,
		s.Topic, s.Model, night, options, begin.UnixMilli(), begin.UnixMilli(), s.Clock.Add(-5*time.Hour).UnixMilli())
	s.Exec(t, `UPDATE topics SET queue = ? WHERE id = ?`, crawl, s.Topic)
	chooser, err := strategy.New(t.Context(), "hmm-paper", s.Bundle)
	if err != nil {
		t.Fatal(err)
	}
	type candidate struct {
		url, anchor string
		parent      int64
		depth       int
		path        []byte
		priority    strategy.Priority
	}
	starts, err := startpages.All(t.Context(), s.Store.DB, s.Topic)
	if err != nil {
		t.Fatal(err)
	}
	var queue []candidate
	known := map[string]bool{}
	for _, start := range starts {
		queue = append(queue, candidate{url: start.URL})
		known[start.URL] = true
	}
	total, relevant := 0, 0
	for n := 1; n <= budget && len(queue) > 0; n++ {
		slices.SortStableFunc(queue, func(a, b candidate) int { return cmp.Compare(0, a.priority.Compare(b.priority)) })
		next := queue[0]
		queue = queue[1:]
		at := begin.Add(time.Duration(n) * 15 * time.Second).UnixMilli()
		var parent any
		if next.parent > 0 {
			parent = next.parent
		}
		doc, err := s.load(next.url)
		if err != nil {
			s.Exec(t, `INSERT INTO fetches (crawl_id, n, url, final_url, host, outcome, reason, http_status, at, parent_id, depth, anchor)
				VALUES (?, ?, ?, ?, ?, 'status', 'the server answered 404 Not Found', 404, ?, ?, ?, ?)`,
				crawl, n, next.url, next.url, weburl.Host(next.url), at, parent, next.depth, next.anchor)
			continue
		}
		p, err := page.Parse(doc.URL, "text/html; charset=utf-8", doc.HTML)
		if err != nil {
			t.Fatal(err)
		}
		j, err := chooser.Read(t.Context(), strategy.Visit{Page: p, Start: next.parent == 0, Parent: next.path})
		if err != nil {
			t.Fatal(err)
		}
		states, _ := json.Marshal(j.States)
		evidence, _ := json.Marshal(append([]float64{}, j.Evidence...))
		id := s.Exec(t, `INSERT INTO fetches (crawl_id, n, url, final_url, host, outcome, http_status, bytes, at, parent_id, depth, anchor, title, cluster, states, similarity, relevant, useful, evidence)
			VALUES (?, ?, ?, ?, ?, 'ok', 200, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
			crawl, n, next.url, doc.URL, weburl.Host(doc.URL), len(doc.HTML), at, parent, next.depth, next.anchor, p.Title, j.Cluster, string(states), j.Similarity, j.Relevant, j.Useful, string(evidence))
		total += len(doc.HTML)
		if j.Relevant {
			relevant++
			if s.Count(t, `SELECT count(*) FROM pages WHERE url = ?`, doc.URL) == 0 {
				s.Exec(t, `INSERT OR IGNORE INTO finds (topic_id, crawl_id, fetch_id, url, title, snippet, similarity, found_at, useful) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
					s.Topic, crawl, id, doc.URL, p.Title, chart.Shorten(300, strings.TrimPrefix(p.Text, p.Title)), j.Similarity, at, j.Useful)
			}
		}
		for i, l := range p.Links {
			if !known[l.URL] {
				known[l.URL] = true
				queue = append(queue, candidate{l.URL, l.Anchor, id, next.depth + 1, j.Path, j.Priorities[i]})
			}
		}
	}
	s.Exec(t, `INSERT INTO contacts (crawl_id, host, purpose, requests, failed, bytes, first_at, last_at)
		SELECT crawl_id, host, 'page', count(*), 0, sum(bytes), min(at), max(at) FROM fetches WHERE crawl_id = ?1 GROUP BY host
		UNION SELECT crawl_id, host, 'robots', 1, 0, 64, min(at), min(at) FROM fetches WHERE crawl_id = ?1 GROUP BY host`, crawl)
	s.Exec(t, `UPDATE crawls SET fetched = (SELECT count(*) FROM fetches WHERE crawl_id = ?1), relevant = ?2, bytes = ?3 WHERE id = ?1`, crawl, relevant, total)
	s.Crawl = crawl
}
