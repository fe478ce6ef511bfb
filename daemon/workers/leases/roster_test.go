package leases

import (
	"errors"
	"testing"
	"time"

	"nightjar/crawler/fetch"
	"nightjar/daemon/db"
	"nightjar/daemon/store/storetest"
)

func TestWorkers(t *testing.T) {
	s := storetest.Open(t)
	ctx := t.Context()
	now := time.UnixMilli(1_790_000_000_000)
	s.Now = func() time.Time { return now }
	storetest.OK(t, AddWorker(ctx, s.DB, "attic", "UKEY"))
	if err := AddWorker(ctx, s.DB, "attic", "UOTHER"); !errors.Is(err, ErrTaken) {
		t.Errorf("the same name again: %v", err)
	}
	storetest.OK(t, WorkerJoined(ctx, s.DB, "attic", "1.2"))
	if err := WorkerJoined(ctx, s.DB, "nobody", "1.2"); !errors.Is(err, db.ErrNotFound) {
		t.Errorf("a stranger: %v", err)
	}
	count := WorkerCounts{Pages: 2, Bytes: 10, Outcomes: map[fetch.Outcome]int{fetch.OK: 1, fetch.Status: 1}, Lost: 1, Error: "no route", ErrorAt: now}
	for range 2 {
		storetest.OK(t, CountWorkers(ctx, s.DB, map[string]WorkerCounts{"attic": count, "nobody": count}, map[string]time.Time{"attic": now.Add(time.Minute)}))
		count.Error, count.ErrorAt = "", time.Time{}
	}
	storetest.OK(t, PauseWorker(ctx, s.DB, "attic", true))
	all, err := Workers(ctx, s.DB)
	if err != nil || len(all) != 1 {
		t.Fatal(all, err)
	}
	w := all[0]
	if w.Key != "UKEY" || !w.Joined.Equal(now) || !w.Seen.Equal(now.Add(time.Minute)) || !w.Paused || w.Program != "1.2" || w.Pages != 4 || w.Bytes != 20 ||
		w.Outcomes[fetch.OK] != 2 || w.Lost != 2 || w.Error != "no route" || !w.ErrorAt.Equal(now) || !w.Revoked.IsZero() {
		t.Errorf("%+v", w)
	}
	storetest.OK(t, RevokeWorker(ctx, s.DB, "attic"))
	if all, err = Workers(ctx, s.DB); err != nil || all[0].Revoked.IsZero() || all[0].Key != "" {
		t.Fatalf("revoked: %+v, %v", all, err)
	}
	if err := AddWorker(ctx, s.DB, "attic", "UNEW"); err != nil {
		t.Fatalf("invited again: %v", err)
	}
	if all, err = Workers(ctx, s.DB); err != nil || all[0].Key != "UNEW" || !all[0].Revoked.IsZero() || all[0].Paused || all[0].Pages != 4 {
		t.Fatalf("invited again: %+v, %v", all, err)
	}
	storetest.OK(t, RemoveWorker(ctx, s.DB, "attic"))
	if err := RemoveWorker(ctx, s.DB, "attic"); !errors.Is(err, db.ErrNotFound) {
		t.Errorf("removed twice: %v", err)
	}
}
