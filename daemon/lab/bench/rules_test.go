package bench

import (
	"errors"
	"fmt"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"nightjar/daemon/lab/corpus"
)

// ruled is a suite of one task without a labels file.
const ruled = `{"rules": [{"label": "r", "url": "^http://a\\.test/r/"}, {"label": "r", "url": "/also/"}, {"label": "q", "url": "/q/"}], "tasks": [
	{"name": "x", "corpus": ["c"], "relevant": ["r"], "session": ["s"], "starts": ["http://a.test/"], "budget": 5},
	{"name": "y", "corpus": ["c"], "relevant": ["q"], "session": ["s"], "starts": ["http://a.test/"], "budget": 5,
	 "rules": [{"label": "q", "url": "/own/"}]}]}`

// TestSuiteRules: a task takes the suite's rules for its label, unless it has rules of its own.
func TestSuiteRules(t *testing.T) {
	s, err := readSuite([]byte(ruled))
	if err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprint(s.Tasks[0].Rules, s.Tasks[1].Rules); got != `[{r ^http://a\.test/r/} {r /also/}] [{q /own/}]` {
		t.Errorf("rules %s", got)
	}
}

// TestBadRules: what is wrong with a rule is said with its pattern or label.
func TestBadRules(t *testing.T) {
	for name, test := range map[string]struct{ from, to, want string }{
		"bad pattern":        {`/also/`, `/also(/`, "missing closing ): `/also(/`"},
		"not RE2":            {`/also/`, `(?!/also/)`, "(?!"},
		"pattern of all":     {`/also/`, `(/also/)?`, `the rule for "r" needs a pattern`},
		"empty pattern":      {`"/q/"`, `""`, `the rule for "q" needs a pattern`},
		"no pattern":         {`, "url": "/q/"`, ``, `the rule for "q" needs a pattern`},
		"no label":           {`{"label": "q", "url": "/own/"}`, `{"url": "/own/"}`, "task y: rule 1 has no label"},
		"of no use":          {`{"label": "q", "url": "/q/"}`, `{"label": "z", "url": "/q/"}`, `the rule for "z" is of no use`},
		"no rule, no labels": {`"relevant": ["r"]`, `"relevant": ["r"], "rules": []`, "no labels and no rules"},
		"unknown field":      {`"label": "q", "url": "/q/"`, `"label": "q", "url": "/q/", "path": "x"`, "path"},
	} {
		text := strings.Replace(ruled, test.from, test.to, 1)
		if text == ruled {
			t.Fatalf("%s: nothing was changed", name)
		}
		if _, err := readSuite([]byte(text)); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: error %v, want %s", name, err, test.want)
		}
	}
}

// TestRulesLabelAsAFileDoes measures the same task with labels from a file and from rules, in training and score.
func TestRulesLabelAsAFileDoes(t *testing.T) {
	dir := madeUp(t)
	web, err := NewLibrary(dir, t.Logf).Labels([]string{"one.labels.tsv"}, []string{"one.warc.gz"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	var rules []corpus.Rule
	for url := range web.With("topic") {
		rules = append(rules, corpus.Rule{Label: "topic", URL: regexp.MustCompile("^" + regexp.QuoteMeta(url) + "$")})
	}
	if len(rules) < 10 {
		t.Fatalf("%d rules", len(rules))
	}
	task := evenings(1)
	task.Sessions, task.Walks = nil, []Walk{{Corpus: task.Corpus, Labels: task.Labels, Starts: task.Starts, Pages: 40, Targets: 4}}
	task.Strategies = []string{"link-value"}
	byFile := mustRun(t, runner(t, dir), task, Free)
	task.Labels, task.Walks[0].Labels, task.Rules = nil, nil, rules
	byRules := mustRun(t, runner(t, dir), task, Free)
	if !reflect.DeepEqual(timeless(byFile), timeless(byRules)) {
		t.Errorf("by file\n%+v\nby rules\n%+v", byFile, byRules)
	}
}

// TestRulesWithoutPages: a label without any page is an error with a hint; a rule that adds nothing to a label is a warning.
func TestRulesWithoutPages(t *testing.T) {
	dir := madeUp(t)
	r := runner(t, dir)
	var warnings []string
	r.Warn = func(format string, args ...any) { warnings = append(warnings, fmt.Sprintf(format, args...)) }
	task := evenings(1)
	task.Strategies = []string{"breadth-first"}
	task.Rules = []corpus.Rule{{Label: "topic", URL: regexp.MustCompile(`/no/such/`)}}
	mustRun(t, r, task, Free)
	if len(warnings) != 1 || !strings.Contains(warnings[0], `"topic"`) || !strings.Contains(warnings[0], "/no/such/") {
		t.Errorf("warnings %q", warnings)
	}
	task.Labels = nil
	var p *Problem
	if _, err := r.Run(t.Context(), task, Free); !errors.As(err, &p) || p.Hint == "" || !strings.Contains(err.Error(), `"topic"`) || !strings.Contains(err.Error(), "/no/such/") {
		t.Errorf("error %v", err)
	}
}
