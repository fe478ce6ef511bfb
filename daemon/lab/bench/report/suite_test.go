package report

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"nightjar/daemon/lab/bench"
	"nightjar/model"
)

// smallSuite is a suite whose report can be checked by hand: two tasks of WebKB, of which one was not looked at.
func smallSuite() *bench.SuiteResult {
	run := func(name string, shares ...float64) bench.Strategy {
		sum := 0.0
		for _, v := range shares {
			sum += v / float64(len(shares))
		}
		return bench.Strategy{Name: name, AreaVsOracle: sum, Low: slices.Min(shares), High: slices.Max(shares), PerSeed: shares, Recall: sum, Area: sum / 2,
			Similarity: 0.4, Seconds: 1.25, PeakRSS: 64e6, Recalled: [][2]float64{{100, sum / 2}, {200, sum}}, Harvest: [][2]float64{{100, sum / 4}, {200, sum / 4}},
			Similar: [][2]float64{{100, 0.5}, {200, 0.4}}}
	}
	full := run(oracle, 1, 1)
	pairs := func(a, b string, d, low, high float64) bench.Pair {
		return bench.Pair{A: a, B: b, Difference: d, Low: low, High: high}
	}
	task := func(name, corpus string) bench.Result {
		return bench.Result{Task: name, Group: "WebKB", Corpus: []string{corpus}, Relevant: "course", Budget: 400, Missing: "free",
			Seeds: []uint64{1, 2}, RelevantTotal: 35.5}
	}
	texas, cornell := task("Courses of Texas", "texas.warc.gz"), task("Courses of Cornell", "cornell.warc.gz")
	texas.LookedAt = true
	texas.Strategies = []bench.Strategy{full, run("hmm", 0.4, 0.5), run("link-value", 0.7, 0.8), run("hmm-soft", 0.6, 0.4)}
	texas.Pairs = []bench.Pair{pairs("hmm", "link-value", -0.3, -0.3, -0.3), pairs("hmm", "hmm-soft", -0.05, -0.2, 0.1), pairs("link-value", "hmm-soft", 0.25, 0.1, 0.4)}
	cornell.Strategies = []bench.Strategy{full, run("hmm", 0.6, 0.62), run("link-value", 0.5, 0.6), run("hmm-soft", 0.3, 0.2)}
	cornell.Pairs = []bench.Pair{pairs("hmm", "link-value", 0.06, 0.02, 0.1), pairs("hmm", "hmm-soft", 0.36, 0.3, 0.42), pairs("link-value", "hmm-soft", 0.3, 0.2, 0.4)}
	texas.Strategies[2].Finds = sampleFinds(40, 10, 8, 30, 27)
	cornell.Strategies[2].Finds = sampleFinds(100, 0, 0, 20, 3)
	cornell.Strategies[1].Finds = sampleFinds(100, 0, 0, 0, 0)
	costly := texas
	costly.Missing = "cost"
	costly.Strategies = []bench.Strategy{full, run("hmm", 0.2, 0.3), run("link-value", 0.3, 0.2), run("hmm-soft", 0.1, 0.1)}
	costly.Pairs = nil
	return &bench.SuiteResult{Name: "small", About: "Two tasks & no more.", Command: "lab bench --suite small.json", GoVersion: "go1.26.0", Cores: 2, Minutes: 1.5,
		LearnedFrom: []string{"Courses of Texas: walks over Cornell and Washington, 120 pages, 6 of them useful"},
		Results:     []bench.Result{texas, costly, cornell},
		Groups: []bench.GroupMean{{Group: "WebKB", Missing: "free", Tasks: 2,
			Strategies: []bench.GroupStrategy{{Name: "link-value", AreaVsOracle: 0.65, Low: 0.55, High: 0.75, Finds: sampleFinds(140, 10, 8, 50, 30)},
				{Name: "hmm", AreaVsOracle: 0.53, Low: 0.45, High: 0.61, Finds: sampleFinds(100, 0, 0, 0, 0)},
				{Name: "hmm-soft", AreaVsOracle: 0.375, Low: 0.25, High: 0.5}},
			Pairs: []bench.Pair{pairs("link-value", "hmm", 0.12, -0.08, 0.3), pairs("link-value", "hmm-soft", 0.275, 0.15, 0.4), pairs("hmm", "hmm-soft", 0.155, 0.02, 0.36)}}}}
}

