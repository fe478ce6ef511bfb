package papers

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/url"
	"path"
	"slices"
	"strings"

	"nightjar/crawler/linktext"
	"nightjar/daemon/lab/devtool"
	"nightjar/daemon/thesus/links"
	"nightjar/model/conceptset"
	"nightjar/model/dbscan"
	"nightjar/model/groups"
	"nightjar/model/measure"
	"nightjar/model/senses"
	"nightjar/model/wordnet"
)

var kindClaim = claim{"§5.4", "no figure; asked of Nightjar: groups that agree with the kinds of pages (ARI) at least twice as well as TF-IDF of the words of links"}

// kindWeb is a recording with kinds of pages: labels, or the folders of a manual. half takes every other of its kinds, from 0 or 1; below
// 0 means all.
type kindWeb struct {
	name, archive, labels string
	half                  int
}

// kindWebs are those that the grouping was chosen on, and those that were not looked at before.
var kindWebs = map[bool][]kindWeb{
	false: {{"WebKB, Cornell", "webkb/cornell.warc.gz", "webkb/cornell.labels.tsv", -1},
		{"Wikispeedia, first half of the categories", "wikispeedia/articles.warc.gz", "wikispeedia/labels.tsv", 0},
		{"manual of httpd", "docs/httpd.apache.org.warc.gz", "", -1}},
	true: {{"WebKB, Texas", "webkb/texas.warc.gz", "webkb/texas.labels.tsv", -1},
		{"WebKB, Washington", "webkb/washington.warc.gz", "webkb/washington.labels.tsv", -1},
		{"Wikispeedia, other half of the categories", "wikispeedia/articles.warc.gz", "wikispeedia/labels.tsv", 1},
		{"manual of Django", "docs/docs.djangoproject.com.warc.gz", "", -1},
		{"manual of SQLite", "docs/www.sqlite.org.warc.gz", "", -1}},
}

// Sizes of the samples of kinds of pages.
const (
	kindLeast = 10  // pages of a kind that counts
	kindMost  = 8   // kinds of a sample
	kindPages = 200 // of a sample, and at most four fifths of those there are
)

// kinds are the pages of a web that two others link to, with what is known of each and its kind.
func (s *study) kinds(ctx context.Context, k kindWeb, net *wordnet.Net) (pages []groups.Page, kind []string, err error) {
	w, err := s.web(ctx, k.archive)
	if err != nil {
		return nil, nil, err
	}
	l, err := s.linkedOf(ctx, net, k.archive, k.labels)
	if err != nil {
		return nil, nil, err
	}
	used := map[string]bool{} // words of links, as the store has them
	for _, in := range l.in {
		for _, words := range in {
			for word := range words {
				used[word] = true
			}
		}
	}
	pages, kind = make([]groups.Page, l.all), make([]string, l.all)
	extractor := linktext.New(nil, links.Base(net))
	err = each(l.all, func(i int) error {
		p := groups.Page{Text: map[string]int{}, Links: map[string]int{}}
		for _, word := range extractor.Anchor(w.titles[i] + "\n" + w.texts[i]) {
			if used[word.Word] {
				p.Text[word.Word] = word.N
			}
		}
		for _, word := range l.keywords(i) {
			p.Links[word.Word] = word.N
		}
		for from := range l.in[i] {
			p.Sources = append(p.Sources, int64(from))
		}
		pages[i] = p
		switch u, err := url.Parse(w.urls[i]); {
		case len(p.Sources) < 2 || err != nil:
		case k.labels == "":
			kind[i] = path.Dir(u.Path)
		case len(l.labels[i]) == 1:
			kind[i] = l.labels[i][0]
		}
		return nil
	})
	return pages, kind, err
}

// kindSample draws pages of kinds.
func kindSample(all []groups.Page, kind []string, half int, rng *rand.Rand) (pages []groups.Page, kindOf []int) {
	of := map[string][]int{}
	for i, k := range kind {
		if k != "" {
			of[k] = append(of[k], i)
		}
	}
	names := slices.DeleteFunc(slices.Sorted(maps.Keys(of)), func(k string) bool { return len(of[k]) < kindLeast })
	if half >= 0 {
		var mine []string
		for i, name := range names {
			if i%2 == half {
				mine = append(mine, name)
			}
		}
		names = mine
	}
	names = shuffled(names, rng)[:min(kindMost, len(names))]
	at, picked := map[string]int{}, []int{}
	for i, name := range names {
		at[name] = i
		picked = append(picked, of[name]...)
	}
	for _, i := range shuffled(picked, rng)[:min(kindPages, len(picked)*4/5)] {
		pages, kindOf = append(pages, all[i]), append(kindOf, at[kind[i]])
	}
	return pages, kindOf
}

// grouper is a way to group pages; below 0 is the group of a page in none.
type grouper struct {
	name  string
	group func(context.Context, []groups.Page, *wordnet.Net) ([]int, error)
}

// groupers are the ways that are compared: that of Explore, the same by words of links alone, and those of the paper.
var groupers = []grouper{
	{"text, words of links, who links", func(ctx context.Context, all []groups.Page, _ *wordnet.Net) ([]int, error) { return kmeans(ctx, all) }},
	{"TF-IDF of words of links", func(ctx context.Context, all []groups.Page, _ *wordnet.Net) ([]int, error) {
		said := make([]groups.Page, len(all))
		for i, p := range all {
			said[i].Links = p.Links
		}
		return kmeans(ctx, said)
	}},
	{"words of links, DBSCAN", func(ctx context.Context, all []groups.Page, _ *wordnet.Net) ([]int, error) {
		return byDBSCAN(ctx, all, nil)
	}},
	{"senses of words of links, DBSCAN", byDBSCAN},
}

