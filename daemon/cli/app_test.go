package cli

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"nightjar/daemon/app"
	"nightjar/daemon/browse/protocol"
	"nightjar/daemon/browse/session"
	"nightjar/daemon/browse/session/sessiontest"
	"nightjar/daemon/browse/topics"
	"nightjar/daemon/learn/models"
	"nightjar/daemon/store"
)

// serveApp runs a daemon as configured, by default on a free port, until the test ends.
func serveApp(t *testing.T, c app.Config) *app.App {
	t.Helper()
	c.Listen = cmp.Or(c.Listen, "127.0.0.1:0")
	daemon, err := app.Open(t.Context(), c, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- daemon.Run(ctx) }()
	t.Cleanup(func() {
		stop()
		if err := errors.Join(<-done, daemon.Close()); err != nil {
			t.Errorf("daemon: %v", err)
		}
	})
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(5 * time.Millisecond) {
		if _, err := os.Stat(filepath.Join(c.Data, "daemon.json")); err == nil {
			return daemon
		}
		if time.Now().After(deadline) {
			t.Fatal("the daemon did not say where it is")
		}
	}
}

// harbours writes a session of five pages on the topic Harbours, the last of them useful, and returns the name of the file.
func harbours(t *testing.T) string {
	t.Helper()
	m := sessiontest.NewMaker(1, time.Date(2026, 11, 2, 20, 0, 0, 0, time.UTC))
	events := []protocol.Event{m.Start("Harbours")}
	from := ""
	for i, words := range []string{"harbour ship sail", "forest tree moss", "mountain rock snow", "river boat snow", "harbour crane quay"} {
		visit := m.Visit("http://walk.test/"+string(rune('a'+i)), words, protocol.HowLink, from)
		events = append(events, visit, m.Snapshot(visit.Page, []byte("<title>"+words+"</title><p>"+strings.Repeat(words+" ", 5))))
		from = visit.Page
	}
	events = append(events, m.Of(protocol.Useful, from, ""), m.Event(protocol.Submit))
	name := filepath.Join(t.TempDir(), "harbours.session.jsonl")
	var text strings.Builder
	if err := session.Write(&text, events); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

// waitTrained waits until the topic Harbours has a version of its model.
func waitTrained(t *testing.T, st *store.Store, version int) {
	t.Helper()
	for deadline := time.Now().Add(2 * time.Minute); ; time.Sleep(10 * time.Millisecond) {
		topic, err := topics.ByName(t.Context(), st.DB, "Harbours")
		if err == nil {
			m, err := models.Latest(t.Context(), st.DB, topic.ID)
			if err == nil && m.Version == version && m.Facts.Targets == 1 {
				return
			}
		}
		if time.Now().After(deadline) {
			t.Fatalf("no version %d of the model: %v", version, err)
		}
	}
}
