package text

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// TestKeysTellWordsApart: two words have the same key and length only if they are the same, wherever their bytes lie. Beyond
// a key's bytes the memory of a word holds what was there before.
func TestKeysTellWordsApart(t *testing.T) {
	of := map[string]string{} // a word by its key and length
	for _, word := range strings.Fields("a b aa ab ba aaaaaaa aaaaaaab aaaaaaaa aaaaaaaaa aaaaaaaab é è ê 北京 京北 йод") {
		for _, behind := range []string{"", "z", "remains of another word"} {
			room := append([]byte(word), behind...)
			k := keyOf(slices.Clip(room)[:len(word)])
			if exact := keyOf(slices.Clip(room[:len(word)])); k != exact {
				t.Errorf("%q before %q has the key %v, alone %v", word, behind, k, exact)
			}
			name := fmt.Sprint(k, len(word))
			if other, ok := of[name]; ok && other != word {
				t.Errorf("%q and %q have the same key", word, other)
			}
			of[name] = word
		}
	}
}

// TestPlacesAreThoseOfAMap: whatever words come, each is found where it was put, and no other is.
func TestPlacesAreThoseOfAMap(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 2))
	var p places
	var words []entry
	want := map[string]int32{}
	for range 20_000 {
		word := make([]byte, 1+rng.IntN(12))
		for i := range word {
			word[i] = 'a' + byte(rng.IntN(3))
		}
		k := keyOf(word)
		at, known := want[string(word)]
		if !known {
			at = -1
		}
		if got := p.find(k, word, words); got != at {
			t.Fatalf("%q is at %d, want %d", word, got, at)
		}
		if !known {
			want[string(word)] = int32(len(words))
			p.add(k.hash, int32(len(words)))
			words = append(words, entry{key: k.bits, written: string(word)})
		}
	}
}
