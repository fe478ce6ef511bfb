package promise

import (
	"math"
	"math/rand/v2"
	"testing"
)

// filled is the harvest of pages that brought and were foretold something at random.
func filled(random *rand.Rand, pages int) *Harvest {
	h := NewHarvest()
	for i := range pages {
		h.Add(Page{N: i + 1, Brought: random.Float64() * random.Float64(), Chance: random.Float64()*1.2 - .2})
	}
	return h
}

// TestNextByHand: the estimate is the mean of the gamma distribution of doc.go, with sums that are computed page by page.
func TestNextByHand(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 50 {
		n := 1 + random.IntN(Kept-1)
		h := filled(random, n)
		q := Queue{Told: true, Best: random.Float64() * 20, All: random.Float64() * 50, Links: 1000}
		var pages, brought, foretold, of float64
		for i, p := range h.pages {
			w := math.Exp(-float64(n-1-i) / memory)
			pages += w
			brought += w * p.Brought
			if p.Chance >= 0 {
				foretold += w * p.Chance
				of += w * p.Brought
			}
		}
		ratio := (of + hits) / (foretold + hits)
		want := trust * 100 * (priorPages*ratio*q.Best/100 + brought) / (priorPages + pages)
		got := h.Estimate(n, q)
		if math.Abs(got.Next-want) > 1e-9 || math.Abs(got.Left-trust*ratio*q.All) > 1e-9 {
			t.Fatalf("%d pages: next %g, left %g; want %g, %g", n, got.Next, got.Left, want, trust*ratio*q.All)
		}
		if got := h.Estimate(n, Queue{}); got.Told || math.Abs(got.Next-trust*100*brought/pages) > 1e-9 {
			t.Fatalf("without chances: %+v, want %g", got, trust*100*brought/pages)
		}
	}
}

// TestOrder: more that was brought and more that waits never promise less.
func TestOrder(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for range 200 {
		n := 1 + random.IntN(300)
		h := filled(random, n)
		q := Queue{Told: true, Best: random.Float64() * 20, All: random.Float64() * 100, Links: 500}
		e := h.Estimate(n, q)
		if !(e.Low <= e.High && e.LeftLow <= e.LeftHigh && e.Next >= 0 && e.Left >= 0 && e.Left <= 500) {
			t.Fatalf("%+v", e)
		}
		more := q
		more.Best += random.Float64()
		if got := h.Estimate(n, more); got.Next < e.Next {
			t.Fatalf("better links promise %g instead of %g", got.Next, e.Next)
		}
		i := random.IntN(len(h.pages))
		h.pages[i].Brought = min(1, h.pages[i].Brought+.1)
		if got := h.Estimate(n, q); got.Next < e.Next {
			t.Fatalf("a page that brought more promises %g instead of %g", got.Next, e.Next)
		}
	}
}

// TestRebuilt: the last pages say the same as all of them, and a page that is removed was never there.
func TestRebuilt(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	all := filled(random, 5*Kept+17)
	last := NewHarvest()
	for _, p := range all.pages[len(all.pages)-Kept:] {
		last.Add(p)
	}
	q := Queue{Told: true, Best: 3, All: 9, Links: 100}
	if a, b := all.Estimate(9, q), last.Estimate(9, q); a != b {
		t.Errorf("all pages say %+v, the last ones %+v", a, b)
	}
	last.Add(Page{N: 99_999, Brought: 1, Chance: .1})
	changed := last.Estimate(9, q)
	last.Remove(99_999)
	if got := last.Estimate(9, q); changed.Next <= got.Next || math.Abs(got.Next-all.Estimate(9, q).Next) > 1e-2 {
		t.Errorf("after a page was removed: %+v", got)
	}
}

