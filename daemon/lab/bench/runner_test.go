package bench

import (
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"nightjar/daemon/lab/corpus"
)

// TestJSON pins the names that programs read.
func TestJSON(t *testing.T) {
	task := evenings(1)
	task.Strategies = []string{"best-first", "breadth-first", Oracle, "best-first"}
	text, err := json.Marshal(mustRun(t, runner(t, madeUp(t)), task, Free))
	if err != nil {
		t.Fatal(err)
	}
	var r map[string]any
	if err := json.Unmarshal(text, &r); err != nil {
		t.Fatal(err)
	}
	for _, field := range []string{"corpus", "budget", "seeds", "relevant_total", "strategies", "pairs", "missing", "relevant"} {
		if r[field] == nil {
			t.Errorf("no field %s in %.200s", field, text)
		}
	}
	strategies, _ := r["strategies"].([]any)
	var names []string
	for _, s := range strategies {
		s := s.(map[string]any)
		names = append(names, s["name"].(string))
		for _, field := range []string{"harvest", "recall", "avg_max_similarity", "area", "area_vs_oracle", "seconds", "peak_rss_bytes", "low", "high"} {
			if s[field] == nil {
				t.Errorf("%s has no field %s", s["name"], field)
			}
		}
		pairs := s["harvest"].([]any)
		if first := pairs[0].([]any); first[0] != 1.0 || len(first) != 2 {
			t.Errorf("%s: harvest begins with %v", s["name"], first)
		}
		if s["seconds"].(float64) <= 0 || s["peak_rss_bytes"].(float64) < 1<<20 {
			t.Errorf("%s took %v s and %v bytes", s["name"], s["seconds"], s["peak_rss_bytes"])
		}
	}
	if want := []string{Oracle, "best-first", "breadth-first"}; !slices.Equal(names, want) {
		t.Errorf("strategies %v, want %v", names, want)
	}
	for _, field := range []string{"a", "b", "difference", "low", "high"} {
		if pairs := r["pairs"].([]any); len(pairs) != 1 || pairs[0].(map[string]any)[field] == nil {
			t.Errorf("pairs %v have no %s", pairs, field)
		}
	}
}

// timeless leaves out what differs between two runs.
func timeless(r *Result) *Result {
	for i := range r.Strategies {
		r.Strategies[i].Seconds, r.Strategies[i].PeakRSS = 0, 0
	}
	return r
}

// TestSameSeedSameResult: two runs differ in nothing but time and memory, another seed is another crawl, and other labels
// change what is found, never where a strategy goes. Where it goes shows in the likeness of the pages it reads.
func TestSameSeedSameResult(t *testing.T) {
	dir, task := madeUp(t), evenings(1)
	one, again := mustRun(t, runner(t, dir), task, Free), mustRun(t, runner(t, dir), task, Free)
	if !reflect.DeepEqual(timeless(one), timeless(again)) {
		t.Errorf("two runs of the same seeds differ:\n%+v\n%+v", one, again)
	}
	other := evenings(2)
	other.Strategies = []string{"random"}
	if reflect.DeepEqual(one.named(t, "random").Similar, mustRun(t, runner(t, dir), other, Free).named(t, "random").Similar) {
		t.Error("random does the same under two seeds")
	}
	var labels strings.Builder
	replay, err := NewLibrary(dir, t.Logf).Replay(task.Corpus)
	if err != nil {
		t.Fatal(err)
	}
	defer replay.Close()
	for i, url := range replay.Pages() {
		if i%2 == 0 {
			fmt.Fprintf(&labels, "%s\ttopic\n", url)
		}
	}
	write(t, dir, "one.labels.tsv", labels.String())
	relabelled := mustRun(t, runner(t, dir), task, Free)
	for i, s := range one.Strategies[1:] {
		o := relabelled.Strategies[1+i]
		if !reflect.DeepEqual(s.Similar, o.Similar) {
			t.Errorf("%s reads other pages when other pages are labelled", s.Name)
		}
		if reflect.DeepEqual(s.Recalled, o.Recalled) {
			t.Errorf("%s: the other labels changed nothing; the test shows nothing", s.Name)
		}
	}
}

