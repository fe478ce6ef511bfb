package arms

import (
	"math"
	"math/rand/v2"
	"os"
	"strconv"
	"testing"
)

// TestShareIsExact: of every 100 picks, exactly the share is the second strategy's, one in each block, whatever the seed.
func TestShareIsExact(t *testing.T) {
	for share := 1; share <= MostShare; share++ {
		for seed := range uint64(5) {
			d, counts := Design{share, seed}, map[int]int{}
			for pick := 1; pick <= 400; pick++ {
				b := d.Block(pick)
				first, last := d.Span(b)
				if pick < first || pick > last || last-first+1 < 100/share {
					t.Fatalf("%+v: pick %d is in block %d, which has %d to %d", d, pick, b, first, last)
				}
				if d.Second(pick) {
					counts[b]++
				}
				if pick%100 == 0 && len(counts) != pick/100*share {
					t.Fatalf("%+v: %d of %d picks", d, len(counts), pick)
				}
			}
			for b, n := range counts {
				if n != 1 {
					t.Fatalf("%+v: block %d has %d picks of the second", d, b, n)
				}
			}
		}
	}
}

// TestEveryPlaceIsDrawn: over the blocks of a crawl, each place in a block is the second strategy's about equally often.
func TestEveryPlaceIsDrawn(t *testing.T) {
	d, places := Design{Share: 10, Seed: 7}, [10]int{}
	const blocks = 10_000
	for pick := 1; pick <= 10*blocks; pick++ {
		if d.Second(pick) {
			places[(pick-1)%10]++
		}
	}
	for i, n := range places {
		if math.Abs(float64(n)-blocks/10) > 5*math.Sqrt(blocks*.09) {
			t.Errorf("place %d was drawn %d times of %d", i, n, blocks)
		}
	}
}

// world makes nights. Its harvest is rich at first and falls, and some nights have more than others.
type world struct {
	rng    *rand.Rand
	level  float64 // harvest of the first strategy at the beginning of a usual night
	ratio  float64 // harvest of the second by that of the first
	picks  int
	share  int
	marked float64 // share of the finds that the person marks; the others have a probability
}

func (w *world) night(seed uint64) Night {
	n := Night{Share: w.share}
	d := Design{w.share, seed}
	level := min(.9/max(1, w.ratio), w.level*math.Exp(w.rng.NormFloat64()/2))
	for pick := 1; pick <= w.picks; pick++ {
		p := level * math.Exp(-3*float64(pick)/float64(w.picks))
		second := d.Second(pick)
		if second {
			n.Picks[1]++
			p *= w.ratio
		} else {
			n.Picks[0]++
		}
		if w.rng.Float64() >= p {
			continue
		}
		worth := .3 + .7*w.rng.Float64()
		if w.rng.Float64() < w.marked {
			worth = math.Floor(worth + w.rng.Float64()) // 1 with the probability that it had
		}
		n.Finds = append(n.Finds, Find{pick, second, worth})
	}
	return n
}

// simulations is how many worlds a simulation has: few by default, more by the environment variable ARMS_WORLDS.
func simulations(t *testing.T, few int) int {
	n, err := strconv.Atoi(os.Getenv("ARMS_WORLDS"))
	if err != nil {
		return few
	}
	t.Logf("%d worlds", n)
	return n
}

// within checks a count of n by the binomial distribution: it may be 4 standard deviations outside of [low, high].
func within(t *testing.T, what string, count, n int, low, high float64) {
	t.Helper()
	share := float64(count) / float64(n)
	t.Logf("%s: %.3f of %d", what, share, n)
	allowed := 4 * math.Sqrt(.05*.95/float64(n))
	if share < low-allowed || share > high+allowed {
		t.Errorf("%s: %.3f of %d, want %.2f to %.2f", what, share, n, low, high)
	}
}

// levels are those of poor and of rich webs. At most 90 in 100 pages are useful at any time.
var levels = []float64{.02, .06, .2, .6}

// TestRatioCovers: the interval of the ratio holds the true one in 93 to 97 of 100 worlds, for equal arms and for others, after
// one night and after several.
func TestRatioCovers(t *testing.T) {
	for _, ratio := range []float64{1, 2, .5} {
		for _, level := range levels {
			level /= max(1, ratio)
			for _, nights := range []int{1, 5} {
				rng := rand.New(rand.NewPCG(uint64(nights), uint64(1000*level)))
				n, covered, told := simulations(t, 60), 0, 0
				for k := range n {
					w := world{rng: rng, level: level, ratio: ratio, picks: 1000, share: 10, marked: .5}
					var all []Night
					for i := range nights {
						all = append(all, w.night(uint64(100*k+i)))
					}
					if v := Compare(all); v.Enough {
						told++
						if v.Ratio.Low <= ratio && ratio <= v.Ratio.High {
							covered++
						}
					}
				}
				within(t, "ratio "+strconv.FormatFloat(ratio, 'g', 2, 64)+", level "+strconv.FormatFloat(level, 'g', 2, 64)+", nights "+strconv.Itoa(nights), covered, told, .93, .97)
			}
		}
	}
}

// TestNoWinnerByChance: with equal arms, looked at after each of 30 nights, at most 5 of 100 worlds ever have a winner.
func TestNoWinnerByChance(t *testing.T) {
	for _, level := range levels {
		rng := rand.New(rand.NewPCG(3, uint64(1000*level)))
		n, wrong := simulations(t, 25), 0
		for k := range n {
			w := world{rng: rng, level: level, ratio: 1, picks: 1000, share: 10, marked: .5}
			var all []Night
			for i := range 30 {
				all = append(all, w.night(uint64(100*k+i)))
				if Compare(all).Winner != None {
					wrong++
					break
				}
			}
		}
		within(t, "winners, level "+strconv.FormatFloat(level, 'g', 2, 64), wrong, n, 0, .05)
	}
}

// TestBetterArmWins: an arm that brings twice as much wins within some nights, whichever of the two it is.
func TestBetterArmWins(t *testing.T) {
	for _, ratio := range []float64{2, .5, .1} {
		for _, level := range levels[1:] {
			rng := rand.New(rand.NewPCG(5, uint64(1000*level)))
			n, sum, never := simulations(t, 10), 0, 0
			for k := range n {
				w := world{rng: rng, level: level, ratio: ratio, picks: 1000, share: 10, marked: .5}
				var all []Night
				won := None
				for len(all) < 60 && won == None {
					all = append(all, w.night(uint64(100*k+len(all))))
					won = Compare(all).Winner
				}
				if won == None {
					never++
				}
				sum += len(all)
				if right := map[bool]Winner{true: B, false: A}[ratio > 1]; won != None && won != right {
					t.Errorf("ratio %g, level %g, world %d: %v won", ratio, level, k, won)
				}
			}
			t.Logf("ratio %g, level %g: won after %.1f nights on average, never within 60 in %d of %d", ratio, level, float64(sum)/float64(n), never, n)
			if level > .1 && never > 0 {
				t.Errorf("ratio %g, level %g: no winner within 60 nights in %d of %d worlds", ratio, level, never, n)
			}
		}
	}
}
