package papers

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"

	"nightjar/daemon/lab/devtool"
	"nightjar/daemon/thesus/ontologies"
	places "nightjar/daemon/thesus/wordnet"
	"nightjar/model/cobweb"
	"nightjar/model/conceptset"
	"nightjar/model/dbscan"
	"nightjar/model/measure"
	"nightjar/model/ontology"
	"nightjar/model/senses"
	"nightjar/model/wordnet"
)

var (
	tableClaims = []claim{
		{"table 1", "DBSCAN by terms of an ontology, MinDocs 3: entropy lower than its maximum by 36 % on average (21 to 44 %)"},
		{"table 2", "DBSCAN by keywords, MinDocs 1: lower by 49 % on average (31 to 82 %)"},
		{"table 3", "COBWEB by concepts: lower by 52 % on average (35 to 64 %)"},
	}
	figureClaims = []claim{
		{"figure 5, target", "weightedTargetKeywords: 75 % of 7 words on topic (83 % of 3, 48 % of 15)"},
		{"figure 5, target and group", "weightedTargetKeywords better than weightedGroupKeywords (75 % and 61 % of 7 words)"},
		{"figure 6", "20 in-links instead of 100 cost less than 10 points (77 to 70 %)"},
	}
)

// printed are the rows of tables 1 to 3 of [THESUS] §6.3: pages in clusters, their categories, clusters, and the decrease of entropy.
var printed = [3][]struct {
	pages, categories, clusters int
	decrease                    float64
}{
	{{115, 23, 8, .29}, {24, 11, 3, .38}, {74, 22, 8, .43}, {16, 7, 2, .44}, {132, 27, 6, .21}, {10, 5, 2, .33}, {71, 23, 7, .42}},
	{{18, 8, 7, .82}, {31, 13, 4, .40}, {17, 12, 4, .45}, {48, 20, 6, .31}},
	{{25, 2, 7, .63}, {37, 3, 6, .43}, {55, 4, 12, .64}, {78, 5, 7, .35}, {100, 10, 33, .42}, {160, 24, 56, .59}, {244, 26, 85, .58}},
}

var average = [3]float64{.36, .49, .52} // of the decrease, as printed

// clustered are the shares of pages in clusters at which DBSCAN is judged, near the largest and the smallest of each table; grown are
// the pages and categories of table 3, as far as the sample has them.
var (
	clustered = [2][]float64{{115. / 400, 24. / 400}, {48. / 295, 18. / 396}}
	grown     = [][2]int{{25, 2}, {37, 3}, {55, 4}, {78, 5}, {100, 10}, {160, 12}, {244, 12}}
)

const (
	draws       = 200 // of clusters by chance
	depthCOBWEB = 3   // at which a tree is cut, see cobweb.Default
	depthTree   = 5   // levels of the ontology below entity
	samplePages = 400
	categories  = 12
)

// expected is the mean decrease when so many pages, of equally large categories, fall into so many clusters by chance.
func expected(pages, categories, clusters int, rng *rand.Rand) (decrease float64) {
	cluster, category := make([]int, pages), make([]int, pages)
	for range draws {
		for i := range cluster {
			cluster[i], category[i] = i, i%categories
			if i >= clusters { // each cluster has a page
				cluster[i] = rng.IntN(clusters)
			}
		}
		rng.Shuffle(pages, func(i, j int) { category[i], category[j] = category[j], category[i] })
		decrease += agree(cluster, category).Decrease / draws
	}
	return decrease
}

