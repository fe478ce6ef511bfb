package papers

import (
	"context"
	"fmt"
	"slices"

	"nightjar/daemon/lab/devtool"
	"nightjar/model/measure"
)

// The contenders of [CGS].
var (
	layers   = contender{"context-graph", "context-graph", false}
	layerAll = contender{"context-graph, all data", "context-graph", true}
	standard = contender{"standard focused", standardName, false}
	standAll = contender{"standard focused, all data", standardName, true}
)

var cgsClaims = []claim{
	{"§4, figure 4", "50 to 60 % more on-topic documents than the standard focused crawler, on average over the crawl"},
	{"figure 4", "both focused crawlers far above breadth-first (“orders of magnitude”)"},
	{"figure 5", "average relevance in a sliding window of 200 downloads: significantly higher than both others"},
	{"figure 7", "on the hardest category (“Biking”) still not worse than the standard focused crawler"},
	{"figure 6", "bursts of documents when the parents of each find are asked of a search engine"},
	{"§3.1", "the documents that lead to the seeds, which a search engine's backlinks supply, make the layers"},
}

// Bounds of the gain that [CGS] prints, and its window.
const (
	printedGain = .5
	slide       = 200
)

// cgs measures [CGS] §4.
func (s *study) cgs(ctx context.Context) (section, error) {
	sec := section{
		Title: "[CGS] Context graphs",
		Source: "Diligenti, Coetzee, Lawrence, Giles, Gori 2000. Printed on: “Call for Papers” and “Biking”, ten seed documents each, context graphs of depth 4 with at most " +
			"300 documents a layer from a search engine's backlinks, crawls of the web.",
	}
	if why := s.lacks(crawlFiles()...); why != "" {
		return sec.cannot(why, cgsClaims...), nil
	}
	all, err := s.crawled()
	if err != nil {
		return sec, err
	}
	table := devtool.Table{Title: "More on-topic pages than the standard focused crawler, by task", Rows: [][]string{{"task", "context-graph", "standard focused", "more", "n"}}}
	for _, g := range []struct {
		name      string
		own, than contender
		from      string
	}{
		{webKB, layerAll, standAll, "context graphs from backlinks, as in the paper"},
		{webKB, layers, standard, "context graphs from the session, as in Nightjar"},
		{wikispeedia, layers, standard, "context graphs from the session"},
	} {
		trials := of(all, g.name, g.own, g.than, breadth)
		on := fmt.Sprintf("%s, %d crawls each; %s", g.name, len(trials), g.from)
		more := gain(values(trials, g.own, found), values(trials, g.than, found), 1)
		sec.add(cgsClaims[0], fmt.Sprintf("%s, n %d", signed(more), len(trials)), on, amount(more, printedGain))
		over := []measure.Figure{gain(values(trials, g.own, found), values(trials, breadth, found), 2), gain(values(trials, g.than, found), values(trials, breadth, found), 3)}
		sec.add(cgsClaims[1], fmt.Sprintf("context-graph %s, standard focused %s more than breadth-first", signed(over[0]), signed(over[1])), on, minOrders(over))
		lead := leads(trials, lastWindow, g.own, []contender{g.than, breadth})
		sec.add(cgsClaims[2], lead.text, on+"; relevance is the probability by the session's judge", order(lead.by...))
		hardest := byTask(trials, g.own, g.than, &table, g.from)
		sec.add(cgsClaims[3], fmt.Sprintf("%s: %s, n %d", hardest.name, signed(hardest.more), hardest.more.N), on, notWorse(hardest.more))
	}
	sec = sec.cannot("a recording has no search engine to ask; its own backlinks would tell the crawler the web", cgsClaims[4])
	second, err := s.secondNights(ctx, all)
	if err != nil {
		return sec, err
	}
	sec.addNights(second)
	sec.Tables = append([]devtool.Table{table}, sec.Tables...)
	kb := of(all, webKB)
	about := fmt.Sprintf("WebKB, mean of %d crawls; context graphs from backlinks", len(kb))
	with := []contender{layerAll, standAll, generic, breadth}
	sec.Pictures = []picture{
		{"cgs-found.svg", "Fraction of on-topic pages", about, "downloads", "Beside figure 4, where the context focused crawler is above the standard one throughout, and breadth-first is near zero.",
			curves(kb, with, running(as01(labelled)))},
		{"cgs-window.svg", "Average relevance, sliding window of 200", about, "downloads", "Beside figure 5. There the relevance is the likelihood under the Naive Bayes model of the seeds; here it is the " +
			"probability by the judge of the session, the same for all crawlers.", curves(kb, with, sliding(slide, useful))},
	}
	if wiki := of(all, wikispeedia); len(wiki) > 0 {
		sec.Pictures = append(sec.Pictures, picture{"cgs-wikispeedia.svg", "Fraction of on-topic pages", fmt.Sprintf("Wikispeedia, mean of %d crawls; context graphs from the session", len(wiki)), "downloads",
			"Beside figure 7, the category with the least advantage. Wikispeedia has no hierarchy that many sites share, the paper's reason for “Biking”.",
			curves(wiki, []contender{layers, standard, generic, breadth}, running(as01(labelled)))})
	}
	sec.Note = "The standard focused crawler is the paper's: the same classifier of layer 0 orders the links by the page that holds them. The gain is that of the area under the curve of pages found " +
		"(their mean number over the crawl), with bootstrap intervals over crawls." +
		" Ordered so, the standard crawler is behind breadth-first on these recordings, so that a gain over it says little: compare the curves of *best-classifier* as well."
	return sec, nil
}

// lastWindow is the mean relevance of the last pages of a crawl, as at the end of [CGS] figure 5.
func lastWindow(_ *trial, pages []seen) float64 {
	w := sliding(slide, useful)(pages)
	if len(w) == 0 {
		return 0
	}
	return w[len(w)-1]
}

// minOrders is the verdict on "orders of magnitude more": ten times as many is one.
func minOrders(over []measure.Figure) string {
	return amount(slices.MinFunc(over, func(a, b measure.Figure) int { return int((a.Low - b.Low) * 1e6) }), 9)
}

// notWorse is the verdict on what should at worst be equal.
func notWorse(f measure.Figure) string {
	switch {
	case f.Value >= 0:
		return reached
	case f.High >= 0:
		return inKind
	}
	return missed
}

// hard is a task and how much more was found.
type hard struct {
	name string
	more measure.Figure
}

// byTask adds the gain of each task to a table, and returns the task where it is least.
func byTask(trials []*trial, own, than contender, table *devtool.Table, from string) (least hard) {
	for i, t := range trials {
		if i > 0 && trials[i-1].task.Name == t.task.Name {
			continue
		}
		some := slices.DeleteFunc(slices.Clone(trials), func(o *trial) bool { return o.task.Name != t.task.Name })
		a, b := values(some, own, found), values(some, than, found)
		more := gain(a, b, 4)
		table.Add(t.task.Name+"; "+from, fmt.Sprintf("%.1f", sum(a)/float64(len(a)*t.task.Budget)), fmt.Sprintf("%.1f", sum(b)/float64(len(b)*t.task.Budget)), signed(more), len(some))
		if least.name == "" || more.Value < least.more.Value {
			least = hard{t.task.Name, more}
		}
	}
	return least
}
