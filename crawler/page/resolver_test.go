package page

import (
	"math/rand/v2"
	"testing"
)

// TestResolver holds the short way of resolving to what the URL parser says.
func TestResolver(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	pieces := []string{"a", "B", "index.html", ".", "..", "/", "//", "#", "#x", "?", "?q=1", "~u", "-", "_", "%41", "ü", ";sid=1", ":", "http:", "x.y", " ", "\\", "@"}
	piece := func() string { return pieces[rng.IntN(len(pieces))] }
	short := 0
	for range 50000 {
		base, err := parse(nil, "http://example.com:8080/"+piece()+piece()+piece()+piece())
		if err != nil {
			continue
		}
		r := newResolver(base)
		ref := ""
		for range rng.IntN(5) {
			ref += piece()
		}
		got, gotErr := r.resolve(ref)
		want, wantErr := resolve(base, ref)
		if got != want || (gotErr == nil) != (wantErr == nil) {
			t.Fatalf("%q on %q: %q, %v; want %q, %v", ref, base.Href(false), got, gotErr, want, wantErr)
		}
		if r.origin != "" && ref != "" && plainPath(ref) {
			short++
		}
	}
	if short < 1000 {
		t.Errorf("only %d took the short way", short)
	}
}
