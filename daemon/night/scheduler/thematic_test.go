package scheduler

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"nightjar/crawler/fetch"
	"nightjar/crawler/strategy"
	"nightjar/daemon/store/settings"
	"nightjar/model/ontology"
	"nightjar/model/senses"
)

// themed is a web whose front page names a term of the ontology beside every fourth link.
type themed struct{ *world }

func (w themed) Fetch(ctx context.Context, url string) fetch.Response {
	r := w.world.Fetch(ctx, url)
	if strings.HasSuffix(url, ".test/") {
		var b strings.Builder
		b.WriteString("<title>Portal</title><p>portal of hockey</p><ul>")
		for i := 1; i <= 12; i++ {
			says := "the weather"
			if i%4 == 0 {
				says = "the puck"
			}
			fmt.Fprintf(&b, `<li>%s: <a href="/%d">read</a></li>`, says, i)
		}
		r.Body = []byte(b.String())
	}
	return r
}

// sport is an ontology without WordNet.
func sport(t *testing.T) *strategy.Themes {
	t.Helper()
	tree, _, err := ontology.Build([]ontology.Item{{Key: "sport", Labels: []string{"sport"}}, {Key: "puck", Labels: []string{"puck"}, Parents: []string{"sport"}}})
	if err != nil {
		t.Fatal(err)
	}
	terms, _ := senses.NewTerms(tree, nil)
	return strategy.NewThemes("Winter sport", tree, terms, nil, nil)
}

func (w *world) themedOptions(themes func(ctx context.Context, name string) (*strategy.Themes, error)) Options {
	return Options{Workers: 1, Themes: themes, Fetcher: func(settings.Settings) (fetch.Fetcher, error) { return themed{w}, nil }}
}

// themedOrder are the pages that a themed web is asked for, without the host.
func (w *world) themedOrder() (all []string) {
	for _, url := range w.fetched() {
		all = append(all, strings.TrimPrefix(url, "http://hockey.test"))
	}
	return all
}

// TestThematicCrawl: links with words of the ontology come first, the others as they were found, also when the daemon is
// restarted on the way. The crawl keeps which ontology it is.
func TestThematicCrawl(t *testing.T) {
	want := strings.Fields("/ /4 /8 /12 /1 /2 /3 /5 /6 /7 /9 /10 /11")
	for _, restart := range []bool{false, true} {
		w := mustWorld(t, evening)
		w.mustSettings(t, func(s *settings.Settings) { s.Strategy = "thematic" })
		topic := w.mustTopic(t, "hockey")
		var names []string
		o := w.themedOptions(func(_ context.Context, name string) (*strategy.Themes, error) {
			names = append(names, name)
			return sport(t), nil
		})
		s, stop := w.run(t, o)
		gate := w.holdNth(3)
		w.mustRunNow(t, s, topic)
		<-gate.reached
		if restart {
			stop()
			w.mu.Lock()
			w.log = w.log[:2] // the third is fetched again
			w.nth = 0
			w.mu.Unlock()
			w.run(t, o)
		} else {
			close(gate.open)
		}
		c := w.mustEnd(t, topic, 1)
		if got := w.themedOrder(); !slices.Equal(got, want) || c.Strategy != "thematic:Winter sport" {
			t.Errorf("restarted: %v; %s fetched %q, want %q", restart, c.Strategy, got, want)
		}
		if names[0] != "" || names[1] != "Winter sport" {
			t.Errorf("asked for the ontologies %q", names)
		}
	}
}

// TestThematicWithoutOntology: a night crawls with the best strategy then; who asks for this one is told what to do.
func TestThematicWithoutOntology(t *testing.T) {
	w := mustWorld(t, evening)
	w.mustSettings(t, func(s *settings.Settings) { s.Strategy, s.Budget.Pages = "thematic:Gone", 2 })
	topic := w.mustTopic(t, "hockey")
	s, _ := w.run(t, w.themedOptions(nil))
	_, err := s.Crawl(t.Context(), topic, Plan{Strategy: "thematic", Starts: []string{"http://hockey.test/"}})
	if !errors.Is(err, strategy.ErrNoOntology) || !strings.Contains(err.Error(), "nightjar explore ontology add FILE") {
		t.Errorf("%v", err)
	}
	w.mustRunNow(t, s, topic)
	if c := w.mustEnd(t, topic, 1); c.Strategy != strategy.Best || c.Totals.Fetched != 2 {
		t.Errorf("%s fetched %d pages", c.Strategy, c.Totals.Fetched)
	}
}

// TestThematicOntologyDeleted: a crawl that waits when its ontology is deleted ends and says why.
func TestThematicOntologyDeleted(t *testing.T) {
	w := mustWorld(t, evening)
	w.mustSettings(t, func(*settings.Settings) {})
	topic := w.mustTopic(t, "hockey")
	var gone atomic.Bool
	s, _ := w.run(t, w.themedOptions(func(context.Context, string) (*strategy.Themes, error) {
		if gone.Load() {
			return nil, &strategy.NoOntology{Why: "there is no ontology “Winter sport”"}
		}
		return sport(t), nil
	}))
	gate := w.holdNth(2)
	id, err := s.Crawl(t.Context(), topic, Plan{Strategy: "thematic", Starts: []string{"http://hockey.test/"}})
	if err != nil {
		t.Fatal(err)
	}
	<-gate.reached
	if err := s.Pause(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	close(gate.open)
	gone.Store(true)
	w.mustWait(t, "the crawl to leave memory", func() bool {
		s.mu.Lock()
		defer s.mu.Unlock()
		return len(s.runs) == 1 && s.runs[0].c == nil
	})
	if err := s.Resume(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	if c := w.mustEnd(t, topic, 1); !strings.HasSuffix(c.StopReason, "there is no ontology “Winter sport”") || c.Totals.Fetched == 0 {
		t.Errorf("%q after %d pages", c.StopReason, c.Totals.Fetched)
	}
}

// TestOntologyUnread: an ontology that cannot be read now is tried again; one that is gone is not, and neither is what else
// makes no strategy.
func TestOntologyUnread(t *testing.T) {
	busy := unread{errors.New("database is locked")}
	for _, c := range []struct {
		err  error
		want bool
	}{{busy, true}, {fmt.Errorf("make: %w", busy), true}, {unread{strategy.ErrNoOntology}, false}, {strategy.ErrNoOntology, false}, {errors.New("no model"), false}, {nil, false}} {
		if got := mayRead(c.err); got != c.want {
			t.Errorf("%v: %v", c.err, got)
		}
	}
}
