package notify

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"time"
)

func TestCall(t *testing.T) {
	var b Bus
	news, stopListening := b.Listen()
	calls := 0
	stop := b.Call(func() { calls++ }, "session", "settings")
	for _, kind := range []string{"session", "finds", "settings"} {
		b.Tell(News{Kind: kind})
	}
	if stop(); calls != 2 {
		t.Errorf("called %d times, want 2", calls)
	}
	if b.Tell(News{Kind: "session"}); calls != 2 {
		t.Error("called after the end")
	}
	if stopListening(); len(news) != 4 {
		t.Errorf("%d pieces of news came, want all 4", len(news))
	}
	for range 100 { // who does not listen any more is in nobody's way
		b.Tell(News{Kind: "session"})
	}
	if len(news) != 4 {
		t.Error("news came after the end")
	}
}

// TestUntil: the condition is looked at before any news, after news, and without any.
func TestUntil(t *testing.T) {
	var b Bus
	if err := b.Until(t.Context(), time.Hour, func() (bool, error) { return true, nil }); err != nil {
		t.Error(err)
	}
	var is atomic.Bool
	looked := make(chan struct{}, 10)
	go func() {
		<-looked
		is.Store(true)
		b.Tell(News{Kind: "session"})
	}()
	err := b.Until(t.Context(), time.Hour, func() (bool, error) {
		looked <- struct{}{}
		return is.Load(), nil
	})
	if err != nil {
		t.Error(err)
	}
	times := 0
	if err := b.Until(t.Context(), time.Millisecond, func() (bool, error) { times++; return times == 3, nil }); err != nil || times != 3 {
		t.Errorf("%v, after %d looks", err, times)
	}
	wrong := errors.New("wrong")
	if err := b.Until(t.Context(), time.Hour, func() (bool, error) { return false, wrong }); err != wrong {
		t.Errorf("%v", err)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if err := b.Until(ended, time.Hour, func() (bool, error) { return false, nil }); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	if len(b.listeners) != 0 {
		t.Errorf("%d listeners are left", len(b.listeners))
	}
}
