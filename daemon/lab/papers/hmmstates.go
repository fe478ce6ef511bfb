package papers

import (
	"fmt"
	"math"
	"math/rand/v2"

	"nightjar/daemon/lab/devtool"
	"nightjar/model"
	"nightjar/model/measure"
)

// told is the share of the uncertainty about the state of a visited page, in [0, 1], that its cluster takes away: the mutual information
// over the entropy of the state, of pages that are not useful. It is 0 when all have the same state.
func told(cluster, state []int) float64 {
	pair, c, t := map[[2]int]float64{}, map[int]float64{}, map[int]float64{}
	share := 1 / float64(len(state))
	for i := range state {
		pair[[2]int{cluster[i], state[i]}] += share
		c[cluster[i]] += share
		t[state[i]] += share
	}
	var information, entropy float64
	for k, p := range pair {
		information += p * math.Log(p/(c[k[0]]*t[k[1]]))
	}
	for _, p := range t {
		entropy -= p * math.Log(p)
	}
	if entropy == 0 {
		return 0
	}
	return information / entropy
}

// clusterTable says what the clusters of the sessions tell of the states, which is all that the printed crawler observes.
func clusterTable(all []*trial) devtool.Table {
	table := devtool.Table{Title: "What the printed crawler observes", Rows: [][]string{
		{"sessions of", "pages visited", "useful", "clusters of the others", "their state told by the cluster", "by chance", "n"}}}
	for _, g := range []string{webKB, wikispeedia} {
		var visited, useful, clusters, share, chance []float64
		for _, t := range of(all, g) {
			cluster, state := observed(t.bundle)
			if len(state) == 0 {
				continue
			}
			visited = append(visited, float64(len(t.bundle.Pages)))
			useful = append(useful, float64(len(t.bundle.Pages)-len(state)))
			clusters = append(clusters, float64(len(t.bundle.Emission[0])-1))
			share = append(share, told(cluster, state))
			chance = append(chance, told(shuffled(cluster, rand.New(rand.NewPCG(t.seed, 36))), state))
		}
		if len(share) > 0 {
			mean := func(values []float64) string { return fmt.Sprintf("%.1f", measure.Mean(values, nil).Value) }
			table.Add(g, mean(visited), mean(useful), mean(clusters), percent(measure.Mean(share, nil).Within(0, 1)), percent(measure.Mean(chance, nil).Within(0, 1)), len(share))
		}
	}
	return table
}

// observed are the clusters and the states of a session's pages that are not useful.
func observed(b *model.Bundle) (cluster, state []int) {
	for _, p := range b.Pages {
		if !p.Target {
			cluster, state = append(cluster, p.Cluster), append(state, p.State)
		}
	}
	return cluster, state
}
