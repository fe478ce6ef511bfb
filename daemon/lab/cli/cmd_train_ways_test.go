package cli

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"nightjar/daemon/base/command"
	"nightjar/daemon/browse/protocol"
	"nightjar/daemon/browse/session"
	"nightjar/daemon/browse/session/sessiontest"
	"nightjar/model"
	"nightjar/model/ways"
)

// TestTrainForCRF: what ways teach is asked for by --strategy crf. A session with too few of them writes no model then, and
// says what is missing.
func TestTrainForCRF(t *testing.T) {
	m := sessiontest.NewMaker(1, time.Date(2026, 11, 2, 20, 0, 0, 0, time.UTC))
	events, from := []protocol.Event{m.Start("Harbours")}, ""
	for i, words := range []string{"harbour ship sail", "forest tree moss", "mountain rock snow", "river boat snow", "harbour crane quay"} {
		visit := m.Visit("http://walk.test/"+string(rune('a'+i)), words, protocol.HowLink, from)
		events, from = append(events, visit, m.Snapshot(visit.Page, []byte("<title>"+words+"</title><p>"+strings.Repeat(words+" ", 5)))), visit.Page
	}
	var walk bytes.Buffer
	if err := session.Write(&walk, append(events, m.Of(protocol.Useful, from, ""), m.Event(protocol.Submit))); err != nil {
		t.Fatal(err)
	}
	file, out := filepath.Join(t.TempDir(), "harbours.session.jsonl"), filepath.Join(t.TempDir(), "m.bundle")
	if err := os.WriteFile(file, walk.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	code, _, errs := mustRun(t, "train", "--session", file, "--out", out, "--strategy", "crf", "--report=false")
	if _, err := os.Stat(out); code == 0 || err == nil || !strings.Contains(errs, "train for crf: this model learned nothing from ways: 3 ways to a useful page are needed") || !strings.Contains(errs, "nightjar export --paths") {
		t.Errorf("code %d, %q; the file: %v", code, errs, err)
	}
	code, text, errs := mustRun(t, "train", "--session", file, "--out", out, "--json", "--report=false")
	var told struct {
		Learned bool   `json:"learned_ways"`
		NoWays  string `json:"no_ways"`
	}
	if err := json.Unmarshal([]byte(text), &told); code != 0 || err != nil || told.Learned || !strings.HasPrefix(told.NoWays, "3 ways") {
		t.Errorf("code %d, %v, %q, %q", code, err, text, errs)
	}
}

func TestTrainFlags(t *testing.T) {
	for want, args := range map[string][]string{
		`unknown strategy "fastest"`: {"--strategy", "fastest"},
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

// TestFit: a model fits crf when it learned from ways, and otherwise the error says what to do.
func TestFit(t *testing.T) {
	o := trainOptions{strategy: "crf"}
	if err := o.fit((&model.Bundle{}).WithWays(madeWays(t), "")); err != nil {
		t.Error(err)
	}
	if err := o.fit((&model.Bundle{}).WithWays(nil, "too few")); err == nil || command.Hint(err) == "" {
		t.Errorf("without ways: %v", err)
	}
}
