package ways

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
)

// university makes paths over so many made-up sites: department → faculty → course, where the person sometimes leaves a
// department by a link to news. Words tell the kinds of pages apart, with noise; a third of the links has no telling word.
func university(sites, perSite int, named bool, seed uint64) []Path {
	rng := rand.New(rand.NewPCG(seed, 13))
	pick := func(kind string, n int) []string {
		var list []string
		for range n {
			if rng.IntN(4) == 0 {
				list = append(list, fmt.Sprintf("w=noise%d", rng.IntN(30)))
			} else {
				list = append(list, fmt.Sprintf("w=%s%d", kind, rng.IntN(12)))
			}
		}
		slices.Sort(list)
		return slices.Compact(list)
	}
	step := func(site int, kind string, k, hop int) Step {
		s := Step{URL: fmt.Sprintf("https://u%d.test/%s/%d", site, kind, k), Title: kind, Hop: hop, Page: pick(kind, 12), Position: k, Anchor: kind}
		if named && kind != "course" {
			s.Name = kind
		}
		s.Link = []string{"a=more"}
		if rng.IntN(3) > 0 {
			s.Link = []string{"a=" + kind}
		}
		return s
	}
	var paths []Path
	for site := range sites {
		for k := range perSite {
			p := Path{Kind: Marked, Positive: k%3 > 0, Count: 1 + float64(k%2), Tree: fmt.Sprintf("tree %d.%d", site, k/3)}
			p.Steps = []Step{step(site, "department", k/3, 2), step(site, "faculty", k, 1), step(site, "course", k, 0)}
			if !p.Positive {
				p.Kind = Left
				p.Steps = []Step{step(site, "department", k/3, 2), step(site, "news", k, 3)}
			}
			p.Steps[0].Link, p.Steps[0].Anchor, p.Steps[0].Position = nil, "", -1
			paths = append(paths, p)
		}
	}
	return paths
}

func hostOf(url string) string { return strings.Split(url, "/")[2] }
