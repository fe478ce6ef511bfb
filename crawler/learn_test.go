package crawler_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"nightjar/crawler"
	"nightjar/crawler/frontier"
	"nightjar/crawler/strategy"
)

// pupil is a small strategy that learns which first path segment leads to targets. The priority of a link is ten times the
// value of its segment, plus the number of "good" on its page, minus a thousand. It reorders the queue every few pages.
type pupil struct {
	counting
	every    int // pages
	judged   int
	gained   map[string]int32 // by segment, what was learned so far
	worth    map[string]int32 // at the last reordering
	said     map[string]int32 // by URL, what the person's words count
	segments map[string]string
	visits   []strategy.Visit
}

func newPupil(every int) *pupil {
	return &pupil{every: every, gained: map[string]int32{}, worth: map[string]int32{}, said: map[string]int32{}, segments: map[string]string{}}
}

func (p *pupil) Read(ctx context.Context, v strategy.Visit) (strategy.Judgement, error) {
	p.visits = append(p.visits, v)
	j, err := p.counting.Read(ctx, v)
	if j.Relevant {
		p.gained[segment(v.URL)]++
	}
	p.segments[v.Page.URL] = segment(v.URL)
	p.judged++
	j.Reorder = p.judged%p.every == 0
	if j.Reorder {
		p.worth = map[string]int32{}
		for s, n := range p.gained {
			p.worth[s] += n
		}
		for u, n := range p.said {
			p.worth[p.segments[u]] += n
		}
	}
	for i, l := range v.Page.Links {
		note := fmt.Appendf(nil, "%d %s", strings.Count(v.Page.Text, "good"), v.Page.URL)
		j.Notes = append(j.Notes, note)
		j.Priorities[i] = p.Priority(l.URL, note)
	}
	return j, err
}

func (p *pupil) Priority(url string, note []byte) strategy.Priority {
	var good int32
	if _, err := fmt.Sscan(string(note), &good); err != nil {
		panic("a note that the pupil did not write: " + string(note))
	}
	return strategy.Priority{10*p.worth[segment(url)] + good - 1000}
}

func (p *pupil) Teach(m strategy.Mark) {
	if _, ok := p.segments[m.URL]; !ok {
		return
	}
	switch {
	case m.Gone:
		delete(p.said, m.URL)
	case m.Useful:
		p.said[m.URL] = 5
	default:
		p.said[m.URL] = -5
	}
}

func (p *pupil) Ask(int) []string { return nil }

func (p *pupil) Snapshot() []byte {
	data, err := json.Marshal([]any{p.judged, p.gained, p.worth, p.said, p.segments})
	if err != nil {
		panic(err)
	}
	return data
}

func (p *pupil) Restore(data []byte) error {
	fresh := newPupil(p.every)
	if err := json.Unmarshal(data, &[]any{&fresh.judged, &fresh.gained, &fresh.worth, &fresh.said, &fresh.segments}); err != nil {
		return err
	}
	*p = *fresh
	return nil
}

func segment(url string) string { return strings.Split(url, "/")[3] }

// twoKinds is a web of four pages of each of two kinds, told apart by their path; those of kind b are targets.
func twoKinds() *web {
	w := &web{pages: map[string]string{}, asked: map[string]int{}}
	w.pages["start.test/"] = `<title>Start</title>`
	for i := 1; i <= 4; i++ {
		w.pages["start.test/"] += fmt.Sprintf(`<a href="/a/%d">a</a><a href="/b/%d">b</a>`, i, i)
		w.pages[fmt.Sprint("start.test/a/", i)] = fmt.Sprintf("<p>about %d other things</p>", i)
		w.pages[fmt.Sprint("start.test/b/", i)] = fmt.Sprintf("<p>target %d</p>", i)
	}
	return w
}

func learn(t *testing.T, w *web, p *pupil, o crawler.Options) (order []string, all []*crawler.Fetch) {
	t.Helper()
	if o.Starts == nil {
		o.Starts = []string{start}
	}
	seen := o.OnFetch
	o.OnFetch = func(f *crawler.Fetch) {
		all = append(all, f)
		if seen != nil {
			seen(f)
		}
	}
	if _, err := crawler.Run(t.Context(), mustClient(t, w), p, o); err != nil {
		t.Fatal(err)
	}
	for _, u := range urls(all) {
		order = append(order, strings.TrimPrefix(u, "start.test"))
	}
	return order, all
}

// TestReorder: once the strategy has learned which links are better, queued links are followed in that order.
func TestReorder(t *testing.T) {
	for _, tt := range []struct {
		every int
		want  string
	}{
		{100, "/ /a/1 /b/1 /a/2 /b/2 /a/3 /b/3 /a/4 /b/4"},
		{4, "/ /a/1 /b/1 /a/2 /b/2 /b/3 /b/4 /a/3 /a/4"},
		{1, "/ /a/1 /b/1 /b/2 /b/3 /b/4 /a/2 /a/3 /a/4"},
	} {
		if got, _ := learn(t, twoKinds(), newPupil(tt.every), crawler.Options{}); strings.Join(got, " ") != tt.want {
			t.Errorf("reordered every %d pages: %v, want %s", tt.every, got, tt.want)
		}
	}
}

