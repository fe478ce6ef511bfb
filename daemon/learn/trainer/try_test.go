package trainer

import (
	"reflect"
	"testing"
	"time"

	"nightjar/daemon/learn/marks"
	"nightjar/daemon/learn/trainingdata"
	"nightjar/daemon/store"
	"nightjar/model"
)

// TestTryWithoutMarks: without its last marks, a topic learns what it learned before they were made.
func TestTryWithoutMarks(t *testing.T) {
	st := mustStore(t)
	tr, _ := mustTrainer(t, st)
	topic := mustIngest(t, st, walk(1, 8, 1))
	mustIngest(t, st, walkOf("Other", 2, 5, 1))
	m, err := tr.Train(t.Context(), topic.ID)
	if err != nil {
		t.Fatal(err)
	}
	find := mustCrawl(t, st, topic, m)["http://new.test/bad"]
	try := func(since int64) *Trial {
		t.Helper()
		trial, err := tr.Try(t.Context(), topic.ID, since)
		if err != nil {
			t.Fatal(err)
		}
		for _, b := range []*model.Bundle{trial.With, trial.Without} {
			b.Facts.LastEvent = time.Time{}
		}
		return trial
	}
	before := try(trainingdata.AllMarks)
	if !reflect.DeepEqual(before.With, before.Without) || len(before.Held)+len(before.Moved) != 0 {
		t.Fatalf("without any mark: held %v, moved %v", before.Held, before.Moved)
	}
	for _, mark := range []string{store.MarkNotUseful, store.MarkUseful, store.MarkOffTopic, store.MarkNone} {
		acted, err := marks.PutAll(t.Context(), st.DB, []int64{find}, mark)
		if err != nil {
			t.Fatal(err)
		}
		after := try(acted.Since)
		if !reflect.DeepEqual(after.Without, before.With) {
			t.Errorf("%s: without the mark, another model than before it", mark)
		}
		if reflect.DeepEqual(after.With, after.Without) {
			t.Errorf("%s: the mark changed nothing", mark)
		}
		if !after.Held["lichen"] || after.Held["harbour"] || !after.Moved["lichen"] {
			t.Errorf("%s: held %v, moved %v; want the words of the page", mark, after.Held, after.Moved)
		}
		before = after
	}
	if first := try(0); len(first.Held) != 0 {
		t.Errorf("a mark that was taken back: held %v", first.Held)
	}
}
