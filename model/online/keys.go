package online

import (
	"iter"
	"math/bits"
	"math/rand/v2"
)

// Keys is a map from 64-bit keys, such as those of Key, that keeps the order in which its keys were added. It is faster than
// Go's, and has no pointers of its own for the garbage collector to follow. The zero value is empty.
type Keys[V any] struct {
	slots   []uint32 // number of an entry plus 1, 0 when free; a power of two, at most half of them taken
	entries []keyed[V]
}

type keyed[V any] struct {
	key   uint64
	value V
}

// Pages choose the keys, as they choose their addresses. Where a key is looked for depends on two random numbers, so that no
// page can choose keys that are all looked for at the same place.
var scatter, scatterBy = rand.Uint64(), rand.Uint64() | 1

// Len is the number of keys.
func (k *Keys[V]) Len() int { return len(k.entries) }

// Place is the number of a key, in the order of adding from 0 on, or -1.
func (k *Keys[V]) Place(key uint64) int {
	if len(k.slots) == 0 {
		return -1
	}
	return int(k.slots[k.slot(key)]) - 1
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
	if 2*(len(k.entries)+1) > len(k.slots) {
		k.grow()
	}
	slot := k.slot(key)
	if at := k.slots[slot]; at > 0 {
		k.entries[at-1].value = v
		return
	}
	k.entries = append(k.entries, keyed[V]{key, v})
	k.slots[slot] = uint32(len(k.entries))
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

// slot is the slot of a key, or else the free one where it would be.
func (k *Keys[V]) slot(key uint64) int {
	mask := len(k.slots) - 1
	at := int(((key ^ scatter) * scatterBy) >> (64 - bits.Len(uint(mask))))
	for k.slots[at] > 0 && k.entries[k.slots[at]-1].key != key {
		at = (at + 1) & mask
	}
	return at
}

func (k *Keys[V]) grow() {
	k.slots = make([]uint32, max(16, 2*len(k.slots)))
	for i := range k.entries {
		k.slots[k.slot(k.entries[i].key)] = uint32(i + 1)
	}
}
