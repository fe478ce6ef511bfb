package arms

import "math"

// ratios are the ratios for which evidence is collected, each with the same weight. Ratios in between are found about as soon.
var ratios = [...]float64{1.2, 1.5, 2, 3, 5, 10}

// evidence is how much the blocks speak for B bringing more than A, and for A bringing more than B. If neither brings more,
// each ever reaches 1/a with probability a at most, however often it is looked at.
//
// In a block of n picks, each is the second's with probability 1/n. If it makes no difference who picks, the second's worth w
// is any of the n with that probability, so (1+b·w)/(1+b·m) with the mean m of all of them is 1 on average, for any b from -1
// on: an e-variable. The product over blocks is a martingale, so is the mean of such products, and Ville's inequality bounds how
// high it ever gets. With b = r-1 it grows fastest where the second brings r times as much.
func evidence(nights []Night) (forB, forA float64) {
	var logB, logA [len(ratios)]float64
	for i := range nights {
		n := &nights[i]
		n.blocks(func(size int, second, first float64) {
			if second+first == 0 {
				return
			}
			mean := (second + first) / float64(size)
			for k, r := range ratios {
				more := math.Log1p((r-1)*second) - math.Log1p((r-1)*mean)
				fewer := math.Log1p((1/r-1)*second) - math.Log1p((1/r-1)*mean)
				if n.Swapped {
					more, fewer = fewer, more
				}
				logB[k] += more
				logA[k] += fewer
			}
		})
	}
	for k := range ratios {
		forB += math.Exp(logB[k]) / float64(len(ratios))
		forA += math.Exp(logA[k]) / float64(len(ratios))
	}
	return forB, forA
}

// winner is the arm for which there is evidence enough, among two that might have won.
func winner(nights []Night) (w Winner, evident float64) {
	forB, forA := evidence(nights)
	switch {
	case forB >= 2/Alpha:
		return B, forB
	case forA >= 2/Alpha:
		return A, forA
	}
	return None, max(forA, forB)
}
