package models

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"nightjar/daemon/lab/devtool"
	"nightjar/daemon/lab/verb"
)

func TestMain(m *testing.M) { os.Exit(verb.Tests(m, Command)) }

// mustRun runs the verb and returns its output.
func mustRun(t *testing.T, args ...string) string {
	t.Helper()
	code, stdout, stderr := verb.Call(t.Context(), Command, nil, args...)
	if code != 0 {
		t.Fatalf("%v: %s", args, stderr)
	}
	return stdout
}

// TestJSON measures a small session and checks that the figures agree.
func TestJSON(t *testing.T) {
	out := mustRun(t, "--sizes=50", "--background=20", "--sklearn=false", "--json")
	dec := json.NewDecoder(strings.NewReader(out))
	dec.DisallowUnknownFields()
	var r result
	if err := dec.Decode(&r); err != nil {
		t.Fatal(err)
	}
	if r.Seed != 1 || r.Cores < 1 || r.Go == "" || len(r.Sizes) != 1 || r.Missing != "" {
		t.Fatalf("got %+v", r)
	}
	m := r.Sizes[0]
	if m.Size != 50 || m.Pages != 50 || m.Targets != 9 || m.Edges < 50 || m.Terms < 1000 || m.Rank < 1 || m.Clusters < 1 || m.Features < 100 || m.Background != 20 {
		t.Errorf("the session is %+v", m)
	}
	if m.Bundle < m.Terms*m.Rank*4 {
		t.Errorf("a bundle of %d bytes cannot hold %d terms in %d dimensions", m.Bundle, m.Terms, m.Rank)
	}
	checkStages(t, m)
	if len(r.Aims) != 1 { // memory; only other sizes have an aim for seconds
		t.Errorf("aims are %+v", r.Aims)
	}
}

// checkStages checks that the stages agree with the total.
func checkStages(t *testing.T, m *measured) {
	t.Helper()
	sum, names := 0.0, map[string]bool{}
	for _, s := range m.Stages {
		if s.Name == "" || names[s.Name] || s.Seconds < 0 || s.Peak < 0 || s.Peak > m.Peak {
			t.Errorf("stage %+v of %+v", s, m.Stages)
		}
		sum += s.Seconds
		names[s.Name] = true
	}
	if len(m.Stages) < 2 || sum > m.Seconds || m.Peak < m.Base {
		t.Errorf("stages %+v sum to %v s of %v s; %d bytes at most, %d before", m.Stages, sum, m.Seconds, m.Peak, m.Base)
	}
}

func TestTables(t *testing.T) {
	out := mustRun(t, "--sizes=20,24", "--background=0", "--sklearn=false")
	for _, want := range []string{"made-up pages", "\n20 pages: ", "\n24 pages: ", "  text ", "  total ", "\nAims\n"} {
		if !strings.Contains(out, want) {
			t.Errorf("%q is missing in\n%s", want, out)
		}
	}
}

func TestUsage(t *testing.T) {
	for _, args := range [][]string{{"--sizes=5"}, {"--sizes=x"}, {"stray"}, {"--repeat=0"}, {"--no-such-flag"}} {
		if code, stdout, stderr := verb.Call(t.Context(), Command, nil, args...); code != 2 || stdout != "" || !strings.Contains(stderr, "lab: error: ") {
			t.Errorf("%v: exit %d, %q, %q", args, code, stdout, stderr)
		}
	}
}

// TestBaseline runs the script on made-up pages and checks its figures.
func TestBaseline(t *testing.T) {
	set := trainingSet("Made up", newMaker(3).site(40))
	name := filepath.Join(t.TempDir(), textsFile)
	var lines bytes.Buffer
	for i, p := range set.Pages {
		if err := json.NewEncoder(&lines).Encode(pageLine{Text: p.Text, State: i % 4, Target: i%4 == 0, Background: i >= 36}); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(name, lines.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	b, err := runBaseline(t.Context(), &options{Seed: 1}, name, 10, 1)
	if errors.Is(err, errNoSklearn) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	if b.Version == "" || b.Pages != 36 || b.Terms < 1000 || b.Rank != 10 || b.Clusters < 3 || b.Clusters > 8 || b.Peak < b.Import {
		t.Errorf("got %+v", b)
	}
	var names []string
	for _, s := range b.Steps {
		names = append(names, s.Name)
		if s.Seconds <= 0 {
			t.Errorf("step %+v", s)
		}
	}
	if got, want := strings.Join(names, " "), "tfidf count-background svd-arpack svd-randomized kmeans kmeans-one-start log-tf logistic-states logistic-useful logistic-calibrated"; got != want {
		t.Errorf("steps %s, want %s", got, want)
	}
}

// TestBaselineMissing runs the script where Python finds no libraries.
func TestBaselineMissing(t *testing.T) {
	python, err := findPython("")
	if err != nil {
		t.Skip("Python is not installed")
	}
	root, err := devtool.Root()
	if err != nil {
		t.Fatal(err)
	}
	out, err := exec.CommandContext(t.Context(), python, "-I", "-S", filepath.Join(root, script), "--rank", "2").CombinedOutput()
	exit, ok := errors.AsType[*exec.ExitError](err)
	if !ok || exit.ExitCode() != noSklearn || !strings.Contains(string(out), errNoSklearn.Error()) {
		t.Errorf("%v: %s", err, out)
	}
}
