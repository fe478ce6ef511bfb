package papers

import (
	"bytes"
	"flag"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"nightjar/daemon/base/command"
	"nightjar/daemon/lab/bench"
	"nightjar/daemon/lab/bench/report"
	"nightjar/daemon/lab/devtool"
	"nightjar/model/measure"
)

var update = flag.Bool("update", false, "update the golden files")

// small is two papers, one without its recordings.
func small() *results {
	c := claim{"table 9", "50 % more"}
	one := section{Title: "[ONE] First", Source: "Printed on: a web.", Note: "A note."}
	for _, f := range []measure.Figure{{Value: .5, Low: .2, High: .7, N: 8}, {Value: .3, Low: .2, High: .4, N: 8}, {Value: -.1, Low: -.3, High: .1, N: 8}} {
		one.add(c, signed(f), "a recording, n 8", amount(f, .5))
	}
	table := devtool.Table{Title: "A table", Rows: [][]string{{"a", "b"}}}
	table.Add("x", percent(measure.Figure{Value: .25, Low: .1, High: .4}))
	one.Tables = []devtool.Table{table}
	one.Pictures = []picture{{"one.svg", "A picture", "about", "pages", "Beside figure 9.", []report.Curve{{Name: "hmm", At: [][2]float64{{1, 0}, {2, 1}}}}}}
	two := section{Title: "[TWO] Second", Source: "Printed on: another web."}.cannot("the recording two.warc.gz is missing", claim{"figure 1", "higher"})
	return &results{Quick: true, Measured: "Measured by hand.\n", Sections: []section{one, two}}
}

// TestGoldenPage: the page of fixed results.
func TestGoldenPage(t *testing.T) {
	dir := t.TempDir()
	if err := small().write(dir); err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(filepath.Join(dir, "PAPERS.md"))
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join("testdata", "PAPERS.md")
	if *update {
		if err := os.WriteFile(file, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil || !bytes.Equal(got, want) {
		t.Errorf("the page differs from %s (%v); -update writes it:\n%s", file, err, got)
	}
	if svg, err := os.ReadFile(filepath.Join(dir, "papers", "one.svg")); err != nil || !bytes.Contains(svg, []byte("A picture")) {
		t.Errorf("picture: %v", err)
	}
}

// TestEarlierPicturesGo: pictures of an earlier run that are no longer made are removed.
func TestEarlierPicturesGo(t *testing.T) {
	dir := t.TempDir()
	old := filepath.Join(dir, "papers", "old.svg")
	if err := os.MkdirAll(filepath.Dir(old), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(old, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := small().write(dir); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(old); !os.IsNotExist(err) {
		t.Errorf("the old picture: %v", err)
	}
}

// TestWithoutRecordings: each paper has all of its rows, which name what is missing.
func TestWithoutRecordings(t *testing.T) {
	dir := t.TempDir()
	o := options{Corpora: dir, Docs: dir}
	if err := o.Run(t.Context(), &command.Env{Stderr: t.Output()}, nil); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(dir, "PAPERS.md"))
	if err != nil {
		t.Fatal(err)
	}
	claims := len(hmmClaims) + len(cgsClaims) + len(crfClaims) + len(panoramaClaims) + len(tableClaims) + 1 + len(figureClaims)
	if n := strings.Count(string(text), "cannot be run here: the recording "); n != claims {
		t.Errorf("%d of %d rows say what is missing:\n%s", n, claims, text)
	}
}

// TestUnion: recall of the union of what all crawlers found, each page once.
func TestUnion(t *testing.T) {
	page := func(url string, is bool) seen { return seen{url: url, labelled: is} }
	one := &trial{task: bench.Task{Budget: 4}, runs: map[string][]seen{
		"hmm-paper": {page("a", true), page("b", false), page("c", true)}, "best-first": {page("c", true), page("d", true), page("e", true)}}}
	f := union(labelled, hmmUser, first)
	near(t, "hmm-paper", f(one, one.runs["hmm-paper"]), 2./4, 1e-12)
	near(t, "best-first", f(one, one.runs["best-first"]), 3./4, 1e-12)
	near(t, "pages found after 1, 2, 3, 4 pages", found(one, one.runs["hmm-paper"]), 1+1+2+2, 1e-12)
}

// TestAround: layers of backlinks, up to a depth, each no wider than allowed, and nothing that only the targets link to.
func TestAround(t *testing.T) {
	w := &web{links: make([][]int, 8), back: make([][]int, 8)}
	for _, l := range [][2]int{{1, 0}, {2, 0}, {3, 0}, {4, 1}, {4, 2}, {5, 4}, {0, 6}, {0, 1}} {
		w.links[l[0]], w.back[l[1]] = append(w.links[l[0]], l[1]), append(w.back[l[1]], l[0])
	}
	count := func(depth, most int) int { return len(w.around([]int{0}, depth, most, rand.New(rand.NewPCG(1, 1)))) }
	if got := []int{count(1, 9), count(2, 9), count(3, 9), count(1, 2), count(9, 9)}; got[0] != 4 || got[1] != 5 || got[2] != 6 || got[3] != 3 || got[4] != 6 {
		t.Errorf("pages around: %v", got)
	}
}
