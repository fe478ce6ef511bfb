package explore

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"nightjar/model/cobweb"
	"nightjar/model/conceptset"
	"nightjar/model/dbscan"
)

// group finds the clusters and names them.
func (k *making) group(ctx context.Context) error {
	if k.g.Options.Cobweb {
		return k.cobweb(ctx)
	}
	near, n, least, err := k.compare(ctx, k.progress("Comparing pages"))
	if err != nil {
		return err
	}
	sims := slices.DeleteFunc(dbscan.MinSims(), func(s float64) bool { return s < least })
	levels, err := dbscan.Hierarchy(ctx, n, near, sims, cmp.Or(k.g.Options.MinDocs, DefaultMinDocs), k.progress("Grouping pages"))
	if err != nil {
		return err
	}
	k.first = dbscan.Default(levels)
	label := k.progress("Naming groups")
	for i, l := range levels {
		label(i, len(levels))
		one := k.level(l.Cluster, len(l.Sizes), l.Parent)
		one.MinSim = l.MinSim
		k.levels = append(k.levels, one)
	}
	nest(k.levels)
	return nil
}

// compare computes the similarities of the first n pages, those of at least least. With many pages, only those that have a
// broader concept in common are compared; when too many of them are alike, fewer levels or pages are.
func (k *making) compare(ctx context.Context, progress func(done, of int)) (near dbscan.Near, n int, least float64, err error) {
	sims := dbscan.MinSims()
	least = sims[len(sims)-1]
	s, words := k.space.similarity(), k.space.mode == Words // pages without a common word are not alike at all
	if k.end <= k.m.mostAll && !words {
		pairs, err := conceptset.AllPairs(ctx, k.sets[:k.end], s, progress)
		if err != nil {
			return nil, 0, 0, err
		}
		return pairs.Near, k.end, least, nil
	}
	for _, least := range []float64{least, .7, .85, .95} {
		found, err := conceptset.CandidatePairs(ctx, k.sets[:k.end], s, k.space.groups, least, k.m.mostPairs, progress)
		switch {
		case errors.Is(err, conceptset.ErrTooManyPairs):
			continue
		case err != nil:
			return nil, 0, 0, err
		}
		if !words {
			k.warn("With more than %d pages, only those with a concept of depth %d in common were compared: below a similarity of .86, groups may lack pages.",
				k.m.mostAll, conceptset.Depth+1)
		}
		if least > sims[len(sims)-1] {
			k.warn("Very many pages are alike, so that there are no groups below a similarity of %.2f.", least)
		}
		return found.Near, k.end, least, nil
	}
	n = min(k.m.mostAll, k.end)
	if n < k.end {
		k.warn("Too many pages are alike. Only the %d that most pages link to were compared; the others are not grouped.", n)
	}
	pairs, err := conceptset.AllPairs(ctx, k.sets[:n], s, progress)
	if err != nil {
		return nil, 0, 0, err
	}
	return pairs.Near, n, least, nil
}

// cobweb finds the clusters by COBWEB, at the depths of its tree.
func (k *making) cobweb(ctx context.Context) error {
	described := make([]conceptset.Set, k.end)
	above := make([][]int, 0)
	for _, set := range k.sets[:k.end] {
		for _, c := range set {
			for len(above) <= c.ID {
				above = append(above, k.space.above(len(above)))
			}
		}
	}
	s := k.space.similarity() // of those above, too
	for i, set := range k.sets[:k.end] {
		described[i] = cobweb.Describe(set, func(c int) []int { return above[c] }, s)
	}
	tree, err := cobweb.Build(ctx, described, k.g.Options.Seed, k.progress("Grouping pages"))
	if err != nil {
		return err
	}
	levels := tree.Levels(k.end, MaxDepth)
	k.first = cobweb.Default(levels)
	label := k.progress("Naming groups")
	for i, l := range levels {
		label(i, len(levels))
		one := k.level(l.Cluster, len(l.Sizes), l.Parent)
		one.Depth = l.Depth
		k.levels = append(k.levels, one)
	}
	nest(k.levels)
	return nil
}

// level names the clusters of a level and puts their pages in order. cluster is that of each of the first pages; parent may
// be nil. The clusters keep their numbers; nest puts them in order.
func (k *making) level(cluster []int, clusters int, parent []int) resultLevel {
	l := resultLevel{Clusters: make([]resultCluster, clusters)}
	labels := conceptset.Labels(k.sets[:len(cluster)], cluster, clusters, k.space.broader)
	for c := range l.Clusters {
		one := &l.Clusters[c]
		one.Broader, one.Parent = labels[c].Broader, -1
		if parent != nil {
			one.Parent = parent[c]
		}
		for _, concept := range labels[c].Concepts {
			one.Concepts, one.Weights = append(one.Concepts, concept.ID), append(one.Weights, concept.Weight)
		}
	}
	for page, c := range cluster {
		if c >= 0 {
			l.Clusters[c].Pages = append(l.Clusters[c].Pages, page)
		}
	}
	s := k.space.similarity()
	for c := range l.Clusters {
		k.order(l.Clusters[c].Pages, l.Clusters[c].label(), s)
	}
	return l
}

// order puts pages in order: those most similar to a label first, of equal ones those with more sources.
func (k *making) order(pages []int, label conceptset.Set, s conceptset.Func) {
	similarity := make(map[int]float64, len(pages))
	for _, p := range pages {
		similarity[p] = alike(k.sets[p], label, s)
	}
	slices.SortFunc(pages, func(a, b int) int {
		return cmp.Or(cmp.Compare(similarity[b], similarity[a]), cmp.Compare(k.pages[b].Sources, k.pages[a].Sources), cmp.Compare(a, b))
	})
}

// nest puts the clusters of each level in order, the largest first, of equal ones that whose first page comes first.
func nest(levels []resultLevel) {
	var now []int // of each cluster of the level: its new place
	for i := len(levels) - 1; i >= 0; i-- {
		all := levels[i].Clusters
		for c := range all {
			if now != nil && all[c].Parent >= 0 {
				all[c].Parent = now[all[c].Parent]
			}
		}
		order := make([]int, len(all))
		for c := range order {
			order[c] = c
		}
		slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(len(all[b].Pages), len(all[a].Pages)) })
		now = make([]int, len(all))
		sorted := make([]resultCluster, len(all))
		for to, from := range order {
			now[from], sorted[to] = to, all[from]
		}
		levels[i].Clusters = sorted
	}
}
