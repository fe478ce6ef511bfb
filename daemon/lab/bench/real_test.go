//go:build measure

package bench

import (
	"os"
	"testing"
)

// TestNoRealCrawlExceedsTheBound does on a real web what TestNoCrawlExceedsTheBound does on a made-up one.
func TestNoRealCrawlExceedsTheBound(t *testing.T) {
	dir := os.Getenv("NIGHTJAR_CORPORA")
	if dir == "" {
		t.Skip("left out: $NIGHTJAR_CORPORA names no folder of recorded webs")
	}
	s, err := LoadSuite("real")
	if err != nil {
		t.Fatal(err)
	}
	s.Tasks[0].Seeds = []uint64{1}
	stayBelow(t, runner(t, dir), s.Tasks[0])
}
