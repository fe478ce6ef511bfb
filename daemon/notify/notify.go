// Package notify tells the parts of a running daemon that something changed: a training made progress, a page was fetched,
// a browser asks to be paired. News may be lost; the store has the current state.
package notify

import "sync"

// News names what changed.
type News struct {
	Kind string // "session", "training", "crawl", "pairing", "settings", "finds", "map", "ontology", "groupings", "wordnet", "workers"
	ID   string // session UUID, topic id or crawl id, where there is one
	Data any    // what a listener may show without reading the store; nil when it must read it
}

// Bus passes news on to listeners. The zero value is ready.
type Bus struct {
	mu        sync.Mutex
	listeners map[chan News]struct{}
}

// Listen returns a channel of news and a function that stops listening. A listener that falls more than 64 pieces of news
// behind loses the newest.
func (b *Bus) Listen() (<-chan News, func()) {
	c := make(chan News, 64)
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.listeners == nil {
		b.listeners = make(map[chan News]struct{})
	}
	b.listeners[c] = struct{}{}
	return c, func() {
		b.mu.Lock()
		defer b.mu.Unlock()
		delete(b.listeners, c)
	}
}

// Tell sends n to every listener. It never blocks.
func (b *Bus) Tell(n News) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for c := range b.listeners {
		select {
		case c <- n:
		default:
		}
	}
}
