package bench

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestCRFIsCompared: strategies that need ways run on what the sessions teach.
func TestCRFIsCompared(t *testing.T) {
	task := evenings(1)
	task.Strategies, task.Budget = []string{"crf", "breadth-first"}, 20
	r, err := runner(t, madeUp(t)).Run(t.Context(), task, Free)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range task.Strategies {
		if s := r.named(t, name); len(s.PerSeed) != 1 {
			t.Errorf("%s: %+v", name, s)
		}
	}
}

// TestWithoutWays: strategies that need ways are left out, with a warning, when the sessions have too few; when none is left
// it is an error that the person can mend.
func TestWithoutWays(t *testing.T) {
	dir := madeUp(t)
	r := runner(t, dir)
	var warned []string
	r.Warn = func(format string, args ...any) { warned = append(warned, fmt.Sprintf(format, args...)) }
	task := evenings(1)
	task.Sessions, task.Budget = []string{oneWay(t, dir)}, 10
	task.Strategies = []string{"crf", "breadth-first"}
	result, err := r.Run(t.Context(), task, Free)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, s := range result.Strategies {
		names = append(names, s.Name)
	}
	if !slices.Equal(names, []string{Oracle, "breadth-first"}) || !strings.Contains(strings.Join(warned, "\n"), "crf left out: this model learned nothing from ways: 3 ways to a useful page are needed") {
		t.Errorf("measured %q, warned %q", names, warned)
	}
	task.Strategies = []string{"crf"}
	var mend *Problem
	if _, err := r.Run(t.Context(), task, Free); !errors.As(err, &mend) || !strings.Contains(err.Error(), "too little for crf") {
		t.Errorf("crf alone: %v", err)
	}
}

// TestNaiveBayesIsCompared: the model of a task gets the classifier that its strategies need; those that need another are
// left out.
func TestNaiveBayesIsCompared(t *testing.T) {
	task := evenings(1)
	task.Budget = 20
	for _, strategies := range [][]string{{"naive-bayes", "breadth-first", "naive-bayes-paper"}, {"naive-bayes-paper"}} {
		r := runner(t, madeUp(t))
		var warned []string
		r.Warn = func(format string, args ...any) { warned = append(warned, fmt.Sprintf(format, args...)) }
		task.Strategies = strategies
		result, err := r.Run(t.Context(), task, Free)
		if err != nil {
			t.Fatal(err)
		}
		if s := result.named(t, strategies[0]); len(s.PerSeed) != 1 {
			t.Errorf("%s: %+v", strategies[0], s)
		}
		if left := strings.Contains(strings.Join(warned, "\n"), "naive-bayes-paper left out: this model's classifier"); left != (len(strategies) > 1) {
			t.Errorf("%v: warned %q", strategies, warned)
		}
	}
}

// oneWay writes the session of madeUp with only the first of its marks, and names the file.
func oneWay(t *testing.T, dir string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, "one.session.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	marks := 0
	var kept strings.Builder
	for line := range strings.Lines(string(text)) {
		if strings.Contains(line, `"type":"useful"`) {
			if marks++; marks > 1 {
				continue
			}
		}
		kept.WriteString(line)
	}
	const name = "short.session.jsonl"
	if err := os.WriteFile(filepath.Join(dir, name), []byte(kept.String()), 0o600); err != nil || marks < 2 {
		t.Fatalf("%d marks, %v", marks, err)
	}
	return name
}
