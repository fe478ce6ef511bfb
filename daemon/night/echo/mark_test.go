package echo

import (
	"context"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"nightjar/crawler"
	"nightjar/crawler/fetch"
	"nightjar/crawler/page"
	"nightjar/crawler/strategy"
	"nightjar/daemon/base/notify"
	"nightjar/daemon/browse/protocol"
	"nightjar/daemon/browse/session"
	"nightjar/daemon/browse/session/sessiontest"
	"nightjar/daemon/browse/sessions"
	"nightjar/daemon/browse/topics"
	"nightjar/daemon/learn/marks"
	"nightjar/daemon/learn/trainer"
	"nightjar/daemon/night/crawls"
	"nightjar/daemon/night/scheduler"
	"nightjar/daemon/store"
	"nightjar/daemon/store/storetest"
	"nightjar/model"
)

// subjects are the words of pages of one kind.
var subjects = map[string]string{
	"birds":   "nest birds feather wings eggs plumage migration flock beak songbird",
	"towns":   "street market bridge council harbour station museum castle tower square",
	"gardens": "soil roses hedge lawn compost seeds pruning greenhouse orchard spade",
	"planets": "jupiter storm atmosphere telescope orbit spot hurricane gas astronomers cloud",
}

// pageAbout is a page with words of a subject, some of everyday use and one of its own.
func pageAbout(rng *rand.Rand, subject, own string) string {
	words := strings.Fields(subjects[subject])
	var text []string
	for range 60 {
		text = append(text, words[rng.IntN(len(words))])
	}
	for range 30 {
		text = append(text, []string{"people", "year", "large", "country", "water", "world", "island"}[rng.IntN(7)])
	}
	return fmt.Sprintf("<title>%s</title><p>%s %s", own, own, strings.Join(text, " "))
}

// birdSession is a session about birds with other pages between them.
func birdSession(seed uint64) []protocol.Event {
	rng, m := rand.New(rand.NewPCG(seed, 7)), sessiontest.NewMaker(seed, time.Date(2026, 11, 2, 20, 0, 0, 0, time.UTC))
	events, from := []protocol.Event{m.Start("Birds")}, ""
	for i := range 36 {
		subject := []string{"birds", "towns", "gardens", "towns", "birds", "planets"}[i%6]
		how := protocol.HowLink
		if i == 0 {
			how = protocol.HowTyped
		}
		v := m.Visit(fmt.Sprintf("http://wiki.test/%s/%d", subject, i), subject, how, from)
		events = append(events, v, m.Snapshot(v.Page, []byte(pageAbout(rng, subject, fmt.Sprintf("w%c%c", 'a'+i%26, 'a'+i/26)))))
		if subject == "birds" {
			events = append(events, m.Of(protocol.Useful, v.Page, ""))
		}
		from = v.Page
	}
	return append(events, m.Event(protocol.Submit))
}

// nothingFirst knows no links.
type nothingFirst struct{}

func (nothingFirst) Preview(context.Context, scheduler.Previewed, int) (scheduler.Preview, error) {
	return scheduler.Preview{}, scheduler.ErrNoStart
}

// world is a topic with a session, a model, and a find of each subject.
type world struct {
	st      *store.Store
	trainer *trainer.Trainer
	topic   topics.Topic
	finds   map[string]int64
	html    map[string]string
}

func newWorld(t *testing.T) *world {
	t.Helper()
	st, err := store.Open(t.Context(), storetest.Path(t))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { st.Close() })
	w := &world{st: st, trainer: trainer.New(trainer.Deps{Store: st, Bus: &notify.Bus{}, Log: slog.New(slog.DiscardHandler)}), finds: map[string]int64{}, html: map[string]string{}}
	w.record(t, birdSession(1))
	if w.topic, err = topics.ByName(t.Context(), st.DB, "Birds"); err != nil {
		t.Fatal(err)
	}
	m, err := w.trainer.Train(t.Context(), w.topic.ID)
	if err != nil {
		t.Fatal(err)
	}
	w.crawl(t, m.ID)
	return w
}

func (w *world) record(t *testing.T, events []protocol.Event) {
	t.Helper()
	admitted, refused := session.AdmitAll(events)
	if in, err := sessions.Ingest(t.Context(), w.st, admitted); err != nil || len(refused)+len(in.Refused) > 0 {
		t.Fatalf("ingest: %v, refused %v %v", err, refused, in.Refused)
	}
}

