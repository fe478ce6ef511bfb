package chart

import (
	"cmp"
	"math"
	"slices"
	"strconv"
)

// Marks returns about count round numbers from least to most, for an axis.
func Marks(least, most float64, count int) []float64 {
	apart := Step(most-least, count)
	var all []float64
	for i := int(math.Ceil(least/apart - 1e-9)); float64(i) <= most/apart+1e-9; i++ {
		all = append(all, float64(i)*apart)
	}
	return all
}

// WholeMarks returns at most about count whole numbers from 0 to most, for an axis.
func WholeMarks(most float64, count int) []float64 {
	return Marks(0, most, min(count, max(1, int(most))))
}

// roundUp returns the least round number of at least top that can end an axis of about count marks.
func roundUp(top float64, count int) float64 {
	apart := Step(top, count)
	return math.Ceil(top/apart-1e-9) * apart
}

// Percent writes a share in percent, with a decimal if it is needed.
func Percent(v float64) string {
	return strconv.FormatFloat(math.Round(v*1000)/10, 'f', -1, 64) + " %"
}

// axisName names an axis with its unit, "" for a count.
func axisName(what, unit string) string {
	if unit == "" {
		return what
	}
	return what + " (" + unit + ")"
}

// Step returns the distance between about count marks of an axis from 0 to top: 1, 2 or 5 times a power of ten.
func Step(top float64, count int) float64 {
	if top <= 0 {
		return 1
	}
	raw := top / float64(count)
	power := math.Pow(10, math.Floor(math.Log10(raw)))
	for _, m := range []float64{1, 2, 5} {
		if raw <= m*power*(1+1e-9) {
			return m * power
		}
	}
	return 10 * power
}

// Apart moves heights so that neighbours are at least gap apart and all are between top and bottom, with the least sum of
// squared moves. If the room is too small, the heights share it evenly. The result is in the order of the input; equal
// heights keep their order.
//
// This is isotonic regression of the heights minus their gaps, by pooling adjacent violators.
func Apart(heights []float64, gap, top, bottom float64) []float64 {
	n := len(heights)
	if n == 0 {
		return nil
	}
	if room := bottom - top; n > 1 && gap*float64(n-1) > room {
		gap = room / float64(n-1)
	}
	order := sorted(n, func(a, b int) int { return cmp.Compare(heights[a], heights[b]) })
	type block struct {
		sum float64
		n   int
	}
	var blocks []block
	mean := func(i int) float64 { return blocks[i].sum / float64(blocks[i].n) }
	for rank, i := range order {
		blocks = append(blocks, block{heights[i] - gap*float64(rank), 1})
		for k := len(blocks) - 1; k > 0 && mean(k) < mean(k-1); k-- {
			blocks[k-1].sum += blocks[k].sum
			blocks[k-1].n += blocks[k].n
			blocks = blocks[:k]
		}
	}
	moved := make([]float64, n)
	rank := 0
	for b := range blocks {
		at := math.Min(math.Max(mean(b), top), bottom-gap*float64(n-1))
		for range blocks[b].n {
			moved[order[rank]] = at + gap*float64(rank)
			rank++
		}
	}
	return moved
}

// sorted returns the indices from 0 up to n in the order of compare; those that compare as equal keep their order.
func sorted(n int, compare func(a, b int) int) []int {
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, compare)
	return order
}
