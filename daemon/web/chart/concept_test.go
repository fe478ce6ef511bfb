package chart

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
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
			checkInside(t, name, p)
			if again, _ := Concept(pages, edges, states); !reflect.DeepEqual(p, again) {
				t.Errorf("%s: two drawings differ", name)
			}
			drawn, size := map[int]Node{}, make([]int, states)
			for _, node := range p.Nodes {
				var i int
				if _, err := fmt.Sscanf(node.Title, "<%d>", &i); err != nil {
					t.Fatal(err)
				}
				drawn[i] = node
				size[pages[i].State]++
			}
			all := make([]int, states)
			for _, page := range pages {
				all[page.State]++
			}
			complete := len(edges) <= mostLinks
			for s := range all {
				if want := min(all[s], mostRows*mostColumns); size[s] != want {
					t.Errorf("%s: %d pages of T%d are drawn, want %d of %d", name, size[s], s, want, all[s])
				}
				complete = complete && size[s] == all[s]
			}
			if whole != complete {
				t.Errorf("%s: whole is %v, want %v", name, whole, complete)
			}
			checkColumns(t, name, pages, drawn)
		}
	}
}

// checkColumns holds that farther states stand left of nearer ones and that no circles overlap.
func checkColumns(t *testing.T, name string, pages []ConceptPage, drawn map[int]Node) {
	t.Helper()
	for i, a := range drawn {
		for j, b := range drawn {
			if pages[i].State > pages[j].State && a.X >= b.X {
				t.Fatalf("%s: T%d at %v is not left of T%d at %v", name, pages[i].State, a.X, pages[j].State, b.X)
			}
			if i < j && math.Hypot(a.X-b.X, a.Y-b.Y) < a.R+b.R {
				t.Fatalf("%s: circles of %d and %d overlap", name, i, j)
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
	if whole || len(p.Nodes) != 1+9+mostRows*mostColumns {
		t.Fatalf("whole %v, %d circles", whole, len(p.Nodes))
	}
	if len(p.Edges) != 9+mostRows*mostColumns { // one way a drawn page
		t.Errorf("%d ways", len(p.Edges))
	}
	var notes []string
	for _, text := range p.Texts {
		if strings.HasPrefix(text.Text, "and ") {
			notes = append(notes, text.Text)
		}
	}
	if !reflect.DeepEqual(notes, []string{"and 120 more"}) || !strings.Contains(p.Desc, "T2 has 190, of which 70 are drawn") {
		t.Errorf("what is left out is told as %q in %q", notes, p.Desc)
	}
}
