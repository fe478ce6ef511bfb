package pages

import (
	"cmp"
	"net/url"
	"slices"
	"strconv"

	"nightjar/daemon/thesus/explore"
	"nightjar/daemon/web/frame"
)

// explorePlace is what of a grouping is shown.
type explorePlace struct {
	grouping int64
	level    int
	cluster  int    // -1 when none is chosen
	apart    bool   // the pages in no cluster are chosen
	term     string // key of the chosen concept; "" for none
	from     int    // of the pages that are listed, from 0
	concepts int    // first of the concepts that are listed, from 0
	clusters int    // first of the clusters that are listed, from 0
}

// placeOf reads the place from an address. What does not exist is replaced: by the level that is shown first, and by its
// largest cluster.
func placeOf(v *explore.View, q url.Values) explorePlace {
	p := explorePlace{grouping: v.Grouping.ID, level: v.Default, cluster: -1, term: q.Get("term")}
	if n, err := strconv.Atoi(q.Get("level")); err == nil && n >= 0 && n < len(v.Levels) {
		p.level = n
	}
	from := func(name string) int {
		n, _ := strconv.Atoi(q.Get(name)) // anything else means from the first on
		return max(0, n)
	}
	p.from, p.concepts, p.clusters = from("from"), from("concepts"), from("clusters")
	if p.term != "" {
		return p
	}
	level := v.Levels[p.level]
	n, err := strconv.Atoi(q.Get("cluster"))
	switch {
	case q.Get("cluster") == "apart":
		p.apart = true
	case err == nil && n >= 0 && n < len(level.Clusters):
		p.cluster = n
	case len(level.Clusters) > 0:
		p.cluster = 0
	default:
		p.apart = true
	}
	return p
}

// query is the place as an address has it.
func (p explorePlace) query() url.Values {
	q := url.Values{"level": {strconv.Itoa(p.level)}}
	switch {
	case p.term != "":
		q.Set("term", p.term)
	case p.apart:
		q.Set("cluster", "apart")
	case p.cluster >= 0:
		q.Set("cluster", strconv.Itoa(p.cluster))
	}
	for name, n := range map[string]int{"from": p.from, "concepts": p.concepts, "clusters": p.clusters} {
		if n > 0 {
			q.Set(name, strconv.Itoa(n))
		}
	}
	return q
}

func (p explorePlace) href() string { return groupingPath(p.grouping) + "?" + p.query().Encode() }

// at is the same place with another level; the cluster that is shown there is its largest one.
func (p explorePlace) at(level int) explorePlace {
	return explorePlace{grouping: p.grouping, level: level, cluster: -1, term: p.term}
}

// of is the same place with a cluster of a level.
func (p explorePlace) of(level, cluster int) explorePlace {
	return explorePlace{grouping: p.grouping, level: level, cluster: cluster, clusters: p.clusters}
}

// about is the same place with a concept.
func (p explorePlace) about(term string) explorePlace {
	return explorePlace{grouping: p.grouping, level: p.level, cluster: -1, term: term, concepts: p.concepts}
}

// treeNode is an entry of the tree of clusters, or of terms.
type treeNode struct {
	Href  string
	Name  string
	Class string // of its swatch; "" for none
	N     int    // in the swatch
	Pages int
	Note  string // such as the similarity of a cluster of another level; "" for none
	Now   bool   // it is shown now
	Open  bool   // its children are shown
	Below []treeNode
	More  int    // of those below it that are not listed
	Next  string // address where they are
}

const (
	treeBudget   = 150 // entries of a tree on one page
	clustersEach = 40  // clusters of a level that are listed at once
	finerEach    = 12  // clusters listed below one
	conceptsEach = 60  // concepts listed at once when there is no ontology
)

// clusterTree lists the clusters of the current level, each with the clusters of finer levels inside it.
func clusterTree(v *explore.View, p explorePlace) (all []treeNode, next, before string) {
	level := v.Levels[p.level]
	first, end, before, next := frame.Window(p.clusters, len(level.Clusters), clustersEach, func(from int) string {
		part := p
		part.clusters = from
		return part.href()
	})
	inside := insides(v)
	budget := treeBudget
	for i := first; i < end; i++ {
		all = append(all, clusterNode(v, p, p.level, i))
		budget--
	}
	for i := range all {
		all[i].Below, all[i].More = finer(v, p, inside, p.level, first+i, &budget)
		all[i].Next = all[i].Href
		all[i].Open = all[i].Now
	}
	return all, next, before
}

// insides lists the clusters of each level that are inside of each cluster of the next level, the largest first.
func insides(v *explore.View) [][][]int {
	all := make([][][]int, len(v.Levels))
	for l := 1; l < len(v.Levels); l++ {
		all[l] = make([][]int, len(v.Levels[l].Clusters))
		for i, c := range v.Levels[l-1].Clusters {
			if c.Parent >= 0 && c.Parent < len(all[l]) {
				all[l][c.Parent] = append(all[l][c.Parent], i)
			}
		}
		for _, list := range all[l] {
			slices.SortStableFunc(list, func(a, b int) int {
				return cmp.Compare(len(v.Levels[l-1].Clusters[b].Pages), len(v.Levels[l-1].Clusters[a].Pages))
			})
		}
	}
	return all
}

// finer lists the clusters of finer levels into which one falls. Levels at which it stays one cluster are skipped.
func finer(v *explore.View, p explorePlace, inside [][][]int, l, i int, budget *int) (all []treeNode, more int) {
	for l > 0 && len(inside[l][i]) == 1 {
		l, i = l-1, inside[l][i][0]
	}
	if l == 0 {
		return nil, 0
	}
	for n, c := range inside[l][i] {
		if n == finerEach || *budget <= 0 {
			return all, len(inside[l][i]) - n
		}
		*budget--
		node := clusterNode(v, p, l-1, c)
		node.Note = levelNote(v.Levels[l-1])
		node.Below, node.More = finer(v, p, inside, l-1, c, budget)
		node.Next = node.Href
		all = append(all, node)
	}
	return all, 0
}

func clusterNode(v *explore.View, p explorePlace, l, i int) treeNode {
	c := v.Levels[l].Clusters[i]
	n := treeNode{Href: p.of(l, i).href(), Name: clusterLabel(c), Pages: len(c.Pages), Now: l == p.level && i == p.cluster}
	if l == p.level {
		n.Class, n.N = clusterClass(i), i+1
	}
	return n
}

// levelKind says what tells the levels of a grouping apart.
func levelKind(l explore.Level) string {
	if l.Depth > 0 {
		return "depth"
	}
	return "similarity"
}

// levelName is a level as a number.
func levelName(l explore.Level) string {
	if l.Depth > 0 {
		return strconv.Itoa(l.Depth)
	}
	return frame.Decimal(l.MinSim)
}

// levelSays is a level in words.
func levelSays(l explore.Level) string { return levelKind(l) + " " + levelName(l) }

// levelNote is a level in a note beside a cluster. A similarity needs no word there.
func levelNote(l explore.Level) string {
	if l.Depth > 0 {
		return levelSays(l)
	}
	return levelName(l)
}

// clusterLabel is the label of a cluster, which may be empty.
func clusterLabel(c explore.Cluster) string { return cmp.Or(frame.Printable(c.Label), "no label") }
