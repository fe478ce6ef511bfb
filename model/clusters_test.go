package model

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// themed is a session of pages about a number of themes, in turn. A page has 12 words of its theme and 150 of any; every
// 20th page is a target, with words of its own.
func themed(themes, pages int, seed uint64) (set TrainingSet, theme []int) {
	rng := rand.New(rand.NewPCG(seed, 20))
	word := func(of, among int) string {
		n := rng.IntN(among)
		return fmt.Sprintf("%c%c%c%cx ", 'b'+of, 'a'+n%25, 'a'+n/25%25, 'a'+n/625)
	}
	const targets, all = 22, 23
	for i := range pages {
		var text strings.Builder
		of, target := i%themes, i%20 == 19
		if target {
			of = targets
		}
		for range 12 {
			text.WriteString(word(of, 30))
		}
		for range 150 {
			text.WriteString(word(all, 900))
		}
		set.Pages = append(set.Pages, Page{URL: fmt.Sprintf("http://themes.test/%d", i), Text: text.String(), Target: target})
		theme = append(theme, of)
		if i > 0 {
			set.Edges = append(set.Edges, [2]int{i - 1, i})
		}
	}
	return set, theme
}

// The clusters of a training tell the themes of a session apart, also when the pages share most of their words. Three themes
// are three clusters; more may be split further. In all dimensions of the space X-means would keep to three clusters.
func TestClustersTellThemesApart(t *testing.T) {
	for _, themes := range []int{3, 5, 7} {
		for seed := range uint64(3) {
			set, theme := themed(themes, 160, seed)
			b, err := Train(t.Context(), set, DefaultSettings(), nil)
			if err != nil {
				t.Fatal(err)
			}
			if k := b.Facts.Clusters; k < themes || k > DefaultSettings().MaxClusters || themes == 3 && k > themes {
				t.Errorf("%d themes, seed %d: %d clusters", themes, seed, k)
			}
			alike := make(map[[2]int]int) // pages by cluster and theme
			for i, p := range b.Pages {
				alike[[2]int{p.Cluster, theme[i]}]++
			}
			own := 0 // pages of the theme that most pages of their cluster have
			for c := range b.Clusters {
				most := 0
				for of := range 23 {
					most = max(most, alike[[2]int{c, of}])
				}
				own += most
			}
			if share := float64(own) / float64(len(theme)); share < 0.8 {
				t.Errorf("%d themes, seed %d: clusters are of one theme for %.2f of the pages", themes, seed, share)
			}
		}
	}
}
