package forecast

import "math"

// Constants are those of the estimate. See the package comment for how they were fitted.
type Constants struct {
	First Line // a topic's first night
	Later Line // the nights after it
	Left  Line // the next Coming nights in sum, after at least one night; its signals are those of Later
}

// Line is a linear model on the log scale: log(1 + useful pages) has the mean Weights · signals, of at least 0, and a standard
// deviation that Spread and the chance of counting give together.
type Line struct {
	Weights []float64
	Spread  float64 // standard deviation of the logarithm of the number of pages to expect
}

// First are the signals of a topic's first night: what a web brings beside the session says little, so that there are few.
func First(in Inputs) []float64 {
	share := (float64(in.Useful) + 0.5) / (float64(in.Pages) + 1)
	return []float64{1, math.Log(float64(in.Budget) / 500), math.Log(share / 0.15)}
}

// Later are the signals of the nights after the first: what the last night brought, for as many pages as a night may fetch, and
// how many nights the topic has had, as far as they are remembered.
func Later(in Inputs) []float64 {
	last := in.Nights[len(in.Nights)-1]
	scale := float64(in.Budget) / math.Max(float64(last.Fetched), 1)
	if last.Ended {
		scale = math.Min(scale, 1) // more pages would have brought nothing
	}
	return []float64{1, math.Log1p(last.Useful * scale), math.Log(float64(len(in.Nights)))}
}

// Mean is the mean of log(1 + useful pages).
func (l *Line) Mean(signals []float64) float64 {
	sum := 0.0
	for i, x := range signals {
		sum += l.Weights[i] * x
	}
	return math.Max(sum, 0)
}

// tenth is the 90th percentile of the standard normal distribution.
const tenth = 1.2816

// Bounds are the 10th and the 90th percentile of log(1 + useful pages).
func (l *Line) Bounds(mean float64) (low, high float64) {
	sd := l.Deviation(mean)
	return mean - tenth*sd, mean + tenth*sd
}

// Deviation is the standard deviation of log(1 + useful pages) for a mean. With λ pages to expect, the logarithm of λ has the
// standard deviation Spread, and counting adds the variance λ of a Poisson distribution; the logarithm of 1 + pages changes by
// 1/(1+λ) for each page.
func (l *Line) Deviation(mean float64) float64 {
	pages := math.Max(math.Expm1(mean), 0.5)
	return math.Sqrt(math.Pow(l.Spread*pages, 2)+pages) / (1 + pages)
}
