package bench

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"nightjar/crawler/strategy"
	"nightjar/daemon/lab/corpus"
	"nightjar/daemon/lab/effort"
	"nightjar/daemon/lab/verb"
)

func TestSuitesOfTheProgram(t *testing.T) {
	if got := SuiteNames(); !slices.Equal(got, []string{"demo", "real"}) {
		t.Fatalf("suites %v", got)
	}
	s, err := LoadSuite("real")
	if err != nil {
		t.Fatal(err)
	}
	groups := make(map[string]int)
	for _, task := range s.Tasks {
		groups[fmt.Sprint(task.Group, task.Budget, len(task.Seeds), len(task.Starts), task.Draw, len(task.Pool), len(task.Walks))]++
		if task.Group != "UIC" && task.Group != "Documentation" && !slices.Equal(task.Strategies, strategy.Modelled()) {
			t.Errorf("%s: strategies %v", task.Name, task.Strategies)
		}
		for _, w := range task.Walks {
			if task.Group == "WebKB" && slices.Equal(w.Corpus, task.Corpus) {
				t.Errorf("%s learns on the web that it crawls", task.Name)
			}
		}
		if g := task.Games; g != nil && (g.Half != 1 || g.Pages != 200) {
			t.Errorf("%s: %+v", task.Name, g)
		}
	}
	if groups["WebKB400 5 1 0 0 2"] != 8 || groups["Wikispeedia1000 5 0 3 12 0"] != 6 || groups["UIC1000 3 2 0 0 1"] != 8 ||
		groups["Documentation400 3 7 0 0 1"] != 6 || len(groups) != 4 {
		t.Errorf("%v", groups)
	}
}

// TestRealSuiteIsThere checks that the corpora hold what the suite names. TestSuitesOfTheProgram checks the suites themselves.
func TestRealSuiteIsThere(t *testing.T) {
	effort.Long(t)
	dir := os.Getenv("NIGHTJAR_CORPORA")
	if dir == "" {
		t.Skip("left out: $NIGHTJAR_CORPORA names no folder of recorded webs")
	}
	s, err := LoadSuite("real")
	if err != nil {
		t.Fatal(err)
	}
	l := NewLibrary(dir, t.Errorf)
	defer l.close()
	for _, task := range s.Tasks {
		replay, err := l.Replay(task.Corpus)
		if err != nil {
			t.Fatal(err)
		}
		labels, err := l.Labels(task.Labels, task.Corpus, task.Rules)
		if err != nil {
			t.Fatal(err)
		}
		if n := len(labels.With(task.Relevant[0])); n < 20 {
			t.Errorf("%s: %d pages with the label", task.Name, n)
		}
		for _, start := range slices.Concat(task.Starts, task.Pool) {
			if r := replay.Fetch(t.Context(), start); r.FinalURL != start || r.Outcome != "ok" {
				t.Errorf("%s: start page %s: %s", task.Name, start, r.Outcome)
			}
		}
	}
}

func TestBadSuites(t *testing.T) {
	task := `{"name": "x", "corpus": ["c"], "labels": ["l"], "relevant": ["r"], "session": ["s"], "starts": ["http://a.test/"], "budget": 5}`
	if _, err := readSuite([]byte(`{"tasks": [` + task + `]}`)); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"not JSON":       `tasks`,
		"no tasks":       `{"tasks": []}`,
		"unknown field":  `{"tasks": [` + task + `], "labels": 1}`,
		"two objects":    `{"tasks": [` + task + `]} {}`,
		"no name":        `{"tasks": [` + strings.Replace(task, `"x"`, `""`, 1) + `]}`,
		"same name":      `{"tasks": [` + task + `, ` + task + `]}`,
		"no budget":      `{"tasks": [` + strings.Replace(task, `5}`, `0}`, 1) + `]}`,
		"no start":       `{"tasks": [` + strings.Replace(task, `"http://a.test/"`, ``, 1) + `]}`,
		"bad start":      `{"tasks": [` + strings.Replace(task, `http:`, `gopher:`, 1) + `]}`,
		"no source":      `{"tasks": [` + strings.Replace(task, `"session": ["s"], `, ``, 1) + `]}`,
		"two sources":    `{"tasks": [` + strings.Replace(task, `"budget"`, `"games": {"files": ["g"], "pages": 9}, "budget"`, 1) + `]}`,
		"bad strategy":   `{"tasks": [` + strings.Replace(task, `"budget"`, `"strategies": ["guess"], "budget"`, 1) + `]}`,
		"outside folder": `{"made_up": [{"name": "../x", "seed": 1}], "tasks": [` + task + `]}`,
	} {
		if _, err := readSuite([]byte(text)); err == nil {
			t.Errorf("%s: taken", name)
		}
	}
	var p *Problem
	if _, err := LoadSuite("nothing"); !errors.As(err, &p) || !strings.Contains(p.Hint, "demo, real") {
		t.Errorf("error %v, hint %+v", err, p)
	}
}

