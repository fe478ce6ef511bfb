package groups

import (
	"context"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"nightjar/crawler/fetch"
	"nightjar/crawler/linktext"
	"nightjar/crawler/page"
	"nightjar/daemon/lab/corpus"
	"nightjar/model/senses"
	"nightjar/model/text"
)

// web is a recorded web: its pages in the order of the recording, numbered from 0.
type web struct {
	urls, titles []string
	stems        []text.Counts    // of the text
	titleStems   []text.Counts    // of the title: what is left of a page whose text is blanked
	words        []map[int]bool   // of the text, in base form, by number in vocabulary
	vocabulary   map[string]int   // the words that links use
	in           [][]link         // to the page, by the number of the page that has it, as in its source; without links from the page itself
	anchors      [][]link         // the same of anchor texts alone, as on a site of pages without text; one link for each page
	links        int              // of all pages, to pages of the recording
	labels       map[int][]string // of the pages that have any
}

// link is a link to a page.
type link struct {
	from  int
	words []word
}

// word is a word of a link with its number of occurrences.
type word struct {
	id int // in vocabulary
	n  int
}

// parsed is what a page of the recording holds.
type parsed struct {
	title, text string
	links       []linktext.Link
	anchors     []linktext.Link
}

// openWeb reads Wikispeedia.
func openWeb(ctx context.Context, dir string, d *dictionary) (*web, error) {
	folder := filepath.Join(dir, "wikispeedia")
	replay, report, err := fetch.OpenReplay([]string{filepath.Join(folder, "articles.warc.gz")})
	if err != nil {
		return nil, err
	}
	defer replay.Close()
	if len(report.Problems) > 0 {
		return nil, fmt.Errorf("read %s: %v", folder, report.Problems[0])
	}
	known, err := corpus.ReadLabels([]string{filepath.Join(folder, "labels.tsv")})
	if err != nil {
		return nil, err
	}
	w := &web{urls: replay.Pages(), vocabulary: map[string]int{}}
	pages := make([]parsed, len(w.urls))
	w.stems, w.titleStems = make([]text.Counts, len(pages)), make([]text.Counts, len(pages))
	extractor, counter := linktext.New(nil, d.base), text.NewCounter()
	err = w.each(func(i int) error {
		r := replay.Fetch(ctx, w.urls[i])
		if ctx.Err() != nil || r.Outcome != fetch.OK {
			return ctx.Err()
		}
		p, err := page.ParseFrom(r.Source(), r.Body)
		if err != nil {
			return nil // a page that cannot be read is an empty one
		}
		pages[i] = parsed{title: p.Title, text: p.Text}
		w.stems[i], w.titleStems[i] = counter.Count(p.Text), counter.Count(p.Title)
		for _, l := range p.Links {
			pages[i].anchors = append(pages[i].anchors, linktext.Link{URL: l.URL, Words: extractor.Anchor(l.Anchor)})
		}
		pages[i].links, err = extractor.Extract(r.FinalURL, page.ContentUTF8, r.Body)
		return err
	})
	if err != nil {
		return nil, err
	}
	w.join(pages, known)
	return w, w.read(pages, d)
}

// each calls f for each page, on all processors.
func (w *web) each(f func(i int) error) error {
	var workers errgroup.Group
	workers.SetLimit(runtime.GOMAXPROCS(0))
	for i := range w.urls {
		workers.Go(func() error { return f(i) })
	}
	return workers.Wait()
}

// join fills in titles, links and labels.
func (w *web) join(pages []parsed, known *corpus.Labels) {
	number := make(map[string]int, len(pages))
	for i, url := range w.urls {
		number[url] = i
		w.titles = append(w.titles, pages[i].title)
	}
	w.in, w.anchors = make([][]link, len(pages)), make([][]link, len(pages))
	for from := range pages {
		w.links += w.put(w.in, number, from, pages[from].links)
		w.put(w.anchors, number, from, pages[from].anchors)
	}
	w.labels = map[int][]string{}
	for _, label := range known.Names() {
		for url := range known.With(label) {
			if i, ok := number[url]; ok && label != corpus.Other {
				w.labels[i] = append(w.labels[i], label)
			}
		}
	}
}

// put adds the links of a page to those of the pages that they lead to, and counts them.
func (w *web) put(in [][]link, number map[string]int, from int, links []linktext.Link) (n int) {
	for _, l := range links {
		to, ok := number[l.URL]
		if !ok || to == from {
			continue
		}
		one := link{from: from}
		for _, said := range l.Words {
			one.words = append(one.words, word{w.id(said.Word), said.N})
		}
		in[to] = append(in[to], one)
		n++
	}
	return n
}

func (w *web) id(word string) int {
	id, ok := w.vocabulary[word]
	if !ok {
		id = len(w.vocabulary)
		w.vocabulary[word] = id
	}
	return id
}

// read finds which words of links each text has.
func (w *web) read(pages []parsed, d *dictionary) error {
	w.words = make([]map[int]bool, len(pages))
	return w.each(func(i int) error {
		w.words[i] = map[int]bool{}
		for token := range text.Words(pages[i].text) {
			if id, ok := w.vocabulary[d.base(string(token))]; ok {
				w.words[i][id] = true
			}
		}
		return nil
	})
}

// names are the words of the vocabulary by number.
func (w *web) names() []string {
	names := make([]string, len(w.vocabulary))
	for name, id := range w.vocabulary {
		names[id] = name
	}
	return names
}

// sources is how many different pages link to a page.
func (w *web) sources(page int) int {
	n := 0
	last := -1
	for _, l := range w.in[page] { // those of one page follow each other
		if l.from != last {
			n++
		}
		last = l.from
	}
	return n
}

// count gives the words of links, each with the number of different pages that use it, by word.
func count(links []link, names []string) []senses.Keyword {
	var uses [][2]int // word and page
	for _, l := range links {
		for _, said := range l.words {
			uses = append(uses, [2]int{said.id, l.from})
		}
	}
	slices.SortFunc(uses, func(a, b [2]int) int { return slices.Compare(a[:], b[:]) })
	var all []senses.Keyword
	for i, use := range slices.Compact(uses) {
		if i == 0 || all[len(all)-1].Word != names[use[0]] {
			all = append(all, senses.Keyword{Word: names[use[0]]})
		}
		all[len(all)-1].N++
	}
	return all
}

// category is a category with pages.
type category struct {
	Label string `json:"label"`
	Pages []int  `json:"-"`
}

// categories are the labels with the most pages that at least two pages link to; of equal ones the alphabetically first.
// alone asks for pages that have no other label. The pages are in a random order.
func (w *web) categories(n int, alone bool, rng *rand.Rand) []category {
	with := map[string][]int{}
	for i := range w.urls {
		if labels := w.labels[i]; w.sources(i) >= 2 && (!alone || len(labels) == 1) {
			for _, label := range labels {
				with[label] = append(with[label], i)
			}
		}
	}
	var all []category
	for label, pages := range with {
		all = append(all, category{label, pages})
	}
	slices.SortFunc(all, func(a, b category) int {
		if d := len(b.Pages) - len(a.Pages); d != 0 {
			return d
		}
		return strings.Compare(a.Label, b.Label)
	})
	all = all[:min(n, len(all))]
	for _, c := range all {
		rng.Shuffle(len(c.Pages), func(i, j int) { c.Pages[i], c.Pages[j] = c.Pages[j], c.Pages[i] })
	}
	return all
}
