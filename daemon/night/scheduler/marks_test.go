package scheduler

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"
	"testing"

	"nightjar/crawler/strategy"
	"nightjar/daemon/learn/marks"
	"nightjar/daemon/morning/finds"
	"nightjar/daemon/night/crawls"
	"nightjar/daemon/store"
	"nightjar/daemon/store/settings"
	"nightjar/model"
)

// pupil learns only from the person's marks whether pages with odd or with even numbers are better, and reorders the queue
// after each page. A page with "league" in it is relevant.
type pupil struct {
	Judged map[string]bool
	Said   map[string]int32 // by final URL: 1 useful, -1 not
	heard  []strategy.Mark
	taught chan strategy.Mark // the same, for a test that waits for one
}

func newPupil() *pupil {
	return &pupil{Judged: map[string]bool{}, Said: map[string]int32{}, taught: make(chan strategy.Mark, 100)}
}

func (p *pupil) Name() string { return "pupil" }

func (p *pupil) Read(_ context.Context, v strategy.Visit) (strategy.Judgement, error) {
	p.Judged[v.Page.URL] = true
	j := strategy.Judgement{Cluster: -1, Relevant: strings.Contains(v.Page.Text, "league"), Useful: 0.5, Reorder: true}
	for _, l := range v.Page.Links {
		j.Notes = append(j.Notes, []byte(kind(l.URL)))
		j.Priorities = append(j.Priorities, p.Priority(l.URL, []byte(kind(l.URL))))
	}
	return j, nil
}

// kind reports whether the number at the end of an address is odd.
func kind(url string) string {
	n := 0
	fmt.Sscan(path.Base(url), &n)
	return []string{"even", "odd"}[n%2]
}

func (p *pupil) Priority(_ string, note []byte) strategy.Priority {
	var worth int32
	for url, w := range p.Said {
		if kind(url) == string(note) {
			worth += w
		}
	}
	return strategy.Priority{worth}
}

func (p *pupil) Teach(m strategy.Mark) {
	p.heard = append(p.heard, m)
	defer func() { p.taught <- m }()
	switch {
	case !p.Judged[m.URL]:
	case m.Gone:
		delete(p.Said, m.URL)
	case m.Useful:
		p.Said[m.URL] = 1
	default:
		p.Said[m.URL] = -1
	}
}

func (p *pupil) Ask(int) []string { return nil }

func (p *pupil) Snapshot() []byte {
	data, err := json.Marshal(p)
	if err != nil {
		panic(err)
	}
	return data
}

func (p *pupil) Restore(data []byte) error { return json.Unmarshal(data, p) }

// mark marks the find with an address.
func (w *world) mark(t *testing.T, url, mark string) {
	t.Helper()
	listed, err := finds.List(context.Background(), w.st.DB, finds.Filter{})
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(listed, func(f finds.View) bool { return f.URL == url })
	if i < 0 {
		t.Fatalf("%s is no find", url)
	}
	if err := marks.Put(context.Background(), w.st.DB, listed[i].ID, mark); err != nil {
		t.Fatal(err)
	}
}

// order lists the numbers of the pages fetched, without the front page.
func (w *world) order() string {
	var all []string
	for _, u := range w.fetched() {
		if n := path.Base(u); n != "hockey.test" {
			all = append(all, n)
		}
	}
	return strings.Join(all, " ")
}

// pupils makes the scheduler use a new pupil for each crawl, and lists the pupils.
func pupils() (Options, *[]*pupil) {
	var all []*pupil
	return Options{Strategy: func(context.Context, string, *model.Bundle) (strategy.Strategy, error) {
		all = append(all, newPupil())
		return all[len(all)-1], nil
	}}, &all
}

// TestMarksWhileCrawling: a running crawl receives marks on its finds, and marks that the person takes back.
func TestMarksWhileCrawling(t *testing.T) {
	w := mustWorld(t, evening)
	w.pages = 15
	w.mustSettings(t, func(*settings.Settings) {})
	topic := w.mustTopic(t, "hockey")
	two, four, nine := w.hold("http://hockey.test/2"), w.hold("http://hockey.test/4"), w.hold("http://hockey.test/9")
	o, all := pupils()
	s, _ := w.start(t, o)
	id, err := s.RunNow(t.Context(), topic, 0)
	if err != nil {
		t.Fatal(err)
	}
	<-two.reached
	if next, _ := s.Next(id); len(next) > 0 {
		t.Errorf("next, before anybody watched: %v", next)
	}
	close(two.open)
	// A crawl hears marks while it waits for a page, and they count in the order after that page.
	<-four.reached
	if next, taught := s.Next(id); taught || len(next) != shownNext || next[0].Anchor == "" || next[0].Was != 0 {
		t.Errorf("next, before a mark: %v, %v", next, taught)
	}
	w.mark(t, "http://hockey.test/3", store.MarkUseful)
	<-(*all)[0].taught
	close(four.open)
	<-nine.reached
	next, taught := s.Next(id)
	next = slices.DeleteFunc(next, func(l NextLink) bool { return l.URL == "http://hockey.test/9" }) // it may still be among them
	if want := "[{http://hockey.test/11 11 5} {http://hockey.test/13 13 7} {http://hockey.test/15 15 9}]"; !taught || fmt.Sprint(next[:3]) != want {
		t.Errorf("next, after a mark: %v, %v", next, taught)
	}
	w.mark(t, "http://hockey.test/3", store.MarkNone)
	<-(*all)[0].taught
	close(nine.open)
	w.mustEnd(t, topic, 1)
	if got, want := w.order(), "1 2 3 4 5 7 9 6 8 10 11 12 13 14 15"; got != want {
		t.Errorf("fetched %s, want %s", got, want)
	}
	want := []strategy.Mark{{URL: "http://hockey.test/3", Useful: true}, {URL: "http://hockey.test/3", Gone: true}}
	if len(*all) != 1 || !slices.Equal((*all)[0].heard, want) {
		t.Errorf("%d strategies; heard %v, want %v", len(*all), (*all)[0].heard, want)
	}
}

