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

	"nightjar/daemon/base/notify"
	"nightjar/daemon/browse/topics"
	"nightjar/daemon/learn/models"
	"nightjar/daemon/learn/trainer"
	"nightjar/daemon/night/scheduler"
	"nightjar/daemon/store"
	"nightjar/daemon/store/storetest"
	"nightjar/model"
)

// judging returns a model whose judge weighs words.
func judging(weights map[string]float32) *model.Bundle {
	b := &model.Bundle{}
	written := map[string]string{"barrag": "barrage", "histori": "history"}
	for _, term := range []string{"barrag", "histori", "moss", "tide"} {
		b.Features.Terms = append(b.Features.Terms, term)
		b.Features.Written = append(b.Features.Written, written[term])
		b.Features.IDF = append(b.Features.IDF, 1)
		b.Judge.Weights = append(b.Judge.Weights, weights[term])
	}
	return b
}

func TestWords(t *testing.T) {
	held := map[string]bool{"barrag": true, "histori": true}
	for _, c := range []struct {
		name         string
		was, is      map[string]float32
		held, moved  map[string]bool
		gained, lost string
	}{
		{"words of the page", map[string]float32{"histori": 3, "tide": 4}, map[string]float32{"barrag": 2, "histori": 1, "tide": 4}, held, held, "barrage", "history"},
		{"weights that are only stretched", map[string]float32{"histori": 3, "tide": 4}, map[string]float32{"histori": 6, "tide": 8}, held, held, "", ""},
		{"smaller than what other words do", map[string]float32{"barrag": 2, "tide": 4, "moss": 2}, map[string]float32{"barrag": 2.2, "tide": 3, "moss": 3}, held, held, "", ""},
		{"a word that the page lacks", map[string]float32{"barrag": 2, "tide": 4, "moss": 3}, map[string]float32{"barrag": 2, "tide": 2, "moss": 3}, held, map[string]bool{"barrag": true, "tide": true}, "", ""},
		{"no word before", nil, map[string]float32{"barrag": 1, "tide": -1}, held, held, "", ""},
		{"only words of the page", map[string]float32{"barrag": 1, "histori": 2}, map[string]float32{"barrag": 2, "histori": 1}, held, held, "barrage", "history"},
	} {
		gained, lost := words(&trainer.Trial{Without: judging(c.was), With: judging(c.is), Held: c.held, Moved: c.moved})
		if strings.Join(gained, " ") != c.gained || strings.Join(lost, " ") != c.lost {
			t.Errorf("%s: gained %v, lost %v; want %q and %q", c.name, gained, lost, c.gained, c.lost)
		}
	}
	gained, lost := words(&trainer.Trial{Without: judging(map[string]float32{"barrag": 3}), With: &model.Bundle{}, Held: held, Moved: held})
	if len(gained) != 0 || !slices.Equal(lost, []string{"barrage"}) {
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
	got := sites(of("http://a.test/1", "http://b.test/1", "http://b.test/2"), of("http://a.test/1", "http://c.test/1", "http://b.test/2"), 0)
	if len(sites(of("http://a.test/1"), of("http://b.test/1"), 1)) != 0 {
		t.Error("sites that changed no more than they usually do")
	}
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

// learner tells of each trial, and lets the test end it.
type learner struct {
	mu     sync.Mutex
	tried  chan int64 // the id of the last mark before those of the trial
	trials []*trainer.Trial
	err    error
}

func (l *learner) Try(ctx context.Context, _, since int64) (*trainer.Trial, error) {
	select {
	case l.tried <- since:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.err != nil {
		return nil, l.err
	}
	one := l.trials[0]
	l.trials = append(l.trials[1:], one)
	return one, nil
}

func (l *learner) Again(_ context.Context, trial *trainer.Trial, _ uint64) (*model.Bundle, error) {
	return trial.Without, nil
}

func (l *learner) Preview(_ context.Context, of scheduler.Previewed, _ int) (scheduler.Preview, error) {
	url := "http://a.test/plain"
	if b := of.Model; b.Judge.Weights != nil && b.Judge.Weights[0] > 0 {
		url = "http://a.test/barrage"
	}
	return scheduler.Preview{Links: []scheduler.PreviewLink{{URL: url}}}, nil
}

// TestSeveralMarksGiveOneEcho: marks in quick succession are compared once, with what was known before the first of them.
func TestSeveralMarksGiveOneEcho(t *testing.T) {
	plain, learned := trained(t, 0), trained(t, 1)
	synctest.Test(t, func(t *testing.T) { // no time passes between two marks, however busy the machine is
		st, err := store.Open(t.Context(), storetest.Path(t))
		if err != nil {
			t.Fatal(err)
		}
		defer st.Close()
		topic, err := topics.Create(t.Context(), st.DB, "Tidal power")
		if err != nil {
			t.Fatal(err)
		}
		if _, err := models.Save(t.Context(), st.DB, st.Erasures(), topic.ID, plain, models.Facts{}); err != nil {
			t.Fatal(err)
		}
		held := map[string]bool{"barrag": true}
		l := &learner{tried: make(chan int64), trials: []*trainer.Trial{{With: learned, Without: plain, Held: held, Moved: held}, {With: plain, Without: learned, Held: held, Moved: held}}}
		bus := &notify.Bus{}
		news, end := bus.Listen()
		defer end()
		e := New(st, l, l, bus, slog.New(slog.DiscardHandler))
		ctx, stop := context.WithCancel(t.Context())
		var running sync.WaitGroup
		running.Go(func() { _ = e.Run(ctx) }) // always nil
		defer running.Wait()
		defer stop()
		for i := range int64(5) {
			e.Marked([]int64{topic.ID}, 10+i)
		}
		if now := e.Now(); !now.Learning || len(now.Topics) != 0 {
			t.Errorf("at once: %+v", now)
		}
		if since := <-l.tried; since != 10 {
			t.Errorf("compared with what was known after mark %d, want 10", since)
		}
		<-news
		now := e.Now()
		if now.Learning || len(now.Topics) != 1 {
			t.Fatalf("after the training: %+v", now)
		}
		if c := now.Topics[0]; c.Topic != "Tidal power" || c.Marks != 5 || !slices.Equal(c.Gained, []string{"barrage"}) || c.Usual || c.Same() || c.Before[0].URL != "http://a.test/plain" || c.After[0].URL != "http://a.test/barrage" {
			t.Errorf("change %+v", c)
		}
		e.Marked([]int64{topic.ID}, 15) // undone
		<-l.tried
		<-news
		if c := e.Now().Topics[0]; c.Marks != 1 || !slices.Equal(c.Lost, []string{"barrage"}) || c.After[0].URL != "http://a.test/plain" {
			t.Errorf("undone: %+v", c)
		}
		select {
		case <-l.tried:
			t.Error("the topic was trained again")
		case <-time.After(3 * pause):
		}
		l.mu.Lock()
		l.err = errors.New("broken")
		l.mu.Unlock()
		e.Marked([]int64{topic.ID}, 16)
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