// kmeans gives the groups that Explore shows first.
func kmeans(ctx context.Context, all []groups.Page) ([]int, error) {
	levels, err := groups.New(all).Levels(ctx, 1, func(int, int) {})
	if err != nil {
		return nil, err
	}
	return levels[len(levels)-1].Cluster, nil
}

// byDBSCAN groups pages by the senses of the words of links to them, or by these words when there is no WordNet, and gives the level that
// Explore shows first.
func byDBSCAN(ctx context.Context, all []groups.Page, net *wordnet.Net) ([]int, error) {
	d := senses.Describer{Net: net}
	sets, numbers := make([]conceptset.Set, len(all)), map[string]int{}
	for i, p := range all {
		var words []senses.Keyword
		for word, n := range p.Links {
			words = append(words, senses.Keyword{Word: word, N: n})
		}
		slices.SortFunc(words, func(a, b senses.Keyword) int { return cmp.Or(cmp.Compare(b.N, a.N), strings.Compare(a.Word, b.Word)) })
		words = words[:min(len(words), senses.DefaultWords)]
		var concepts []conceptset.Concept
		if net != nil {
			said := d.Describe(words)
			for _, c := range said.Concepts() {
				concepts = append(concepts, conceptset.Concept{ID: int(c.Sense), Weight: c.Weight})
			}
		} else {
			for _, w := range words {
				if _, ok := numbers[w.Word]; !ok {
					numbers[w.Word] = len(numbers)
				}
				concepts = append(concepts, conceptset.Concept{ID: numbers[w.Word], Weight: float64(w.N) / float64(words[0].N)})
			}
		}
		var err error
		if sets[i], err = conceptset.New(concepts); err != nil {
			return nil, err
		}
	}
	pairs, err := conceptset.AllPairs(ctx, sets, func(a, b int) float64 {
		if net != nil {
			return net.Similarity(wordnet.Sense(a), wordnet.Sense(b))
		}
		return float64(one(a == b))
	}, nil)
	if err != nil {
		return nil, err
	}
	levels, err := dbscan.Hierarchy(ctx, len(sets), pairs.Near, dbscan.MinSims(), 3, nil)
	if err != nil || len(levels) == 0 {
		return slices.Repeat([]int{-1}, len(all)), err
	}
	return levels[dbscan.Default(levels)].Cluster, nil
}

// alone makes each page in no group a group.
func alone(cluster []int) []int {
	all := slices.Clone(cluster)
	for i, c := range all {
		if c < 0 {
			all[i] = len(all) + i
		}
	}
	return all
}

// kindTable measures how well groups agree with kinds of pages.
func (s *study) kindTable(ctx context.Context, net *wordnet.Net, sec *section) error {
	draws := s.pick(8, 3)
	table := devtool.Table{Title: "Agreement of groups with kinds of pages (ARI)", Rows: [][]string{{"pages of", "judged", "pages", "kinds"}}}
	for _, g := range groupers {
		table.Rows[0] = append(table.Rows[0], g.name)
	}
	table.Rows[0] = append(table.Rows[0], "chance")
	var judged [2][]float64
	for _, new := range []bool{true, false} {
		for _, k := range kindWebs[new] {
			if why := s.lacks(k.archive); why != "" {
				sec.Rows = append(sec.Rows, row{kindClaim.where, kindClaim.printed, "–", k.name, "cannot be run here: " + why})
				continue
			}
			pages, kind, err := s.kinds(ctx, k, net)
			if err != nil {
				return err
			}
			ari, lucky, n, kinds := make([][]float64, len(groupers)), 0.0, 0, 0
			for draw := range draws {
				rng := rand.New(rand.NewPCG(uint64(draw)+1, 76))
				some, of := kindSample(pages, kind, k.half, rng)
				n, kinds = len(some), 1+slices.Max(of)
				for g, by := range groupers {
					cluster, err := by.group(ctx, some, net)
					if err != nil {
						return err
					}
					ari[g] = append(ari[g], agree(alone(cluster), of).ARI)
					if g == 0 {
						mean, _ := chance(alone(cluster), of, draws, rng)
						lucky += mean.ARI / float64(draws)
					}
				}
			}
			cells := []any{k.name, map[bool]string{true: "yes", false: "no, chosen on it"}[new], n, kinds}
			for g := range groupers {
				cells = append(cells, minus(fmt.Sprintf("%.2f", sum(ari[g])/float64(draws))))
			}
			table.Add(append(cells, minus(fmt.Sprintf("%.2f", lucky)))...)
			if new {
				judged[0], judged[1] = append(judged[0], ari[0]...), append(judged[1], ari[1]...)
			}
			s.tell("grouped %s by kinds of pages", k.name)
		}
	}
	if len(judged[0]) > 0 {
		sec.kindRow(judged[0], judged[1])
	}
	sec.Tables = append(sec.Tables, table)
	return nil
}

// kindRow adds the row of the ARI of ours and of TF-IDF of the words of links, paired.
func (s *section) kindRow(ours, words []float64) {
	more := gain(ours, words, 1)
	s.add(kindClaim, fmt.Sprintf("ARI %.2f; TF-IDF of words of links, grouped in the same way, %.2f; ours %s more", measure.Mean(ours, nil).Value, measure.Mean(words, nil).Value, signed(more)),
		fmt.Sprintf("webs that nothing was chosen on; pages that two others link to; a page in no group is a group; n %d samples", len(ours)), amount(more, 1))
}