// TestNoNumbers: values that are no probabilities do no harm.
func TestNoNumbers(t *testing.T) {
	h := NewHarvest()
	for i, x := range []float64{math.NaN(), math.Inf(1), math.Inf(-1), -3, 7} {
		h.Add(Page{N: i, Brought: x, Chance: x})
	}
	if e := h.Estimate(5, Queue{Told: true, Links: 3}); !(e.Next >= 0 && e.Next <= 100) {
		t.Errorf("%+v", e)
	}
	if e := NewHarvest().Estimate(0, Queue{}); e != (Estimate{}) {
		t.Errorf("without a page: %+v", e)
	}
}

// TestRate: on simulated crawls in which useful pages come at a constant rate, and a judge is as hopeful as on the recorded
// webs, the estimate is right on average, and its interval holds the number that comes at least four times of five.
func TestRate(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 8))
	const crawls = 400
	for _, rate := range []float64{.005, .02, .1} {
		sum, held := 0.0, 0
		for range crawls {
			h := NewHarvest()
			for i := range 400 {
				h.Add(Page{N: i, Brought: rate / trust * 2 * random.Float64(), Chance: rate / trust})
			}
			e := h.Estimate(400, Queue{Told: true, Best: 100 * rate / trust, Links: 500})
			came := 0.0
			for range Ahead {
				if random.Float64() < rate {
					came++
				}
			}
			sum += e.Next
			if e.Low <= came && came <= e.High {
				held++
			}
		}
		if mean := sum / crawls; math.Abs(mean-100*rate) > 5*rate {
			t.Errorf("rate %g: %g are promised", rate, mean)
		}
		if held < crawls*8/10 {
			t.Errorf("rate %g: %d of %d intervals hold", rate, held, crawls)
		}
	}
}

// TestWaitingHosts: a crawl that must leave the host of its good links alone, and reads poor pages of others meanwhile, goes
// on longer than one without good links.
func TestWaitingHosts(t *testing.T) {
	h := NewHarvest()
	for i := range 400 {
		h.Add(Page{N: i, Brought: .01, Chance: .01})
	}
	good, poor := h.Estimate(400, Queue{Told: true, Best: 60, Links: 500}), h.Estimate(400, Queue{Told: true, Best: 1, Links: 500})
	if good.Below(1) || !poor.Below(1) {
		t.Errorf("with good links waiting %+v, without %+v", good, poor)
	}
}

// TestDryingUp: simulated crawls whose links are worth less and less, in an order that is nearly right. A crawl that stops
// has lost at most what the threshold allows: least useful pages for each 100 that were not fetched.
func TestDryingUp(t *testing.T) {
	random := rand.New(rand.NewPCG(9, 10))
	const pages, crawls = 1500, 100
	for _, least := range []float64{.5, 1, 2} {
		lost, saved := 0.0, 0.0
		for range crawls {
			half := 20 + 60*random.Float64()
			chance := func(i int) float64 { return .8 * math.Exp2(-float64(i)/half) }
			h, stopped := NewHarvest(), pages
			for i := range pages {
				told := min(1, chance(i)/trust)
				h.Add(Page{N: i, Brought: told * random.Float64() * 2, Chance: told})
				if (i+1)%10 > 0 {
					continue
				}
				q := Queue{Told: true, Links: pages - i}
				for k := i + 1; k <= i+Ahead; k++ {
					q.Best += min(1, chance(k)/trust)
				}
				if e := h.Estimate(i+1, q); e.Below(least) {
					stopped = i + 1
					break
				}
			}
			for i := stopped; i < pages; i++ {
				lost += chance(i)
			}
			saved += float64(pages - stopped)
		}
		if lost > least/100*saved || saved < crawls*pages/2 {
			t.Errorf("at least %g: %.1f useful pages lost for %.0f pages saved", least, lost/crawls, saved/crawls)
		}
	}
}