// TestNotes: a page is judged with the note of the link that was followed; a better path replaces the note. Start pages
// have none and stay before every link, whatever is learned.
func TestNotes(t *testing.T) {
	w := twoKinds()
	w.pages["start.test/b/1"] += `<p>good good</p><a href="/a/4">by a better path</a><a href="/b/3">this too</a>`
	w.pages["start.test/last"] = `<p>a start page</p>`
	p := newPupil(1)
	got, all := learn(t, w, p, crawler.Options{Starts: []string{start, "http://start.test/last"}})
	if want := "/ /last /a/1 /b/1 /b/3 /b/2 /b/4 /a/4 /a/2 /a/3"; strings.Join(got, " ") != want {
		t.Errorf("order %v, want %s", got, want)
	}
	if len(p.visits) != len(all) {
		t.Fatalf("%d pages judged of %d", len(p.visits), len(all))
	}
	raised := 0
	for i, v := range p.visits {
		f := all[i]
		_, page, _ := strings.Cut(string(v.Note), " ")
		if v.URL != f.URL || page != f.Parent || v.Start != (v.Note == nil) {
			t.Errorf("%s from %q: start %v, note %q", f.URL, f.Parent, v.Start, v.Note)
		}
		if page == "http://start.test/b/1" {
			raised++
		}
	}
	if raised != 2 {
		t.Errorf("%d pages came by the better path, want 2", raised)
	}
}

// TestCopiesStayLast: the links on a copy of an earlier page have no note, and no reordering raises them.
func TestCopiesStayLast(t *testing.T) {
	w := twoKinds()
	w.pages["start.test/a/2"] = w.pages["start.test/a/1"] + `<a href="/b/from-copy"></a>`
	w.pages["start.test/b/from-copy"] = `<p>behind a copy</p>`
	got, _ := learn(t, w, newPupil(4), crawler.Options{})
	if want := "/ /a/1 /b/1 /a/2 /b/2 /b/3 /b/4 /a/3 /a/4 /b/from-copy"; strings.Join(got, " ") != want {
		t.Errorf("order %v, want %s", got, want)
	}
}

// TestMarks: the person's marks reach the strategy between two fetches, each once, and count from its next reordering on;
// a mark that was taken back does not count.
func TestMarks(t *testing.T) {
	useful := strategy.Mark{URL: "http://start.test/a/1", Useful: true}
	useless := strategy.Mark{URL: "http://start.test/b/1"}
	for name, tt := range map[string]struct {
		after map[string][]strategy.Mark // by path of the fetch after which they come
		want  string
	}{
		"none":       {nil, "/ /a/1 /b/1 /a/2 /b/2 /b/3 /b/4 /a/3 /a/4"},
		"one":        {map[string][]strategy.Mark{"/a/1": {useful}}, "/ /a/1 /b/1 /a/2 /a/3 /a/4 /b/2 /b/3 /b/4"},
		"two":        {map[string][]strategy.Mark{"/b/1": {useful, useless}}, "/ /a/1 /b/1 /a/2 /a/3 /a/4 /b/2 /b/3 /b/4"},
		"late":       {map[string][]strategy.Mark{"/a/2": {useful}}, "/ /a/1 /b/1 /a/2 /b/2 /b/3 /b/4 /a/3 /a/4"},
		"too early":  {map[string][]strategy.Mark{"/": {useful}}, "/ /a/1 /b/1 /a/2 /b/2 /b/3 /b/4 /a/3 /a/4"},
		"taken back": {map[string][]strategy.Mark{"/a/1": {useful}, "/b/1": {{URL: useful.URL, Gone: true}}}, "/ /a/1 /b/1 /a/2 /b/2 /b/3 /b/4 /a/3 /a/4"},
	} {
		t.Run(name, func(t *testing.T) {
			var waiting []strategy.Mark
			got, _ := learn(t, twoKinds(), newPupil(4), crawler.Options{
				OnFetch: func(f *crawler.Fetch) {
					waiting = append(waiting, tt.after[strings.TrimPrefix(f.URL, "http://start.test")]...)
				},
				Marks: func() []strategy.Mark {
					told := waiting
					waiting = nil
					return told
				},
			})
			if strings.Join(got, " ") != tt.want {
				t.Errorf("order %v, want %s", got, tt.want)
			}
			if len(waiting) > 0 {
				t.Errorf("%v never reached the strategy", waiting)
			}
		})
	}
}

