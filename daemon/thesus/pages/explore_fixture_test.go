package pages

import (
	"context"
	"fmt"
	"io"
	"net/url"
	"testing"

	"nightjar/daemon/store"
	"nightjar/daemon/thesus/explore"
	"nightjar/daemon/thesus/links"
	"nightjar/daemon/thesus/ontologies"
	"nightjar/model/ontology"
)

func groupingAt(id int64) string { return fmt.Sprint("/explore/", id) }
func ontologyAt(id int64) string { return fmt.Sprint("/explore/ontologies/", id) }

func console(text string) string { return "/explore/operators?q=" + url.QueryEscape(text) }

// fakeExplore is a maker of groupings whose results the test writes down. Groupings are rows of the store.
type fakeExplore struct {
	f        *fixture
	said     []string // what was asked of it, in order
	err      error    // of what is asked next, instead of doing it
	views    map[int64]*explore.View
	about    map[int64]*explore.PageView // by page
	answer   *explore.Answer
	progress explore.Progress
}

func (e *fakeExplore) say(format string, args ...any) error {
	e.said = append(e.said, fmt.Sprintf(format, args...))
	return e.err
}

func (e *fakeExplore) Group(ctx context.Context, r explore.Request) (explore.Grouping, error) {
	if err := e.say("group %s %d by %d %+v", r.Scope, r.ScopeID, r.Ontology, r.Options); err != nil {
		return explore.Grouping{}, err
	}
	return explore.PutGrouping(ctx, e.f.Store.DB, explore.Grouping{Scope: r.Scope, ScopeID: r.ScopeID, Ontology: r.Ontology, Options: r.Options})
}

func (e *fakeExplore) Stop(_ context.Context, id int64) error { return e.say("stop %d", id) }

func (e *fakeExplore) Delete(ctx context.Context, id int64) error {
	if err := e.say("delete %d", id); err != nil {
		return err
	}
	return explore.DeleteGrouping(ctx, e.f.Store.DB, id)
}

func (e *fakeExplore) Progress(int64) explore.Progress { return e.progress }

func (e *fakeExplore) View(ctx context.Context, id int64) (*explore.View, error) {
	g, err := explore.GroupingByID(ctx, e.f.Store.DB, id)
	if err != nil {
		return nil, err
	}
	if e.views[id] == nil {
		return nil, explore.ErrNotReady
	}
	v := *e.views[id]
	v.Grouping = g
	return &v, nil
}

func (e *fakeExplore) PageOf(_ context.Context, grouping, page int64) (*explore.PageView, error) {
	v := e.about[page]
	if v == nil {
		return nil, store.ErrNotFound
	}
	one := *v
	if grouping == 0 {
		one.Description = explore.Description{Words: v.Description.Words}
	}
	return &one, nil
}

func (e *fakeExplore) Ask(_ context.Context, id int64, text string) (*explore.Answer, error) {
	return e.answer, e.say("ask %d %s", id, text)
}

func (e *fakeExplore) Export(_ context.Context, id int64, kind string, w io.Writer) error {
	_, err := fmt.Fprintf(w, "grouping %d as %s\n", id, kind)
	return err
}

// grouped is a dashboard with groupings: of all pages by terms of an ontology, by words, by COBWEB, one in the making, one that
// failed, and one without pages.
type grouped struct {
	*fixture
	ontology int64
	terms    int64 // groupings
	words    int64
	working  int64
	failed   int64
	empty    int64
}

// item is a term of the ontology of the tests.
func item(key, label, parent string) ontology.Item {
	one := ontology.Item{Key: key, Labels: []string{label}}
	if parent != "" {
		one.Parents = []string{parent}
	}
	return one
}

