package harvest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"nightjar/crawler/warc"
	"nightjar/daemon/lab/corpus"
	"nightjar/daemon/lab/verb"
	"nightjar/model/measure"
)

// subjects have words of their own; those of the first are courses.
var subjects = [][]string{
	strings.Fields("lecture homework exam assignment syllabus midterm grading textbook"), strings.Fields("tulip compost shovel soil seed greenhouse rose plant"),
	strings.Fields("hockey puck goalie rink stick skate referee league"), strings.Fields("oven flour sugar dough vanilla butter cream bake"),
}

// madeUp records 480 pages on each of some sites, whose links lead to 12 pages of the same subject and to 6 of any, and writes
// the labels of the courses, which are every 40th page.
func madeUp(t *testing.T, dir, folder string, names ...string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Join(dir, folder), 0o755); err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(1, 47))
	for _, name := range names {
		var out, labels bytes.Buffer
		w := warc.NewWriter(&out)
		url := func(i int) string { return fmt.Sprintf("http://%s.test/%d", name, i) }
		for i := range 480 {
			body := fmt.Sprintf("<title>Page %d of %s</title><p>", i, name)
			for range 30 {
				body += subjects[i%4][rng.IntN(8)] + " "
			}
			for k := range 18 {
				to := rng.IntN(480)
				if k < 12 {
					to += i%4 - to%4
				}
				body += fmt.Sprintf("<a href=%q>page</a> ", url(to))
			}
			if i%40 == 0 {
				fmt.Fprintf(&labels, "%s\tcourse\n", url(i))
			}
			if err := w.Response(url(i), corpus.Epoch, http.StatusOK, http.Header{"Content-Type": {"text/html"}}, []byte(body)); err != nil {
				t.Fatal(err)
			}
		}
		for ending, data := range map[string][]byte{".warc.gz": out.Bytes(), ".labels.tsv": labels.Bytes()} {
			if err := os.WriteFile(filepath.Join(dir, folder, name+ending), data, 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// TestRun: on a made-up web where pages link to pages of their subject, the classifier's order is better than breadth-first,
// and measuring again gives the same.
func TestRun(t *testing.T) {
	dir := t.TempDir()
	madeUp(t, dir, "wikispeedia", "articles")
	madeUp(t, dir, "webkb", universities...)
	again := func(more ...string) (r result) {
		args := append([]string{"--corpora", dir, "--documents", "4", "--draws", "1", "--pages", "150", "--json"}, more...)
		code, stdout, stderr := verb.Call(t.Context(), Command, nil, args...)
		if code != 0 {
			t.Fatal(stderr)
		}
		if err := json.Unmarshal([]byte(stdout), &r); err != nil {
			t.Fatal(err)
		}
		return r
	}
	r := again()
	if len(r.Groups) != 2 || len(r.Groups[0].Trials) != 4 || len(r.Groups[1].Trials) != 3 {
		t.Fatalf("%+v", r)
	}
	for _, g := range r.Groups {
		for _, one := range g.Trials {
			if one.References < 9 || one.Starts < 5 || len(one.Harvest) != len(contenders) {
				t.Errorf("%s: %d references, %d starts, %d crawls", one.Topic, one.References, one.Starts, len(one.Harvest))
			}
			for i, h := range one.Harvest {
				if len(h) != 150 || slices.Min(h) < 0 || slices.Max(h) > 1 {
					t.Errorf("%s: crawl %d of %d pages has a harvest of %v", one.Topic, i, len(h), h)
				}
			}
		}
		best, _ := measure.MeanError(g.at(0, 150))
		base, _ := measure.MeanError(g.at(len(contenders)-1, 150))
		if p := measure.PairedT(g.at(0, 150), g.at(len(contenders)-1, 150)); best < base+.05 || p > .05 {
			t.Errorf("%s: harvest %v, breadth-first %v, p %v", g.Name, best, base, p)
		}
	}
	first, _ := json.Marshal(r.Groups[:1])
	if second, _ := json.Marshal(again("--only", wikispeedia).Groups); !bytes.Equal(first, second) {
		t.Error("measured again, the numbers differ")
	}
}

// TestTopics: the document itself is no start page, its negatives are references of others, and a crawl's classifier learns
// from half of the references.
func TestTopics(t *testing.T) {
	dir := t.TempDir()
	madeUp(t, dir, "wikispeedia", "articles")
	all, err := documents(t.Context(), &options{Corpora: dir, Documents: 4, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	w := all[0].web
	defer w.replay.Close()
	for i, one := range all {
		d := slices.Index(w.titles, one.name)
		var pool []int
		for k, other := range all {
			if k != i {
				pool = append(pool, other.references...)
			}
		}
		switch {
		case slices.Contains(one.starts, d) || slices.Contains(one.references, d):
			t.Errorf("%s is a start page or reference of its own", one.name)
		case !subset(one.references, w.links[d]) || len(one.references) != len(w.links[d]):
			t.Errorf("%s: references %v, links %v", one.name, one.references, w.links[d])
		case len(one.known) != (len(one.references)+1)/2 || !subset(one.known, one.references) || !subset(one.known, one.starts):
			t.Errorf("%s: %v of %v are known", one.name, one.known, one.references)
		case !subset(one.negatives, pool) || slices.ContainsFunc(one.negatives, func(p int) bool { return slices.Contains(one.references, p) }):
			t.Errorf("%s: negatives %v", one.name, one.negatives)
		}
		for _, p := range one.starts[len(one.known):] {
			if !slices.ContainsFunc(one.known, func(k int) bool { return slices.Contains(w.links[p], k) }) {
				t.Errorf("%s: start page %d leads to no reference", one.name, p)
			}
		}
	}
}

func TestMissingCorpus(t *testing.T) {
	for _, group := range []string{wikispeedia, webkb} {
		code, _, said := verb.Call(t.Context(), Command, nil, "--corpora", t.TempDir(), "--only", group)
		if code != 1 || !strings.Contains(said, group) {
			t.Errorf("%s: exit code %d, %s", group, code, said)
		}
	}
}
