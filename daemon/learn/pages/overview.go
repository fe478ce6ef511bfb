package pages

import (
	"cmp"
	"fmt"
	"math"
	"strconv"
	"strings"

	"nightjar/daemon/chart"
	"nightjar/daemon/web/frame"
	"nightjar/model"
)

// modelParts are the parts of a model's page by their names in the address. The first is the overview.
var modelParts = []struct{ key, name string }{
	{"", "Overview"}, {"sure", "How sure it is"}, {"words", "Words"}, {"graph", "Concept graph"}, {"ways", "Ways"}, {"versions", "Versions"},
}

// hopLine is a line of the overview: the pages at a distance from the useful ones, and where their links lead.
type hopLine struct {
	Name        string
	Useful      bool
	Pages       int
	Wide        int    // of the bar, in percent of the longest
	Links       string // where a link leads, in words; "" when no page here has a link
	NearerWide  int    // of the bars, in percent
	SameWide    int
	FartherAt   int
	FartherWide int
}

// overview fills in the sentences and tables of the overview.
func (p *modelPage) overview(b *model.Bundle) {
	counts := stateCounts(b)
	p.Says, p.LinkSays, p.GraphSays = clicksSay(b, counts), clickRateSays(b, counts), graphSays(counts)
	most := 1
	for _, n := range counts {
		most = max(most, n)
	}
	out := linkCounts(b)
	for s, n := range counts {
		line := hopLine{Name: clicks(s, len(counts)), Useful: s == 0, Pages: n, Wide: (100*n + most - 1) / most}
		line.lead(s, out[s])
		p.Hops = append(p.Hops, line)
	}
	p.TopWords = wordsView{For: p.Words.For[:min(8, len(p.Words.For))], Against: p.Words.Against[:min(8, len(p.Words.Against))]}
	switch r := b.Report; {
	case r == nil:
		p.SureSays = "This version was not measured yet."
	default:
		p.SureSays = cmp.Or(frame.Sentence(r.Verdict), unmeasured)
	}
}

func stateCounts(b *model.Bundle) []int {
	counts := make([]int, len(b.Transition))
	for _, page := range b.Pages {
		counts[page.State]++
	}
	return counts
}

// linkCounts counts the links from each state to each.
func linkCounts(b *model.Bundle) [][]int {
	counts := make([][]int, len(b.Transition))
	for s := range counts {
		counts[s] = make([]int, len(counts))
	}
	for _, e := range b.Edges {
		counts[b.Pages[e[0]].State][b.Pages[e[1]].State]++
	}
	return counts
}

// lead says where the links of a state lead.
func (l *hopLine) lead(state int, to []int) {
	nearer, same, all := 0, to[state], 0
	for other, n := range to {
		all += n
		if other < state {
			nearer += n
		}
	}
	if all == 0 {
		return
	}
	share := func(n int) int { return int(math.Round(100 * float64(n) / float64(all))) }
	l.NearerWide, l.SameWide = share(nearer), share(same)
	l.FartherAt = l.NearerWide + l.SameWide
	l.FartherWide = max(0, 100-l.FartherAt)
	var parts []string
	if state > 0 {
		parts = append(parts, frame.Percent(float64(nearer)/float64(all))+" nearer")
		parts = append(parts, frame.Percent(float64(same)/float64(all))+" as far")
	} else {
		parts = append(parts, frame.Percent(float64(same)/float64(all))+" to another useful page")
	}
	if farther := all - nearer - same; farther > 0 {
		parts = append(parts, frame.Percent(float64(farther)/float64(all))+" farther")
	}
	l.Links = strings.Join(parts, ", ")
}

// clicks names the distance of a state.
func clicks(state, states int) string {
	switch {
	case state == 0:
		return "0: useful itself"
	case state == states-1:
		return strconv.Itoa(state) + " or more, or no way known"
	}
	return strconv.Itoa(state)
}

// spelled writes a small number.
func spelled(n int) string {
	if words := []string{"no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"}; n < len(words) {
		return words[n]
	}
	return chart.Number(n)
}

// clicksSay says how far from a useful page the person usually was: the median over the pages that are not useful.
func clicksSay(b *model.Bundle, counts []int) string {
	others, last := 0, len(counts)-1
	for _, n := range counts[1:] {
		others += n
	}
	if others == 0 {
		return fmt.Sprintf("All %s that it learned from are useful.", chart.Plural(counts[0], "page", "pages"))
	}
	median, sum := 1, 0
	for s := 1; s <= last; s++ {
		if sum += counts[s]; 2*sum >= others {
			median = s
			break
		}
	}
	away := spelled(median) + " clicks"
	if median == 1 {
		away = "one click"
	}
	say := "From pages like these you were usually " + away + " from something useful"
	if median == last {
		say = "From pages like these you were usually " + away + " or more from something useful, or no way is known"
	}
	goal := "one of your " + chart.Plural(counts[0], "useful page", "useful pages")
	if counts[0] == 1 {
		goal = "your useful page"
	}
	return say + fmt.Sprintf(": of the %s that you passed, %s straight to %s.", chart.Plural(others, "page", "pages"),
		chart.Plural(counts[1], "links", "link"), goal)
}

// clickRateSays compares the links of pages next to useful ones with those of pages far away.
func clickRateSays(b *model.Bundle, counts []int) string {
	out := linkCounts(b)
	rate := func(s int) (nearer, all int) {
		for to, n := range out[s] {
			all += n
			if to < s {
				nearer += n
			}
		}
		return nearer, all
	}
	last := len(counts) - 1
	near, nearAll := rate(1)
	if nearAll == 0 {
		return "Nightjar follows the links that probably lead nearer to a useful page."
	}
	say := fmt.Sprintf("On a page one click away, %s of the links lead to a useful page.", frame.Percent(float64(near)/float64(nearAll)))
	if far, farAll := rate(last); last > 1 && farAll > 0 {
		say += fmt.Sprintf(" On the pages farthest away, %s lead nearer.", frame.Percent(float64(far)/float64(farAll)))
	}
	return say + " Nightjar follows the links that probably lead nearer."
}

// graphSays introduces the concept graph.
func graphSays(counts []int) string {
	far := counts[len(counts)-1]
	return fmt.Sprintf("Read it from left to right, in a narrow window from top to bottom: the useful pages, %s, come last; before them are the "+
		"pages that link to one, and so on. First are %s from which it takes %s or more, or no way is known.",
		chart.Number(counts[0]), chart.Plural(far, "page", "pages"), chart.Plural(len(counts)-1, "click", "clicks"))
}
