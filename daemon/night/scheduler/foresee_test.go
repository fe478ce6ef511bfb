package scheduler

import (
	"testing"

	"nightjar/daemon/learn/models"
	"nightjar/daemon/night/forecast"
	"nightjar/daemon/store/settings"
)

// foretold is the forecast of a crawl, nil when it has none.
func (w *world) foretold(t *testing.T, crawlID int64) *forecast.Foretold {
	t.Helper()
	all, err := forecast.OfTopic(t.Context(), w.st.DB, 0, crawlID, 1)
	if err != nil {
		t.Fatal(err)
	}
	if len(all) == 0 {
		return nil
	}
	return &all[0]
}

// learnedFrom stores a topic's model as a training on so many pages does.
func (w *world) learnedFrom(t *testing.T, topicID int64, pages, useful int) {
	t.Helper()
	m, err := models.Latest(t.Context(), w.st.DB, topicID)
	if err != nil {
		t.Fatal(err)
	}
	b, err := m.Bundle()
	if err != nil {
		t.Fatal(err)
	}
	facts := m.Facts
	facts.Pages, facts.Targets = pages, useful
	if _, err := models.Save(t.Context(), w.st.DB, w.st.Erasures(), topicID, b, facts); err != nil {
		t.Fatal(err)
	}
}

// TestForecastBeforeANight: a crawl is created with its forecast, for its part of the night's pages; one of a topic with few
// useful pages has none until a night has run.
func TestForecastBeforeANight(t *testing.T) {
	w := mustWorld(t, night1("01:00:00"))
	w.mustSettings(t, func(s *settings.Settings) { s.Budget.Pages = 40 })
	hockey, baking := w.mustTopic(t, "hockey"), w.mustTopic(t, "baking")
	w.learnedFrom(t, hockey, 60, 12)
	w.start(t, Options{Turn: 5})
	one, two := w.mustEnd(t, hockey, 1), w.mustEnd(t, baking, 1)
	f := w.foretold(t, one.ID)
	if f == nil {
		t.Fatal("nothing was foretold")
	}
	want, lack := forecast.Make(forecast.Inputs{Pages: 60, Useful: 12, Budget: 20, NewStarts: 1, Strategy: one.Strategy})
	if lack != forecast.Nothing || f.Forecast != want || f.Pages != 20 || f.Version != forecast.Version {
		t.Errorf("foretold %+v, want %+v of 20 pages", f, want)
	}
	if f.Came <= 0 || f.Fetched != one.Totals.Fetched || f.Live {
		t.Errorf("what came: %+v", f)
	}
	if f := w.foretold(t, two.ID); f != nil {
		t.Errorf("three useful pages, and still %+v", f)
	}

	w.set(night1("01:00:00").AddDate(0, 0, 1))
	next, other := w.mustEnd(t, hockey, 2), w.mustEnd(t, baking, 2)
	later := w.foretold(t, next.ID)
	if later == nil || len(later.Inputs.Nights) != 1 || later.Inputs.NewStarts != 0 || later.Inputs.Nights[0].Fetched != one.Totals.Fetched {
		t.Errorf("the second night: %+v", later)
	}
	if w.foretold(t, other.ID) == nil {
		t.Error("nothing was foretold after a night")
	}
}

// TestForecastByHand: a crawl by hand has the whole budget; one for a map has no forecast, since its pages are no finds.
func TestForecastByHand(t *testing.T) {
	w := mustWorld(t, evening)
	w.mustSettings(t, func(s *settings.Settings) { s.Budget.Pages = 7 })
	topic, mapped := w.mustTopic(t, "hockey"), w.mustTopic(t, "baking")
	w.learnedFrom(t, topic, 60, 12)
	w.learnedFrom(t, mapped, 60, 12)
	s, _ := w.start(t, Options{})
	id := w.mustRunNow(t, s, topic)
	if f := w.foretold(t, id); f == nil || f.Pages != 7 {
		t.Errorf("by hand: %+v", f)
	}
	w.mustEnd(t, topic, 1)
	for _, p := range []Plan{{Starts: []string{"http://baking.test/"}, Pages: 9, Map: true}, {Starts: []string{"http://baking.test/"}, Pages: 9}} {
		id, err := s.Crawl(t.Context(), mapped, p)
		if err != nil {
			t.Fatal(err)
		}
		if f := w.foretold(t, id); (f == nil) != p.Map {
			t.Errorf("map %v: %+v", p.Map, f)
		}
		if err := s.Stop(t.Context(), id, ""); err != nil {
			t.Fatal(err)
		}
	}
}
