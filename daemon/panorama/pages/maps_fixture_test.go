package pages

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"nightjar/daemon/browse/topics"
	"nightjar/daemon/learn/trainingdata"
	"nightjar/daemon/morning/search"
	"nightjar/daemon/night/crawls"
	"nightjar/daemon/panorama/communities"
	"nightjar/daemon/panorama/maps"
	"nightjar/daemon/panorama/trainingset"
	"nightjar/daemon/store"
	"nightjar/model/cluster"
	"nightjar/model/label"
	places "nightjar/model/layout"
)

func mapAt(id int64) string { return fmt.Sprint("/communities/", id) }

// allSteps are the steps of a map of a document.
var allSteps = []maps.Step{maps.StepTitles, maps.StepPages, maps.StepTraining, maps.StepCrawl, maps.StepDrawing}

// fakeMaps is a maker of maps whose steps the test sets by hand. Maps are rows of the store; what is known of a document
// and of a finished map is written down here.
type fakeMaps struct {
	f    *fixture
	said []string // what was asked of it, in order

	main      string
	titles    []string
	read      maps.ReadDocument
	plan      trainingset.Plan
	planError error
	to        func() string // who is asked, when that changes
	positives []communities.PositivePage
	progress  communities.Progress
	err       error // of what is asked next, instead of doing it
	view      *communities.View
	sources   []communities.Source
}

func (m *fakeMaps) say(format string, args ...any) error {
	m.said = append(m.said, fmt.Sprintf(format, args...))
	return m.err
}

func (m *fakeMaps) add(ctx context.Context, one maps.Map) (maps.Map, error) {
	if m.err != nil {
		return maps.Map{}, m.err
	}
	return maps.Add(ctx, m.f.Store.DB, one)
}

func (m *fakeMaps) NewDocument(ctx context.Context, src communities.Source, o maps.Options, more ...communities.Source) (maps.Map, error) {
	m.sources = append(m.sources, src)
	_ = m.say("document %s", src.Name+src.URL)
	if m.err != nil {
		return maps.Map{}, m.err
	}
	d, err := maps.AddDocument(ctx, m.f.Store.DB, maps.Document{Key: "k" + src.Name, Title: "A document", Source: "x"}, nil, maps.ReadDocument{})
	if err != nil {
		return maps.Map{}, err
	}
	return m.add(ctx, maps.Map{Source: maps.FromDocument, Title: d.Title, Document: d.ID, Options: o, Step: maps.StepTitles, State: maps.Waiting})
}

func (m *fakeMaps) NewTopic(ctx context.Context, id int64, o maps.Options) (maps.Map, error) {
	_ = m.say("topic %d", id)
	if _, err := topics.ByID(ctx, m.f.Store.DB, id); err != nil {
		return maps.Map{}, err
	}
	return m.add(ctx, maps.Map{Source: maps.FromTopic, Title: "A topic", Topic: id, Options: o, Step: maps.StepTraining, State: maps.Working})
}

func (m *fakeMaps) NewCrawl(ctx context.Context, id int64, o maps.Options) (maps.Map, error) {
	_ = m.say("crawl %d", id)
	c, err := crawls.ByID(ctx, m.f.Store.DB, id)
	if err != nil {
		return maps.Map{}, err
	}
	return m.add(ctx, maps.Map{Source: maps.FromCrawl, Title: "A crawl", Topic: c.TopicID, Crawl: id, Options: o, Step: maps.StepDrawing, State: maps.Working})
}

func (m *fakeMaps) Titles(context.Context, int64) (string, []string, maps.ReadDocument, error) {
	return m.main, m.titles, m.read, nil
}

func (m *fakeMaps) SetTitles(_ context.Context, id int64, main string, titles []string) error {
	if err := m.say("titles %d %s: %s", id, main, strings.Join(titles, " / ")); err != nil {
		return err
	}
	m.main, m.titles = main, titles
	return nil
}

func (m *fakeMaps) SetOptions(ctx context.Context, id int64, change func(*maps.Options)) error {
	if m.err != nil {
		return m.err
	}
	_, err := maps.Change(ctx, m.f.Store.DB, id, func(one *maps.Map) error {
		change(&one.Options)
		text, err := json.Marshal(one.Options)
		_ = m.say("options %d %s", id, text)
		return err
	})
	return err
}

func (m *fakeMaps) Plan(context.Context, int64) (trainingset.Plan, error) {
	p := m.plan
	if m.to != nil {
		p.To = m.to()
	}
	if p.To != "" {
		p.Queries = nil
		for i, t := range m.titles {
			one := trainingset.Planned{Title: t, Query: `"` + t + `"`, Fate: trainingset.WillSend}
			if i >= trainingset.MaxQueries {
				one.Fate = trainingset.OverLimit
			}
			p.Queries = append(p.Queries, one)
		}
	}
	return p, m.planError
}

