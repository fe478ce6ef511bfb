package scheduler

import (
	"testing"

	"nightjar/crawler/strategy"
	"nightjar/daemon/settings"
	"nightjar/model"
)

// TestAutoStrategy: unless the person chose a strategy, crawls use the best one by benchmarks.
func TestAutoStrategy(t *testing.T) {
	w := mustWorld(t, evening)
	s, _ := w.start(t, Options{})
	for name, want := range map[string]string{strategy.Auto: strategy.Best, "best-first": "best-first"} {
		w.mustSettings(t, func(s *settings.Settings) { s.Strategy, s.Budget.Pages = name, 2 })
		topic := w.mustTopicThat(t, "topic-"+name, func(*model.Bundle) {})
		if _, err := s.RunNow(t.Context(), topic); err != nil {
			t.Fatal(err)
		}
		if got := w.mustEnd(t, topic, 1); got.Strategy != want || got.Totals.Fetched != 2 {
			t.Errorf("set to %q: strategy %q fetched %d pages, want %q", name, got.Strategy, got.Totals.Fetched, want)
		}
	}
}
