package token

import (
	"bytes"
	"errors"
	"os"
	"strings"
	"testing"
	"time"

	"nightjar/daemon/keep/backup"
	"nightjar/daemon/store"
	"nightjar/daemon/store/storetest"
)

func newKeeper(t *testing.T) (*Keeper, *store.Store, *time.Time) {
	t.Helper()
	st, err := store.Open(t.Context(), storetest.Path(t))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { st.Close() })
	now := time.Date(2026, 11, 22, 8, 0, 0, 0, time.UTC)
	clock := func() time.Time { return now }
	st.Now = clock
	return NewKeeper(st, clock), st, &now
}

func mustMake(t *testing.T, k *Keeper, scope string) string {
	t.Helper()
	text, err := k.Make(t.Context(), "reader", scope, 0)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func TestMakeAndCheck(t *testing.T) {
	k, st, _ := newKeeper(t)
	text := mustMake(t, k, ScopeRead)
	got, err := k.Check(t.Context(), text)
	if err != nil || got.Name != "reader" || got.Scope != ScopeRead {
		t.Fatalf("%+v, %v", got, err)
	}
	_, secret, _ := strings.Cut(strings.TrimPrefix(text, prefix), "_")
	if len(secret) != 43 {
		t.Errorf("the secret has %d characters", len(secret))
	}
	if err := backup.CopyTo(t.Context(), st.DB, t.TempDir()+"/copy.db"); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{st.Path(), st.Path() + "-wal"} {
		if file, err := os.ReadFile(name); err == nil && bytes.Contains(file, []byte(secret)) {
			t.Errorf("%s holds the secret", name)
		}
	}
	if err := Revoke(t.Context(), st.DB, got.ID); err != nil {
		t.Fatal(err)
	}
	if _, err := k.Check(t.Context(), text); !errors.Is(err, ErrUnknown) {
		t.Errorf("revoked: %v", err)
	}
}

func TestWrongTokens(t *testing.T) {
	k, _, _ := newKeeper(t)
	text := mustMake(t, k, ScopeFeed)
	for _, wrong := range []string{"", "x", prefix, prefix + "_", text[:len(text)-1], text + "x", strings.ToUpper(text), " " + text,
		text[:30] + strings.Repeat("A", 39), prefix + "0000000000000000_" + text[len(text)-43:], strings.Repeat("x", 1<<16), text + "\x00"} {
		if _, err := k.Check(t.Context(), wrong); !errors.Is(err, ErrUnknown) {
			t.Errorf("%.40q: %v", wrong, err)
		}
	}
}

// TestLimit: guesses are refused after a while. Those with a real key do not lock out others, those with an unknown key
// lock out nobody.
func TestLimit(t *testing.T) {
	k, _, now := newKeeper(t)
	mine, other := mustMake(t, k, ScopeFeed), mustMake(t, k, ScopeFeed)
	count := func(text string) (n int) {
		for ; n < 1000; n++ {
			if _, err := k.Check(t.Context(), text); errors.Is(err, ErrTooMany) {
				return n
			}
		}
		return n
	}
	if n := count("nightjar_0000000000000000_guess"); n != wrongBurst {
		t.Errorf("%d guesses of unknown keys", n)
	}
	if _, err := k.Check(t.Context(), mine); err != nil {
		t.Errorf("the right token after guesses of unknown ones: %v", err)
	}
	if n := count(mine[:len(mine)-2] + "xx"); n != wrongBurst {
		t.Errorf("%d guesses of a real key", n)
	}
	if _, err := k.Check(t.Context(), mine); !errors.Is(err, ErrTooMany) {
		t.Errorf("a token whose key was guessed with: %v", err)
	}
	if _, err := k.Check(t.Context(), other); err != nil {
		t.Errorf("another token: %v", err)
	}
	*now = now.Add(wrongEvery)
	if _, err := k.Check(t.Context(), mine); err != nil {
		t.Errorf("later: %v", err)
	}
}

func TestMakeRefuses(t *testing.T) {
	k, st, _ := newKeeper(t)
	for _, tt := range []struct {
		name, scope string
		topic       int64
		want        error
	}{
		{"", ScopeRead, 0, ErrName}, {" ", ScopeRead, 0, ErrName}, {strings.Repeat("x", 81), ScopeRead, 0, ErrName},
		{"a\nb", ScopeRead, 0, ErrName}, {"\xff", ScopeRead, 0, ErrName},
		{"a", "write", 0, ErrScope}, {"a", "", 0, ErrScope}, {"a", ScopeRead, 1, ErrScope}, {"a", ScopeFeed, 9, store.ErrNotFound},
	} {
		if _, err := k.Make(t.Context(), tt.name, tt.scope, tt.topic); !errors.Is(err, tt.want) {
			t.Errorf("%q %q %d: %v, want %v", tt.name, tt.scope, tt.topic, err, tt.want)
		}
	}
	if all, err := All(t.Context(), st.DB); err != nil || len(all) > 0 {
		t.Errorf("stored %v, %v", all, err)
	}
	for range maxTokens {
		mustMake(t, k, ScopeRead)
	}
	if _, err := k.Make(t.Context(), "one more", ScopeRead, 0); !errors.Is(err, ErrFull) {
		t.Errorf("one too many: %v", err)
	}
}
