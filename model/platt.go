package model

import "math"

type sigmoid struct{ A, B float64 }

// platt is replaced by logistic.Platt as soon as that exists.
func platt(scores []float64, positive []bool, weight []float64) sigmoid {
	var np, nn float64
	for _, p := range positive {
		if p {
			np++
		} else {
			nn++
		}
	}
	hi, lo := (np+1)/(np+2), 1/(nn+2)
	a, b := -1.0, math.Log((nn+1)/(np+1))
	for range 200 {
		var g1, g2, h11, h22, h21 float64 = 0, 0, 1e-12, 1e-12, 0
		for i, s := range scores {
			t := lo
			if positive[i] {
				t = hi
			}
			p := 1 / (1 + math.Exp(a*s+b))
			d := p * (1 - p)
			h11 += s * s * d
			h22 += d
			h21 += s * d
			g1 += s * (t - p)
			g2 += t - p
		}
		det := h11*h22 - h21*h21
		da, db := -(h22*g1-h21*g2)/det, -(h11*g2-h21*g1)/det
		a += da
		b += db
		if math.Abs(g1)+math.Abs(g2) < 1e-8 {
			break
		}
	}
	return sigmoid{a, b}
}