// TestMarksOfOthers: no marks are read for a strategy that does not learn, and its crawl stays the same.
func TestMarksOfOthers(t *testing.T) {
	want, _ := mustCrawl(t, twoKinds(), crawler.Options{})
	got, _ := mustCrawl(t, twoKinds(), crawler.Options{Marks: func() []strategy.Mark {
		t.Error("marks read without a learner")
		return nil
	}})
	if !slices.Equal(urls(got), urls(want)) {
		t.Errorf("order %v, want %v", urls(got), urls(want))
	}
}

// shelf is a journal in memory.
type shelf struct {
	queued    map[string]frontier.Entry
	resume    crawler.Resume
	snapshots int
}

func (s *shelf) Commit(_ context.Context, b *crawler.Batch) error {
	for _, f := range b.Fetches {
		s.keep(f)
	}
	return nil
}

func (s *shelf) keep(f *crawler.Fetch) {
	for _, e := range f.Queued {
		s.queued[e.URL] = e
	}
	for _, u := range f.Done {
		delete(s.queued, u)
	}
	s.resume.Done = append(s.resume.Done, f.Done...)
	s.resume.LastN, s.resume.Totals = f.N, f.Totals
	if f.Learned != nil {
		s.resume.Learned = f.Learned
		s.snapshots++
	}
}

// interrupted crawls some pages, then resumes from the journal with a new strategy.
func interrupted(t *testing.T, w *web, pages int, spoil func(*crawler.Resume)) (order []string, forgot error) {
	t.Helper()
	s := &shelf{queued: map[string]frontier.Entry{}}
	order, _ = learn(t, w, newPupil(1), crawler.Options{Journal: s, Budget: crawler.Budget{Pages: pages}})
	if s.snapshots != pages {
		t.Fatalf("%d snapshots of %d pages", s.snapshots, pages)
	}
	for _, e := range s.queued {
		s.resume.Queued = append(s.resume.Queued, e)
		s.resume.LastSeq = max(s.resume.LastSeq, e.Seq)
	}
	spoil(&s.resume)
	c, err := crawler.New(mustClient(t, w), newPupil(1), crawler.Options{Resume: &s.resume, OnFetch: func(f *crawler.Fetch) {
		order = append(order, strings.TrimPrefix(f.URL, "http://start.test"))
	}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.Run(t.Context(), crawler.Budget{}); err != nil {
		t.Fatal(err)
	}
	return order, c.Forgot()
}

// TestLearnedGoesOn: a crawl resumed after any page goes on as if it had never been interrupted, although the recorded
// priorities date from when the links were found.
func TestLearnedGoesOn(t *testing.T) {
	want, _ := learn(t, twoKinds(), newPupil(1), crawler.Options{})
	for pages := 1; pages < len(want); pages++ {
		got, err := interrupted(t, twoKinds(), pages, func(*crawler.Resume) {})
		if !slices.Equal(got, want) || err != nil {
			t.Errorf("interrupted after %d pages: %v, want %v (%v)", pages, got, want, err)
		}
	}
}

// TestForgot: a crawl whose snapshot cannot be read goes on as if nothing had been learned, and says why.
func TestForgot(t *testing.T) {
	for name, spoil := range map[string]func(*crawler.Resume){
		"damaged": func(r *crawler.Resume) { r.Learned = r.Learned[:len(r.Learned)/2] },
		"none":    func(r *crawler.Resume) { r.Learned = nil },
	} {
		got, err := interrupted(t, twoKinds(), 3, spoil)
		if want := "/ /a/1 /b/1 /a/2 /b/2 /b/3 /b/4 /a/3 /a/4"; strings.Join(got, " ") != want {
			t.Errorf("%s: %v, want %s", name, got, want)
		}
		if (err != nil) != (name == "damaged") {
			t.Errorf("%s: Forgot = %v", name, err)
		}
	}
}

// TestSnapshotsOfLongCrawls: a snapshot is stored after each of the first 500 fetches here, and then only when an eighth
// of all fetches came since the last.
func TestSnapshotsOfLongCrawls(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	w := &web{pages: map[string]string{}, asked: map[string]int{}}
	var links strings.Builder
	const pages = 1000
	for i := 1; i < pages; i++ {
		fmt.Fprintf(&links, `<a href="/a/%d">a</a>`, i)
		w.pages[fmt.Sprint("start.test/a/", i)] = fmt.Sprintf("<p>about %d other things</p>", i)
	}
	w.pages["start.test/"] = `<title>Start</title>` + links.String()
	var kept []int
	learn(t, w, newPupil(1), crawler.Options{Journal: &shelf{queued: map[string]frontier.Entry{}}, OnFetch: func(f *crawler.Fetch) {
		if f.Learned != nil {
			kept = append(kept, f.N)
		}
	}})
	if len(kept) < 505 || len(kept) > 510 || kept[499] != 500 {
		t.Fatalf("kept %d times", len(kept))
	}
	for i, n := range kept[500:] {
		if since := n - kept[499+i]; since < n/8 || since > n/8+1 {
			t.Errorf("kept after fetch %d and then after %d", kept[499+i], n)
		}
	}
}