// TestErrors: what cannot be measured is an error that says what, and mostly what to do.
func TestErrors(t *testing.T) {
	dir := madeUp(t)
	write(t, dir, "empty.labels.tsv", "# none\n")
	write(t, dir, "bad.labels.tsv", "nonsense\n")
	write(t, dir, "bad.session.jsonl", "nonsense\n")
	for name, test := range map[string]struct {
		change func(*Task)
		want   string
		hint   bool
	}{
		"no such file":       {func(k *Task) { k.Corpus = []string{"no.warc.gz"} }, "no.warc.gz", true},
		"not a recording":    {func(k *Task) { k.Corpus = []string{"one.labels.tsv"} }, "one.labels.tsv", true},
		"bad labels":         {func(k *Task) { k.Labels = []string{"bad.labels.tsv"} }, "bad.labels.tsv line 1", false},
		"no such label":      {func(k *Task) { k.Relevant = []string{"top"} }, `no page has the label "top"`, true},
		"bad session":        {func(k *Task) { k.Sessions = []string{"bad.session.jsonl"} }, "bad.session.jsonl", false},
		"start not recorded": {func(k *Task) { k.Starts = []string{"http://other.test/"} }, "none of the start pages", true},
		"nothing reached":    {func(k *Task) { k.Starts = []string{"http://everyday-goods.test/basket/"} }, "start pages", true},
	} {
		task := evenings(1)
		test.change(&task)
		_, err := runner(t, dir).Run(t.Context(), task, Free)
		var p *Problem
		if err == nil || !strings.Contains(err.Error(), test.want) || errors.As(err, &p) != test.hint {
			t.Errorf("%s: error %v (with a hint: %v)", name, err, errors.As(err, &p))
		}
	}
	j := job{Strategy: Oracle, Replay: []string{filepath.Join(dir, "one.warc.gz")}, Trials: []string{"nowhere.json"}}
	var log strings.Builder
	if err := (verb.Child{Cores: 1, Log: &log}).Run(t.Context(), JobCommand.Name, j, nil); err == nil || !strings.Contains(log.String(), "nowhere.json") {
		t.Errorf("a process that fails: error %v, %s", err, &log)
	}
}

// TestHalf: games teach pages of one half of a category, and only those of the other half are relevant.
func TestHalf(t *testing.T) {
	dir := t.TempDir()
	const at = "http://wiki.test/"
	links := make(map[string][]string)
	urls := []string{at + "hub"}
	var labels, games strings.Builder
	for i := range 12 {
		url := fmt.Sprintf("%ssubject%d", at, i)
		urls = append(urls, url, url+"side")
		links[url] = []string{at + "hub"}
		links[url+"side"] = []string{at + "hub"}
		links[at+"hub"] = append(links[at+"hub"], url, url+"side")
		labels.WriteString(url + "\tkind.good\n")
		games.WriteString(at + "hub;" + url + "side;<;" + url + "\n")
	}
	record(t, dir, "wiki.warc.gz", urls, links)
	write(t, dir, "labels.tsv", labels.String())
	write(t, dir, "games.tsv", games.String())
	task := Task{
		Name: "half", Corpus: []string{"wiki.warc.gz"}, Labels: []string{"labels.tsv"}, Relevant: []string{"kind.good"},
		Games: &Games{Files: []string{"games.tsv"}, Half: 1, Pages: 9}, Pool: urls[:3], Draw: 2, Budget: 30, Seeds: []uint64{1, 2}, Strategies: []string{"breadth-first"},
	}
	if err := task.complete(); err != nil {
		t.Fatal(err)
	}
	r := runner(t, dir)
	if err := r.open(); err != nil {
		t.Fatal(err)
	}
	defer r.close()
	trials, err := r.prepare(t.Context(), &task)
	if err != nil {
		t.Fatal(err)
	}
	for _, trial := range trials {
		category := make(map[string]bool)
		for _, url := range trial.Labelled {
			category[url] = true
		}
		other := corpus.Half(category, 2, trial.Seed)
		if len(trial.Labelled) != 12 || len(trial.Relevant) != 6 || len(trial.Starts) != 2 || trial.targets < 1 || trial.targets > 6 {
			t.Errorf("seed %d: %d of %d relevant, from %v, %d learned", trial.Seed, len(trial.Relevant), len(trial.Labelled), trial.Starts, trial.targets)
		}
		for _, url := range trial.Relevant {
			if !other[url] {
				t.Errorf("seed %d: %s is not of the other half", trial.Seed, url)
			}
		}
	}
	if slices.Equal(trials[0].Relevant, trials[1].Relevant) {
		t.Error("two seeds draw the same half")
	}
	if got := task.source(trials); !strings.Contains(got, "games.tsv") || !strings.Contains(got, "half") {
		t.Errorf("learned from %q", got)
	}
}