// TestSessionPagesNeverCount labels all pages of a web: those of the session may be fetched and cost budget, the others
// are the relevant ones.
func TestSessionPagesNeverCount(t *testing.T) {
	dir := madeUp(t)
	task := evenings(1)
	task.Strategies, task.Budget = []string{"breadth-first"}, 1000
	r := runner(t, dir)
	if err := r.open(); err != nil {
		t.Fatal(err)
	}
	defer r.close()
	replay, err := r.library.Replay(task.Corpus)
	if err != nil {
		t.Fatal(err)
	}
	web, err := corpus.ReadWeb(t.Context(), replay, task.Starts)
	if err != nil {
		t.Fatal(err)
	}
	p := &preparation{task: &task, library: r.library, dir: t.TempDir()}
	known, err := p.learn(t.Context(), &trial{Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	met := web.Count(func(url string) bool { return known[url] })
	write(t, dir, "one.labels.tsv", strings.Join(web.Pages(), "\ttopic\n")+"\ttopic\n")
	result := mustRun(t, runner(t, dir), task, Free)
	if want := len(web.Pages()) - met; int(result.RelevantTotal) != want || met < 20 {
		t.Errorf("%v relevant pages, want %d: all %d but the %d of the session", result.RelevantTotal, want, len(web.Pages()), met)
	}
	s := result.named(t, "breadth-first")
	end := s.Harvest[len(s.Harvest)-1]
	if found := math.Round(end[0] * end[1]); s.Recall != 1 || found != result.RelevantTotal || int(end[0]) < len(web.Pages()) {
		t.Errorf("recall %v, %v relevant ones among all %v pages; want 1 and %v", s.Recall, found, end[0], result.RelevantTotal)
	}
}

// TestMissing checks that missing pages are free, or cost a page each.
func TestMissing(t *testing.T) {
	dir := madeUp(t)
	urls := []string{"http://tiny.test/", "http://tiny.test/good", "http://tiny.test/better"}
	record(t, dir, "tiny.warc.gz", urls, map[string][]string{urls[0]: {"/none", "/nothing", "/good"}, urls[1]: {"/better", "/never"}})
	write(t, dir, "tiny.labels.tsv", urls[1]+"\tfine\n"+urls[2]+"\tfine\n")
	task := Task{
		Name: "tiny", Corpus: []string{"tiny.warc.gz"}, Labels: []string{"tiny.labels.tsv"}, Relevant: []string{"fine"}, Sessions: []string{"one.session.jsonl"},
		Starts: urls[:1], Budget: 4, Strategies: []string{"breadth-first"},
	}
	for _, test := range []struct {
		missing string
		want    string
	}{
		{Free, "[[1 0] [2 0.5] [3 1] [4 1]]"},
		{Cost, "[[1 0] [2 0] [3 0] [4 0.5]]"}, // the start page, two that lack, the first good one
	} {
		s := mustRun(t, runner(t, dir), task, test.missing).named(t, "breadth-first")
		if got := fmt.Sprint(s.Recalled); got != test.want {
			t.Errorf("%s: recall %s, want %s", test.missing, got, test.want)
		}
	}
	suite := &Suite{Name: "both", Tasks: []Task{task}}
	result, err := runner(t, dir).RunSuite(t.Context(), suite, "")
	if err != nil {
		t.Fatal(err)
	}
	if len(result.Results) != 2 || result.Results[0].Missing != Free || result.Results[1].Missing != Cost || len(result.Groups) != 2 {
		t.Errorf("%d results, %d groups, want both ways of each", len(result.Results), len(result.Groups))
	}
	// Without a missing link there is only one way.
	suite.Tasks[0].Starts = urls[2:]
	if result, err = runner(t, dir).RunSuite(t.Context(), suite, ""); err != nil {
		t.Fatal(err)
	}
	if len(result.Results) != 1 || len(result.Groups) != 1 {
		t.Errorf("%d results, %d groups of a task that meets no missing link", len(result.Results), len(result.Groups))
	}
}

// TestNoCrawlExceedsTheBound runs all strategies, with and without paying for missing links.
func TestNoCrawlExceedsTheBound(t *testing.T) {
	stayBelow(t, runner(t, madeUp(t)), evenings(1))
}

// stayBelow checks every crawl of a task against the bound, and the oracle's against the graph.
func stayBelow(t *testing.T, r *Runner, task Task) {
	t.Helper()
	if err := task.complete(); err != nil {
		t.Fatal(err)
	}
	if err := r.open(); err != nil {
		t.Fatal(err)
	}
	defer r.close()
	trials, err := r.prepare(t.Context(), &task)
	if err != nil {
		t.Fatal(err)
	}
	web, err := r.library.web(t.Context(), task.Corpus, task.Starts)
	if err != nil {
		t.Fatal(err)
	}
	for _, missing := range []string{Free, Cost} {
		runs, err := r.measure(t.Context(), &task, trials, missing, nil)
		if err != nil {
			t.Fatal(err)
		}
		for i, trial := range trials {
			bound := web.Bound(set(trial.Relevant), task.Budget)
			for name, all := range runs {
				for n, found := range all[i].Found {
					if found > bound[n] {
						t.Errorf("%s, seed %d: %d relevant pages after %d, bound %d", name, trial.Seed, found, n+1, bound[n])
					}
				}
			}
			if found := runs[Oracle][i].Found; !slices.Equal(found, trial.oracle) {
				t.Errorf("the oracle found %v, the graph says %v", found, trial.oracle)
			}
		}
	}
}

func TestProgress(t *testing.T) {
	r := runner(t, madeUp(t))
	last, end := 0, 0
	r.Progress = func(done, total int, _ string) {
		if done < last || done > total {
			t.Errorf("%d of %d crawls done, %d before", done, total, last)
		}
		last, end = done, total
	}
	task := evenings(1)
	task.Strategies = []string{"breadth-first", "random"}
	mustRun(t, r, task, Free)
	if last != end || end != 3 {
		t.Errorf("%d of %d crawls done at the end", last, end)
	}
}
