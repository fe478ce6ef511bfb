package pages

import (
	"strings"
	"testing"

	"nightjar/model/arms"
)

// armsNight is a night with a share of 10 %, in which each strategy has that many useful pages, evenly spread.
func armsNight(a, b int) arms.Night {
	n := arms.Night{Share: 10}
	design := arms.Design{Share: 10, Seed: 3}
	useful := [2]int{a, b}
	for pick := 1; pick <= 1000; pick++ {
		k := 0
		if design.Second(pick) {
			k = 1
		}
		if all := 900 - 800*k; (n.Picks[k]+1)*useful[k]/all > n.Picks[k]*useful[k]/all {
			n.Finds = append(n.Finds, arms.Find{Pick: pick, Second: k == 1, Worth: 1})
		}
		n.Picks[k]++
	}
	return n
}

// TestArmsSay: what is said of two strategies, from too little to more than chance.
func TestArmsSay(t *testing.T) {
	for _, tt := range []struct {
		a, b   int
		starts string
		ends   string
	}{
		{3, 1, "It is too little to tell whether link-value or hmm brings you more: about 4.0 useful pages so far, and 5 are needed.", "mark what they find."},
		{45, 5, "The strategies hmm and link-value seem to bring about as much: link-value most likely 0.4 to 2.4 times as much as hmm.", "That may be chance. More nights with both will tell."},
		{27, 5, "The strategy hmm seems to bring 1.7 times as much as link-value, most likely 0.7 to 4.1 times.", "That may be chance. More nights with both will tell."},
		{90, 4, "The strategy link-value seems to bring 2.5 times as much as hmm, most likely 1.0 to 6.3 times.", "That may be chance. More nights with both will tell."},
		{90, 0, "Only link-value found useful pages, most likely at least 2.9 times as many as hmm.", "looks every morning."},
		{9, 40, "The strategy hmm brings 40 times as much as link-value, most likely 20", "That is more than chance, also for one who looks every morning."},
	} {
		got := armsSay("link-value", "hmm", arms.Compare([]arms.Night{armsNight(tt.a, tt.b)}))
		if !strings.HasPrefix(got, tt.starts) || !strings.HasSuffix(got, tt.ends) {
			t.Errorf("%d and %d: %s", tt.a, tt.b, got)
		}
	}
}
