package scheduler

import (
	"testing"

	"nightjar/crawler/strategy"
	"nightjar/daemon/learn/models"
	"nightjar/daemon/store/settings"
	"nightjar/model"
)

// TestAutoStrategy: unless the person chose a strategy, crawls use the best one by benchmarks.
func TestAutoStrategy(t *testing.T) {
	w := mustWorld(t, evening)
	s, _ := w.start(t, Options{})
	for name, want := range map[string]string{strategy.Auto: strategy.Best, "best-first": "best-first"} {
		w.mustSettings(t, func(s *settings.Settings) { s.Strategy, s.Budget.Pages = name, 2 })
		topic := w.mustTopicThat(t, "topic-"+name, func(*model.Bundle) {})
		if _, err := s.RunNow(t.Context(), topic, 0); err != nil {
			t.Fatal(err)
		}
		if got := w.mustEnd(t, topic, 1); got.Strategy != want || got.Totals.Fetched != 2 {
			t.Errorf("set to %q: strategy %q fetched %d pages, want %q", name, got.Strategy, got.Totals.Fetched, want)
		}
	}
}

// TestTooFewWays: a topic whose model learned from no ways is crawled with the best strategy that needs none.
func TestTooFewWays(t *testing.T) {
	w := mustWorld(t, evening)
	w.mustSettings(t, func(s *settings.Settings) { s.Strategy, s.Budget.Pages = "crf", 2 })
	topic := w.mustTopic(t, "hockey")
	m, err := models.Latest(t.Context(), w.st.DB, topic)
	if err != nil {
		t.Fatal(err)
	}
	b, err := m.Bundle()
	if err != nil || b.Ways != nil {
		t.Fatalf("the model has ways: %v, %v", b, err)
	}
	s, _ := w.start(t, Options{})
	if _, err := s.RunNow(t.Context(), topic, 0); err != nil {
		t.Fatal(err)
	}
	if c := w.mustEnd(t, topic, 1); c.Strategy != strategy.Best || c.Totals.Fetched != 2 {
		t.Errorf("strategy %q fetched %d pages: %s", c.Strategy, c.Totals.Fetched, c.StopReason)
	}
}
