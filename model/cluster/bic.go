package cluster

import "math"

// bic is the Bayesian information criterion of a partition of R points of M dimensions into K clusters of the given
// sizes R_n, under spherical Gaussians of one variance ([XMEANS] §3.2, with the signs and the count of points corrected
// so that the likelihood is that of the data):
//
//	σ²  = SSE / (M(R-K))
//	ℓ   = Σ_n R_n ln(R_n/R) - (RM/2) ln 2πσ² - M(R-K)/2
//	p   = (K-1) + K·M + 1
//	BIC = ℓ - (p/2) ln R
//
// It is -Inf when R ≤ K, where σ² is not defined, and else +Inf when σ² = 0. Without dimensions all points are equal and
// the SSE is 0.
func bic(sizes []int, sse float64, dims int) float64 {
	total := 0
	for _, n := range sizes {
		total += n
	}
	r, k, m := float64(total), float64(len(sizes)), float64(dims)
	if total <= len(sizes) {
		return math.Inf(-1)
	}
	if sse == 0 {
		return math.Inf(1)
	}
	variance := sse / (m * (r - k))
	likelihood := -r*m/2*math.Log(2*math.Pi*variance) - m*(r-k)/2
	for _, n := range sizes {
		likelihood += float64(n) * math.Log(float64(n)/r)
	}
	parameters := (k - 1) + k*m + 1
	return likelihood - parameters/2*math.Log(r)
}
