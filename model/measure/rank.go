package measure

// ReciprocalRank is the expected value of 1/(rank of the best-placed right candidate) when the candidates are ordered by
// descending score and those of equal score at random; 0 when none is right. With h candidates above the highest score
// that a right one has, and m candidates of that score, r of them right, the first right one of these m is the j-th with
// probability C(m-j, r-1)/C(m, r):
//
//	E = Σ_j C(m-j, r-1)/C(m, r) · 1/(h+j)
//
// It panics when the lengths differ. Scores must not be NaN.
func ReciprocalRank(scores []float64, right []bool) float64 {
	if len(scores) != len(right) {
		panic("measure: scores and labels of different length")
	}
	best := -1
	for i, yes := range right {
		if yes && (best < 0 || scores[i] > scores[best]) {
			best = i
		}
	}
	if best < 0 {
		return 0
	}
	above, same, hits := 0, 0, 0
	for i, s := range scores {
		switch {
		case s > scores[best]:
			above++
		case s == scores[best]:
			same++
			if right[i] {
				hits++
			}
		}
	}
	return expected(above, same, hits)
}

// ChanceReciprocalRank is the expected reciprocal rank of the first of `right` right candidates among n in random order;
// 0 when there is none. right must be at most n.
func ChanceReciprocalRank(n, right int) float64 {
	if right > n {
		panic("measure: more right candidates than candidates")
	}
	if right <= 0 {
		return 0
	}
	return expected(0, n, right)
}

// expected is the sum of ReciprocalRank, with each probability made from the one before.
func expected(above, same, hits int) float64 {
	p, sum := float64(hits)/float64(same), 0.0
	for j := 1; j <= same-hits+1; j++ {
		sum += p / float64(above+j)
		if j < same { // the last j when hits is 1 has no next
			p *= float64(same-j-hits+1) / float64(same-j)
		}
	}
	return sum
}