// sampleFinds are those of two crawls that read pages said to be useful with 10 %, and showed some said to be so with 50 and
// 90 %, of which so many are.
func sampleFinds(read, half, halfUseful, high, highUseful int) *bench.Finds {
	low := model.Band{High: 0.2, Said: 0.1, N: read}
	shown := []model.Band{{Low: 0.4, High: 0.6, Said: 0.5, N: half}, {Low: 0.8, High: 1, Said: 0.9, N: high}}
	useful := []int{halfUseful, highUseful}
	f := &bench.Finds{Crawls: 2, InReach: 71, Shown: bench.Judged{Bands: []model.Band{}}, Read: bench.Judged{Pages: read, Bands: []model.Band{low}, Error: 0.1, Brier: 0.01}}
	for k, b := range shown {
		if b.N == 0 {
			continue
		}
		b.Useful = float64(useful[k]) / float64(b.N)
		for _, j := range []*bench.Judged{&f.Shown, &f.Read} {
			j.Pages, j.Useful, j.Bands = j.Pages+b.N, j.Useful+useful[k], append(j.Bands, b)
		}
		f.Shown.Error, f.Shown.Brier = 0.25, 0.125
	}
	if f.Shown.Pages > 0 {
		f.Precision, f.Recall = float64(f.Shown.Useful)/float64(f.Shown.Pages), float64(f.Shown.Useful)/71
	}
	return f
}

// written writes a suite's report and reads all its files, by their names under the folder.
func written(t *testing.T, s *bench.SuiteResult) map[string]string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "docs")
	if err := Suite(dir, s); err != nil {
		t.Fatal(err)
	}
	files := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		content, err := os.ReadFile(path)
		name, _ := filepath.Rel(dir, path)
		files[filepath.ToSlash(name)] = string(content)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func TestGoldenSuite(t *testing.T) {
	files := written(t, smallSuite())
	golden(t, "BENCHMARKS.md", []byte(files["BENCHMARKS.md"]))
	var names []string
	for name := range files {
		names = append(names, name)
	}
	slices.Sort(names)
	want := []string{"BENCHMARKS.md", "benchmarks/courses-of-texas.svg"}
	if !slices.Equal(names, want) {
		t.Errorf("files %v, want %v", names, want)
	}
	if again := written(t, smallSuite()); again["BENCHMARKS.md"] != files["BENCHMARKS.md"] {
		t.Error("two reports differ")
	}
}

// randomSuite is a suite of random tasks, groups and ways of counting, with the given names.
func randomSuite(rng *rand.Rand, names []string) *bench.SuiteResult {
	pick := func() string { return names[rng.IntN(len(names))] }
	s := &bench.SuiteResult{Name: pick(), About: pick(), Command: pick(), GoVersion: pick(), LearnedFrom: []string{pick()}}
	for range rng.IntN(6) {
		at := rng.IntN(len(names) - 4)
		r := sample(rng, 50+rng.IntN(600), append([]string{oracle, "hmm", "link-value"}, names[at:at+5]...)...)
		r.Task, r.Group, r.Relevant, r.Missing, r.LookedAt = pick(), pick(), pick(), []string{"free", "cost"}[rng.IntN(2)], rng.IntN(2) == 0
		for i, a := range r.Strategies {
			for _, b := range r.Strategies[:i] {
				d := a.AreaVsOracle - b.AreaVsOracle
				r.Pairs = append(r.Pairs, bench.Pair{A: a.Name, B: b.Name, Difference: d, Low: d - 0.1*rng.Float64(), High: d + 0.1*rng.Float64()})
			}
		}
		for i := range r.Strategies {
			at := &r.Strategies[i]
			at.Finds = sampleFinds(9, 2, 1, rng.IntN(2000), 0)
		}
		s.Results = append(s.Results, *r)
	}
	return s
}

var tags = regexp.MustCompile(`<[a-zA-Z/!]`)
var pictures = regexp.MustCompile(`(?m)^!\[[^\]]*\]\((.*)\)$`)