// withGroupings adds groupings to the seeded store.
func (s *fixture) withGroupings(t testing.TB) *grouped {
	t.Helper()
	f := s
	f.withOntology(t) // it is the first one
	tree, _, err := ontology.Build([]ontology.Item{item("m", "music", ""), item("i", "instrument", "m"), item("s", "string instrument", "i"),
		item("g", "guitar", "s"), item("v", "violin", "s"), item("w", "wind instrument", "i"), item("fl", "flute", "w"), item("ge", "genre", "m"), item("j", "jazz", "ge"), item("o", "opera", "ge")})
	if err != nil {
		t.Fatal(err)
	}
	o, err := ontologies.Add(t.Context(), f.Store.DB, "Tunes & more", tree)
	if err != nil {
		t.Fatal(err)
	}
	g := &grouped{fixture: s, ontology: o.ID}
	f.Exec(t, `INSERT INTO link_page (id, url, site) WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 130)
		SELECT i, 'https://music.example/' || i, 'music.example' FROM n`)
	f.Exec(t, `INSERT INTO link (src, dst, pos) SELECT id, 1, 0 FROM link_page WHERE id BETWEEN 2 AND 9`)
	f.Exec(t, `INSERT OR IGNORE INTO word (word) VALUES ('guitar'), ('song')`)
	f.Exec(t, `INSERT INTO link_word (link, word, n) SELECT l.id, w.id, 2 FROM link l, word w
		WHERE l.src BETWEEN 2 AND 9 AND l.dst = 1 AND w.word IN ('guitar', 'song')`)
	put := func(one explore.Grouping, state explore.GroupingState, more string) int64 {
		made, err := explore.PutGrouping(t.Context(), f.Store.DB, one)
		if err != nil {
			t.Fatal(err)
		}
		f.Exec(t, `UPDATE groupings SET state = ?, problem = CASE ?1 WHEN 'failed' THEN ?3 ELSE '' END, ended_at = CASE ?1 WHEN 'working' THEN NULL ELSE created_at + 1 END WHERE id = ?2`,
			string(state), made.ID, more)
		return made.ID
	}
	g.terms = put(explore.Grouping{Scope: links.AllPages, Ontology: o.ID}, explore.GroupingDone, "")
	g.words = put(explore.Grouping{Scope: links.AllPages, Options: explore.GroupingOptions{Cobweb: true}}, explore.GroupingDone, "")
	g.working = put(explore.Grouping{Scope: links.PagesOfTopic, ScopeID: s.Topic}, explore.GroupingWorks, "")
	g.failed = put(explore.Grouping{Scope: links.PagesOfTopic, ScopeID: s.Topic, Ontology: o.ID}, explore.GroupingFailed, "it went wrong: try again")
	g.empty = put(explore.Grouping{Scope: links.PagesOfCrawl, ScopeID: s.Crawl}, explore.GroupingDone, "")
	e := f.explores
	e.views = map[int64]*explore.View{g.terms: handGrouping(explore.Terms), g.words: handCobweb(),
		g.empty: {Title: "Crawl", Mode: explore.Words, Few: 7}}
	e.about = map[int64]*explore.PageView{}
	for _, p := range e.views[g.terms].Pages {
		e.about[p.ID] = describedByHand(p)
	}
	e.progress = explore.Progress{Step: "Comparing pages", Done: 10, Of: 130}
	e.answer = answerByHand(e.views[g.terms])
	return g
}

// handGrouping is 120 pages about guitars, violins and flutes, and ten without a concept, at three levels.
func handGrouping(mode explore.Mode) *explore.View {
	v := &explore.View{Title: "Everything", Ontology: "Tunes & more", Mode: mode, Few: 41, Warnings: []string{"WordNet is not on this computer."}}
	keys, names := []string{"g", "v", "fl"}, []string{"guitar", "violin", "flute"}
	place := [3][]int{}
	for i := range 130 {
		p := explore.Page{ID: int64(i + 1), URL: fmt.Sprintf("https://music.example/%d", i+1), Title: fmt.Sprintf("Page %d of music", i+1), Sources: 2 + i%9}
		if i < 120 {
			k := i % 3
			p.Concepts = []explore.Weighted{{Key: keys[k], Name: names[k], Weight: 1 - float64(i)/400}}
			place[k] = append(place[k], i)
		}
		v.Pages = append(v.Pages, p)
	}
	apart := []int{120, 121, 122, 123, 124, 125, 126, 127, 128, 129}
	one := func(k int, pages []int, parent int) explore.Cluster {
		return explore.Cluster{Label: names[k], Terms: keys[k : k+1], Pages: pages, Parent: parent}
	}
	all := append(append(append([]int{}, place[0]...), place[1]...), place[2]...)
	v.Levels = []explore.Level{
		{MinSim: .95, Grouped: 60, Apart: append(append(append([]int{}, place[0][30:]...), place[1][20:]...), append(place[2][10:], apart...)...), Clusters: []explore.Cluster{one(0, place[0][:30], 0), one(1, place[1][:20], 0), one(2, place[2][:10], 1)}},
		{MinSim: .75, Grouped: 120, Apart: apart, Clusters: []explore.Cluster{{Label: "string instrument: guitar, violin", Terms: []string{"s", "g", "v"}, Pages: append(append([]int{}, place[0]...), place[1]...), Parent: 0}, one(2, place[2], 0)}},
		{MinSim: .5, Grouped: 120, Apart: apart, Clusters: []explore.Cluster{{Label: "instrument: guitar, violin, flute", Terms: []string{"i", "g", "v", "fl"}, Pages: all, Parent: -1}}},
	}
	v.Default = 1
	return v
}