func (w *world) crawl(t *testing.T, modelID int64) {
	t.Helper()
	c := crawls.Crawl{TopicID: w.topic.ID, ModelID: modelID, Strategy: "hmm"}
	var err error
	if c.ID, err = crawls.Create(t.Context(), w.st.DB, c); err != nil {
		t.Fatal(err)
	}
	journal, rng := crawls.NewJournal(w.st.DB, c), rand.New(rand.NewPCG(3, 7))
	for i, subject := range []string{"birds", "gardens", "planets"} {
		url := "http://found.test/" + subject
		w.html[subject] = pageAbout(rng, subject, "found"+subject)
		parsed, err := page.Parse(url, page.ContentUTF8, []byte(w.html[subject]))
		if err != nil {
			t.Fatal(err)
		}
		journal.OnFind = func(id int64) { w.finds[subject] = id }
		err = journal.Commit(t.Context(), &crawler.Batch{Fetches: []*crawler.Fetch{{
			N: i + 1, URL: url, FinalURL: url, Title: parsed.Title, At: time.Date(2026, 11, 3, 2, 0, i, 0, time.UTC), Cost: 1, TextHash: int64(i + 1),
			Response:  fetch.Response{URL: url, FinalURL: url, Outcome: fetch.OK, Status: 200, Body: []byte(w.html[subject])},
			Page:      parsed,
			Judgement: strategy.Judgement{Relevant: true, Similarity: .8, Useful: .8}, Credit: true, Relevant: true,
		}}, Totals: crawler.Totals{Fetched: i + 1}})
		if err != nil {
			t.Fatal(err)
		}
	}
	if len(w.finds) != 3 {
		t.Fatalf("finds %v", w.finds)
	}
}

// mark marks a find and returns what the echo says of it.
func (w *world) mark(t *testing.T, subject, mark string) Change {
	t.Helper()
	acted, err := marks.PutAll(t.Context(), w.st.DB, []int64{w.finds[subject]}, mark)
	if err != nil {
		t.Fatal(err)
	}
	e := New(w.st, w.trainer, nothingFirst{}, &notify.Bus{}, slog.New(slog.DiscardHandler))
	e.Marked(acted.Topics, acted.Since)
	e.compareAll(t.Context())
	now := e.Now()
	if now.Learning || len(now.Topics) != 1 || now.Topics[0].Problem != "" {
		t.Fatalf("echo %+v", now)
	}
	return now.Topics[0]
}

// TestMarkNamesItsOwnWords: a mark on a page names no word that the page does not hold, also when other data came since the
// stored model was trained.
func TestMarkNamesItsOwnWords(t *testing.T) {
	w := newWorld(t)
	w.record(t, birdSession(2)) // not trained on yet
	for _, mark := range []string{store.MarkNotUseful, store.MarkNone, store.MarkOffTopic, store.MarkUseful, store.MarkNone} {
		c := w.mark(t, "planets", mark)
		for _, word := range slices.Concat(c.Gained, c.Lost) {
			if !strings.Contains(w.html["planets"], word) {
				t.Errorf("%s on the page about planets: counts more %v, less %v; it does not hold %q", mark, c.Gained, c.Lost, word)
			}
		}
		if mark == store.MarkNotUseful && len(c.Lost) == 0 || mark == store.MarkUseful && len(c.Gained) == 0 {
			t.Errorf("%s on the page about planets: counts more %v, less %v; want some words", mark, c.Gained, c.Lost)
		}
	}
}

// drawn lists links as they were given for the seed of a model.
type drawn map[uint64][]string

func (d drawn) Preview(_ context.Context, of scheduler.Previewed, _ int) (p scheduler.Preview, err error) {
	for _, url := range d[of.Model.Settings.Seed] {
		p.Links = append(p.Links, scheduler.PreviewLink{URL: url})
	}
	return p, nil
}

// againSeeds trains again as a model that has nothing but its seed.
type againSeeds struct{ Trainer }

func (againSeeds) Again(_ context.Context, _ *trainer.Trial, seed uint64) (*model.Bundle, error) {
	return &model.Bundle{Settings: model.Settings{Seed: seed}}, nil
}

// TestLinksThatAnySeedChanges: links and sites count as the marks' work when they change more than with another seed.
func TestLinksThatAnySeedChanges(t *testing.T) {
	const a, b, c, d = "http://a.test/1", "http://b.test/1", "http://c.test/1", "http://d.test/1"
	for _, one := range []struct {
		name              string
		with, second, any []string
		usual             bool
		sites             int
	}{
		{"no seed changes anything", []string{a, c}, []string{a, b}, []string{a, b}, false, 2},
		{"another seed changes as much", []string{a, c}, []string{a, b}, []string{a, d}, true, 0},
		{"another seed changes less", []string{c, d}, []string{b, a}, []string{a, c}, false, 0},
		{"only the order", []string{b, a}, []string{a, b}, []string{a, b}, false, 0},
		{"an order that any seed changes", []string{b, a}, []string{b, a}, []string{a, b}, true, 0},
		{"nothing changes", []string{a, b}, []string{c, d}, []string{c, d}, false, 0},
	} {
		models := drawn{9: one.with, 1: {a, b}, 2: one.second, 3: one.any}
		e := New(nil, againSeeds{}, models, &notify.Bus{}, slog.New(slog.DiscardHandler))
		change := &Change{TopicID: 1}
		with, without := &model.Bundle{}, &model.Bundle{}
		with.Settings.Seed, without.Settings.Seed = 9, 1
		if err := e.say(t.Context(), change, &trainer.Trial{With: with, Without: without}); err != nil {
			t.Fatal(err)
		}
		if change.Usual != one.usual || len(change.Sites) != one.sites {
			t.Errorf("%s: usual = %v, sites %v; want %v and %d sites", one.name, change.Usual, change.Sites, one.usual, one.sites)
		}
	}
}
