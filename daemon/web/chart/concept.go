package chart

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
)

// ConceptPage is a node of the concept graph.
type ConceptPage struct {
	Title   string
	URL     string
	Cluster int // 0 for targets
	State   int
}

// Concept draws the concept graph with its hop labels, [HMM] fig. 5: a column a hidden state, farthest first and the
// targets last, each page a circle with the number of its cluster. Within a column pages stand near the pages that
// they link to.
func Concept(pages []ConceptPage, edges [][2]int, states int) Picture {
	const wide, rowHigh, radius, top = 46.0, 38.0, 13.0, 56.0
	columns := make([][]int, states)
	for i, p := range pages {
		columns[p.State] = append(columns[p.State], i)
	}
	most := 8
	for _, c := range columns {
		most = max(most, min(len(c), 14))
	}
	at := make([]Point, len(pages))
	p := Picture{Height: top + float64(most)*rowHigh + 16}
	x := 40.0
	for s := states - 1; s >= 0; s-- {
		cols := max(1, (len(columns[s])+most-1)/most)
		p.Texts = append(p.Texts,
			Text{x + float64(cols-1)*wide/2, 22, "state", "T" + subscript(s)},
			Text{x + float64(cols-1)*wide/2, 38, "hint", hops(s, states)})
		order(columns[s], at, edges, pages)
		rows := (len(columns[s]) + cols - 1) / cols
		for k, i := range columns[s] {
			row, col := k/cols, k%cols
			at[i] = Point{x + float64(col)*wide, top + (float64(row)+0.5+float64(most-rows)/2)*rowHigh}
		}
		x += float64(cols-1)*wide + 150
	}
	p.Width = math.Max(320, x-110)
	for _, e := range edges {
		a, b := pages[e[0]].State, pages[e[1]].State
		bend, class := 0.05, "link"
		if a == b {
			bend = 0.25
		}
		if b < a {
			class = "nearer"
		}
		d, _ := arrow(at[e[0]], at[e[1]], radius, radius, bend)
		p.Edges = append(p.Edges, Edge{Path: d, Class: class})
	}
	for i, page := range pages {
		p.Nodes = append(p.Nodes, Node{X: at[i].X, Y: at[i].Y, R: radius, Class: ClusterClass(page.Cluster),
			Text: strconv.Itoa(page.Cluster), Title: fmt.Sprintf("%s\n%s\ncluster %d, T%d", page.Title, page.URL, page.Cluster, page.State)})
	}
	p.Desc = conceptDesc(columns)
	p.round()
	return p
}

// order sorts a column by the mean height of the already placed pages that its pages link to (the barycentre
// heuristic for fewer crossings), then by cluster.
func order(column []int, at []Point, edges [][2]int, pages []ConceptPage) {
	sum, count := make(map[int]float64), make(map[int]float64)
	for _, e := range edges {
		if pages[e[1]].State > pages[e[0]].State && at[e[1]] != (Point{}) {
			sum[e[0]] += at[e[1]].Y
			count[e[0]]++
		}
		if pages[e[0]].State > pages[e[1]].State && at[e[0]] != (Point{}) {
			sum[e[1]] += at[e[0]].Y
			count[e[1]]++
		}
	}
	height := func(i int) float64 {
		if count[i] == 0 {
			return math.Inf(1)
		}
		return sum[i] / count[i]
	}
	slices.SortStableFunc(column, func(a, b int) int {
		return cmp.Or(cmp.Compare(height(a), height(b)), cmp.Compare(pages[a].Cluster, pages[b].Cluster))
	})
}

func conceptDesc(columns [][]int) string {
	text := "The pages of the training in columns by hidden state, farthest from a useful page first: "
	for s := len(columns) - 1; s >= 0; s-- {
		text += fmt.Sprintf("T%d has %d", s, len(columns[s]))
		if s > 0 {
			text += ", "
		}
	}
	return text + ". The number in a circle is the page's cluster. The table of pages says the same in words."
}

// ClusterClass is the style class of a cluster's colour.
func ClusterClass(cluster int) string {
	switch {
	case cluster == 0:
		return "target"
	case cluster < 0:
		return "unknown"
	}
	return "c" + strconv.Itoa((cluster-1)%8+1)
}

// hops says what a state means.
func hops(s, states int) string {
	switch {
	case s == 0:
		return "useful"
	case s == states-1 && s == 1:
		return "1 link or more"
	case s == states-1:
		return strconv.Itoa(s) + " links or more"
	case s == 1:
		return "1 link"
	}
	return strconv.Itoa(s) + " links"
}

// subscript writes a number in subscript digits.
func subscript(n int) string {
	var out []rune
	for _, d := range strconv.Itoa(n) {
		out = append(out, '₀'+d-'0')
	}
	return string(out)
}
