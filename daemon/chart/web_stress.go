package chart

import (
	"container/heap"
	"math"
	"math/rand/v2"
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
	degree := make([]int, n)
	for _, t := range ties {
		degree[t.a]++
		degree[t.b]++
	}
	near := make([][]hop, n)
	for _, t := range ties {
		length := t.length * math.Pow(float64(degree[t.a]*degree[t.b]), 0.2)
		near[t.a] = append(near[t.a], hop{t.b, length})
		near[t.b] = append(near[t.b], hop{t.a, length})
	}
	all := make([][]float64, n)
	for i := range all {
		all[i] = nearest(near, i)
	}
	return all
}

// hop is a node at a distance.
type hop struct {
	to   int
	away float64
}

// nearest returns the distances from a node to all: Dijkstra's algorithm.
func nearest(near [][]hop, from int) []float64 {
	away := make([]float64, len(near))
	for i := range away {
		away[i] = math.Inf(1)
	}
	away[from] = 0
	queue := reached{{from, 0}}
	for len(queue) > 0 {
		next := heap.Pop(&queue).(hop)
		if next.away > away[next.to] {
			continue
		}
		for _, s := range near[next.to] {
			if d := next.away + s.away; d < away[s.to] {
				away[s.to] = d
				heap.Push(&queue, hop{s.to, d})
			}
		}
	}
	return away
}

// reached is a heap of nodes by distance.
type reached []hop

func (r reached) Len() int           { return len(r) }
func (r reached) Less(i, j int) bool { return r[i].away < r[j].away }
func (r reached) Swap(i, j int)      { r[i], r[j] = r[j], r[i] }
func (r *reached) Push(x any)        { *r = append(*r, x.(hop)) }
func (r *reached) Pop() any {
	old := *r
	last := old[len(old)-1]
	*r = old[:len(old)-1]
	return last
}