func (m *fakeMaps) Positives(context.Context, int64) ([]communities.PositivePage, error) {
	return m.positives, nil
}

func (m *fakeMaps) LeaveOut(_ context.Context, id int64, url string, out bool) error {
	return m.say("leave out %d %s %t", id, url, out)
}

func (m *fakeMaps) Go(_ context.Context, id int64) error     { return m.say("go %d", id) }
func (m *fakeMaps) Stop(_ context.Context, id int64) error   { return m.say("stop %d", id) }
func (m *fakeMaps) Enough(_ context.Context, id int64) error { return m.say("enough %d", id) }

func (m *fakeMaps) Again(ctx context.Context, id int64) (maps.Map, error) {
	_ = m.say("again %d", id)
	one, err := maps.ByID(ctx, m.f.Store.DB, id)
	if err != nil {
		return maps.Map{}, err
	}
	one.Earlier, one.State = id, maps.Working
	return m.add(ctx, one)
}

func (m *fakeMaps) Delete(ctx context.Context, id int64) error {
	if err := m.say("delete %d", id); err != nil {
		return err
	}
	return maps.Delete(ctx, m.f.Store.DB, id)
}

func (m *fakeMaps) Progress(int64) communities.Progress { return m.progress }

func (m *fakeMaps) View(ctx context.Context, id int64) (*communities.View, error) {
	one, err := maps.ByID(ctx, m.f.Store.DB, id)
	if err != nil {
		return nil, err
	}
	if m.view == nil || one.State != maps.Done {
		return nil, communities.ErrNotReady
	}
	v := *m.view
	v.Map = one
	return &v, nil
}

func (m *fakeMaps) Mark(_ context.Context, id, fetch int64, mark string) (store.Acted, error) {
	if err := m.say("mark %d %d %s", id, fetch, mark); err != nil {
		return store.Acted{}, err
	}
	for i := range m.view.Communities {
		c := &m.view.Communities[i]
		for _, list := range [][]communities.Page{c.Examples, c.Hubs, c.Authorities} {
			for j := range list {
				if list[j].Fetch == fetch {
					list[j].Mark = mark
				}
			}
		}
	}
	return store.Acted{Action: 1, Topics: []int64{m.view.Map.Topic}}, nil
}

func (m *fakeMaps) MoreLikeThis(_ context.Context, id int64, n int) (int64, error) {
	return 1, m.say("like %d %d", id, n)
}

// mapped is a dashboard with a map in each state: of the seeded crawl, of its topic, and of a document in each step.
type mapped struct {
	*fixture
	done   int64            // a finished map of the crawl
	making map[string]int64 // by step and state: "pages waiting"
	fetch  int64            // of the first typical page
}

// withMaps adds maps to the seeded store.
func (s *fixture) withMaps(t testing.TB) *mapped {
	t.Helper()
	m := &mapped{fixture: s, making: map[string]int64{}}
	maker := s.maps
	maker.main, maker.titles = "Power from the tides", []string{"Tidal barrages of Europe", "A survey of turbines & gates"}
	maker.read = maps.ReadDocument{Kind: "bibtex", Language: "en", Authors: []string{"A. Author"}, Warnings: []maps.DocumentWarning{{What: "an entry has no title", Next: "add it by hand", Line: 7}}}
	maker.positives = positivesOf(s, t)
	doc, err := maps.AddDocument(t.Context(), s.Store.DB, maps.Document{Key: "doc", Title: maker.main, Source: "tides.bib"}, maker.titles, maker.read)
	if err != nil {
		t.Fatal(err)
	}
	add := func(one maps.Map) int64 {
		added, err := maps.Add(t.Context(), s.Store.DB, one)
		if err != nil {
			t.Fatal(err)
		}
		return added.ID
	}
	m.done = add(maps.Map{Source: maps.FromCrawl, Title: "Tidal power, crawl", Topic: s.Topic, Crawl: s.Crawl, Step: maps.StepDrawing, State: maps.Done})
	for _, step := range allSteps {
		for _, state := range []maps.State{maps.Waiting, maps.Working, maps.Failed} {
			one := maps.Map{Source: maps.FromDocument, Title: maker.main, Document: doc.ID, Step: step, State: state, Options: maps.Options{Hold: true}}
			if state == maps.Failed {
				one.Problem = "it went wrong: try again"
			}
			if slices.Index(allSteps, step) >= 3 {
				one.Topic, one.Crawl = s.Topic, s.Crawl
			}
			m.making[fmt.Sprintf("%s %s", step, state)] = add(one)
		}
	}
	maker.view = s.handView(t, m.done)
	m.fetch = maker.view.Communities[0].Examples[0].Fetch
	return m
}

