package model

import (
	"context"
	"math/rand/v2"
)

// powers are the powers that the ratios of the soft emission may be raised to. The regression's penalty orders unseen
// pages well, but makes its probabilities too even: the ratios stay between .2 and 2, the transitions outweigh them, and
// the most likely sequence of states on the way to a useful page does not end in "useful". How much too even they are
// cannot be seen on the training pages, only on held-out ones. On sessions of real pages the best power is 2 or 2.5.
var powers = []float64{1, 1.5, 2, 2.5, 3, 4}

const powerFolds = 3

// findPower returns the power with the smallest log loss on held-out pages, the smaller one on a tie; 1 when no state has
// two pages. For each fold the rows of the others are fitted. The states have equal weight, as in fitSoft.
func (m *material) findPower(ctx context.Context, s sample, state []int) (float64, error) {
	use, label := m.stateRows(s, state)
	weight, _ := balanced(label, compact(label, m.settings.States))
	fold := keptApart(label, m.settings.States, m.settings.Seed)
	loss := make([]float64, len(powers))
	for f := range powerFolds {
		var rest, restLabel, out []int
		for i, k := range fold {
			if k == f {
				out = append(out, i)
			} else {
				rest, restLabel = append(rest, use[i]), append(restLabel, label[i])
			}
		}
		if len(out) == 0 {
			continue
		}
		soft, err := m.fitSoft(ctx, rest, restLabel)
		if err != nil {
			return 0, err
		}
		for _, i := range out {
			z := soft.scores(m.rows[use[i]])
			for k, power := range powers {
				loss[k] += weight[i] * (logSum(z, power) - power*z[label[i]])
			}
		}
	}
	best := 0
	for k, l := range loss {
		if l < loss[best] {
			best = k
		}
	}
	return powers[best], nil
}

// keptApart assigns the rows of each label to the folds in turn, in random order. The only row of a label has fold -1: it
// is never held out, so that each fold knows every label.
func keptApart(label []int, labels int, seed uint64) []int {
	rng := rand.New(rand.NewPCG(seed, 3))
	of := make([][]int, labels)
	for i, l := range label {
		of[l] = append(of[l], i)
	}
	fold := make([]int, len(label))
	for _, rows := range of {
		rng.Shuffle(len(rows), func(i, j int) { rows[i], rows[j] = rows[j], rows[i] })
		for k, i := range rows {
			if fold[i] = k % powerFolds; len(rows) == 1 {
				fold[i] = -1
			}
		}
	}
	return fold
}

// sharpen raises the ratios of the states to a power. Reading a page normalises them again.
func (s *Soft) sharpen(power float64) {
	for i := range s.Weights {
		s.Weights[i] *= float32(power)
	}
	for j := range s.Bias {
		s.Bias[j] *= power
	}
}
