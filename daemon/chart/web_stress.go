package chart

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/graph/path"
	"gonum.org/v1/gonum/graph/simple"
)

// Point is a position in a picture; Y grows downwards.
type Point struct{ X, Y float64 }

// tie is a line of the layout between two nodes, with the length that it should have.
type tie struct {
	a, b   int
	length float64
}

// stress places the nodes of one connected part so that their distances are near those along the ties: Zheng, Pawar &
// Goodman, Graph drawing by stochastic gradient descent, 2018, algorithm 1 with the schedule of §2.1. The ties of a node
// with many are longer, so that its neighbours have room around it. It takes about 30 n² steps.
func stress(n int, ties []tie) []Point {
	at := make([]Point, n)
	for i := range at { // a sunflower spiral
		r, angle := math.Sqrt(float64(i)+0.5), float64(i)*math.Pi*(3-math.Sqrt(5))
		at[i] = Point{r * math.Cos(angle), r * math.Sin(angle)}
	}
	type term struct {
		i, j int
		d, w float64
	}
	var terms []term
	least, most := math.Inf(1), 0.0
	for i, row := range distances(n, ties) {
		for j, d := range row[:i] {
			w := 1 / (d * d)
			terms = append(terms, term{i, j, d, w})
			least, most = math.Min(least, w), math.Max(most, w)
		}
	}
	const rounds, epsilon = 40, 0.1
	first, last := 1/least, epsilon/most
	rng := rand.New(rand.NewPCG(1, uint64(n)))
	for round := range rounds {
		step := first * math.Exp(math.Log(last/first)*float64(round)/(rounds-1))
		rng.Shuffle(len(terms), func(a, b int) { terms[a], terms[b] = terms[b], terms[a] })
		for _, t := range terms {
			mu := math.Min(t.w*step, 1)
			dx, dy := at[t.i].X-at[t.j].X, at[t.i].Y-at[t.j].Y
			length := math.Hypot(dx, dy)
			if length < 1e-9 {
				dx, length = 1e-9, 1e-9
			}
			move := mu * (length - t.d) / (2 * length)
			at[t.i].X -= move * dx
			at[t.i].Y -= move * dy
			at[t.j].X += move * dx
			at[t.j].Y += move * dy
		}
	}
	return at
}

// distances are the lengths of the shortest ways along the ties between all nodes.
func distances(n int, ties []tie) [][]float64 {
	ways := path.DijkstraAllPaths(graphOf(n, ties))
	all := make([][]float64, n)
	for i := range all {
		all[i] = make([]float64, n)
		for j := range all[i] {
			all[i][j] = ways.Weight(int64(i), int64(j))
		}
	}
	return all
}

// graphOf is the graph of the ties, each as long as its nodes with many ties need it. No two ties join the same nodes.
func graphOf(n int, ties []tie) *simple.WeightedUndirectedGraph {
	g := simple.NewWeightedUndirectedGraph(0, math.Inf(1))
	degree := make([]int, n)
	for i := range n {
		g.AddNode(simple.Node(i))
	}
	for _, t := range ties {
		degree[t.a]++
		degree[t.b]++
	}
	for _, t := range ties {
		length := t.length * math.Pow(float64(degree[t.a]*degree[t.b]), 0.2)
		g.SetWeightedEdge(g.NewWeightedEdge(simple.Node(t.a), simple.Node(t.b), length))
	}
	return g
}
