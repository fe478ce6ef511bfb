package store

import (
	"errors"
	"testing"
	"time"

	"nightjar/crawler/fetch"
	"nightjar/daemon/db"
)

func TestWorkers(t *testing.T) {
	s := open(t)
	ctx := t.Context()
	now := time.UnixMilli(1_790_000_000_000)
	s.Now = func() time.Time { return now }
	ok(t, s.AddWorker(ctx, "attic", "UKEY"))
	if err := s.AddWorker(ctx, "attic", "UOTHER"); !errors.Is(err, ErrTaken) {
		t.Errorf("the same name again: %v", err)
	}
	ok(t, s.WorkerJoined(ctx, "attic", "1.2"))
	if err := s.WorkerJoined(ctx, "nobody", "1.2"); !errors.Is(err, db.ErrNotFound) {
		t.Errorf("a stranger: %v", err)
	}
	count := WorkerCounts{Pages: 2, Bytes: 10, Outcomes: map[fetch.Outcome]int{fetch.OK: 1, fetch.Status: 1}, Lost: 1, Error: "no route", ErrorAt: now}
	for range 2 {
		ok(t, s.CountWorkers(ctx, map[string]WorkerCounts{"attic": count, "nobody": count}, map[string]time.Time{"attic": now.Add(time.Minute)}))
		count.Error, count.ErrorAt = "", time.Time{}
	}
	ok(t, s.PauseWorker(ctx, "attic", true))
	all, err := s.Workers(ctx)
	if err != nil || len(all) != 1 {
		t.Fatal(all, err)
	}
	w := all[0]
	if w.Key != "UKEY" || !w.Joined.Equal(now) || !w.Seen.Equal(now.Add(time.Minute)) || !w.Paused || w.Program != "1.2" || w.Pages != 4 || w.Bytes != 20 ||
		w.Outcomes[fetch.OK] != 2 || w.Lost != 2 || w.Error != "no route" || !w.ErrorAt.Equal(now) || !w.Revoked.IsZero() {
		t.Errorf("%+v", w)
	}
	ok(t, s.RevokeWorker(ctx, "attic"))
	if all, err = s.Workers(ctx); err != nil || all[0].Revoked.IsZero() || all[0].Key != "" {
		t.Fatalf("revoked: %+v, %v", all, err)
	}
	if err := s.AddWorker(ctx, "attic", "UNEW"); err != nil {
		t.Fatalf("invited again: %v", err)
	}
	if all, err = s.Workers(ctx); err != nil || all[0].Key != "UNEW" || !all[0].Revoked.IsZero() || all[0].Paused || all[0].Pages != 4 {
		t.Fatalf("invited again: %+v, %v", all, err)
	}
	ok(t, s.RemoveWorker(ctx, "attic"))
	if err := s.RemoveWorker(ctx, "attic"); !errors.Is(err, db.ErrNotFound) {
		t.Errorf("removed twice: %v", err)
	}
}
