package model

import (
	"errors"
	"fmt"
	"math"
	"slices"
)

// graphSection is the section "graph": the concept graph, its pages and links with the clusters of the pages.
type graphSection struct {
	Pages    []PageFact `cbor:"pages"`
	Edges    [][2]int   `cbor:"edges"`
	Clusters []Cluster  `cbor:"clusters"`
}

func (s *graphSection) from(b *Bundle) bool {
	*s = graphSection{Pages: b.Pages, Edges: b.Edges, Clusters: b.Clusters}
	return true
}

func (s *graphSection) into(b *Bundle) error {
	b.Pages, b.Edges, b.Clusters = s.Pages, s.Edges, s.Clusters
	return nil
}

func (b *Bundle) checkGraph() error {
	if len(b.Pages) > maxPages || len(b.Edges) > maxList {
		return fmt.Errorf("%d pages with %d links are more than a model holds", len(b.Pages), len(b.Edges))
	}
	if len(b.Clusters) < 2 {
		return errors.New("there are no clusters")
	}
	for _, p := range b.Pages {
		if p.Cluster < 0 || p.Cluster >= len(b.Clusters) || p.State < 0 || p.State >= len(b.Initial) {
			return fmt.Errorf("cluster %d or state %d of a page does not exist", p.Cluster, p.State)
		}
		if p.Target != (p.Cluster == 0) || p.Target != (p.State == 0) {
			return errors.New("a target is not in cluster 0 and state 0, or another page is")
		}
	}
	for _, e := range b.Edges {
		if min(e[0], e[1]) < 0 || max(e[0], e[1]) >= len(b.Pages) {
			return errors.New("a link is not between two pages")
		}
	}
	for _, c := range b.Clusters {
		for _, w := range slices.Concat(c.LogOdds, c.MutualInformation) {
			if !within([]float64{w.Score}, -math.MaxFloat64, math.MaxFloat64) {
				return errors.New("the score of a word is not finite")
			}
		}
	}
	return nil
}
