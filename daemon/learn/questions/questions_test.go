package questions_test

import (
	"errors"
	"testing"
	"time"

	"nightjar/daemon/app/wings"
	"nightjar/daemon/db"
	"nightjar/daemon/db/dbtest"
	"nightjar/daemon/db/plans"
	"nightjar/daemon/keep/erasing"
	"nightjar/daemon/learn/questions"
	"nightjar/daemon/learn/trainingdata"
	"nightjar/daemon/morning/finds"
	"nightjar/daemon/store"
	"nightjar/daemon/store/storetest"
)

// TestQuestions: answers are marks of pages that are no finds, and can be taken back.
func TestQuestions(t *testing.T) {
	s := storetest.Open(t)
	dbtest.Find(t, s.DB)
	ctx := t.Context()
	for _, text := range []string{
		`INSERT INTO contents (hash, gzip) SELECT x'02', gzip FROM contents`,
		`INSERT INTO fetches (id, crawl_id, n, url, final_url, host, outcome, at, content_hash, title)
			VALUES (2, 1, 2, 'http://ice.test/asked', 'http://ice.test/asked', 'ice.test', 'ok', 0, x'02', 'Asked')`,
	} {
		storetest.Must(s.Writer.Exec(text))(t)
	}
	if askable, err := questions.Askable(ctx, s.DB, 1, 10); err != nil || len(askable) != 2 {
		t.Fatalf("askable %+v, %v", askable, err)
	}
	storetest.OK(t, questions.Save(ctx, s.DB, 1, []string{"http://ice.test/asked", "http://ice.test/gone", "http://ice.test/found"}))
	asked, err := questions.All(ctx, s.DB, 1)
	if err != nil || len(asked) != 2 || asked[0].Title != "Asked" {
		t.Fatalf("questions %+v, %v", asked, err)
	}
	for _, answer := range []string{store.MarkUseful, store.MarkNotUseful} { // the second is late: the first stands
		storetest.Must(questions.Answer(ctx, s.DB, 1, 2, answer, 7))(t)
	}
	if all, err := trainingdata.MarkedFinds(ctx, s.DB, 1, trainingdata.AllMarks); err != nil || len(all) != 1 || !all[0].Useful || all[0].Trail[0].URL != "http://ice.test/asked" {
		t.Errorf("marked %+v, %v", all, err)
	}
	if got, err := finds.Counts(ctx, s.DB, finds.Filter{}); err != nil || got["all"] != 1 || got["useful"] != 0 {
		t.Errorf("counts %v, %v: the page asked about is no find", got, err)
	}
	if a, err := finds.LastAction(ctx, s.DB, time.Time{}); !errors.Is(err, db.ErrNotFound) {
		t.Errorf("the list offers to undo %+v, %v", a, err)
	}
	storetest.Must(questions.Answer(ctx, s.DB, 1, 1, questions.Skip, 7))(t)
	for range 2 {
		storetest.Must(questions.Undo(ctx, s.DB, 1))(t)
	}
	if _, err := questions.Undo(ctx, s.DB, 1); !errors.Is(err, db.ErrNotFound) {
		t.Errorf("a third answer was taken back: %v", err)
	}
	if all, err := trainingdata.MarkedFinds(ctx, s.DB, 1, trainingdata.AllMarks); err != nil || len(all) != 0 {
		t.Errorf("still marked %+v, %v", all, err)
	}
	if _, err := questions.Answer(ctx, s.DB, 1, 99, store.MarkUseful, 7); !errors.Is(err, db.ErrNotFound) {
		t.Errorf("a question that is not there: %v", err)
	}
	storetest.Must(questions.Answer(ctx, s.DB, 1, 2, store.MarkNotUseful, 7))(t)
	storetest.Must(erasing.Host(ctx, s, wings.Erasing, "ice.test"))(t)
	for _, table := range []string{"questions", "feedback", "finds", "actions"} {
		if n := storetest.Count(t, s, "SELECT count(*) FROM "+table); n != 0 {
			t.Errorf("%d rows of %s are left after erasing", n, table)
		}
	}
	storetest.Grep(t, s, "ice.test")
}

// TestAskScansNoTable: replacing the questions reads no whole table of fetches.
func TestAskScansNoTable(t *testing.T) {
	s, all := plans.Record(t, &db.Driver, storetest.Open)
	dbtest.Find(t, s.DB)
	clear(all)
	storetest.OK(t, questions.Ask(t.Context(), s.DB, 1, []int64{1}))
	plans.NoFullScans(t, s.Readers, all, "USING INDEX", "json_each")
}
