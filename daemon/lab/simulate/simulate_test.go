package simulate

import (
	"flag"
	"os"
	"strings"
	"testing"
	"time"

	"nightjar/daemon/lab/alone"
)

var (
	nights  = flag.Int("nights", 3, "`NUMBER` of nights of each seed")
	seeds   = flag.Int("seeds", 0, "`NUMBER` of seeds to live through")
	first   = flag.Uint64("seed", 1, "first `SEED`")
	without = flag.String("without", "", "`FAULTS` that are left out, with commas between them")
)

func TestMain(m *testing.M) { os.Exit(alone.Tests(m).Run()) }

// TestSeeds lives through as many seeds as -seeds says.
func TestSeeds(t *testing.T) {
	began, lived := time.Now(), 0
	for i := range *seeds {
		o := options{seed: *first + uint64(i), nights: *nights}
		if *without != "" {
			o.without = strings.Split(*without, ",")
		}
		if wrong := live(t, o); wrong != nil {
			t.Fatalf("seed %d: %v", o.seed, wrong)
		}
		lived += o.nights
	}
	t.Logf("%d nights in %v", lived, time.Since(began).Round(time.Millisecond))
}
