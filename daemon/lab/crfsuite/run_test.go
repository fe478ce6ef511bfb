package crfsuite

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"nightjar/daemon/lab/verb"
)

func fmtFloat(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

const training = "testdata/train.txt"

func mustRun(t *testing.T, stdin string, args ...string) string {
	t.Helper()
	code, out, log := verb.Call(t.Context(), Command, strings.NewReader(stdin), args...)
	if code != 0 {
		t.Fatalf("crfsuite %v: %s", args, log)
	}
	return out
}

// The loss is that of testdata/loss.py, which enumerates all labellings and knows nothing of chains.
func TestTrainFindsTheLossOfTheEnumeration(t *testing.T) {
	const (
		enumerated = 4.526259649503272
		lossTol    = 1e-6 // the search ends at slopes of 1e-3, which leaves it 13·1e-6/4 above the minimum at most
	)
	var r trained
	if err := json.Unmarshal([]byte(mustRun(t, "", "train", training, "--c2", "1", "--json")), &r); err != nil {
		t.Fatal(err)
	}
	if math.Abs(r.Objective-enumerated) > lossTol {
		t.Errorf("loss %v, want %v", r.Objective, enumerated)
	}
	if r.Sequences != 2 || r.Items != 5 || r.Labels != 3 || r.PageFeatures != 8 || r.LinkFeatures != 2 || r.Weights != 13 {
		t.Errorf("%+v", r)
	}
}

func TestTrainAndTag(t *testing.T) {
	model := filepath.Join(t.TempDir(), "model.json")
	if out := mustRun(t, "", "train", training, "--c2", "1", "--model", model); !strings.Contains(out, "4.52626") {
		t.Errorf("train prints\n%s", out)
	}
	test := "B\tw=An\tunknown\nO\tw=said\nO\tlink:a=x\tw=A.P.\n\nX\tw=An\n"
	var r tagged
	if err := json.Unmarshal([]byte(mustRun(t, test, "tag", "-", "--model", model, "--marginals", "--json")), &r); err != nil {
		t.Fatal(err)
	}
	predicted := ""
	for _, s := range r.Sequences {
		for _, a := range s {
			predicted += a.Predicted + " "
			sum := 0.0
			for _, p := range a.Marginals {
				sum += p
			}
			if math.Abs(sum-1) > 1e-12 || a.Marginals[a.Predicted] != a.Probability {
				t.Errorf("%+v", a)
			}
		}
	}
	if predicted != "B O I B " {
		t.Errorf("predicted %s", predicted)
	}
	f := r.Figures
	if f.Sequences != 2 || f.Items != 4 || f.ItemAccuracy != .5 || f.SequenceAccuracy != 0 || f.UnknownSequences != 1 ||
		!(f.Loss > 0) {
		t.Errorf("%+v", f)
	}
	want := []labelFigures{
		{"B", 1, 2, 1, .5, 1, 2. / 3}, {"I", 0, 1, 0, 0, 0, 0}, {"O", 1, 1, 2, 1, .5, 2. / 3}, {"X", 0, 0, 1, 0, 0, 0},
	}
	for i, l := range want {
		if f.Labels[i] != l {
			t.Errorf("%+v, want %+v", f.Labels[i], l)
		}
	}
	if f.Macro.Precision != .375 || f.Macro.Recall != .375 || math.Abs(f.Macro.F1-1./3) > 1e-15 {
		t.Errorf("means %+v", f.Macro)
	}

	out := mustRun(t, test, "tag", "-", "--model", model, "--marginals")
	if line, _, _ := strings.Cut(out, "\n"); !strings.HasPrefix(line, "B\tB\t0.") || strings.Count(line, "\t") != 5 {
		t.Errorf("first line %q", line)
	}
	if out = mustRun(t, test, "tag", "-", "--model", model, "--quiet"); !strings.HasPrefix(out, "Tagged 2 sequences, 4 items\n") {
		t.Errorf("figures only:\n%s", out)
	}
}

func TestWrongCommandLines(t *testing.T) {
	for _, line := range []string{
		"", "train", "guess " + training, "tag " + training, "train --c2 1", "train " + training + " --c2 -1",
		"train " + training + " --c2 NaN", "train " + training + " more", "tag " + training + " --tags",
	} {
		if code, _, said := verb.Call(t.Context(), Command, nil, strings.Fields(line)...); code != 2 {
			t.Errorf("crfsuite %s: exit code %d, %s", line, code, said)
		}
	}
}

func TestEmptyFile(t *testing.T) {
	if code, _, said := verb.Call(t.Context(), Command, strings.NewReader("\n# nothing\n\n"), "train", "-"); code != 1 || !strings.Contains(said, "no items") {
		t.Errorf("exit code %d, %s", code, said)
	}
}

func TestDamagedModels(t *testing.T) {
	model := filepath.Join(t.TempDir(), "model.json")
	mustRun(t, "", "train", training, "--model", model)
	whole, err := os.ReadFile(model)
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ from, to, want string }{
		{`"Format"`, `Format`, "is not a model"},
		{format, "another", "is not a model"},
		{`"Labels":["B",`, `"Labels":[`, "damaged"},
		{`"Labels":["B","I"`, `"Labels":["I","B"`, "damaged"},
		{`"Start":[0,`, `"Start":[1,`, "damaged"},
	} {
		broken := strings.Replace(string(whole), tt.from, tt.to, 1)
		if broken == string(whole) {
			t.Fatalf("the model has no %s", tt.from)
		}
		if err := os.WriteFile(model, []byte(broken), 0o600); err != nil {
			t.Fatal(err)
		}
		code, _, said := verb.Call(t.Context(), Command, nil, "tag", training, "--model", model)
		if code != 1 || !strings.Contains(said, tt.want) || !strings.Contains(said, model) {
			t.Errorf("%s for %s: exit code %d, %s", tt.to, tt.from, code, said)
		}
	}
}
