package scheduler

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"nightjar/crawler/strategy"
	"nightjar/daemon/lab/effort"
	"nightjar/daemon/learn/models"
	"nightjar/daemon/night/crawls"
	"nightjar/daemon/store/settings"
	"nightjar/model"
	"nightjar/model/arms"
)

// blind is a strategy that knows from the address what a page is about, or likes the others.
type blind struct {
	name string
	good bool
}

func (b blind) Name() string { return b.name }

func (b blind) Read(_ context.Context, v strategy.Visit) (strategy.Judgement, error) {
	j := strategy.Judgement{Cluster: -1, Useful: .1}
	if strings.Contains(v.Page.Text, "league") {
		j.Relevant, j.Useful = true, .9
	}
	for _, l := range v.Page.Links {
		n := 0
		fmt.Sscan(l.URL[strings.LastIndex(l.URL, "/")+1:], &n)
		worth := int32(1)
		if (n%3 == 0) != b.good {
			worth = 0
		}
		j.Priorities = append(j.Priorities, strategy.Priority{worth})
	}
	return j, nil
}

// twoArms runs a scheduler whose strategy link-value follows the wrong links and whose hmm-soft follows the right ones.
func twoArms(w *world, t *testing.T, log *bytes.Buffer) (*Scheduler, func()) {
	return w.start(t, Options{
		Log: slog.New(slog.NewTextHandler(log, nil)),
		Strategy: func(_ context.Context, name string, _ *model.Bundle) (strategy.Strategy, error) {
			return blind{name, name == "hmm-soft"}, nil
		},
	})
}

// TestSecondStrategyWins: night after night, a tenth of the links is chosen by a second strategy that finds more. It becomes the
// topic's strategy once that is no chance, with the first as its second. The crawl is interrupted once, and no pick is made
// twice. The person undoes it, and it stays undone.
func TestSecondStrategyWins(t *testing.T) {
	effort.Long(t)
	w := mustWorld(t, evening)
	w.pages, w.step = 600, 0
	w.mustSettings(t, func(s *settings.Settings) { s.SecondShare, s.Budget.Pages = 10, 0 })
	topic := w.mustTopic(t, "hockey")
	var log bytes.Buffer
	held := w.holdNth(150)
	s, stop := twoArms(w, t, &log)
	id := w.mustRunNow(t, s, topic)
	<-held.reached
	stop()
	s, _ = twoArms(w, t, &log)
	c := w.mustEnd(t, topic, 1)
	if c.ID != id || c.Strategy != "link-value" || c.Options.Second != "hmm-soft" || c.Options.SecondShare != 10 {
		t.Fatalf("%+v", c)
	}
	const picks = 600
	if n := w.one(t, "SELECT count(DISTINCT abs(pick)) FROM fetches WHERE pick <> 0"); n != picks {
		t.Errorf("%d picks of %d", n, picks)
	}
	if n := w.one(t, "SELECT count(*) FROM fetches WHERE pick < 0"); n != picks/10 {
		t.Errorf("%d picks of the second strategy, want %d", n, picks/10)
	}
	design := arms.Design{Share: 10, Seed: uint64(id)}
	for pick := 1; pick <= picks; pick += 37 {
		if second := w.one(t, fmt.Sprintf("SELECT pick < 0 FROM fetches WHERE abs(pick) = %d", pick)) == 1; second != design.Second(pick) {
			t.Errorf("pick %d: second %v", pick, second)
		}
	}
	now, err := StrategyOf(t.Context(), w.st.DB, topic)
	if err != nil || now.ChosenBy != ByNights || now.Strategy != "hmm-soft" || now.Second != "link-value" || now.Verdict == nil || now.Verdict.Ratio.Low < 1 {
		t.Fatalf("%+v, %v", now, err)
	}
	if !strings.Contains(log.String(), "the second strategy brings more by more than chance") {
		t.Error(log.String())
	}
	if c = next(t, w, s, topic, 2); c.Strategy != "hmm-soft" || c.Options.Second != "link-value" {
		t.Errorf("the next crawl: %s with %s", c.Strategy, c.Options.Second)
	}
	if err := UndoStrategy(t.Context(), w.st.DB, topic); err != nil {
		t.Fatal(err)
	}
	if c = next(t, w, s, topic, 3); c.Strategy != "link-value" || c.Options.Second != "hmm-soft" {
		t.Errorf("after undoing: %s with %s", c.Strategy, c.Options.Second)
	}
	if now, err = StrategyOf(t.Context(), w.st.DB, topic); err != nil || now.ChosenBy != ByYou {
		t.Errorf("%+v, %v", now, err)
	}
}

// next runs the topic's next crawl to its end, on a small web.
func next(t *testing.T, w *world, s *Scheduler, topic int64, n int) crawls.Crawl {
	t.Helper()
	w.pages = 20
	w.mustRunNow(t, s, topic)
	return w.mustEnd(t, topic, n)
}

// TestWhichArms: which strategies crawl a topic, by the settings, the topic's own choice and what the model has.
func TestWhichArms(t *testing.T) {
	w := mustWorld(t, evening)
	topic := w.mustTopic(t, "hockey") // its model learned from no ways: crf cannot crawl
	m, err := models.Latest(t.Context(), w.st.DB, topic)
	if err != nil {
		t.Fatal(err)
	}
	s, _ := w.start(t, Options{})
	for _, tt := range []struct {
		settings settings.Settings
		topic    TopicStrategy
		first    string
		second   string
	}{
		{settings.Settings{}, TopicStrategy{}, "link-value", ""},
		{settings.Settings{SecondShare: 10}, TopicStrategy{}, "link-value", "hmm-soft"},
		{settings.Settings{SecondShare: 10, Second: "auto"}, TopicStrategy{}, "link-value", "hmm-soft"},
		{settings.Settings{SecondShare: 10, Second: "hmm"}, TopicStrategy{}, "link-value", "hmm"},
		{settings.Settings{SecondShare: 10, Second: "crf"}, TopicStrategy{}, "link-value", "hmm-soft"},
		{settings.Settings{SecondShare: 10, Second: "thematic"}, TopicStrategy{}, "link-value", "hmm-soft"},
		{settings.Settings{SecondShare: 10, Second: "link-value"}, TopicStrategy{}, "link-value", "hmm-soft"},
		{settings.Settings{SecondShare: 10, Strategy: "hmm"}, TopicStrategy{}, "hmm", "link-value"},
		{settings.Settings{SecondShare: 10, Strategy: "crf", Second: "crf"}, TopicStrategy{}, "link-value", "hmm-soft"},
		{settings.Settings{SecondShare: 10}, TopicStrategy{Strategy: "ache", Second: "hmm"}, "ache", "hmm"},
		{settings.Settings{Strategy: "hmm"}, TopicStrategy{Strategy: "ache", Second: "hmm"}, "ache", ""},
	} {
		tt.topic.ChosenBy = ByYou
		if err := ChooseStrategy(t.Context(), w.st.DB, topic, tt.topic); err != nil {
			t.Fatal(err)
		}
		first, second, err := s.chooser.strategies(t.Context(), m, tt.settings)
		if err != nil || first != tt.first || second != tt.second {
			t.Errorf("%+v, %+v: %s with %q, want %s with %q (%v)", tt.settings, tt.topic, first, second, tt.first, tt.second, err)
		}
	}
}
