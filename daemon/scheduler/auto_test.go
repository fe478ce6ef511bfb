package scheduler

import (
	"testing"

	"nightjar/daemon/store"
	"nightjar/model"
)

// TestAutoStrategy: unless the person chose a strategy, each model says which of them a crawl follows, and the crawl
// keeps why.
func TestAutoStrategy(t *testing.T) {
	w := mustWorld(t, evening)
	w.mustSettings(t, func(s *store.Settings) { s.Budget.Pages = 2 })
	s, _ := w.start(t, Options{})
	for name, c := range map[string]struct {
		choice model.Choice
		want   string
	}{
		"hockey":  {model.Choice{Emission: model.SoftEmission, Judge: model.CosineJudge, Why: "words found 8 of 10, clusters 5"}, "hmm-soft"},
		"curling": {model.Choice{Emission: model.HardEmission, Judge: model.CosineJudge, Why: "words found 5 of 10, clusters 8"}, "hmm"},
	} {
		topic := w.mustTopicThat(t, name, func(b *model.Bundle) { b.Choice = c.choice })
		if _, err := s.RunNow(t.Context(), topic); err != nil {
			t.Fatal(err)
		}
		if got := w.mustEnd(t, topic, 1); got.Strategy != c.want || got.Options.Why != c.choice.Why || got.Totals.Fetched != 2 {
			t.Errorf("%s: strategy %q because %q, want %q because %q", name, got.Strategy, got.Options.Why, c.want, c.choice.Why)
		}
	}
	w.mustSettings(t, func(s *store.Settings) { s.Strategy = "best-first" })
	topic := w.mustTopicThat(t, "bandy", func(b *model.Bundle) {
		b.Choice = model.Choice{Emission: model.SoftEmission, Judge: model.CosineJudge, Why: "because"}
	})
	if _, err := s.RunNow(t.Context(), topic); err != nil {
		t.Fatal(err)
	}
	if got := w.mustEnd(t, topic, 1); got.Strategy != "best-first" || got.Options.Why != "" {
		t.Errorf("chosen by the person: %q because %q", got.Strategy, got.Options.Why)
	}
}
