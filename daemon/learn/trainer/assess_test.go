package trainer

import (
	"fmt"
	"strings"
	"testing"

	"nightjar/crawler/strategy"
	"nightjar/daemon/app/wings"
	"nightjar/daemon/browse/topics"
	"nightjar/daemon/keep/erasing"
	"nightjar/daemon/learn/models"
	"nightjar/model"
)

// mustReach calls begin, which starts a training, and waits until the training reaches a stage or ends.
func mustReach(t *testing.T, tr *Trainer, topic topics.Topic, begin func(), stage string) {
	t.Helper()
	news, stop := tr.Bus.Listen()
	defer stop()
	begin()
	for n := range news {
		s, ok := n.Data.(Status)
		if ok && s.TopicID == topic.ID && (s.Stage == stage || !s.Running) {
			return
		}
	}
}

func TestReportComesAfterTheModel(t *testing.T) {
	st := mustStore(t)
	tr, _ := mustTrainer(t, st)
	topic := mustIngest(t, st, walk(1, 12, 3))
	m, err := tr.Train(t.Context(), topic.ID)
	if err != nil {
		t.Fatal(err)
	}
	stored, err := models.Latest(t.Context(), st.DB, topic.ID)
	if err != nil || stored.ID != m.ID {
		t.Fatal(stored, err)
	}
	b, err := stored.Bundle()
	if err != nil || b.Report == nil || b.Report.Verdict == "" {
		t.Errorf("the stored model has no report: %v", err)
	}
	switch r := b.Report.Rehearsal; {
	case r == nil || r.Strategy != strategy.Best || len(r.Folds) != 3:
		t.Errorf("of the strategy of nights, the report says %+v", r)
	case !strings.HasPrefix(b.Report.Verdict, "Too little to tell"):
		t.Errorf("of three useful pages, the report says %q", b.Report.Verdict)
	}
	if string(stored.Encoded()) != string(m.Encoded()) {
		t.Error("the model that was returned is not the stored one")
	}
}

// TestCancelAssessing checks that a training that is stopped while it assesses its model leaves the model in use,
// without a report, and is not started again.
func TestCancelAssessing(t *testing.T) {
	st := mustStore(t)
	tr, _ := mustTrainer(t, st)
	topic := mustIngest(t, st, walk(1, 110, 35))
	ended := make(chan error, 1)
	mustReach(t, tr, topic, func() {
		go func() {
			_, err := tr.Train(t.Context(), topic.ID)
			ended <- err
		}()
	}, model.StageAssess)
	tr.Cancel(topic.ID)
	if err := <-ended; err != nil {
		t.Fatal(err)
	}
	m, err := models.Latest(t.Context(), st.DB, topic.ID)
	if err != nil || m.Version != 1 {
		t.Fatal(m, err)
	}
	if b, err := m.Bundle(); err != nil || b.Report != nil {
		t.Errorf("report %v, %v; want none", b.Report, err)
	}
	if s := tr.Status(topic.ID); s.Running || s.Stage != "done" || s.Problem != "" {
		t.Errorf("status %+v", s)
	}
	if stale, err := tr.Stale(t.Context(), topic.ID); err != nil || stale {
		t.Errorf("stale = %v, %v", stale, err)
	}
	if err := tr.SubmitStale(t.Context()); err != nil || tr.waits(topic.ID) >= 0 {
		t.Errorf("the next start of the program makes the report that the person stopped, %v", err)
	}
}

// A process that is killed while it assesses a model leaves it without a report. The next one makes the report, and neither
// another version nor another model.
func TestReportOfAKilledTraining(t *testing.T) {
	nothing := func(model.Progress) {}
	calm, killed := mustStore(t), mustStore(t)
	events := walk(1, 12, 3)
	tr, _ := mustTrainer(t, calm)
	topic := mustIngest(t, calm, events)
	if _, err := tr.Train(t.Context(), topic.ID); err != nil {
		t.Fatal(err)
	}
	tr, _ = mustTrainer(t, killed)
	topic = mustIngest(t, killed, events)
	if _, err := tr.learn(t.Context(), topic, nothing); err != nil { // and no more
		t.Fatal(err)
	}
	next, _ := mustTrainer(t, killed)
	mustReach(t, next, topic, func() { go func() { _ = next.Run(t.Context()) }() }, "done")
	want, err := models.Latest(t.Context(), calm.DB, topic.ID)
	if err != nil {
		t.Fatal(err)
	}
	got, err := models.Latest(t.Context(), killed.DB, topic.ID)
	if err != nil {
		t.Fatal(err)
	}
	if got.Version != 1 || string(got.Encoded()) != string(want.Encoded()) || got.Facts.Verdict != want.Facts.Verdict {
		t.Errorf("version %d with the verdict %q; want what a training that was not killed makes, %q", got.Version, got.Facts.Verdict, want.Facts.Verdict)
	}
}

// TestEraseWhileTraining checks that no model knows an erased site, whichever stage the training was in.
func TestEraseWhileTraining(t *testing.T) {
	for _, stage := range []string{"reading", "text", "space", "judge", "saving", model.StageAssess} {
		st := mustStore(t)
		tr, _ := mustTrainer(t, st)
		events := walk(1, 16, 2)
		for i := range events { // the second half is of another site
			if i > len(events)/2 {
				events[i].URL = strings.Replace(events[i].URL, "chain.test", "gone.test", 1)
			}
		}
		topic := mustIngest(t, st, events)
		ended := make(chan error, 1)
		mustReach(t, tr, topic, func() {
			go func() {
				_, err := tr.Train(t.Context(), topic.ID)
				ended <- err
			}()
		}, stage)
		if _, err := erasing.Host(t.Context(), st, wings.Erasing, "gone.test"); err != nil {
			t.Fatal(err)
		}
		<-ended // the training may fail, since the remaining pages may be too few
		all, err := models.All(t.Context(), st.DB, topic.ID)
		if err != nil {
			t.Fatal(err)
		}
		for _, version := range all {
			m, err := models.ByID(t.Context(), st.DB, version.ID)
			if err != nil {
				t.Fatal(err)
			}
			known := ""
			if len(m.Encoded()) > 0 { // otherwise the model was discarded
				b, err := m.Bundle()
				if err != nil {
					t.Fatal(err)
				}
				known = fmt.Sprint(b.Pages, b.Lessons.Links) // these may be compressed in the stored model
			}
			if strings.Contains(known+string(m.Encoded()), "gone.test") {
				t.Errorf("erased at stage %s: version %d knows the site", stage, m.Version)
			}
		}
	}
}