// thesus measures [THESUS] §6.2 and §6.3.
func (s *study) thesus(ctx context.Context) (section, error) {
	sec := section{
		Title: "[THESUS] Groups by what links say",
		Source: "Varlamis, Vazirgiannis, Halkidi, Nguyen 2004. Printed on: 481 pages of music styles from a web directory with an ontology of 177 terms made by hand; for the figures, " +
			"30 topics of a directory, judged by the words of the topic's description.",
	}
	if why := s.lacks("wikispeedia/articles.warc.gz", "wikispeedia/labels.tsv"); why != "" {
		return sec.cannot(why, append(append(slices.Clone(tableClaims), kindClaim), figureClaims...)...), nil
	}
	net := places.New(places.Options{Dir: os.TempDir()}).Net()
	l, err := s.linkedOf(ctx, net, "wikispeedia/articles.warc.gz", "wikispeedia/labels.tsv")
	if err != nil {
		return sec, err
	}
	s.tell("read the words of links")
	if net == nil {
		sec = sec.cannot("WordNet is not installed (Debian's wordnet-base, or WNSEARCHDIR)", tableClaims...)
	} else if err := s.tables(ctx, l, net, &sec); err != nil {
		return sec, err
	}
	if err := s.kindTable(ctx, net, &sec); err != nil {
		return sec, err
	}
	l.figures(&sec)
	s.tell("described categories by words")
	sec.Note = fmt.Sprintf("Pages here are articles of Wikispeedia that have one category, %d from the %d largest; the ontology is the top %d levels of WordNet below *entity*, which knows nothing of the "+
		"categories. *Chance* keeps the number and sizes of the clusters and puts the same pages into them at random, %d times: small clusters have a low entropy whatever they hold. "+
		"The column *chance, printed* does the same with the paper's numbers of pages, categories and clusters, with categories of equal size. A table is *reached* when its decrease is larger than that "+
		"by chance, beyond chance, and at least the printed one. The rows shown here are of the first sample. "+
		"*Kinds of pages* are classes of WebKB, categories of Wikispeedia, and folders of manuals. The grouping was chosen on the webs that say so, and judged on the others.", samplePages, categories, depthTree, draws)
	return sec, nil
}

// described are pages by one kind of description.
type described struct {
	sets  []conceptset.Set
	alike conceptset.Func
	above func(int) []int
}

// tables measures tables 1 to 3.
func (s *study) tables(ctx context.Context, l *linked, net *wordnet.Net, sec *section) error {
	root, ok := net.ByName("entity.n.01")
	if !ok {
		return fmt.Errorf("this WordNet has no entity.n.01")
	}
	tree, err := ontologies.Hyponyms(net, root, depthTree)
	if err != nil {
		return err
	}
	table := devtool.Table{Title: "Tables 1 to 3, each with its chance row", Rows: [][]string{{"", "pages in clusters", "categories", "clusters", "entropy", "maximum", "decrease", "chance", "purity", "chance", "ARI", "chance", "so good by chance"}}}
	var ours, by [3][]float64
	samples := s.pick(5, 2)
	for k := range samples {
		pages, category := l.sample(rand.New(rand.NewPCG(uint64(k)+1, 71)))
		terms, words, err := describe(l, pages, net, tree)
		if err != nil {
			return err
		}
		for which, d := range []described{terms, words, terms} {
			found, err := d.cluster(ctx, which, category, uint64(k))
			if err != nil {
				return err
			}
			for _, f := range found {
				rng := rand.New(rand.NewPCG(uint64(k)+1, 74))
				a := agree(f.cluster, category)
				c, asGood := chance(f.cluster, category, draws, rng)
				ours[which], by[which] = append(ours[which], a.Decrease), append(by[which], c.Decrease)
				if k == 0 {
					table.Add(fmt.Sprintf("table %d, here%s", which+1, f.name), a.Pages, a.Categories, a.Clusters, fmt.Sprintf("%.2f", a.Entropy), fmt.Sprintf("%.2f", a.Most), share100(a.Decrease),
						share100(c.Decrease), share100(a.Purity), share100(c.Purity), fmt.Sprintf("%.2f", a.ARI), fmt.Sprintf("%.2f", c.ARI), fmt.Sprintf("%.2f", asGood))
				}
			}
		}
		s.tell("grouped sample %d of %d", k+1, samples)
	}
	paper := devtool.Table{Title: "The printed rows, and what chance gives with their numbers", Rows: [][]string{{"", "pages in clusters", "categories", "clusters", "decrease", "chance, printed"}}}
	for which, rows := range printed {
		lucky := 0.0
		for _, r := range rows {
			luck := expected(r.pages, r.categories, r.clusters, rand.New(rand.NewPCG(1, 75)))
			lucky += luck / float64(len(rows))
			paper.Add(fmt.Sprintf("table %d", which+1), r.pages, r.categories, r.clusters, share100(r.decrease), share100(luck))
		}
		f, more := measure.Mean(ours[which], nil).Within(0, 1), measure.Difference(ours[which], by[which], nil)
		verdict := missed
		if more.Low > 0 {
			verdict = level(f, average[which])
		}
		sec.add(tableClaims[which], fmt.Sprintf("%s lower; chance %s, ahead of it by %s; chance with the printed numbers %s", percent(f), share100(sum(by[which])/float64(len(by[which]))), signed(more), share100(lucky)),
			fmt.Sprintf("Wikispeedia, %d samples of %d articles; n %d groupings", samples, samplePages, f.N), verdict)
	}
	sec.Tables = append(sec.Tables, table, paper)
	return nil
}

