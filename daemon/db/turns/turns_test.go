package turns

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"testing/synctest"
)

func ok(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// waiters begin to wait for a turn one after another; each notes its name when its turn comes and gives it back.
func waiters(t *testing.T, turns *Turns, order *[]string, urgent bool, names ...string) {
	for _, name := range names {
		go func() {
			if err := turns.Take(t.Context(), urgent); err != nil {
				t.Error(err)
				return
			}
			*order = append(*order, name) // one at a time has the turn
			turns.End()
		}()
		synctest.Wait()
	}
}

// TestTurns: what events wait for goes first, and each kind in the order in which it came.
func TestTurns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var turns Turns
		var order []string
		ok(t, turns.Take(t.Context(), false))
		waiters(t, &turns, &order, false, "crawl", "links", "search")
		if urgent, _ := turns.Waiting(); urgent > 0 {
			t.Error("events are said to wait, and none do")
		}
		waiters(t, &turns, &order, true, "a", "b", "c")
		if urgent, _ := turns.Waiting(); urgent == 0 {
			t.Error("events wait, and are not said to")
		}
		turns.End()
		synctest.Wait()
		if want := []string{"a", "b", "c", "crawl", "links", "search"}; !slices.Equal(order, want) {
			t.Errorf("order %q, want %q", order, want)
		}
		if turns.taken {
			t.Error("the turn was not given back")
		}
	})
}

// TestTurnsOfOthers: however many batches of events wait, others get on.
func TestTurnsOfOthers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var turns Turns
		var order []string
		ok(t, turns.Take(t.Context(), false))
		var events []string
		for i := range 3 * MostInRow {
			events = append(events, fmt.Sprint(i))
		}
		waiters(t, &turns, &order, true, events...)
		waiters(t, &turns, &order, false, "crawl", "links")
		turns.End()
		synctest.Wait()
		if at := slices.Index(order, "crawl"); at != MostInRow {
			t.Errorf("the crawl's turn is number %d, want %d", at, MostInRow)
		}
		if at := slices.Index(order, "links"); at != 2*MostInRow+1 {
			t.Errorf("the turn of links is number %d, want %d", at, 2*MostInRow+1)
		}
	})
}

// TestTurnsGivenUp: a write that does not wait any more does not keep its turn, whenever it gives up.
func TestTurnsGivenUp(t *testing.T) {
	for range 200 {
		var turns Turns
		ok(t, turns.Take(t.Context(), true))
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error)
		go func() {
			err := turns.Take(ctx, true)
			if err == nil {
				turns.End()
			}
			done <- err
		}()
		go cancel()
		turns.End()
		if err := <-done; err != nil && !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
		if err := turns.Take(t.Context(), false); err != nil || len(turns.urgent) > 0 {
			t.Fatalf("%d wait, %v", len(turns.urgent), err)
		}
	}
}
