package groups

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"nightjar/crawler/warc"
	"nightjar/daemon/command"
	"nightjar/daemon/lab/corpus"
	"nightjar/daemon/lab/devtool"
	"nightjar/daemon/lab/verb"
)

// tiny is a made-up WordNet.
const tiny = "../../../../model/wordnet/testdata/tiny"

// each is how many pages of a category there are.
const each = 13

// topics are the categories of the made-up web: the word that links use for the first seven pages, and that for the others.
// Of the first two categories these are two words of one sense.
var topics = []struct{ name, first, rest string }{{"animals", "hound", "dog"}, {"tools", "tool", "instrument"}, {"weather", "weather", "weather"}}

// madeUp records three pages that link to all others, thirteen pages of each topic, and thirteen of two categories: links name
// most of these by kennel, leash and collar, and three of them very often by a name.
func madeUp(t *testing.T, dir string) {
	t.Helper()
	folder := filepath.Join(dir, "wikispeedia")
	if err := os.MkdirAll(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	var out, labels bytes.Buffer
	w := warc.NewWriter(&out)
	put := func(name, body string) {
		if err := w.Response("http://web.test/"+name, corpus.Epoch, http.StatusOK, http.Header{"Content-Type": {"text/html"}}, []byte(body)); err != nil {
			t.Fatal(err)
		}
	}
	var list strings.Builder
	say := func(name, words string) { fmt.Fprintf(&list, "<li><a href=\"/%s\">%s</a></li>", name, words) }
	for k := range each {
		title := fmt.Sprintf("q%cx", 'a'+k) // with the topic, a word of its own
		for _, topic := range topics {
			name := fmt.Sprintf("%s%d", topic.name, k)
			put(name, fmt.Sprintf("<title>%s%s</title><p>%s %s of the %s</p>", title, topic.name, topic.first, topic.rest, topic.name))
			fmt.Fprintf(&labels, "http://web.test/%s\tsubject.%s\n", name, topic.name)
			if k < 7 {
				say(name, topic.first)
			} else {
				say(name, topic.rest)
			}
		}
		name := fmt.Sprintf("dogs%d", k)
		put(name, fmt.Sprintf("<title>%sdogs</title><p>kennel leash collar</p>", title))
		fmt.Fprintf(&labels, "http://web.test/%s\tsubject.dogs\nhttp://web.test/%[1]s\tsubject.pets\n", name)
		say(name, strings.Join(strings.Fields("kennel leash collar")[:min(3, each-k)], " "))
	}
	for k, name := range []string{"fido", "rexx", "lassie"} {
		for range 20 {
			say(fmt.Sprintf("dogs%d", k), name)
		}
	}
	for _, name := range []string{"one", "two", "three"} {
		put(name, "<title>"+name+"</title><ul>"+list.String()+"</ul>")
	}
	for name, data := range map[string][]byte{"articles.warc.gz": out.Bytes(), "labels.tsv": labels.Bytes()} {
		if err := os.WriteFile(filepath.Join(folder, name), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// measureMadeUp measures the made-up web, and reads what is printed as JSON.
func measureMadeUp(t *testing.T) (r result) {
	t.Helper()
	dir := t.TempDir()
	madeUp(t, dir)
	o, args := &options{}, []string{"--corpora", dir, "--wordnet", tiny, "--depth", "1", "--general-depth", "3", "--orders", "2", "--all", "10", "--json"}
	if _, err := command.Parse("groups", args, o.Define); err != nil {
		t.Fatal(err)
	}
	o.Root = "thing.n.01"
	o.Subjects = []subject{{Label: "subject.animals", Head: "hound.n.01"}, {Label: "subject.tools", Head: "tool.n.01"}, {Label: "subject.weather", Head: "event.n.01", Below: []string{"weather.n.01"}}}
	var out bytes.Buffer
	if err := o.Run(t.Context(), &command.Env{Stdout: &out, Stderr: io.Discard, Args: args}, nil); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(out.Bytes(), &r); err != nil {
		t.Fatal(err)
	}
	return r
}

// near reports whether two numbers are equal up to rounding.
func near(a, b float64) bool { return math.Abs(a-b) < 1e-9 }

// TestRun: all figures of the made-up web, worked by hand.
func TestRun(t *testing.T) {
	r := measureMadeUp(t)
	if r.Pages != 4*each+3 || r.Links != 3*(4*each+60) || r.Words != 5+6 {
		t.Errorf("%d pages, %d links, %d words", r.Pages, r.Links, r.Words)
	}
	checkAreas(t, r.Clusters)
	checkClusters(t, r.Clusters)
	checkOperators(t, r.Operators)
	// A page has one link for each address, so that no name occurs often.
	if a := r.Anchors; len(a.Sets) != 5 || !near(a.Words[0].Target, 1) || !near(a.Words[0].Group, 1) {
		t.Errorf("by anchors alone: %+v", a)
	}
	if r.Times.Pages != 10 || r.Times.Pairs != 45 || len(r.Times.Steps) != 5 || !near(r.Times.Exact, 1) {
		t.Errorf("%+v", r.Times)
	}
	var text bytes.Buffer
	if err := devtool.WriteText(&text, r.Command, r.tables()); err != nil || strings.Count(text.String(), "\n\n") != len(r.tables()) {
		t.Errorf("%v\n%s", err, &text)
	}
	for _, want := range []string{"--depth 1 --general-depth 3 --orders 2 --all 10", "paper", "100 %", "(fido)"} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("the tables lack %q:\n%s", want, &text)
		}
	}
}

// checkAreas: pages of a topic have one sense and one text, but in two of the three topics two words.
func checkAreas(t *testing.T, c *compared) {
	t.Helper()
	pairs := func(n int) float64 { return float64(n*(n-1)) / 2 }
	equal := 2*(pairs(7)+pairs(each-7)) + pairs(each)
	words := (equal + (3*pairs(each)-equal)/2) / (3 * pairs(each)) // pairs without an equal word tie with those of two topics
	want := map[string]float64{concepts: 1, general: 1, keywords: 1, more: 1, anchors: 1, exact: words, allWords: words, wordTFIDF: words, fullText: 1, titleOnly: .5}
	if len(c.Area) != len(want) {
		t.Errorf("%d manners, want %d", len(c.Area), len(want))
	}
	for _, m := range c.Area {
		if !near(m.Area.Value, want[m.Manner]) || !near(m.More.Value, want[m.Manner]-words) || m.Area.Low > m.Area.Value || m.Area.High < m.Area.Value || c.Has[m.Manner] != 3*each {
			t.Errorf("%s: %+v, want %.3f; %d pages described", m.Manner, m, want[m.Manner], c.Has[m.Manner])
		}
	}
}

// checkClusters: DBSCAN and COBWEB find the topics by their senses. At MinSim .50 DBSCAN does not tell the terms hound and tool
// apart, which have only the root above them: 2·1/(2+2).
func checkClusters(t *testing.T, c *compared) {
	t.Helper()
	for _, found := range c.DBSCAN {
		if found.Manner != keywords && found.Manner != concepts {
			continue
		}
		for _, l := range found.Levels {
			entropy, decrease, clusters := 0.0, 1.0, 3
			if found.Manner == concepts && l.MinSim == .5 { // the third topic's term is one level deeper: 2·1/(2+3)
				entropy, clusters = math.Log10(2)*2/3, 2
				decrease = 1 - entropy/math.Log10(3)
			}
			if l.Pages != 3*each || l.Clusters != clusters || !near(l.Entropy, entropy) || !near(l.Decrease, decrease) || (clusters == 3) != near(l.NMI, 1) {
				t.Errorf("%s, MinDocs %d: %+v", found.Manner, found.MinDocs, l)
			}
		}
	}
	for _, row := range slices.Concat(c.COBWEB, c.Growing) {
		if row.Manner != keywords && row.Manner != concepts || row.Depth == 1 {
			continue // two topics may share a node above their own
		}
		if !near(row.Clusters, float64(row.Categories)) || !near(row.Decrease, 1) || !near(row.NMI, 1) || !near(row.ARI, 1) || !near(row.Clustered, 1) {
			t.Errorf("COBWEB: %+v", row)
		}
	}
	sizes := func(rows []conceptual) (all [][2]int) {
		for _, row := range rows {
			all = append(all, [2]int{row.Pages, row.Categories})
		}
		return slices.Compact(all)
	}
	if got := sizes(c.Growing); !slices.Equal(got, [][2]int{{25, 2}, {37, 3}}) {
		t.Errorf("COBWEB on more and more pages: %v", got)
	}
}

// checkOperators: three topics have no words that are off topic. Dogs and pets have three, the names, which come first by
// occurrences and last by pages.
func checkOperators(t *testing.T, o *operated) {
	t.Helper()
	if len(o.Sets) != 5 || strings.Join(o.Sets[1].Target, " ") != "kennel leash collar (fido) (lassie) (rexx)" || strings.Join(o.Sets[1].Group, " ") != "(fido) (lassie) (rexx) kennel leash collar" {
		t.Fatalf("%+v", o.Sets)
	}
	for _, c := range []struct {
		got                         versus
		words, inlinks              int
		target, group, above, equal float64
	}{
		{o.Words[0], 3, 100, 1, .6, 2, 3},
		{o.Words[1], 5, 100, (3 + 2*.6) / 5, (3 + 2*.4) / 5, 2, 3},
		{o.Words[2], 7, 100, .8, .8, 0, 5},
		{o.Inlinks[4], 7, 10, .8, .8, 0, 5},
		{o.Rules[1].Words[0], 3, 100, 1, .6, 2, 3},
		{o.One[0], 3, 100, 0, .4, 0, 3},
		{o.One[2], 7, 100, .2, .2, 0, 5},
	} {
		v := c.got
		if v.Words != c.words || v.Inlinks != c.inlinks || !near(v.Target, c.target) || !near(v.Group, c.group) || v.Above != int(c.above) || v.Equal != int(c.equal) ||
			!near(v.More.Value, c.target-c.group) || v.More.N != 5 {
			t.Errorf("%+v, want %+v", v, c)
		}
	}
}

// TestArea: as often as a pair of one category is the more similar one, in all pairs of pairs, ties counting half.
func TestArea(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for range 50 {
		n := 4 + rng.IntN(8)
		category, times, score := make([]int, n), make([]float64, n), map[[2]int]float64{}
		for i := range n {
			category[i], times[i] = rng.IntN(3), float64(rng.IntN(3))
			for j := range i {
				score[[2]int{i, j}] = float64(rng.IntN(5))
			}
		}
		pairs := pairsOf(category, func(i, j int) float64 { return score[[2]int{max(i, j), min(i, j)}] })
		won, all := 0.0, 0.0
		for a, sa := range score {
			for b, sb := range score {
				if category[a[0]] != category[a[1]] || category[b[0]] == category[b[1]] {
					continue
				}
				weight := times[a[0]] * times[a[1]] * times[b[0]] * times[b[1]]
				all += weight
				if sa > sb {
					won += weight
				} else if sa == sb {
					won += weight / 2
				}
			}
		}
		want := .5
		if all > 0 {
			want = won / all
		}
		if got := area(pairs, times); !near(got, want) {
			t.Fatalf("%v %v: %g, want %g", category, times, got, want)
		}
	}
}

// TestAtLeast against all ways to draw.
func TestAtLeast(t *testing.T) {
	for _, c := range [][4]int{{2, 3, 4, 8}, {0, 3, 4, 8}, {1, 1, 2, 5}, {3, 3, 3, 6}, {4, 5, 5, 9}} {
		k, all, n, pages := c[0], c[1], c[2], c[3]
		hits, draws := 0, 0
		for set := range 1 << pages {
			size, with := 0, 0
			for i := range pages {
				if set>>i&1 == 1 {
					size++
					if i < all { // the first pages have the word
						with++
					}
				}
			}
			if size == n {
				draws++
				if with >= k {
					hits++
				}
			}
		}
		if got, want := atLeast(k, all, n, pages), float64(hits)/float64(draws); !near(got, want) {
			t.Errorf("%v: %g, want %g", c, got, want)
		}
	}
}

// TestPublished: the paper's decreases are those of its entropies, up to the rounding of both.
func TestPublished(t *testing.T) {
	for k, table := range [][]found{table1, table2, table3} {
		mean := 0.0
		for _, f := range table {
			if d := 1 - f.entropy/math.Log10(float64(f.categories)); math.Abs(d-f.decrease) > .025 {
				t.Errorf("table %d, %+v: decrease %.3f", k+1, f, d)
			}
			mean += f.decrease / float64(len(table))
		}
		if want := []float64{average1, average2, average3}[k]; math.Abs(mean-want) > .01 {
			t.Errorf("table %d: average %.3f, want %.2f", k+1, mean, want)
		}
	}
}

// TestWordNetMissing: it says what to install, or which file is missing.
func TestWordNetMissing(t *testing.T) {
	if !strings.Contains(errNoWordNet.Error(), "apt-get download wordnet-base") {
		t.Error(errNoWordNet)
	}
	if _, err := openWordNet(t.TempDir()); err == nil || !strings.Contains(err.Error(), "data.noun") {
		t.Errorf("an empty folder: %v", err)
	}
	t.Setenv("NIGHTJAR_WORDNET", tiny)
	if d, err := openWordNet(""); err != nil || d.base("hounds") != "hound" || d.base("qqq") != "qqq" {
		t.Errorf("by the environment: %v", err)
	}
}

// TestUsage: each wrong command line says what is wrong.
func TestUsage(t *testing.T) {
	t.Setenv("NIGHTJAR_CORPORA", "")
	for args, want := range map[string]string{
		"":                                  "--corpora is missing",
		"--corpora x --pages 1":             "--pages",
		"--corpora x --only tables":         `"tables" is none of clusters, operators, times`,
		"--corpora x --orders 0":            "--orders",
		"--corpora x --only times --report": "leave out --only",
	} {
		if code, _, said := verb.Call(t.Context(), Command, nil, strings.Fields(args)...); code != 2 || !strings.Contains(said, want) {
			t.Errorf("%q: exit code %d, %s, want %q", args, code, said, want)
		}
	}
}