// TestBelow: nothing is concluded early, nor while start pages wait.
func TestBelow(t *testing.T) {
	for _, tt := range []struct {
		e    Estimate
		want bool
	}{
		{Estimate{Pages: Early, Next: .9}, true},
		{Estimate{Pages: Early, Next: 1}, false},
		{Estimate{Pages: Early - 1, Next: .1}, false},
		{Estimate{Pages: 5000, Next: .1, Starts: 1}, false},
	} {
		if got := tt.e.Below(1); got != tt.want {
			t.Errorf("%+v: %v", tt.e, got)
		}
	}
}

// TestInterval: the bounds are the 10th and the 90th percentile of counts drawn from a Poisson distribution whose rate is
// drawn from a gamma distribution.
func TestInterval(t *testing.T) {
	random := rand.New(rand.NewPCG(11, 12))
	for _, mean := range []float64{.1, 1, 7, 40} {
		low, high := interval(mean)
		const draws = 4000
		under, over := 0, 0
		for range draws {
			switch k := poisson(random, gamma(random, spread)*mean/spread); {
			case k < low:
				under++
			case k > high:
				over++
			}
		}
		if under > draws*12/100 || over > draws*12/100 {
			t.Errorf("mean %g: %d of %d below %g, %d above %g", mean, under, draws, low, over, high)
		}
		if at := float64(over) / draws; high > 0 && at > .12 || high > 1 && at < .05 {
			t.Errorf("mean %g: %g above %g", mean, at, high)
		}
	}
	if low, high := interval(0); low != 0 || high != 0 {
		t.Errorf("of nothing: %g to %g", low, high)
	}
	if low, high := interval(1e9); !(low < 1e9 && high > 1e9) {
		t.Errorf("of very many: %g to %g", low, high)
	}
}

// gamma draws from a gamma distribution with a shape below 1 (Johnk's generator).
func gamma(random *rand.Rand, shape float64) float64 {
	for {
		x, y := math.Pow(random.Float64(), 1/shape), math.Pow(random.Float64(), 1/(1-shape))
		if x+y <= 1 {
			return x / (x + y) * random.ExpFloat64()
		}
	}
}

// poisson draws from a Poisson distribution: arrivals within the time mean.
func poisson(random *rand.Rand, mean float64) (n float64) {
	for at := random.ExpFloat64(); at < mean; at += random.ExpFloat64() {
		n++
	}
	return n
}

func TestWords(t *testing.T) {
	for _, tt := range []struct {
		e    Estimate
		want string
	}{
		{Estimate{Next: .42}, "the next 100 pages promise about 0.4 useful ones, fewer than 1"},
		{Estimate{Next: .98}, "the next 100 pages promise about 0.9 useful ones, fewer than 1"},
		{Estimate{Next: .01}, "the next 100 pages promise hardly any useful one, fewer than 1"},
		{Estimate{Next: .4, Told: true, Left: 3.2, LeftHigh: 9},
			"the next 100 pages promise about 0.4 useful ones, fewer than 1; about 3 are left, most likely 0 to 9"},
		{Estimate{Next: .4, Told: true, Left: 1.2, LeftHigh: 4},
			"the next 100 pages promise about 0.4 useful ones, fewer than 1; about 1 is left, most likely 0 to 4"},
		{Estimate{Next: .4, Told: true, Left: .3, LeftHigh: 1},
			"the next 100 pages promise about 0.4 useful ones, fewer than 1; at most 1 may be left"},
		{Estimate{Next: .4, Told: true, Left: .1},
			"the next 100 pages promise about 0.4 useful ones, fewer than 1; probably none is left"},
		{Estimate{Next: .4, Told: true, Left: 14, LeftLow: 14, LeftHigh: 14},
			"the next 100 pages promise about 0.4 useful ones, fewer than 1; about 14 are left"},
	} {
		if got := tt.e.Says(1); got != tt.want {
			t.Errorf("%+v:\n%s, want\n%s", tt.e, got, tt.want)
		}
	}
	if got := About(1); got != "about 1 useful one" {
		t.Errorf("1: %s", got)
	}
}
