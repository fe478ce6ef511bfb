package cli

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"nightjar/daemon/app"
	"nightjar/daemon/app/apptest"
	"nightjar/model"
	"nightjar/model/ways"
)

// TestTrainForCRF: what ways teach is asked for by --strategy crf. A session with too few of them writes no model then, and
// says what is missing.
func TestTrainForCRF(t *testing.T) {
	file, out := apptest.Harbours(t), filepath.Join(t.TempDir(), "m.bundle")
	code, _, errs := mustRun(t, "train", "--session", file, "--out", out, "--strategy", "crf", "--report=false")
	if _, err := os.Stat(out); code == 0 || err == nil || !strings.Contains(errs, "train for crf: this model learned nothing from ways: 3 ways to a useful page are needed") || !strings.Contains(errs, "nightjar export --paths") {
		t.Errorf("code %d, %q; the file: %v", code, errs, err)
	}
	code, text, errs := mustRun(t, "train", "--session", file, "--out", out, "--json", "--report=false")
	var told struct {
		Ways   *waysJSON `json:"ways"`
		NoWays string    `json:"no_ways"`
	}
	if err := json.Unmarshal([]byte(text), &told); code != 0 || err != nil || told.Ways != nil || !strings.HasPrefix(told.NoWays, "3 ways") {
		t.Errorf("code %d, %v, %q, %q", code, err, text, errs)
	}
}

func TestTrainFlags(t *testing.T) {
	for want, args := range map[string][]string{
		`unknown strategy "fastest"`:                      {"--strategy", "fastest"},
		"--labels must be milestones or hops, not \"a\"":  {"--labels", "a"},
		"--reward must be visits or printed, not \"all\"": {"--reward", "all"},
	} {
		code, _, errs := mustRun(t, append([]string{"train", "--session", "x", "--out", "y"}, args...)...)
		if code != 2 || !strings.Contains(errs, want) {
			t.Errorf("%v: code %d, %q", args, code, errs)
		}
	}
}

// madeWays are ways as they are learned from a handful of paths.
func madeWays(t *testing.T) *ways.Ways {
	t.Helper()
	var paths []ways.Path
	for i, tree := range []string{"a", "b", "c", "a", "b"} {
		p := ways.Path{Kind: ways.Marked, Positive: i < 3, Count: 1, Tree: tree, Steps: []ways.Step{{URL: "https://a.test/" + tree, Hop: 1, Page: []string{"w=home"}}}}
		last := ways.Step{URL: "https://a.test/" + tree + "/course", Page: []string{"w=course"}, Link: []string{"a=course"}}
		if !p.Positive {
			p.Kind, last = ways.Left, ways.Step{URL: "https://a.test/" + tree + "/news", Hop: 3, Page: []string{"w=news"}, Link: []string{"a=news"}}
		}
		p.Steps = append(p.Steps, last)
		paths = append(paths, p)
	}
	w, err := ways.Learn(t.Context(), paths, ways.Options{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// TestTellWays: a person is told the labels with their worth, and how well they are told apart.
func TestTellWays(t *testing.T) {
	w := madeWays(t)
	var text strings.Builder
	if err := tellWays(&text, w); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"5 ways over 8 pages: 3 to a useful page, 2 that led nowhere", "3 labels (hops)", "T0 ", "on 3 folds, each without a tree"} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("told\n%s\nwithout %q", &text, want)
		}
	}
	none := *w
	none.Report = nil
	text.Reset()
	if err := tellWays(&text, &none); err != nil || !strings.Contains(text.String(), "how well it labels pages is not known") {
		t.Errorf("%v, %s", err, &text)
	}
	all := waysOf(w)
	if all.Count != 3 || len(all.Steps) != 3 || len(all.Steps[2]) != 3 || all.Steps[1][2] != w.Field.Steps[5] || all.Weights == 0 || len(all.Folds) != 6 || waysOf(nil) != nil {
		t.Errorf("%+v", all)
	}
	o := trainOptions{strategy: "crf"}
	if err := o.fit((&model.Bundle{}).WithWays(w, "")); err != nil {
		t.Error(err)
	}
	if err := o.fit((&model.Bundle{}).WithWays(nil, "too few")); err == nil || app.Hint(err) == "" {
		t.Errorf("without ways: %v", err)
	}
}
