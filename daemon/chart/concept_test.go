package chart

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"strconv"
	"strings"
	"testing"
)

func randomConcept(rng *rand.Rand, n, links, states int) ([]ConceptPage, [][2]int) {
	var pages []ConceptPage
	var edges [][2]int
	for i := range n {
		pages = append(pages, ConceptPage{Title: fmt.Sprintf("<%d>", i), Cluster: rng.IntN(9), State: rng.IntN(states)})
	}
	for range links {
		edges = append(edges, [2]int{rng.IntN(n), rng.IntN(n)})
	}
	return pages, edges
}

func TestConcept(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 2))
	for _, n := range []int{0, 1, 5, 60, 300, 900} {
		for _, states := range []int{2, 4, 8, 40} {
			pages, edges := randomConcept(rng, n, 3*n, states)
			p, whole := Concept(pages, edges, states)
			name := fmt.Sprint(n, " pages, ", states, " states")
			if again, _ := Concept(pages, edges, states); !reflect.DeepEqual(p, again) {
				t.Errorf("%s: two drawings differ", name)
			}
			if len(p.Nodes) > MostDrawn || n <= MostDrawn && len(p.Nodes) != n || len(p.Nodes)+p.Lost != n {
				t.Errorf("%s: %d pages are drawn and %d are not", name, len(p.Nodes), p.Lost)
			}
			if want := len(edges) <= mostLinks && n <= MostDrawn; whole != want {
				t.Errorf("%s: whole is %v, want %v", name, whole, want)
			}
			counted := 0
			for _, head := range p.Heads {
				counted += head.Pages
			}
			if len(p.Heads) != states || counted != n {
				t.Errorf("%s: %d headings count %d pages", name, len(p.Heads), counted)
			}
			checkBlocks(t, name, pages, p)
		}
	}
}

// checkBlocks holds that pages are inside the picture and farther states left of nearer ones, and that no two pages have one place.
func checkBlocks(t *testing.T, name string, pages []ConceptPage, p ConceptPicture) {
	t.Helper()
	share := func(text string) float64 {
		v, err := strconv.ParseFloat(strings.TrimSuffix(text, "%"), 64)
		if err != nil || v < 0 || v > 100 {
			t.Fatalf("%s: place %q", name, text)
		}
		return v
	}
	for i, a := range p.Nodes {
		ax, ay := share(a.X), share(a.Y)
		for _, b := range p.Nodes[:i] {
			bx, by := share(b.X), share(b.Y)
			if sa, sb := pages[a.Page].State, pages[b.Page].State; sa > sb && ax >= bx || sa < sb && ax <= bx {
				t.Fatalf("%s: T%d at %v, T%d at %v", name, sa, ax, sb, bx)
			}
			if math.Hypot((ax-bx)*WebWidth, (ay-by)*WebHeight)/100 < 8 {
				t.Fatalf("%s: pages %d and %d have one place", name, a.Page, b.Page)
			}
		}
	}
}

// TestWays compares the ways with the links that they must be: from each page that has one, a link that leads nearer, to
// the page that most links from farther pages lead to.
func TestWays(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 5))
	for range 50 {
		pages, edges := randomConcept(rng, 40, 160, 4)
		w := newWays(pages, edges)
		popular := func(page int) (n int) {
			for _, e := range edges {
				if e[1] == page && pages[e[0]].State > pages[page].State {
					n++
				}
			}
			return n
		}
		for i := range pages {
			best := -1
			for _, e := range edges {
				if e[0] == i && pages[e[1]].State < pages[i].State && (best < 0 || popular(e[1]) > popular(best) || popular(e[1]) == popular(best) && e[1] < best) {
					best = e[1]
				}
			}
			if w.next[i] != best {
				t.Fatalf("the way of %d goes to %d, want %d", i, w.next[i], best)
			}
		}
	}
}

func TestConceptOfALargeSession(t *testing.T) {
	pages := make([]ConceptPage, 200)
	var edges [][2]int
	for i := range pages {
		pages[i] = ConceptPage{Title: fmt.Sprint(i), Cluster: 1 + i%3, State: 2}
		if i == 0 {
			pages[i] = ConceptPage{State: 0}
		} else if i < 10 {
			pages[i].State = 1
			edges = append(edges, [2]int{i, 0})
		} else {
			edges = append(edges, [2]int{i, 1 + i%9}, [2]int{i, 3}, [2]int{3, i})
		}
	}
	p, whole := Concept(pages, edges, 3)
	if whole || len(p.Nodes) != 200 || p.Links != "" {
		t.Fatalf("whole %v, %d symbols, links %q", whole, len(p.Nodes), p.Links)
	}
	if ways := strings.Count(strings.Join(p.Ways, ""), "M"); ways != 9+190 { // one way a page
		t.Errorf("%d ways", ways)
	}
	if !strings.Contains(p.Desc, "T2 has 190; T1 has 9; T0 has 1") {
		t.Errorf("the description is %q", p.Desc)
	}
}