// positivesOf are three pages in each condition.
func positivesOf(s *fixture, t testing.TB) []communities.PositivePage {
	t.Helper()
	reason := []trainingdata.PositiveReason{{Title: "Tidal barrages of Europe", Stage: search.TitlePhrase, Place: 1}, {Title: "A survey", Stage: search.TitleNear, Place: 2}}
	return []communities.PositivePage{
		{Positive: trainingdata.Positive{URL: "https://a.example/1", Title: "One", Reasons: reason}, Known: true},
		{Positive: trainingdata.Positive{URL: "https://b.example/2", Title: "Two", Reasons: reason, LeftOut: true}, Known: true},
		{Positive: trainingdata.Positive{URL: "https://c.example/3", Reasons: reason[:1]}, Outcome: "robots", Reason: "its site's robots.txt forbids it"},
	}
}

// spoil writes a text into every place of a map that a stranger can fill.
func (m *fakeMaps) spoil(evil, inURL string) {
	address := func(n int) string { return fmt.Sprintf("http://h.example/?%s%d", inURL, n) }
	m.main, m.titles = evil, []string{evil, "x" + evil}
	m.read = maps.ReadDocument{Kind: "x" + evil, Language: "x" + evil, Authors: []string{evil}, Warnings: []maps.DocumentWarning{{What: "x" + evil, Next: "x" + evil, Line: 7}}}
	m.to = func() string { return "x" + evil }
	m.progress = communities.Progress{Step: maps.StepPages, Done: 1, Of: 2, Text: "x" + evil}
	for i := range m.positives {
		m.positives[i].Positive = trainingdata.Positive{URL: address(i), Title: "x" + evil, Snippet: evil, LeftOut: m.positives[i].LeftOut,
			Reasons: []trainingdata.PositiveReason{{Title: "x" + evil, Stage: "x" + evil}}}
		m.positives[i].Reason = "x" + evil
	}
	v := m.view
	v.Topic, v.Warnings, v.Titles, v.Queries, v.Provider = evil, []string{evil}, []string{evil}, []string{evil}, evil
	for i := range v.Communities {
		c := &v.Communities[i]
		c.Name, c.Labels = evil, []label.Label{{Text: evil, Expansion: "x" + evil}, {Text: "x" + evil, Expansion: "x" + evil}}
		c.Words = []cluster.Scored{{Term: evil}, {Term: evil}}
		for _, list := range [][]communities.Page{c.Examples, c.Hubs, c.Authorities} {
			for j := range list {
				list[j].URL, list[j].Title, list[j].Snippet = address(j), "x"+evil, "x"+evil
			}
		}
	}
}

// handView is a map of two communities with real pages of the seeded crawl.
func (s *fixture) handView(t testing.TB, id int64) *communities.View {
	t.Helper()
	rows, err := s.DB.Query(`SELECT id, final_url, title FROM fetches WHERE crawl_id = ? AND outcome = 'ok' ORDER BY n DESC LIMIT 12`, s.Crawl)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	var pages []communities.Page
	for rows.Next() {
		p := communities.Page{Snippet: "The barrage turns the tide into power.", Score: .8, P: .7}
		if err := rows.Scan(&p.Fetch, &p.URL, &p.Title); err != nil {
			t.Fatal(err)
		}
		pages = append(pages, p)
	}
	if err := rows.Err(); err != nil || len(pages) < 6 {
		t.Fatalf("%d pages, %v", len(pages), err)
	}
	pages = append(pages, pages...) // for a crawl of few pages
	pages[1].New = true
	between := [][]float64{{1, .4}, {.4, 1}}
	circles := places.Places(between, []int{60, 30}, places.Options{})
	view := &communities.View{Topic: "Tidal power", Result: communities.Result{Made: s.Clock, Between: between,
		Counts: communities.Counts{Fetched: 120, Pages: 110, Kept: 90, Terms: 400, Links: 300}, Warnings: []string{"Few pages were kept."}},
		Harvest: []communities.HarvestPoint{{Pages: 1, Rate: .2}, {Pages: 90, Rate: .4}}}
	view.Map.Topic = s.Topic
	view.Map.ID = id
	for i, name := range []string{"barrages", "turbines"} {
		own := pages[6*i : 6*i+6]
		view.Communities = append(view.Communities, communities.Community{N: i + 1, Name: name, Labels: []label.Label{{Text: name, Expansion: "what it stands for"}, {Text: "sea"}},
			Words: []cluster.Scored{{Term: "tide", Score: 2}, {Term: "gate", Score: 1}}, Size: 60 - 30*i, New: 1, Harvest: .5,
			Examples: slices.Clone(own[:4]), Hubs: slices.Clone(own[3:5]), Authorities: slices.Clone(own[:2]), Circle: circles[i]})
	}
	return view
}
