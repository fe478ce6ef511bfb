package explore

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"nightjar/model/ontology"
	"nightjar/model/wordnet"
)

// benchNet is the WordNet in $WNSEARCHDIR, or the small one without it.
func benchNet(b *testing.B) *wordnet.Net {
	dir := os.Getenv("WNSEARCHDIR")
	if dir == "" {
		return tiny()
	}
	files := wordnet.Files{}
	for _, name := range wordnet.Names() {
		f, err := os.Open(filepath.Join(dir, name))
		if err != nil {
			b.Fatal(err)
		}
		defer f.Close()
		files[name] = f
	}
	return must(wordnet.Read(files))(b)
}

// vocabulary draws topics of words that are near each other in a WordNet, and words of no topic.
func vocabulary(net *wordnet.Net, r *rand.Rand) (topics [][]string, others []string) {
	word := func(s wordnet.Sense) string { return net.Words(s)[0] }
	for len(topics) < 60 {
		at := wordnet.Sense(r.IntN(net.Len()))
		if up := net.Hypernyms(at); len(up) > 0 {
			at = up[0]
		}
		var words []string
		for todo := []wordnet.Sense{at}; len(todo) > 0 && len(words) < 25; todo = todo[1:] {
			if w := word(todo[0]); !strings.ContainsAny(w, "_ ") {
				words = append(words, w)
			}
			todo = append(todo, net.Hyponyms(todo[0])...)
		}
		if len(words) > 4 || net.Len() < 100 && len(words) > 0 {
			topics = append(topics, words)
		}
	}
	for len(others) < 6000 {
		if w := word(wordnet.Sense(r.IntN(net.Len()))); !strings.ContainsAny(w, "_ ") {
			others = append(others, w)
		}
	}
	return topics, others
}

// drawn is links to n pages, each of a topic, with 2 to 12 sources of five words each.
func drawn(n int, topics [][]string, others []string, r *rand.Rand) (all []say) {
	for p := range n {
		topic := topics[r.IntN(len(topics))]
		own := []string{others[r.IntN(len(others))], others[r.IntN(len(others))], others[r.IntN(len(others))]}
		for s := range 2 + r.IntN(11) {
			words := map[string]bool{}
			for range 5 {
				w := own[r.IntN(len(own))]
				if r.Float64() < .7 {
					w = topic[r.IntN(len(topic))]
				}
				words[w] = true
			}
			text := ""
			for w := range words {
				text += w + " "
			}
			all = append(all, say{fmt.Sprintf("http://s%d.test/%d", s, r.IntN(2000)), fmt.Sprintf("http://p%d.test/", p), text})
		}
	}
	return all
}

// BenchmarkGroup makes groups of 4,000 pages and asks them. With WNSEARCHDIR it uses a real WordNet.
func BenchmarkGroup(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 2))
	net := benchNet(b)
	topics, others := vocabulary(net, r)
	for _, n := range []int{4000, 12000} {
		w := newWorld(b, drawn(n, topics, others, r))
		w.net.set(net)
		w.shelf.trees[musicID] = benchTree(b, topics)
		for _, c := range []struct {
			name string
			r    Request
			net  *wordnet.Net
		}{
			{"terms", Request{Ontology: musicID}, net}, {"senses", Request{}, net}, {"words", Request{}, nil},
			{"cobweb", Request{Ontology: musicID, Options: GroupingOptions{Cobweb: true}}, net},
		} {
			b.Run(fmt.Sprintf("%s-%d", c.name, n), func(b *testing.B) {
				w.net.set(c.net)
				for b.Loop() {
					measure(b, w, c.r)
				}
			})
		}
	}
}

// measure makes one grouping, and reports what takes how long.
func measure(b *testing.B, w *world, r Request) {
	m := w.bare()
	g := must(m.Group(b.Context(), r))(b)
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	most := make(chan uint64, 1)
	end := make(chan bool)
	go func() {
		var peak uint64
		for {
			select {
			case <-end:
				most <- peak
				return
			case <-time.After(20 * time.Millisecond):
				var s runtime.MemStats
				runtime.ReadMemStats(&s)
				peak = max(peak, s.HeapAlloc)
			}
		}
	}()
	last, began := "", time.Now()
	news, stop := m.Bus.Listen()
	go func() {
		for n := range news {
			if p, ok := n.Data.(Progress); ok && p.Step != last {
				if last != "" {
					b.Logf("%-20s %v", last, time.Since(began).Round(time.Millisecond))
				}
				last, began = p.Step, time.Now()
			}
		}
	}()
	if err := m.work(b.Context(), g); err != nil {
		b.Fatal(err)
	}
	stop()
	close(end)
	runtime.ReadMemStats(&after)
	b.ReportMetric(float64(<-most-min(before.HeapAlloc, 1))/1e6, "MB-peak")
	start := time.Now()
	v := must(m.View(b.Context(), g.ID))(b)
	b.ReportMetric(float64(time.Since(start).Milliseconds()), "ms-view")
	for _, name := range []string{"ms-ask-first", "ms-ask"} {
		start = time.Now()
		must(m.Ask(b.Context(), g.ID, v.Levels[v.Default].Clusters[0].Label+" music dog"))(b)
		b.ReportMetric(float64(time.Since(start).Milliseconds()), name)
	}
	l := v.Levels[v.Default]
	b.Logf("%d pages, %d with concepts, %d clusters of %d pages at %.2f or depth %d: %s", len(v.Pages), conceptsOf(v), len(l.Clusters), l.Grouped, l.MinSim, l.Depth, v.Warnings)
}

func conceptsOf(v *View) (n int) {
	for _, p := range v.Pages {
		if len(p.Concepts) > 0 {
			n++
		}
	}
	return n
}

// benchTree is an ontology of the words of topics.
func benchTree(b *testing.B, topics [][]string) *ontology.Tree {
	items := []ontology.Item{{Key: "all", Labels: []string{"everything"}}}
	for i, topic := range topics {
		key := fmt.Sprintf("t%d", i)
		items = append(items, ontology.Item{Key: key, Labels: []string{topic[0]}, Parents: []string{"all"}})
		for j, w := range topic[1:] {
			up := key
			if j > 3 {
				up = fmt.Sprintf("%s-%d", key, j%4)
			}
			items = append(items, ontology.Item{Key: fmt.Sprintf("%s-%d", key, j), Labels: []string{w}, Parents: []string{up}})
		}
	}
	tree, _, err := ontology.Build(items)
	if err != nil {
		b.Fatal(err)
	}
	return tree
}
