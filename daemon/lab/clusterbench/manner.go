package main

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"nightjar/model"
	"nightjar/model/cluster"
	"nightjar/model/lsi"
)

// manner is a way to cluster pages.
type manner struct {
	name string
	dims func(singular []float64) int // how many of the space's dimensions
	raw  bool                         // the coordinates are not scaled to length 1 again
	same bool                         // fetched pages are classified in these dimensions
	find func(points [][]float64, low, high int, rng *rand.Rand) cluster.Clustering
}

// parseManner reads HOW:SPACE[:raw][:same].
func parseManner(name string) (*manner, error) {
	parts := strings.Split(name, ":")
	if len(parts) < 2 {
		return nil, fmt.Errorf("%q is not of the form HOW:SPACE", name)
	}
	m := &manner{name: name}
	for _, word := range parts[2:] {
		switch word {
		case "raw":
			m.raw = true
		case "same":
			m.same = true
		default:
			return nil, fmt.Errorf("%q: %q is neither raw nor same", name, word)
		}
	}
	var err error
	if m.find, err = parseHow(parts[0]); err != nil {
		return nil, err
	}
	m.dims, err = parseSpace(parts[1])
	return m, err
}

func parseHow(how string) (func([][]float64, int, int, *rand.Rand) cluster.Clustering, error) {
	if number, ok := strings.CutPrefix(how, "kmeans"); ok {
		k, err := strconv.Atoi(number)
		if err != nil || k < 1 {
			return nil, fmt.Errorf("%q: want a number of clusters after kmeans", how)
		}
		return func(points [][]float64, _, _ int, rng *rand.Rand) cluster.Clustering {
			return cluster.KMeans(points, k, rng)
		}, nil
	}
	if how == "xmeans" {
		return cluster.XMeans, nil
	}
	score, ok := criteria[how]
	if !ok {
		return nil, fmt.Errorf("%q is no way to find clusters", how)
	}
	return func(points [][]float64, low, high int, rng *rand.Rand) (best cluster.Clustering) {
		for k := low; k <= high; k++ {
			if c := cluster.KMeans(points, k, rng); k == low || score(points, c) > score(points, best) {
				best = c
			}
		}
		return best
	}, nil
}

func parseSpace(space string) (func([]float64) int, error) {
	if share, ok := strings.CutPrefix(space, "kept"); ok {
		percent, err := strconv.Atoi(share)
		if err != nil || percent < 1 || percent > 100 {
			return nil, fmt.Errorf("%q: want 1 to 100 per cent after kept", space)
		}
		return func(singular []float64) int { return kept(singular, float64(percent)/100) }, nil
	}
	switch space {
	case "all":
		return func(singular []float64) int { return len(singular) }, nil
	case "trained":
		k := model.ClusterRank
		return func(singular []float64) int { return min(k, len(singular)) }, nil
	}
	k, err := strconv.Atoi(space)
	if err != nil || k < 1 {
		return nil, fmt.Errorf("%q is no number of dimensions", space)
	}
	return func(singular []float64) int { return min(k, len(singular)) }, nil
}

// kept is the smallest number of dimensions that keep a share of the squared singular values.
func kept(singular []float64, share float64) int {
	all, sum := 0.0, 0.0
	for _, s := range singular {
		all += s * s
	}
	for i, s := range singular {
		if sum += s * s; sum >= share*all {
			return i + 1
		}
	}
	return len(singular)
}

// place is a page's place in the space of the manner.
func (m *manner) place(v []float64, dims int) []float64 {
	if m.raw {
		return v[:dims]
	}
	return lsi.Leading(v, dims)
}

// zero reports whether a page has no place.
func zero(v []float64) bool {
	return !slices.ContainsFunc(v, func(x float64) bool { return x != 0 })
}
