package bench

import (
	"bytes"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"nightjar/daemon/lab/corpus"
)

// Suite is a list of tasks with one report.
type Suite struct {
	Name       string        `json:"name"`
	About      string        `json:"about,omitempty"`
	Seeds      []uint64      `json:"seeds,omitempty"`      // default of tasks
	Strategies []string      `json:"strategies,omitempty"` // default of tasks; nil means all
	MadeUp     []MadeUp      `json:"made_up,omitempty"`    // corpora made for the run
	Rules      []corpus.Rule `json:"rules,omitempty"`      // each for the tasks with its label as a relevant one and no rules of their own
	Tasks      []Task        `json:"tasks"`
}

//go:embed suites/*.json
var suites embed.FS

// SuiteNames are the built-in suites.
func SuiteNames() []string {
	files, err := suites.ReadDir("suites")
	if err != nil {
		panic("bench: " + err.Error()) // it is embedded
	}
	var names []string
	for _, f := range files {
		names = append(names, strings.TrimSuffix(f.Name(), ".json"))
	}
	return names
}

// LoadSuite reads a built-in suite or a file.
func LoadSuite(name string) (*Suite, error) {
	var text []byte
	var err error
	if slices.Contains(SuiteNames(), name) {
		text, err = suites.ReadFile(path.Join("suites", name+".json"))
	} else {
		text, err = os.ReadFile(name)
	}
	if errors.Is(err, os.ErrNotExist) {
		return nil, problemf(fmt.Sprintf("the built-in suites are %s; other names are files", strings.Join(SuiteNames(), ", ")), "no suite %s", name)
	}
	if err != nil {
		return nil, fmt.Errorf("read suite: %w", err)
	}
	s, err := readSuite(text)
	if err != nil {
		return nil, fmt.Errorf("read suite %s: %w", name, err)
	}
	if s.Name == "" {
		s.Name = strings.TrimSuffix(filepath.Base(name), ".json")
	}
	return s, nil
}

func readSuite(text []byte) (*Suite, error) {
	s := &Suite{}
	in := json.NewDecoder(bytes.NewReader(text))
	in.DisallowUnknownFields()
	if err := in.Decode(s); err != nil {
		return nil, err
	}
	if _, err := in.Token(); err != io.EOF {
		return nil, errors.New("more than one JSON object")
	}
	return s, s.complete()
}

// complete fills in the suite's defaults and checks the tasks.
func (s *Suite) complete() error {
	if len(s.Tasks) == 0 {
		return errors.New("no tasks")
	}
	if err := s.checkRules(); err != nil {
		return err
	}
	names := make(map[string]bool)
	for i := range s.Tasks {
		t := &s.Tasks[i]
		if t.Seeds == nil {
			t.Seeds = s.Seeds
		}
		if t.Strategies == nil {
			t.Strategies = s.Strategies
		}
		if t.Rules == nil {
			t.Rules = s.rules(t.Relevant)
		}
		if t.Name == "" || names[t.Name] {
			return fmt.Errorf("task %d needs a unique name, not %q", i+1, t.Name)
		}
		names[t.Name] = true
		if err := t.complete(); err != nil {
			return fmt.Errorf("task %s: %w", t.Name, err)
		}
	}
	for _, m := range s.MadeUp {
		if m.Name == "" || strings.ContainsAny(m.Name, `/\`) {
			return fmt.Errorf("%q cannot name a made-up web", m.Name)
		}
	}
	return nil
}

// rules are the suite's rules for some labels.
func (s *Suite) rules(labels []string) []corpus.Rule {
	return slices.DeleteFunc(slices.Clone(s.Rules), func(r corpus.Rule) bool { return !slices.Contains(labels, r.Label) })
}

// checkRules finds rules that no task uses, which are often misspelt.
func (s *Suite) checkRules() error {
	for _, r := range s.Rules {
		if !slices.ContainsFunc(s.Tasks, func(t Task) bool { return slices.Contains(t.Relevant, r.Label) }) {
			return fmt.Errorf("the rule for %q is of no use: no task has it as a relevant label", r.Label)
		}
	}
	return checkRules(s.Rules)
}

// WithLists repeats the tasks for each of these shares of hosts with lists, in percent; see Task.Lists.
func (s *Suite) WithLists(percents []int) {
	tasks := s.Tasks
	s.Tasks = nil
	for _, percent := range percents {
		for _, t := range tasks {
			if t.Lists = percent; percent > 0 {
				t.Name = fmt.Sprintf("%s-lists-%d", t.Name, percent)
				if t.Group != "" {
					t.Group += fmt.Sprintf(", lists on %d %% of the hosts", percent)
				}
			}
			s.Tasks = append(s.Tasks, t)
		}
	}
}

// Only keeps the named tasks. It fails for an unknown name.
func (s *Suite) Only(names []string) error {
	var kept []Task
	for _, name := range names {
		i := slices.IndexFunc(s.Tasks, func(t Task) bool { return t.Name == name })
		if i < 0 {
			var known []string
			for _, t := range s.Tasks {
				known = append(known, t.Name)
			}
			return fmt.Errorf("suite %s has no task %q: it has %s", s.Name, name, strings.Join(known, ", "))
		}
		kept = append(kept, s.Tasks[i])
	}
	s.Tasks = kept
	return nil
}
