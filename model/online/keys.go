package online

import "iter"

// Keys is a map from 64-bit keys, such as those of Key, that keeps the order in which its keys were added. The zero value is
// empty.
type Keys[V any] struct {
	places  map[uint64]int32 // of the keys among the entries
	entries []keyed[V]
}

type keyed[V any] struct {
	key   uint64
	value V
}

// Len is the number of keys.
func (k *Keys[V]) Len() int { return len(k.entries) }

// Place is the number of a key, in the order of adding from 0 on, or -1.
func (k *Keys[V]) Place(key uint64) int {
	if at, known := k.places[key]; known {
		return int(at)
	}
	return -1
}

// Get is the value of a key.
func (k *Keys[V]) Get(key uint64) (v V, known bool) {
	if at := k.Place(key); at >= 0 {
		return k.entries[at].value, true
	}
	return v, false
}

// Set sets the value of a key.
func (k *Keys[V]) Set(key uint64, v V) {
	if at := k.Place(key); at >= 0 {
		k.entries[at].value = v
		return
	}
	if k.places == nil {
		k.places = map[uint64]int32{}
	}
	k.places[key] = int32(len(k.entries))
	k.entries = append(k.entries, keyed[V]{key, v})
}

// All yields the keys in the order in which they were added.
func (k *Keys[V]) All() iter.Seq2[uint64, *V] {
	return func(yield func(uint64, *V) bool) {
		for i := range k.entries {
			if !yield(k.entries[i].key, &k.entries[i].value) {
				return
			}
		}
	}
}
