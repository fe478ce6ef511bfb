package trainer

import (
	"errors"
	"testing"

	"nightjar/daemon/browse/topics"
	"nightjar/daemon/learn/models"
	"nightjar/model"
)

func TestImportedModelStaysUntilNextSession(t *testing.T) {
	elsewhere := mustStore(t)
	far, _ := mustTrainer(t, elsewhere)
	made, err := far.Train(t.Context(), mustIngest(t, elsewhere, walk(7, 9, 2)).ID)
	if err != nil {
		t.Fatal(err)
	}
	b, err := made.Bundle()
	if err != nil {
		t.Fatal(err)
	}
	for _, own := range []bool{false, true} {
		st := mustStore(t)
		tr, _ := mustTrainer(t, st)
		first := 1
		if own {
			first++
			if _, err := tr.Train(t.Context(), mustIngest(t, st, walk(1, 8, 2)).ID); err != nil {
				t.Fatal(err)
			}
		}
		topic, m, err := tr.Import(t.Context(), b)
		if err != nil || topic.Name != "Chains" || m.Version != first || !m.Facts.Imported || m.Facts.Changes[0] != "imported from a file" {
			t.Fatalf("imported as %+v, %v", m, err)
		}
		if _, again, err := tr.Import(t.Context(), b); err != nil || again.ID != m.ID {
			t.Errorf("imported again: %+v, %v; want the same version", again, err)
		}
		if stale, err := tr.Stale(t.Context(), topic.ID); err != nil || stale {
			t.Errorf("stale = %v, %v right after the import", stale, err)
		}
		if err := tr.SubmitStale(t.Context()); err != nil || len(tr.queue) != 0 {
			t.Errorf("%d topics are submitted at the next start, %v", len(tr.queue), err)
		}
		mustIngest(t, st, walk(2, 6, 1))
		if err := tr.Refresh(t.Context(), topic.ID); err != nil {
			t.Fatal(err)
		}
		newest, err := models.Latest(t.Context(), st.DB, topic.ID)
		if err != nil || newest.Facts.Imported || newest.Version != first+1 {
			t.Errorf("after a session: %+v, %v; want a version that was trained on it", newest, err)
		}
	}
}

func TestImportNeedsATopic(t *testing.T) {
	st := mustStore(t)
	tr, _ := mustTrainer(t, st)
	topic := mustIngest(t, st, walk(1, 8, 2))
	m, err := tr.Train(t.Context(), topic.ID)
	if err != nil {
		t.Fatal(err)
	}
	b, err := m.Bundle()
	if err != nil {
		t.Fatal(err)
	}
	b.Topic = "  "
	if _, _, err := tr.Import(t.Context(), b); !errors.Is(err, topics.ErrName) {
		t.Errorf("got %v", err)
	}
}

// TestImportedThreshold: an imported model that makes other pages finds says so beside them, as a trained one does.
func TestImportedThreshold(t *testing.T) {
	st := mustStore(t)
	tr, _ := mustTrainer(t, st)
	trained, err := tr.Train(t.Context(), mustIngest(t, st, walk(1, 8, 2)).ID)
	if err != nil {
		t.Fatal(err)
	}
	was, err := trained.Bundle()
	if err != nil {
		t.Fatal(err)
	}
	b, err := trained.Bundle() // decoded once more
	if err != nil {
		t.Fatal(err)
	}
	b.Choice.Relevance = model.RelevantByCosine
	b.Gamma.Value = 1 - b.Gamma.Value
	_, m, err := tr.Import(t.Context(), b)
	if err != nil {
		t.Fatal(err)
	}
	if says, _ := shown(was, b); says == "" || m.Facts.Shown != says {
		t.Errorf("beside the finds: %q, want %q", m.Facts.Shown, says)
	}
}
