package trainer

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"testing"

	"nightjar/daemon/base/notify"
	"nightjar/daemon/browse/sessions"
	"nightjar/daemon/browse/topics"
	"nightjar/daemon/db"
	"nightjar/daemon/learn/models"
	"nightjar/model"
)

// TestGoneMeanwhile: a topic that is deleted during its training is nothing to warn of, and another one that gets its number is not said
// to have failed.
func TestGoneMeanwhile(t *testing.T) {
	st := mustStore(t)
	topic, err := topics.Create(t.Context(), st.DB, "Hockey")
	if err != nil {
		t.Fatal(err)
	}
	var log bytes.Buffer
	tr := New(Deps{Store: st, Bus: &notify.Bus{}, Log: slog.New(slog.NewTextHandler(&log, nil))})
	tr.Before = func(ctx context.Context, id int64) {
		if _, err := sessions.DeleteTopic(ctx, st.DB, id); err != nil {
			t.Error(err)
		}
	}
	tr.Submit(topic.ID)
	if _, err := tr.next(t.Context()); err != nil || log.Len() > 0 {
		t.Errorf("%v; the log says %s", err, &log)
	}
	if s := tr.Status(topic.ID); s.Stage != "" {
		t.Errorf("the training of a topic that is gone is %q: %s", s.Stage, s.Problem)
	}
}

// TestModelErasedMeanwhile: a model that is erased while its report is made is nothing to warn of.
func TestModelErasedMeanwhile(t *testing.T) {
	st := mustStore(t)
	var log bytes.Buffer
	tr := New(Deps{Store: st, Bus: &notify.Bus{}, Log: slog.New(slog.NewTextHandler(&log, nil))})
	nothing := func(model.Progress) {}
	done, err := tr.learn(t.Context(), mustIngest(t, st, walk(1, 12, 3)), nothing)
	if err != nil {
		t.Fatal(err)
	}
	if err := models.Forget(t.Context(), st.DB, done.saved.ID); err != nil {
		t.Fatal(err)
	}
	if tr.report(t.Context(), done, nothing); log.Len() > 0 {
		t.Errorf("the log says %s", &log)
	}
}

// TestErasedBeforeSaving: a model of pages that were erased since they were read is never stored, so that it is not there either when
// the process is killed right after.
func TestErasedBeforeSaving(t *testing.T) {
	st := mustStore(t)
	tr, _ := mustTrainer(t, st)
	topic := mustIngest(t, st, walk(1, 12, 3))
	erased := func() { st.Erasing()() }
	for name, when := range map[string]struct{ before, saving, after func() }{
		"erased while it learned":             {func() {}, erased, func() {}},
		"being erased since before the pages": {func() { erased = st.Erasing() }, func() {}, func() { erased() }},
	} {
		when.before()
		_, err := tr.learn(t.Context(), topic, func(p model.Progress) {
			if p.Stage == "saving" {
				when.saving()
			}
		})
		when.after()
		if all, lerr := models.All(t.Context(), st.DB, topic.ID); lerr != nil || len(all) > 0 || !errors.Is(err, db.ErrErased) {
			t.Errorf("%s: %d models are stored, %v, %v", name, len(all), lerr, err)
		}
	}
}
