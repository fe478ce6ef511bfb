package notify

import "testing"

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
