package groups

import (
	"context"
	"math"
	"math/rand/v2"

	"nightjar/model/cobweb"
	"nightjar/model/conceptset"
	"nightjar/model/dbscan"
	"nightjar/model/measure"
)

// clusterings are the clusters of DBSCAN at all similarities.
type clusterings struct {
	Manner  string  `json:"manner"`
	MinDocs int     `json:"minDocs"`
	Levels  []level `json:"levels"` // falling MinSim
	First   int     `json:"first"`  // the one that Explore shows first
	Third   int     `json:"third"`  // the one that has nearest to 30 % of the pages in clusters
}

// level is a clustering.
type level struct {
	MinSim  float64 `json:"minSim"`
	Pages   int     `json:"pages"`   // in clusters
	Largest int     `json:"largest"` // pages of the largest cluster
	measure.Agreement
}

// minDocs are those of the paper: of table 1, and of table 2.
var minDocs = []int{3, 1}

func findClusters(ctx context.Context, m *manner, category []int, minDocs int) (*clusterings, error) {
	n := len(category)
	levels, err := dbscan.Hierarchy(ctx, n, dbscan.Pairwise(n, m.alike), m.least, minDocs, nil)
	if err != nil {
		return nil, err
	}
	c := &clusterings{Manner: m.name, MinDocs: minDocs, First: dbscan.Default(levels)}
	for i, l := range levels {
		c.Levels = append(c.Levels, level{l.MinSim, l.Grouped(), l.Largest(), measure.Agree(l.Cluster, category)})
		if off := func(k int) float64 { return math.Abs(c.Levels[k].Clustered - .3) }; off(i) < off(c.Third) {
			c.Third = i
		}
	}
	return c, nil
}

// conceptual are the clusters of COBWEB at a depth of the tree, means over orders of the pages.
type conceptual struct {
	Manner     string  `json:"manner"`
	Pages      int     `json:"pages"`
	Categories int     `json:"categories"`
	Depth      int     `json:"depth"` // nodes below the root
	Clusters   float64 `json:"clusters"`
	Clustered  float64 `json:"clustered"` // share of the pages
	Entropy    float64 `json:"entropy"`
	Decrease   float64 `json:"decrease"`
	NMI        float64 `json:"nmi"`
	ARI        float64 `json:"ari"`
}

// depths are those at which a tree of COBWEB is cut: the paper does not say where it took its clusters.
var depths = []int{1, 2, 3}

// growTrees builds trees of some pages of the sample, in several orders.
func growTrees(ctx context.Context, m *manner, s *sample, places []int, o *options) ([]conceptual, error) {
	objects, category := make([]conceptset.Set, len(places)), make([]int, len(places))
	different := map[int]bool{}
	for i, place := range places {
		objects[i], category[i] = m.objects[place], s.category[place]
		different[category[i]] = true
	}
	rows := make([]conceptual, len(depths))
	for k, depth := range depths {
		rows[k] = conceptual{Manner: m.name, Pages: len(places), Categories: len(different), Depth: depth}
	}
	for order := range o.Orders {
		tree, err := cobweb.Build(ctx, objects, o.Seed+uint64(order), nil)
		if err != nil {
			return nil, err
		}
		for k := range rows {
			rows[k].add(measure.Agree(cut(tree.Root(), len(objects), depths[k]), category), o.Orders)
		}
	}
	return rows, nil
}

// add adds one of some orders.
func (c *conceptual) add(a measure.Agreement, of int) {
	share := 1 / float64(of)
	c.Clusters += share * float64(a.Clusters)
	c.Clustered += share * a.Clustered
	c.Entropy += share * a.Entropy
	c.Decrease += share * a.Decrease
	c.NMI += share * a.NMI
	c.ARI += share * a.ARI
}

// cut gives each of n objects its cluster: the node at a depth below the root, or the leaf above that depth; Outside for
// those that are not in the tree, which may be nil.
func cut(root *cobweb.Node, n, depth int) []int {
	cluster := make([]int, n)
	for i := range cluster {
		cluster[i] = cobweb.Outside
	}
	clusters := 0
	var walk func(node *cobweb.Node, depth int)
	walk = func(node *cobweb.Node, depth int) {
		if depth > 0 && len(node.Children()) > 0 {
			for _, child := range node.Children() {
				walk(child, depth-1)
			}
			return
		}
		for _, i := range node.Objects() {
			cluster[i] = clusters
		}
		clusters++
	}
	if root != nil {
		walk(root, depth)
	}
	return cluster
}

// growing are the numbers of pages and categories of table 3, as far as a sample has so many.
var growing = [][2]int{{25, 2}, {37, 3}, {55, 4}, {78, 5}, {100, 10}, {160, 12}, {244, 12}}

// compared is how the manners do on a sample.
type compared struct {
	Categories []sampled      `json:"categories"`
	Has        map[string]int `json:"described"` // pages that a manner describes
	Terms      int            `json:"terms"`     // of the ontology of the categories
	General    int            `json:"general"`   // terms of the ontology of everything
	Area       []measured     `json:"auc"`
	DBSCAN     []*clusterings `json:"dbscan"`
	Growing    []conceptual   `json:"growing"` // COBWEB on concepts of more and more pages
	COBWEB     []conceptual   `json:"cobweb"`  // on all pages
}

// measured is the area of a manner, and by how much it is larger than that of equal keywords.
type measured struct {
	Manner string         `json:"manner"`
	Area   measure.Figure `json:"auc"`
	More   measure.Figure `json:"more"`
}

// compare measures all manners on a sample.
func (l *library) compare(ctx context.Context, s *sample, o *options) (*compared, error) {
	manners, err := l.manners(ctx, s.pages)
	if err != nil {
		return nil, err
	}
	c := &compared{Categories: s.categories, Has: map[string]int{}, Terms: l.own.Len(), General: l.all.Len()}
	than := 0
	for k, m := range manners {
		c.Has[m.name] = m.has
		if m.name == exact {
			than = k
		}
	}
	each, more := areas(s.category, manners, than, rand.New(rand.NewPCG(o.Seed, 72)))
	for k, m := range manners {
		c.Area = append(c.Area, measured{m.name, each[k], more[k]})
		for _, least := range minDocs {
			found, err := findClusters(ctx, &m, s.category, least)
			if err != nil {
				return nil, err
			}
			c.DBSCAN = append(c.DBSCAN, found)
		}
		rows, err := growTrees(ctx, &m, s, s.first(len(s.pages), len(s.categories)), o)
		if err != nil {
			return nil, err
		}
		c.COBWEB = append(c.COBWEB, rows...)
	}
	for _, size := range growing {
		places := s.first(size[0], size[1])
		if len(places) < size[0] || len(s.categories) < size[1] {
			continue
		}
		rows, err := growTrees(ctx, &manners[0], s, places, o)
		if err != nil {
			return nil, err
		}
		c.Growing = append(c.Growing, rows...)
	}
	return c, nil
}
