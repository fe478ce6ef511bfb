package safekeeping

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"testing"
	"time"

	"nightjar/daemon/browse/session"
	"nightjar/daemon/browse/session/sessiontest"
	"nightjar/daemon/browse/sessions"
	"nightjar/daemon/keep/backup"
	"nightjar/daemon/store"
	"nightjar/daemon/store/storetest"
)

// newKeeper returns a keeper of a database with a session, and its clock.
func newKeeper(t *testing.T) (k *Keeper, now *time.Time) {
	t.Helper()
	path := storetest.Path(t)
	st, err := store.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { st.Close() })
	at := time.Date(2026, 11, 20, 3, 0, 0, 0, time.UTC)
	k = NewKeeper(&Keeper{Store: st, Dir: filepath.Dir(path), Version: "test", Log: slog.New(slog.DiscardHandler),
		Now: func() time.Time { return at }, Free: func(context.Context) int64 { return -1 }, Verifiers: Stored})
	return k, &at
}

// record stores the start of a session.
func record(t *testing.T, st *store.Store) {
	t.Helper()
	e, err := session.Admit(sessiontest.NewMaker(1, time.Date(2026, 11, 19, 20, 0, 0, 0, time.UTC)).Start("Curling"), nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := sessions.Ingest(t.Context(), st, []session.Event{e}); err != nil {
		t.Fatal(err)
	}
}

// TestWeekly: a backup is due once a week when something is recorded; three are kept; each can be restored; nothing unfinished
// is left.
func TestWeekly(t *testing.T) {
	k, now := newKeeper(t)
	due := func() bool {
		t.Helper()
		yes, err := k.due(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return yes
	}
	if due() {
		t.Error("a backup of nothing")
	}
	record(t, k.Store)
	for week := range 5 {
		if !due() {
			t.Fatalf("week %d: none is due", week)
		}
		c, err := k.Make(t.Context())
		if err != nil || c.Kind != Automatic || !c.At.Equal(*now) || c.Bytes == 0 {
			t.Fatalf("%+v, %v", c, err)
		}
		*now = now.Add(6 * 24 * time.Hour)
		if due() {
			t.Error("another one is due after six days")
		}
		*now = now.Add(24 * time.Hour)
	}
	all, err := List(k.Dir)
	if err != nil || len(all) != keep {
		t.Fatalf("%+v, %v", all, err)
	}
	into := t.TempDir()
	if s, err := backup.Check(t.Context(), all[2].Path, into, *now); err != nil || s.Sessions != 1 {
		t.Errorf("%+v, %v", s, err)
	}
	left, err := filepath.Glob(filepath.Join(k.Dir, "*", "*.part*"))
	temporary, gerr := filepath.Glob(filepath.Join(k.Dir, "backup-*"))
	if len(left)+len(temporary) > 0 || err != nil || gerr != nil {
		t.Errorf("left: %q %q", left, temporary)
	}
	if info, err := os.Stat(Folder(k.Dir)); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
	if err := k.Erase(); err != nil {
		t.Fatal(err)
	}
	if all, err := List(k.Dir); err != nil || len(all) != 0 || !due() {
		t.Errorf("after erasing: %+v, %v", all, err)
	}
	settings, err := k.Store.Settings(t.Context())
	settings.WeeklyBackup = false
	if err := errors.Join(err, k.Store.SaveSettings(t.Context(), settings)); err != nil {
		t.Fatal(err)
	}
	if due() {
		t.Error("one is due though it is off")
	}
}

// TestNoBackup: none is made without room or of a damaged database; the older ones stay.
func TestNoBackup(t *testing.T) {
	k, now := newKeeper(t)
	record(t, k.Store)
	if _, err := k.Make(t.Context()); err != nil {
		t.Fatal(err)
	}
	*now = now.Add(every)
	k.Free = func(context.Context) int64 { return reserve }
	if _, err := k.Make(t.Context()); !errors.Is(err, ErrNoRoom) || k.Status().Problem == "" {
		t.Errorf("%v, %+v", err, k.Status())
	}
	k.Free = func(context.Context) int64 { return -1 }
	var hurt []string
	k.Hurt = func(faults []string) { hurt = faults }
	path := k.Store.Path()
	if err := k.Store.Close(); err != nil {
		t.Fatal(err)
	}
	db, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	at := bytes.Index(db, []byte("Curling")) / 4096 * 4096 // the page of the topics, without which the rest can be opened
	clear(db[at : at+4096])
	if err := os.WriteFile(path, db, 0o600); err != nil {
		t.Fatal(err)
	}
	if k.Store, err = store.Open(t.Context(), path); err != nil {
		t.Fatal(err)
	}
	defer k.Store.Close()
	if _, err := k.Make(t.Context()); err == nil || len(hurt) == 0 {
		t.Errorf("%v, told %q", err, hurt)
	}
	if all, err := List(k.Dir); err != nil || len(all) != 1 {
		t.Errorf("%+v, %v", all, err)
	}
}

// TestVerifyPart: rows without sums get them after a start.
func TestVerifyPart(t *testing.T) {
	k, _ := newKeeper(t)
	record(t, k.Store)
	storetest.Exec(t, k.Store.Path(), "UPDATE events SET body = '{}'")
	k.verifyPart(t.Context())
	if _, n, err := Unsound(t.Context(), k.Store.DB, 1); err != nil || n != 0 {
		t.Errorf("%d, %v", n, err)
	}
	storetest.Exec(t, k.Store.Path(), "UPDATE events SET sum = sum + 1")
	k.verifyPart(t.Context())
	if _, n, err := Unsound(t.Context(), k.Store.DB, 1); err != nil || n != 1 {
		t.Errorf("%d rows, %v", n, err)
	}
}
