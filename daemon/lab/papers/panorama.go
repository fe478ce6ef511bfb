package papers

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"

	"nightjar/crawler"
	"nightjar/crawler/strategy"
	"nightjar/daemon/lab/bench/report"
	"nightjar/daemon/lab/devtool"
	"nightjar/model"
	"nightjar/model/measure"
	"nightjar/model/naivebayes"
	"nightjar/model/text"
)

var panoramaClaims = []claim{
	{"figure 2a", "harvest rate of the Naive Bayes crawler above breadth-first at almost all points, 94 documents, to some thousand pages"},
	{"figure 2b", "one-tailed t-test: p below .05 for any crawl larger than a few hundred pages"},
}

// Links of an article that can be a document, and the share of references that a crawl learns from.
const fewestLinks, mostLinks = 16, 60

// inlinks are how many pages that link to a reference are start pages, too.
const inlinks = 10

// document is an article with its references.
type document struct {
	page, starts                 int
	references, known, negatives []int
	harvest                      map[string][]float64 // H_1, H_2, ... by crawler
}

// bayesCrawlers are the crawlers of [PANORAMA], the last being the one that the others are compared with.
var bayesCrawlers = []contender{{"Gaussian Naive Bayes, as in the paper", "naive-bayes-paper", false}, {"naive-bayes of Nightjar", "naive-bayes", false}, breadth}

// drawDocuments draws articles, with a random half of the references of each to learn from, and twice as many pages of others'.
func (w *web) drawDocuments(n int, rng *rand.Rand) []*document {
	var all []*document
	for page, to := range w.links {
		if len(to) >= fewestLinks && len(to) <= mostLinks {
			all = append(all, &document{page: page, references: to})
		}
	}
	rng.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	all = all[:min(n, len(all))]
	for _, d := range all {
		var pool []int
		for _, other := range all {
			for _, p := range other.references {
				if p != d.page && !slices.Contains(d.references, p) && !slices.Contains(pool, p) {
					pool = append(pool, p)
				}
			}
		}
		d.known = shuffled(d.references, rng)[:(len(d.references)+1)/2]
		d.negatives = shuffled(pool, rng)[:min(len(pool), 2*len(d.references))]
	}
	return all
}

func shuffled[T any](pages []T, rng *rand.Rand) []T {
	all := slices.Clone(pages)
	rng.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	return all
}

// classifier learns from positive pages and twice as many negative ones.
func (d *document) classifier(w *web, positives []int, gaussian bool) (*naivebayes.Classifier, error) {
	of := func(pages []int) (all []text.Counts) {
		for _, p := range pages {
			all = append(all, w.stems[p])
		}
		return all
	}
	return naivebayes.Train(of(positives), of(d.negatives[:min(len(d.negatives), 2*len(positives))]), naivebayes.Options{Gaussian: gaussian, Seed: 1})
}

// crawl crawls around the document with each crawler, from the same start pages: the references learned from, and pages that link to them.
func (d *document) crawl(ctx context.Context, w *web, base *model.Bundle, pages int, rng *rand.Rand) error {
	judge, err := d.classifier(w, d.references, false)
	if err != nil {
		return err
	}
	start := slices.Clone(d.known)
	for _, p := range d.known {
		for _, from := range shuffled(w.back[p], rng)[:min(inlinks, len(w.back[p]))] {
			if from != d.page && !slices.Contains(start, from) {
				start = append(start, from)
			}
		}
	}
	var starts []string
	for _, p := range start {
		starts = append(starts, w.urls[p])
	}
	d.starts, d.harvest = len(start), map[string][]float64{}
	for _, c := range bayesCrawlers {
		leader, err := d.classifier(w, d.known, strategy.Needs(c.strategy) == strategy.Gaussian)
		if err != nil {
			return err
		}
		order, err := strategy.New(ctx, c.strategy, base.WithBayes(leader, ""))
		if err != nil {
			return err
		}
		var p []float64
		o := crawler.Options{Starts: starts, Budget: crawler.Budget{Pages: pages}, OnFetch: func(f *crawler.Fetch) {
			if i, ok := w.number[f.FinalURL]; ok && f.Page != nil {
				p = append(p, judge.Read(w.stems[i]).Probability())
			}
		}}
		if strategy.Needs(c.strategy) == strategy.Gaussian {
			o.MaxQueued = strategy.PaperQueued
		}
		if _, err := crawler.Run(ctx, w.replay, order, o); err != nil {
			return err
		}
		d.harvest[c.name] = window(p, max(1, len(p))) // [PANORAMA] eq. (4.7)
	}
	return ctx.Err()
}

// after is the harvest of a crawler after n pages, by document.
func after(all []*document, c contender, n int) (v []float64) {
	for _, d := range all {
		h := d.harvest[c.name]
		x := 0.0
		if len(h) > 0 {
			x = h[min(n, len(h))-1]
		}
		v = append(v, x)
	}
	return v
}

