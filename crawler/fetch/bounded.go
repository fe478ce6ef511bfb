package fetch

import "sync"

// Limits of what is remembered.
const (
	maxSeen     = 100_000 // hosts of a set
	maxHops     = 1000    // pages with interrupted redirects
	maxHalfRead = 1_000   // hosts whose lists are being read
)

// bounded is a map that drops entries at random when it is full. It is safe for concurrent use.
type bounded[V any] struct {
	most int
	mu   sync.Mutex
	of   map[string]V
}

func newBounded[V any](most int) *bounded[V] { return &bounded[V]{most: most, of: map[string]V{}} }

// put sets the value of a key and reports whether the key is new.
func (b *bounded[V]) put(key string, v V) (fresh bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	_, known := b.of[key]
	for other := range b.of {
		if known || len(b.of) < b.most {
			break
		}
		delete(b.of, other)
	}
	b.of[key] = v
	return !known
}

// take removes and returns the value of a key.
func (b *bounded[V]) take(key string) (v V, ok bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	v, ok = b.of[key]
	delete(b.of, key)
	return v, ok
}

// has reports whether a key has a value.
func (b *bounded[V]) has(key string) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	_, ok := b.of[key]
	return ok
}

// hostSet is a set of host names.
type hostSet struct{ *bounded[struct{}] }

func newHostSet() hostSet { return hostSet{newBounded[struct{}](maxSeen)} }

// add adds a host and reports whether it is new.
func (h hostSet) add(host string) bool { return h.put(host, struct{}{}) }
