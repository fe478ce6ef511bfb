package trainer

import (
	"slices"
	"testing"

	"nightjar/daemon/browse/protocol"
	"nightjar/daemon/browse/topics"
	"nightjar/daemon/learn/trainingdata"
	"nightjar/model"
)

// A training learns the names that there were when it began. A name that is changed while it runs makes its model
// stale, and the next training learns the new one.
func TestRenamedWhileTraining(t *testing.T) {
	st := mustStore(t)
	tr, _ := mustTrainer(t, st)
	events := walk(1, 8, 2)
	submit := events[len(events)-1]
	label := submit
	label.ID, label.Type, label.Page, label.Name = "01890a5d-ac96-774b-bcce-b302099a8057", protocol.Label, events[1].Page, "harbour"
	submit.Seq++
	topic := mustIngest(t, st, append(slices.Clone(events[:len(events)-1]), label, submit))
	before, err := trainingdata.KnownOf(t.Context(), st.DB, topic.ID)
	if err != nil || before.Milestones == "" {
		t.Fatalf("known %+v, %v", before, err)
	}
	renamed := false
	m, err := tr.inTurn(t.Context(), topic, request{}, func(p model.Progress) {
		if p.Stage == "space" && !renamed {
			renamed = true
			if _, _, err := topics.RenameMilestone(t.Context(), st.DB, topic.ID, "harbour", "port"); err != nil {
				t.Error(err)
			}
		}
	})
	if err != nil || !renamed {
		t.Fatal(err, renamed)
	}
	if m.Facts.Milestones != before.Milestones {
		t.Error("the training says that it learned other names than those when it began")
	}
	if stale, err := tr.Stale(t.Context(), topic.ID); err != nil || !stale {
		t.Errorf("stale = %v, %v after a name was changed", stale, err)
	}
	if err := tr.Refresh(t.Context(), topic.ID); err != nil {
		t.Fatal(err)
	}
	if stale, err := tr.Stale(t.Context(), topic.ID); err != nil || stale {
		t.Errorf("stale = %v, %v after training", stale, err)
	}
	if _, err := topics.DeleteMilestone(t.Context(), st.DB, topic.ID, "port"); err != nil {
		t.Fatal(err)
	}
	if stale, err := tr.Stale(t.Context(), topic.ID); err != nil || !stale {
		t.Errorf("stale = %v, %v after the name was deleted", stale, err)
	}
}

// An imported model is used until there is something new, and a new name is.
func TestMilestonesAndImport(t *testing.T) {
	st := mustStore(t)
	tr, _ := mustTrainer(t, st)
	topic := mustIngest(t, st, walk(1, 8, 2))
	if err := topics.NamePage(t.Context(), st.DB, topic.ID, "http://chain.test/1/0", "harbour"); err != nil {
		t.Fatal(err)
	}
	m, err := tr.Train(t.Context(), topic.ID)
	if err != nil {
		t.Fatal(err)
	}
	b, err := m.Bundle()
	if err != nil {
		t.Fatal(err)
	}
	b.Facts.Pages++ // another model than the newest
	if _, _, err := tr.Import(t.Context(), b); err != nil {
		t.Fatal(err)
	}
	if stale, err := tr.Stale(t.Context(), topic.ID); err != nil || stale {
		t.Errorf("stale = %v, %v after the import", stale, err)
	}
	if err := topics.NamePage(t.Context(), st.DB, topic.ID, "http://chain.test/1/0", ""); err != nil {
		t.Fatal(err)
	}
	if stale, err := tr.Stale(t.Context(), topic.ID); err != nil || !stale {
		t.Errorf("stale = %v, %v after a name was taken back", stale, err)
	}
}
