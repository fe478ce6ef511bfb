// Package notify tells the parts of a running daemon that something changed: a training made progress, a page was fetched,
// a browser asks to be paired. News may be lost; the store has the current state.
package notify

import (
	"context"
	"slices"
	"sync"
	"time"
)

// News names what changed.
type News struct {
	Kind string // "session", "training", "crawl", "pairing", "settings", "finds", "map", "ontology", "groupings", "wordnet", "workers", "bookmarks"
	ID   string // session UUID, topic id or crawl id, where there is one
	Data any    // what a listener may show without reading the store; nil when it must read it
}

// Bus passes news on to listeners. The zero value is ready.
type Bus struct {
	mu        sync.Mutex
	listeners map[*func(News)]struct{}
}

// Listen returns a channel of news and a function that stops listening. A listener that falls more than 64 pieces of news
// behind loses the newest.
func (b *Bus) Listen() (<-chan News, func()) {
	c := make(chan News, 64)
	return c, b.add(func(n News) {
		select {
		case c <- n:
		default:
		}
	})
}

// Call calls wake for each piece of news of some kinds. wake must not block and must not use the bus. Call returns a function
// that stops it.
func (b *Bus) Call(wake func(), kinds ...string) (stop func()) {
	return b.add(func(n News) {
		if slices.Contains(kinds, n.Kind) {
			wake()
		}
	})
}

func (b *Bus) add(listener func(News)) (stop func()) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.listeners == nil {
		b.listeners = make(map[*func(News)]struct{})
	}
	b.listeners[&listener] = struct{}{}
	return func() {
		b.mu.Lock()
		defer b.mu.Unlock()
		delete(b.listeners, &listener)
	}
}

// Until calls done now, after each piece of news, and at least once in every time, since news may be lost. It returns when done reports
// true or fails, or with the error of ctx.
func (b *Bus) Until(ctx context.Context, every time.Duration, done func() (bool, error)) error {
	news, end := b.Listen()
	defer end()
	tick := time.NewTicker(every)
	defer tick.Stop()
	for {
		if is, err := done(); is || err != nil {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-tick.C:
		case <-news:
		}
	}
}

// Tell sends n to every listener. It never blocks.
func (b *Bus) Tell(n News) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for listener := range b.listeners {
		(*listener)(n)
	}
}
