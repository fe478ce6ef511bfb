package promise

import "math"

// interval returns the numbers between which a count lies four times of five: the 10th and the 90th percentile of a negative
// binomial distribution with a mean and the variance mean + mean²/spread.
func interval(mean float64) (low, high float64) {
	if !(mean > 0) {
		return 0, 0
	}
	if mean > 1000 { // counted one by one below
		sd := math.Sqrt(mean + mean*mean/spread)
		return math.Max(0, math.Floor(mean-1.2816*sd)), math.Ceil(mean + 1.2816*sd)
	}
	const least, most = .1, .9
	low = -1
	p := math.Pow(spread/(spread+mean), spread) // of 0
	sum := 0.0
	for k := 0.0; ; k++ {
		sum += p
		if low < 0 && sum >= least {
			low = k
		}
		if sum >= most || k > 100*(mean+1) {
			return low, k
		}
		p *= (k + spread) / (k + 1) * mean / (spread + mean)
	}
}