func share100(x float64) string { return fmt.Sprintf("%.0f %%", 100*x) }

// describe describes pages by terms of an ontology, and by the senses of their keywords.
func describe(l *linked, pages []int, net *wordnet.Net, tree *ontology.Tree) (terms, words described, err error) {
	of, _ := senses.NewTerms(tree, net)
	d := senses.Describer{Net: net, Ontology: of}
	terms = described{alike: tree.Similarity, above: tree.Above}
	words = described{alike: func(a, b int) float64 { return net.Similarity(wordnet.Sense(a), wordnet.Sense(b)) }}
	for _, p := range pages {
		said := d.Describe(l.keywords(p))
		var t, w []conceptset.Concept
		for _, one := range said.Terms {
			t = append(t, conceptset.Concept{ID: one.Term, Weight: one.Weight})
		}
		for _, one := range said.Concepts() {
			w = append(w, conceptset.Concept{ID: int(one.Sense), Weight: one.Weight})
		}
		for _, to := range []struct {
			into *[]conceptset.Set
			from []conceptset.Concept
		}{{&terms.sets, t}, {&words.sets, w}} {
			set, err := conceptset.New(to.from)
			if err != nil {
				return terms, words, err
			}
			*to.into = append(*to.into, set)
		}
	}
	return terms, words, nil
}

// grouping is the cluster of each page, below 0 for none.
type grouping struct {
	name    string
	cluster []int
}

// cluster groups pages as table 1, 2 or 3 does.
func (d *described) cluster(ctx context.Context, table int, category []int, seed uint64) ([]grouping, error) {
	if table == 2 {
		return d.trees(ctx, category, seed)
	}
	pairs, err := conceptset.AllPairs(ctx, d.sets, d.alike, nil)
	if err != nil {
		return nil, err
	}
	levels, err := dbscan.Hierarchy(ctx, len(d.sets), pairs.Near, dbscan.MinSims(), []int{3, 1}[table], nil)
	if err != nil {
		return nil, err
	}
	var all []grouping
	for _, share := range clustered[table] {
		off := func(l dbscan.Level) float64 { return math.Abs(float64(l.Grouped())/float64(len(d.sets)) - share) }
		best := slices.MinFunc(levels, func(a, b dbscan.Level) int { return int(1e6 * (off(a) - off(b))) })
		all = append(all, grouping{fmt.Sprintf(", MinSim %.2f", best.MinSim), best.Cluster})
	}
	return all, nil
}

// trees groups more and more pages by COBWEB. A page that is alone is a cluster, as the printed numbers of clusters suggest.
func (d *described) trees(ctx context.Context, category []int, seed uint64) ([]grouping, error) {
	objects := make([]conceptset.Set, len(d.sets))
	for i, set := range d.sets {
		objects[i] = cobweb.Describe(set, d.above, d.alike)
	}
	var all []grouping
	for _, size := range grown {
		some, n := make([]conceptset.Set, len(objects)), 0
		for i := range objects {
			if category[i] < size[1] && n < size[0] && len(objects[i]) > 0 {
				some[i] = objects[i]
				n++
			}
		}
		tree, err := cobweb.Build(ctx, some, seed, nil)
		if err != nil {
			return nil, err
		}
		levels := tree.Levels(len(some), depthCOBWEB) // the deepest first
		if len(levels) == 0 {
			continue
		}
		g := grouping{"", slices.Clone(levels[0].Cluster)}
		next := len(levels[0].Sizes)
		for i, c := range g.cluster {
			if c == cobweb.Outside && len(some[i]) > 0 {
				g.cluster[i] = next
				next++
			}
		}
		all = append(all, g)
	}
	return all, nil
}