// panorama measures [PANORAMA] §5.1.
func (s *study) panorama(ctx context.Context) (section, error) {
	sec := section{
		Title: "[PANORAMA] Crawls around a document",
		Source: "Pant, Tsioutsiouliklis, Johnson, Giles 2003. Printed on: 94 papers of CiteSeer, the pages that a search engine found for their titles, crawls of the web. A " +
			"classifier that learned from all references judges; the crawl's learned from half.",
	}
	const file = "wikispeedia/articles.warc.gz"
	if why := s.lacks(file); why != "" {
		return sec.cannot(why, panoramaClaims...), nil
	}
	w, err := s.web(ctx, file)
	if err != nil {
		return sec, err
	}
	all := w.drawDocuments(s.pick(94, 12), rand.New(rand.NewPCG(1, 47)))
	pages := s.pick(1000, 500)
	known := map[int]bool{}
	for _, p := range all[0].known {
		known[p] = true
	}
	// The crawlers read nothing of a model but the classifier, so that all documents share one.
	base, err := model.Train(ctx, w.set("harvest", slices.Concat(all[0].known, all[0].negatives), func(p int) bool { return known[p] }), model.DefaultSettings(), nil)
	if err != nil {
		return sec, err
	}
	err = each(len(all), func(i int) error {
		if err := all[i].crawl(ctx, w, base, pages, rand.New(rand.NewPCG(uint64(i), 49))); err != nil {
			return fmt.Errorf("%s: %w", w.titles[all[i].page], err)
		}
		return nil
	})
	if err != nil {
		return sec, err
	}
	s.tell("crawled around %d documents", len(all))
	sec.harvests(all, pages)
	return sec, nil
}

// harvests adds the rows, the table and the pictures.
func (s *section) harvests(all []*document, pages int) {
	table := devtool.Table{Title: "Figure 2: harvest and its t-test", Rows: [][]string{{"pages"}}}
	for _, c := range bayesCrawlers {
		table.Rows[0] = append(table.Rows[0], c.name)
		if c != breadth {
			table.Rows[0] = append(table.Rows[0], "p")
		}
	}
	h, p := make([]report.Curve, len(bayesCrawlers)), make([]report.Curve, len(bayesCrawlers)-1)
	level := report.Curve{Name: "α = .05"}
	from := map[string]int{} // pages from which on p stays below .05
	for n := pages / 100; n <= pages; n += pages / 100 {
		cells := []any{n}
		for k, c := range bayesCrawlers {
			v := after(all, c, n)
			m, se := measure.MeanError(v)
			h[k].Name, h[k].At = c.name, append(h[k].At, [2]float64{float64(n), m})
			if cells = append(cells, fmt.Sprintf("%.3f ± %.3f", m, se)); c == breadth {
				continue
			}
			_, x := pairedT(v, after(all, breadth, n))
			if p[k].Name, p[k].At = c.name, append(p[k].At, [2]float64{float64(n), x}); x >= .05 {
				from[c.name] = n
			}
			cells = append(cells, fmt.Sprintf("%.2g", x))
		}
		level.At = append(level.At, [2]float64{float64(n), .05})
		if n%(pages/10) == 0 {
			table.Add(cells...)
		}
	}
	on := fmt.Sprintf("Wikispeedia: %d articles as documents, %d pages each; n %d", len(all), pages, len(all))
	for _, c := range bayesCrawlers[:2] {
		d := measure.Difference(after(all, c, pages), after(all, breadth, pages), nil).Within(-1, 1)
		s.add(panoramaClaims[0], fmt.Sprintf("%s: %s more after %d pages", c.name, signed(d), pages), on, order(d))
		last := from[c.name]
		ours, verdict := fmt.Sprintf("%s: p below .05 after more than %d pages and to the end", c.name, last), reached
		if last > 500 {
			verdict = inKind
		}
		if last+pages/100 > pages {
			ours, verdict = c.name+": p is not below .05 at the end", missed
		}
		s.add(panoramaClaims[1], ours, on, verdict)
	}
	s.Tables = []devtool.Table{table}
	about := fmt.Sprintf("%d articles of Wikispeedia as documents", len(all))
	s.Pictures = []picture{
		{"panorama-harvest.svg", "Average harvest rate", about, "pages crawled", "Beside figure 2a, where the Naive Bayes crawler is above from the first hundred pages on.", h},
		{"panorama-p.svg", "p of the one-tailed t-test against breadth-first", about, "pages crawled", "Beside figure 2b, where p falls below .05 after a few hundred pages and stays there.", append(p, level)},
	}
	s.Note = fmt.Sprintf("A document is an article with %d to %d links, which are its references. A crawl starts from a random half of them and up to %d pages that link to each, the paper's seeds; all are "+
		"fetched before any link, so that no difference can show among them (%d pages on average). After ± is the standard error. The t-test is paired by document, which the paper does not say of its own. "+
		"“A few hundred” counts as reached up to 500 pages.", fewestLinks, mostLinks, inlinks, meanStarts(all))
}

func meanStarts(all []*document) int {
	n := 0
	for _, d := range all {
		n += d.starts
	}
	return n / max(1, len(all))
}
