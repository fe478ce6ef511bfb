package models

import (
	"slices"
	"testing"

	"nightjar/daemon/lab/devtool"
)

// TestClock reports stages in turns: each is listed once, in the order of first reports, and no time is counted twice.
func TestClock(t *testing.T) {
	c := newClock()
	for _, name := range []string{"a", "a", "b", "a", "c", "b"} {
		c.reach(name)
	}
	stages, seconds, peak := c.end()
	var names []string
	sum := 0.0
	for _, s := range stages {
		names = append(names, s.Name)
		sum += s.Seconds
		if s.Seconds <= 0 || s.Peak > peak {
			t.Errorf("stage %+v, peak %d", s, peak)
		}
	}
	if want := []string{"a", "b", "c"}; !slices.Equal(names, want) || sum > seconds {
		t.Errorf("stages %v, want %v; %v s of %v s", names, want, sum, seconds)
	}
	if stages, _, _ := newClock().end(); len(stages) > 0 {
		t.Errorf("without a report there are stages %v", stages)
	}
}

func TestCompare(t *testing.T) {
	stages := []stage{{Name: "text", Seconds: 1, CPU: 1}, {Name: "space", Seconds: 2, CPU: 3}, {Name: "clusters", Seconds: 3, CPU: 3}, {Name: "states", Seconds: 9}, {Name: "judge", Seconds: 1}}
	steps := []step{{"tfidf", 1, 1}, {"count-background", 1, 1}, {"svd-arpack", 8, 8}, {"svd-randomized", 3, 5}, {"log-tf", 1, 1}, {"kmeans", 1, 2}, {"logistic-useful", 7, 7}}
	want := []compared{
		{"text", "tfidf + count-background", 1, 2, .5, .5}, {"space", "svd-randomized + log-tf", 2, 4, .5, .5}, {"clusters", "kmeans", 3, 1, 3, 1.5},
		{"together", "together", 6, 7, 6. / 7, .7},
	}
	if got := compare(stages, steps); !slices.Equal(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
	steps = append(steps, step{"logistic-calibrated", 10, 1})
	if got := compare(stages, steps)[3]; got != (compared{"judge", "logistic-calibrated", 1, 10, .1, 0}) {
		t.Errorf("got %+v", got)
	}
	if got := compare(stages, nil); len(got) > 0 {
		t.Errorf("without a baseline: %+v", got)
	}
}

func TestAims(t *testing.T) {
	m := &measured{Size: 200, Seconds: 1.5, Peak: 1 << 29, Report: []stage{{}}, ReportSeconds: 2,
		Compare: []compared{{"text", "tfidf", 1, 2, .5, .5}}}
	want := []devtool.Aim{
		devtool.AtMost("200 pages without the report", 1.5, 1, "s"), devtool.AtMost("200 pages with the report", 3.5, 4, "s"),
		devtool.AtMost("200 pages, memory", 512, 1024, "MiB"),
		devtool.AtMost("200 pages, text / tfidf", .5, 1, ""),
	}
	if got := aims([]*measured{m}); !slices.Equal(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
}

// TestQuicken joins two runs: the smaller figure counts, in any order of stages.
func TestQuicken(t *testing.T) {
	m := &measured{Seconds: 3, Stages: []stage{{"a", 1, 2, 7}, {"b", 2, 1, 7}}}
	m.quicken(&measured{Seconds: 4, Stages: []stage{{"b", 1, 3, 9}, {"a", 3, 1, 9}}})
	if want := []stage{{"a", 1, 1, 7}, {"b", 1, 1, 7}}; m.Seconds != 3 || !slices.Equal(m.Stages, want) {
		t.Errorf("got %+v", m)
	}
}
