package trainer

import (
	"context"
	"errors"
	"strings"
	"testing"

	"nightjar/crawler/strategy"
	"nightjar/daemon/learn/models"
	"nightjar/model"
)

// TestRehearseNightly tests the strategy that nights use, which is not that of the settings, and tells when it cannot.
func TestRehearseNightly(t *testing.T) {
	st := mustStore(t)
	tr, _ := mustTrainer(t, st)
	topic := mustIngest(t, st, walk(1, 12, 3))
	made := make(chan *model.Bundle, 100)
	var fail error
	tr.Nightly = func(_ context.Context, id int64, b *model.Bundle) (Nightly, error) {
		if id != topic.ID || b.Facts.Targets != 3 {
			t.Errorf("nights of topic %d with %+v", id, b.Facts)
		}
		return Nightly{Name: "crf", New: func(ctx context.Context, b *model.Bundle) (strategy.Strategy, error) {
			made <- b
			return strategy.New(ctx, "breadth-first", b)
		}}, fail
	}
	for _, fail = range []error{nil, errors.New("no settings")} {
		m, err := tr.Train(t.Context(), topic.ID)
		if err != nil {
			t.Fatal(err)
		}
		b, err := m.Bundle()
		if err != nil || b.Report == nil || b.Report.Rehearsal == nil {
			t.Fatalf("%+v, %v", b, err)
		}
		if r := b.Report.Rehearsal; r.Strategy != "crf" || r.Why == "" {
			t.Errorf("after %v: %+v", fail, r)
		}
	}
	if len(made) != 0 {
		t.Error("crf was made of models without ways")
	}
}

// TestWrongReport: a report that fails its own check costs the report, never the model, and the person is told in words.
func TestWrongReport(t *testing.T) {
	st := mustStore(t)
	tr, _ := mustTrainer(t, st)
	topic := mustIngest(t, st, walk(1, 12, 3))
	m, err := tr.learn(t.Context(), topic, func(model.Progress) {})
	if err != nil {
		t.Fatal(err)
	}
	wrong := (&model.Report{Choice: m.bundle.Choice}).Rehearsed(&model.Rehearsal{Strategy: "crf", Folds: []model.HeldBack{
		{Pages: 4, Useful: 2, Reachable: 2, Wanted: 2, Strategy: model.Course{Fetched: 9, New: 3, At: []int{1}, NewAt: []int{1}}},
	}})
	b, err := Reported(m.bundle, wrong, tr.Log)
	if err != nil || !strings.Contains(b.Report.Verdict, "could not be measured") || b.Report.Rehearsal != nil {
		t.Fatalf("%+v, %v", b, err)
	}
	if err := models.SaveReport(t.Context(), st.DB, m.saved, b, m.saved.Facts); err != nil {
		t.Errorf("the model is not stored: %v", err)
	}
}