// TestSuiteOfHostileNames writes reports with names that try to be Markdown, HTML or paths: tables keep their columns,
// nothing becomes an element, a link or a file elsewhere, and every picture that is named is there.
func TestSuiteOfHostileNames(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 3))
	for range 10 {
		files := written(t, randomSuite(rng, hostile))
		page := files["BENCHMARKS.md"]
		outside := regexp.MustCompile("`[^`\n]*`").ReplaceAllString(page, "") // code is shown as it is
		outside = regexp.MustCompile(`(?m)^    .*$`).ReplaceAllString(outside, "")
		if found := tags.FindString(strings.ReplaceAll(strings.ReplaceAll(outside, "<http", ""), "<https", "")); found != "" {
			t.Errorf("an element %q", found)
		}
		if strings.Contains(outside, "](javascript") || strings.Contains(outside, "![x]") {
			t.Error("a name is a link or a picture")
		}
		checkTables(t, page)
		named := 0
		for _, m := range pictures.FindAllStringSubmatch(page, -1) {
			named++
			if _, ok := files[m[1]]; !ok || !regexp.MustCompile(`^benchmarks/[a-z0-9-]+\.svg$`).MatchString(m[1]) {
				t.Errorf("picture %q is not there", m[1])
			}
		}
		if named != len(files)-1 {
			t.Errorf("%d pictures named, %d written", named, len(files)-1)
		}
		if notNumber.MatchString(page) {
			t.Error("what is no number is in the report")
		}
	}
}

// checkTables holds every row of a table to as many cells as its head.
func checkTables(t *testing.T, page string) {
	t.Helper()
	cells := 0
	for line := range strings.SplitSeq(page, "\n") {
		if !strings.HasPrefix(line, "| ") && !strings.HasPrefix(line, "|-") {
			cells = 0
			continue
		}
		n := strings.Count(line, "|")
		if cells != 0 && n != cells {
			t.Errorf("%d cells under a head of %d: %s", n-1, cells-1, line)
		}
		cells = n
	}
}

// TestVerdictsFollowTheNumbers reads the sentence that compares the best two, over suites in which either may be best.
func TestVerdictsFollowTheNumbers(t *testing.T) {
	compared := regexp.MustCompile("`([^`]+)` reaches ([0-9.]+).*Next is `([^`]+)` with ([0-9.]+).*paired difference is \\+([0-9.]+) \\[([+−]?)[0-9.]+, .*: (.*)\\.$")
	seen := map[string]int{}
	for seed := range uint64(40) {
		rng := rand.New(rand.NewPCG(4, seed))
		r := sample(rng, 100, oracle, "hmm", "link-value", "ache")
		for i := range r.Strategies[1:] { // close to each other, so that intervals hold 0 now and then
			s := &r.Strategies[1+i]
			s.PerSeed = []float64{0.5 + 0.1*rng.Float64(), 0.5 + 0.1*rng.Float64(), 0.5 + 0.1*rng.Float64()}
			s.AreaVsOracle = (s.PerSeed[0] + s.PerSeed[1] + s.PerSeed[2]) / 3
		}
		v := newView(&bench.SuiteResult{Results: []bench.Result{*r}})
		m := compared.FindStringSubmatch(v.Short()[0])
		if m == nil {
			t.Fatalf("sentence %q", v.Short()[0])
		}
		first, _ := strconv.ParseFloat(m[2], 64)
		next, _ := strconv.ParseFloat(m[4], 64)
		if m[1] != best(r.Strategies) || fmt.Sprintf("%.2f", strategy(r, m[1]).AreaVsOracle) != m[2] || first < next {
			t.Errorf("%q; best is %s", v.Short()[0], best(r.Strategies))
		}
		want := "the interval lies above 0"
		if m[6] == "−" {
			want = "the interval holds 0, so these runs do not tell the two apart"
		}
		if m[7] != want {
			t.Errorf("%q, want the verdict %q", v.Short()[0], want)
		}
		seen[m[7]]++
	}
	if len(seen) != 2 {
		t.Errorf("verdicts %v; both should have come up", seen)
	}
}

