package echo

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"nightjar/daemon/notify"
	"nightjar/daemon/scheduler"
	"nightjar/daemon/store"
	"nightjar/daemon/store/storetest"
	"nightjar/model"
)

// judging returns a model whose judge weighs words.
func judging(weights map[string]float32) *model.Bundle {
	b := &model.Bundle{}
	for _, term := range []string{"barrag", "histori", "tide"} {
		b.Features.Terms = append(b.Features.Terms, term)
		b.Features.Written = append(b.Features.Written, term+"!")
		b.Features.IDF = append(b.Features.IDF, 1)
		b.Judge.Weights = append(b.Judge.Weights, weights[term])
	}
	return b
}

func TestWords(t *testing.T) {
	was := judging(map[string]float32{"barrag": 0, "histori": 3, "tide": 4})
	gained, lost := words(was, judging(map[string]float32{"barrag": 2, "histori": 1, "tide": 2})) // tide: .8, then .67
	if !slices.Equal(gained, []string{"barrag!"}) || !slices.Equal(lost, []string{"histori!", "tide!"}) {
		t.Errorf("gained %v, lost %v", gained, lost)
	}
	stretched := judging(map[string]float32{"barrag": 0, "histori": 6, "tide": 8})
	if gained, lost = words(was, stretched); len(gained)+len(lost) != 0 {
		t.Errorf("weights that are only stretched: gained %v, lost %v", gained, lost)
	}
	if gained, lost = words(was, &model.Bundle{}); len(gained) != 0 || len(lost) != 2 {
		t.Errorf("a model without words: gained %v, lost %v", gained, lost)
	}
}

func TestSites(t *testing.T) {
	of := func(urls ...string) (all []scheduler.PreviewLink) {
		for _, u := range urls {
			all = append(all, scheduler.PreviewLink{URL: u})
		}
		return all
	}
	got := sites(of("http://a.test/1", "http://b.test/1", "http://b.test/2"), of("http://a.test/1", "http://c.test/1", "http://b.test/2"))
	if want := []Site{{"b.test", 2, 1}, {"c.test", 0, 1}}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// trained returns a model that can be stored. Its judge weighs only the first word, and does so as told.
func trained(t *testing.T, first float32) *model.Bundle {
	t.Helper()
	set := model.TrainingSet{Topic: "Tidal power"}
	for i, text := range []string{"barrage turbine tide", "barrage tide sea", "moss forest tree", "moss tree fern", "rock snow forest", "snow rock fern"} {
		set.Pages = append(set.Pages, model.Page{URL: fmt.Sprintf("http://a.test/%d", i), Text: strings.Repeat(text+" ", 5), Target: i < 2})
	}
	training, err := model.Learn(t.Context(), set, model.DefaultSettings(), func(model.Progress) {})
	if err != nil {
		t.Fatal(err)
	}
	b := training.Bundle()
	if b.Features.Terms[0] != "barrag" {
		t.Fatalf("words %v", b.Features.Terms)
	}
	clear(b.Judge.Weights)
	b.Judge.Weights[0], b.Judge.Weights[1] = first, 1
	return b
}

// learner tells of each training, and lets the test end it.
type learner struct {
	mu     sync.Mutex
	tried  chan int64
	models []*model.Bundle
	err    error
}

func (l *learner) Try(ctx context.Context, topic int64) (*model.Bundle, error) {
	select {
	case l.tried <- topic:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.err != nil {
		return nil, l.err
	}
	b := l.models[0]
	l.models = append(l.models[1:], b)
	return b, nil
}

func (l *learner) PreviewWith(_ context.Context, _ int64, b *model.Bundle, _ int) (scheduler.Preview, error) {
	url := "http://a.test/plain"
	if b.Judge.Weights != nil && b.Judge.Weights[0] > 0 {
		url = "http://a.test/barrage"
	}
	return scheduler.Preview{Links: []scheduler.PreviewLink{{URL: url}}}, nil
}

func (l *learner) PreviewSite(ctx context.Context, topic int64, b *model.Bundle, n int, _ string, _ bool) (scheduler.Preview, error) {
	return l.PreviewWith(ctx, topic, b, n)
}

// TestSeveralMarksGiveOneEcho: marks in quick succession are compared once, with the model before the first of them; what
// comes next is compared with that echo's model.
func TestSeveralMarksGiveOneEcho(t *testing.T) {
	plain, learned := trained(t, 0), trained(t, 1)
	synctest.Test(t, func(t *testing.T) { // no time passes between two marks, however busy the machine is
		st, err := store.Open(t.Context(), storetest.Path(t))
		if err != nil {
			t.Fatal(err)
		}
		defer st.Close()
		topic, err := st.CreateTopic(t.Context(), "Tidal power")
		if err != nil {
			t.Fatal(err)
		}
		if _, err := st.SaveModel(t.Context(), topic.ID, plain, store.ModelFacts{}); err != nil {
			t.Fatal(err)
		}
		l := &learner{tried: make(chan int64), models: []*model.Bundle{learned, plain}}
		bus := &notify.Bus{}
		news, end := bus.Listen()
		defer end()
		e := New(st, l, l, bus, slog.New(slog.DiscardHandler))
		ctx, stop := context.WithCancel(t.Context())
		var running sync.WaitGroup
		running.Go(func() { _ = e.Run(ctx) }) // always nil
		defer running.Wait()
		defer stop()
		for range 5 {
			e.Marked([]int64{topic.ID})
		}
		if now := e.Now(); !now.Learning || len(now.Topics) != 0 {
			t.Errorf("at once: %+v", now)
		}
		<-l.tried
		<-news
		now := e.Now()
		if now.Learning || len(now.Topics) != 1 {
			t.Fatalf("after the training: %+v", now)
		}
		if c := now.Topics[0]; c.Topic != "Tidal power" || !slices.Equal(c.Gained, []string{"barrage"}) || c.Since != 1 || c.Same() || c.Before[0].URL != "http://a.test/plain" || c.After[0].URL != "http://a.test/barrage" {
			t.Errorf("change %+v", c)
		}
		e.Marked([]int64{topic.ID}) // undone
		<-l.tried
		<-news
		if c := e.Now().Topics[0]; !slices.Equal(c.Lost, []string{"barrage"}) || c.Since != 0 || c.After[0].URL != "http://a.test/plain" {
			t.Errorf("undone: %+v", c)
		}
		select {
		case id := <-l.tried:
			t.Errorf("topic %d was trained again", id)
		case <-time.After(3 * e.pause):
		}
		l.mu.Lock()
		l.err = errors.New("broken")
		l.mu.Unlock()
		e.Marked([]int64{topic.ID})
		<-l.tried
		<-news
		if c := e.Now().Topics[0]; c.Problem == "" {
			t.Errorf("a training that failed: %+v", c)
		}
		e.Forget()
		if now := e.Now(); len(now.Topics) != 0 || now.Learning {
			t.Errorf("forgotten: %+v", now)
		}
	})
}