// handCobweb is the same pages by senses, at two depths: two groups, in the second of which there are two.
func handCobweb() *explore.View {
	v := handGrouping(explore.Senses)
	v.Ontology, v.Default = "", 1
	halves, inside, rest := [2][]int{}, [2][]int{}, []int{}
	for i := range v.Pages {
		halves[i%2] = append(halves[i%2], i)
		if i%2 == 0 {
			rest = append(rest, i)
		} else {
			inside[i/2%2] = append(inside[i/2%2], i)
		}
	}
	group := func(label string, pages []int, parent int) explore.Cluster {
		return explore.Cluster{Label: label, Terms: []string{"g"}, Pages: pages, Parent: parent}
	}
	v.Levels = []explore.Level{
		{Depth: 2, Grouped: 65, Apart: rest, Clusters: []explore.Cluster{group("quarter 1", inside[0], 1), group("quarter 2", inside[1], 1)}},
		{Depth: 1, Grouped: 130, Apart: []int{}, Clusters: []explore.Cluster{group("half 1", halves[0], -1), group("half 2", halves[1], -1)}},
	}
	return v
}

// describedByHand is what two pages say about a page.
func describedByHand(p explore.Page) *explore.PageView {
	v := &explore.PageView{Page: p, Names: map[string]string{}, Links: 60}
	v.Description.Words = []explore.SaidWord{{Word: "song", N: 7}, {Word: "guitar", N: 4, Sense: "guitar.n.01", Term: "g", Similarity: 1}}
	for _, c := range p.Concepts {
		v.Names[c.Key] = c.Name
		v.Description.Words[1].Word, v.Description.Words[1].Term = c.Name, c.Key
		v.Description.Concepts = append(v.Description.Concepts, explore.Concept{Key: c.Key, Weight: c.Weight, Words: []int{1}})
	}
	for i := range 30 {
		said := explore.Said{SourceURL: fmt.Sprintf("https://fan.example/%d", i), SourceTitle: fmt.Sprintf("Fan page %d", i), Words: []string{"song"},
			Text: "A song that I heard last night"}
		if i%2 == 0 {
			said.Words, said.Text = []string{v.Description.Words[1].Word, "song"}, "The best "+v.Description.Words[1].Word+" of all songs"
		}
		if i == 5 {
			said.Text = ""
		}
		v.Said = append(v.Said, said)
	}
	return v
}

func answerByHand(v *explore.View) *explore.Answer {
	a := &explore.Answer{Text: "guitar riff", Words: []explore.SaidWord{{Word: "guitar", N: 1, Sense: "guitar.n.01", Term: "g", Similarity: 1}, {Word: "riff", N: 1}},
		Unmapped: []string{"riff"}, Found: []explore.Hit{{URL: "https://riff.example/", Title: "Riffs", Snippet: "every riff there is"}}}
	a.Groups = []explore.AnswerGroup{{Label: "string instrument: guitar, violin", Cluster: 0, Similarity: .91, More: 3}, {Label: "", Cluster: -1, Similarity: .5}}
	for i := range 20 {
		a.Groups[0].Pages = append(a.Groups[0].Pages, explore.AnswerPage{Page: v.Pages[i*3], Similarity: .99 - float64(i)/100})
	}
	a.Groups[1].Pages = []explore.AnswerPage{{Page: v.Pages[125], Similarity: .6}}
	return a
}

// spoil writes a text into every place of groupings that a stranger can fill.
func (e *fakeExplore) spoil(evil, inURL string) {
	address := func(n int) string { return fmt.Sprintf("http://h.example/?%s%d", inURL, n) }
	e.progress.Step = "x" + evil
	for _, v := range e.views {
		v.Title, v.Warnings = evil, []string{"x" + evil}
		for i := range v.Pages {
			v.Pages[i].URL, v.Pages[i].Title = address(i), "x"+evil
			for j := range v.Pages[i].Concepts {
				v.Pages[i].Concepts[j].Name = "x" + evil
			}
		}
		for i := range v.Levels {
			for j := range v.Levels[i].Clusters {
				v.Levels[i].Clusters[j].Label = "x" + evil
			}
		}
	}
	for _, v := range e.about {
		v.Page.URL, v.Page.Title = address(0), "x"+evil
		for i := range v.Description.Words {
			v.Description.Words[i].Word, v.Description.Words[i].Sense = fmt.Sprint("x", evil, i), "x"+evil
		}
		for key := range v.Names {
			v.Names[key] = "x" + evil
		}
		for i := range v.Said {
			s := &v.Said[i]
			s.SourceURL, s.SourceTitle, s.Words = address(i), "x"+evil, []string{fmt.Sprint("x", evil, 1), fmt.Sprint("x", evil, 0)}
			if s.Text != "" {
				s.Text = "x" + evil
			}
		}
	}
	a := e.answer
	a.Unmapped, a.Found = []string{"x" + evil}, []explore.Hit{{URL: address(1), Title: "x" + evil, Snippet: "x" + evil}}
	for i := range a.Words {
		a.Words[i].Word, a.Words[i].Sense = "x"+evil, "x"+evil
	}
	for i := range a.Groups {
		a.Groups[i].Label = "x" + evil
		for j := range a.Groups[i].Pages {
			a.Groups[i].Pages[j].URL, a.Groups[i].Pages[j].Title = address(j), "x"+evil
		}
	}
}