// many is a suite of a group with two tasks, WebKB, and one with one, Wikispeedia.
func many(rng *rand.Rand) *bench.SuiteResult {
	s := &bench.SuiteResult{Name: "many"}
	for _, name := range []string{"texas", "cornell", "mammals"} {
		r := sample(rng, 120, oracle, "hmm", "link-value")
		if r.Task, r.Corpus = name, []string{name}; name != "mammals" {
			r.Group = "WebKB"
		}
		s.Results = append(s.Results, *r)
	}
	return s
}

// TestAllTasksByGroup has a column a group, not one a task, for all tasks.
func TestAllTasksByGroup(t *testing.T) {
	v := newView(many(rand.New(rand.NewPCG(6, 6))))
	groups := v.Modes()[0].Groups
	if len(groups) != 3 || !groups[0].All {
		t.Fatalf("%d groups", len(groups))
	}
	for i, want := range [][]string{{"strategy", "WebKB", "Wikispeedia", "all tasks"}, {"strategy", "mammals"}, {"strategy", "texas", "cornell", "mean"}} {
		if got := groups[i].Areas.Head; !slices.Equal(got, want) {
			t.Errorf("columns %v, want %v", got, want)
		}
	}
}

func TestRecallAt(t *testing.T) {
	s := &bench.Strategy{Recalled: [][2]float64{{10, 0.1}, {20, 0.5}, {40, 0.6}}}
	for n, want := range map[int]string{0: "0.0 %", 5: "5.0 %", 10: "10.0 %", 15: "30.0 %", 20: "50.0 %", 30: "55.0 %", 40: "60.0 %", 400: "60.0 %"} {
		if got := percent(recallAt(s, n)); got != want {
			t.Errorf("recall after %d pages is %s, want %s", n, got, want)
		}
	}
	if got := recallAt(&bench.Strategy{}, 10); got != 0 {
		t.Errorf("recall of nothing is %v", got)
	}
}

func TestSuiteSaysWhereItCannotWrite(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "benchmarks"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := Suite(dir, smallSuite()); err == nil || !strings.Contains(err.Error(), "benchmarks") {
		t.Errorf("error %v", err)
	}
	if _, err := os.Stat(filepath.Join(dir, "BENCHMARKS.md")); err == nil {
		t.Error("a report without its pictures")
	}
}

// TestApart tells tasks that were looked at from others in all tasks together.
func TestApart(t *testing.T) {
	s := many(rand.New(rand.NewPCG(8, 8)))
	for i := range s.Results {
		s.Results[i].LookedAt = s.Results[i].Task == "texas"
	}
	var titles []string
	for _, a := range newView(s).Apart() {
		titles = append(titles, a.Title)
	}
	if want := []string{"all 3 tasks"}; !slices.Equal(titles, want) {
		t.Errorf("apart for %v, want %v", titles, want)
	}
}

// TestLeftOut names the strategies that did not run in all tasks of a group.
func TestLeftOut(t *testing.T) {
	s := many(rand.New(rand.NewPCG(9, 9)))
	if out := newView(s).LeftOut(); len(out) != 0 {
		t.Errorf("left out: %q", out)
	}
	texas := &s.Results[0]
	texas.Strategies = slices.DeleteFunc(slices.Clone(texas.Strategies), func(o bench.Strategy) bool { return o.Name == "hmm" })
	if out := newView(s).LeftOut(); len(out) != 1 || out[0] != "In WebKB, and so in the means over all tasks, there is no `hmm`." {
		t.Errorf("left out: %q", out)
	}
}

// TestManyRecordings names up to three recordings of a task and counts more.
func TestManyRecordings(t *testing.T) {
	s := &bench.SuiteResult{Results: []bench.Result{{Task: "few", Corpus: []string{"a", "b", "c"}}, {Task: "many", Corpus: []string{"a", "b", "c", "d"}}, {Task: "none"}}}
	for i, want := range []string{"`a`, `b`, `c`", "4 recordings", none} {
		if got := newView(s).Asked().Rows[i][2]; got != want {
			t.Errorf("crawled %s, want %s", got, want)
		}
	}
}
