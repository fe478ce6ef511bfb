package page

import (
	"crypto/sha256"
	"encoding/binary"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode"
)

// TestTextHash compares the hash with one of the words in a row.
func TestTextHash(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 5))
	pieces := []string{"a", "Word", "THE", "7", "h264", " ", "\n", "-", ", ", "é", "É", "İ", "山", "ก", "\u0301", "\xff", "٣", "ß", "_"}
	for range 3000 {
		var b strings.Builder
		for range rng.IntN(12) {
			b.WriteString(pieces[rng.IntN(len(pieces))])
		}
		words := strings.FieldsFunc(strings.ToLower(b.String()), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
		want := int64(0)
		if len(words) > 0 {
			sum := sha256.Sum256([]byte(strings.Join(words, " ") + " "))
			want = int64(binary.BigEndian.Uint64(sum[:8]))
		}
		if got := textHash(b.String()); got != want {
			t.Fatalf("%q: %x, want %x", b.String(), got, want)
		}
	}
}
