package surfer

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"nightjar/daemon/browse/protocol"
)

// pages is a small web: a frameset whose menu links on, and an alias.
var pages = map[string]string{
	"http://a.test/":       `<title>Home</title><a href="/frames">Frames</a><a href="/gone">Gone</a>`,
	"http://a.test/frames": `<frameset cols="30%,70%"><frame src="/menu"><frame src="/lost"></frameset>`,
	"http://a.test/menu":   `<a href="/leaf">Leaf</a>`,
	"http://a.test/leaf":   `<title>Leaf</title><p>The leaf.`,
}

func load(_ context.Context, url string) (Document, error) {
	if url == "http://a.test/alias" {
		url = "http://a.test/leaf"
	}
	html, ok := pages[url]
	if !ok {
		return Document{}, errors.New("not found")
	}
	return Document{URL: url, HTML: []byte(html)}, nil
}

// surf starts a surfer whose events are collected.
func surf(seed uint64, events *[]protocol.Event) *Surfer {
	rng := rand.New(rand.NewPCG(seed, 1))
	return New(Options{Client: NewClient(rng), Topic: "Leaves", Start: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC), Rand: rng, Load: load,
		Emit: func(e protocol.Event) error {
			*events = append(*events, e)
			return nil
		}})
}

// do stops the test at an error.
func do(t *testing.T, errs ...error) {
	t.Helper()
	if err := errors.Join(errs...); err != nil {
		t.Fatal(err)
	}
}

func TestEvents(t *testing.T) {
	var events []protocol.Event
	s := surf(1, &events)
	ctx := t.Context()
	do(t, s.Start(), s.Open(ctx, "http://a.test/"), s.Follow(ctx, "http://a.test/frames"), s.Follow(ctx, "http://a.test/leaf"),
		s.Useful(), s.Back(), s.Open(ctx, "http://a.test/alias"), s.Submit())
	var types []string
	for i, e := range events {
		if err := protocol.Validate(e); err != nil {
			t.Errorf("event %d: %v", i, err)
		}
		if e.Seq != int64(i+1) || i > 0 && (e.At.Before(events[i-1].At) || e.ID <= events[i-1].ID && e.At.After(events[i-1].At)) {
			t.Errorf("event %d: seq %d at %v", i, e.Seq, e.At)
		}
		types = append(types, string(e.Type))
	}
	want := "session.start visit snapshot visit snapshot frame snapshot visit snapshot useful back visit snapshot submit"
	if got := strings.Join(types, " "); got != want {
		t.Fatalf("events\n%s, want\n%s", got, want)
	}
	home, frames, menu, leaf := events[1], events[3], events[5], events[7]
	if frames.How != protocol.HowLink || frames.From != home.Page || menu.Parent != frames.Page || menu.Kind != protocol.KindFrame {
		t.Errorf("frameset %+v, menu %+v", frames, menu)
	}
	if leaf.From != menu.Page || leaf.Title != "Leaf" {
		t.Errorf("a link in a frame was followed from %s, not from the frame %s", leaf.From, menu.Page)
	}
	if events[9].Page != leaf.Page || events[10].Page != frames.Page || events[10].From != leaf.Page {
		t.Errorf("mark %+v, back %+v", events[9], events[10])
	}
	if again := events[11]; again.How != protocol.HowTyped || again.URL != "http://a.test/leaf" || again.Requested != "http://a.test/alias" || again.From != "" {
		t.Errorf("alias %+v", again)
	}
	if html, err := events[2].Unpack(); err != nil || string(html) != pages["http://a.test/"] {
		t.Errorf("snapshot %q (%v)", html, err)
	}
}

func TestStepsThatCannotBeDone(t *testing.T) {
	ctx := t.Context()
	for name, try := range map[string]func(*Surfer) error{
		"back at the beginning":  func(s *Surfer) error { return s.Back() },
		"follow from nothing":    func(s *Surfer) error { return s.Follow(ctx, "http://a.test/") },
		"mark nothing":           func(s *Surfer) error { return s.Useful() },
		"open what is not there": func(s *Surfer) error { return s.Open(ctx, "http://a.test/gone") },
	} {
		var events []protocol.Event
		if err := try(surf(1, &events)); err == nil || len(events) > 0 {
			t.Errorf("%s: error %v, %d events", name, err, len(events))
		}
	}
}

func TestSameSeedSameEvents(t *testing.T) {
	made := func(seed uint64) []string {
		var events []protocol.Event
		s := surf(seed, &events)
		do(t, s.Start(), s.Open(t.Context(), "http://a.test/"), s.Submit())
		var ids []string
		for _, e := range events {
			ids = append(ids, e.ID+e.Client+e.Session+e.Page+e.At.String())
		}
		return ids
	}
	if !slices.Equal(made(1), made(1)) || slices.Equal(made(1), made(2)) {
		t.Error("events do not depend on the seed alone")
	}
}
