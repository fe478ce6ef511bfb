package harvest

// harvest is H_1, H_2, ... of the pages of a crawl with these probabilities, in the order of fetching.
//
//	H_t = 1/t Σ_{i≤t} Pr(c⁺|p_i)        [PANORAMA] §4, eq. (4.7)
func harvest(p []float64) []float64 {
	h := make([]float64, len(p))
	sum := 0.0
	for i, x := range p {
		sum += x
		h[i] = sum / float64(i+1)
	}
	return h
}

// after is H_t; that of a crawl that ended earlier is its last. A crawl without pages has 0.
func after(h []float64, t int) float64 {
	if len(h) == 0 {
		return 0
	}
	return h[min(t, len(h))-1]
}
