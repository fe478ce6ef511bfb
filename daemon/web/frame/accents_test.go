package frame

import (
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"
)

// TestThinAccents compares with a regular expression, over texts of letters and accents of one to three bytes.
func TestThinAccents(t *testing.T) {
	heap := regexp.MustCompile(`(\p{M}{6})\p{M}+`)
	letters := []rune("aé<ก\u0301\u0337\u0e49\u0e47\u20dd")
	rng := rand.New(rand.NewPCG(1, 1))
	thinned := 0
	for range 3000 {
		var b strings.Builder
		for range rng.IntN(40) {
			b.WriteRune(letters[rng.IntN(len(letters))])
		}
		text := b.String()
		want := heap.ReplaceAllString(text, "$1")
		if got := string(thinAccents([]byte(text))); got != want {
			t.Fatalf("%q became %q, not %q", text, got, want)
		}
		if want != text {
			thinned++
		}
	}
	if thinned < 100 {
		t.Errorf("%d texts had something to leave out", thinned)
	}
	if got := string(thinAccents([]byte("\xff\u0301\xfe"))); got != "\xff\u0301\xfe" {
		t.Errorf("broken text became %q", got)
	}
}
