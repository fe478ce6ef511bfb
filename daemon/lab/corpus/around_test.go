package corpus

import (
	"fmt"
	"slices"
	"testing"
)

func TestAround(t *testing.T) {
	g := Graph{}
	link := func(from, to string) {
		g[from] = append(g[from], edge{to, to})
		if g[to] == nil {
			g[to] = []edge{}
		}
	}
	for _, l := range [][2]string{{"a", "t"}, {"b", "t"}, {"c", "a"}, {"t", "d"}, {"e", "c"}, {"b", "a"}, {"x", "y"}} {
		link(l[0], l[1])
	}
	if got := g.Around([]string{"t", "gone"}, 2, 9, 1); !slices.Equal(got, []string{"t", "a", "b", "c"}) {
		t.Errorf("two layers: %v", got)
	}
	if got := g.Around([]string{"t"}, 9, 9, 1); !slices.Equal(got, []string{"t", "a", "b", "c", "e"}) {
		t.Errorf("all layers: %v", got)
	}
	if got := g.Around([]string{"t"}, 9, 1, 1); len(got) > 4 || got[0] != "t" || got[1] != "a" && got[1] != "b" {
		t.Errorf("one page a layer: %v", got)
	}
	if got := g.Around(nil, 3, 9, 1); len(got) != 0 {
		t.Errorf("without targets: %v", got)
	}
	if got, want := fmt.Sprint(g.Among([]string{"t", "a", "b", "q"})), "[[1 0] [2 0] [2 1]]"; got != want {
		t.Errorf("links %s, want %s", got, want)
	}
}