// TestLearnedAfterRestart: a resumed crawl knows what it had learned and receives the person's marks again; when what it
// had learned cannot be read, it continues with its model only.
func TestLearnedAfterRestart(t *testing.T) {
	for _, tt := range []struct {
		name, spoil, want string
	}{
		{"as it was", "", "1 2 3 4 5 7 9 9 11 13 15 6 8 10 12 14"},
		// The restored strategy does not know that it judged the marked page, so the mark teaches it nothing.
		{"damaged", "UPDATE learned SET state = x'00'", "1 2 3 4 5 7 9 9 6 8 10 11 12 13 14 15"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel() // stopping waits for what is in flight
			w := mustWorld(t, evening)
			w.pages = 15
			w.mustSettings(t, func(*settings.Settings) {})
			topic := w.mustTopic(t, "hockey")
			four, nine := w.hold("http://hockey.test/4"), w.hold("http://hockey.test/9")
			o, all := pupils()
			s, stop := w.start(t, o)
			if _, err := s.RunNow(t.Context(), topic, 0); err != nil {
				t.Fatal(err)
			}
			<-four.reached
			w.mark(t, "http://hockey.test/3", store.MarkUseful)
			close(four.open)
			<-nine.reached
			stop()
			clear(w.block)
			if tt.spoil != "" {
				w.exec(t, tt.spoil)
			}
			w.start(t, o)
			w.mustEnd(t, topic, 1)
			if got := w.order(); got != tt.want {
				t.Errorf("fetched %s, want %s", got, tt.want)
			}
			want := []strategy.Mark{{URL: "http://hockey.test/3", Useful: true}}
			if len(*all) != 2 || !slices.Equal((*all)[1].heard, want) {
				t.Errorf("%d strategies; the second heard %v, want %v", len(*all), (*all)[1].heard, want)
			}
		})
	}
}

// failing is a pupil that fails on every page.
type failing struct{ *pupil }

func (f failing) Read(ctx context.Context, v strategy.Visit) (strategy.Judgement, error) {
	j, err := f.pupil.Read(ctx, v)
	return j, errors.Join(err, errors.New("no minimum found"))
}

// TestStrategyErrorsAreShown: a crawl whose strategy fails goes on to its end and reports the errors.
func TestStrategyErrorsAreShown(t *testing.T) {
	w := mustWorld(t, evening)
	w.pages = 3
	w.mustSettings(t, func(*settings.Settings) {})
	topic := w.mustTopic(t, "hockey")
	s, _ := w.start(t, Options{Strategy: func(context.Context, string, *model.Bundle) (strategy.Strategy, error) {
		return failing{newPupil()}, nil
	}})
	id, err := s.RunNow(t.Context(), topic, 0)
	if err != nil {
		t.Fatal(err)
	}
	w.mustEnd(t, topic, 1)
	v, err := crawls.ByID(t.Context(), w.st.DB, id)
	if err != nil || v.Fetched != 4 || v.Unlearned != "The strategy could not learn from 4 pages: no minimum found" {
		t.Errorf("%d fetched; %q, %v", v.Fetched, v.Unlearned, err)
	}
}

// TestNobodyWatches: what a crawl would follow next is forgotten once nobody looks any more, so that it is not shown hours later.
func TestNobodyWatches(t *testing.T) {
	w := mustWorld(t, evening)
	w.pages = watchedFor + 20
	w.mustSettings(t, func(*settings.Settings) {})
	topic := w.mustTopic(t, "hockey")
	first, last := w.hold("http://hockey.test/2"), w.hold("http://hockey.test/"+strconv.Itoa(watchedFor+15))
	o, _ := pupils()
	s, _ := w.start(t, o)
	id := w.mustRunNow(t, s, topic)
	<-first.reached
	s.Next(id)
	close(first.open)
	<-last.reached
	s.mu.Lock()
	ranked := len(s.findLocked(id).ranked)
	s.mu.Unlock()
	if next, _ := s.Next(id); len(next) > 0 || ranked > 0 {
		t.Errorf("%d links are ranked; next: %v", ranked, next)
	}
	close(last.open)
	w.mustEnd(t, topic, 1)
}
