package main

import (
	"bytes"
	"strings"
	"testing"

	"nightjar/model"
	"nightjar/model/measure"
)

func TestSays(t *testing.T) {
	for want, f := range map[string]measure.Figure{
		"clearly better": {Value: .2, Low: .1, High: .3, N: 5}, "perhaps better": {Value: .2, Low: -.1, High: .5, N: 5},
		"perhaps worse": {Value: -.2, Low: -.5, High: .1, N: 5}, "clearly worse": {Value: -.2, Low: -.3, High: -.1, N: 5},
	} {
		if got := says(model.Rehearsed{Wanted: model.EnoughRehearsed, Better: f}); got != want {
			t.Errorf("of %+v: %s, want %s", f, got, want)
		}
		if got := says(model.Rehearsed{Wanted: 4, Better: f}); got != "too little to tell" {
			t.Errorf("of four useful pages: %s", got)
		}
	}
}

// TestTables counts three crawls by hand.
func TestTables(t *testing.T) {
	all := []compared{
		{Task: "a", Strategy: "hmm", Says: "clearly better", Crawl: .5, CrawlInOrder: .4},
		{Task: "b", Strategy: "hmm", Says: "clearly better", Crawl: .3, CrawlInOrder: .4},
		{Task: "c", Strategy: "hmm", Says: "clearly better", Crawl: .4, CrawlInOrder: .4},
	}
	got := tables(all)
	if n := len(got[0].Rows); n != 4 {
		t.Errorf("%d rows", n)
	}
	if row := strings.Join(got[1].Rows[1], " "); row != "hmm clearly better 3 1 1" {
		t.Errorf("counted %q", row)
	}
}

func TestOptions(t *testing.T) {
	var out bytes.Buffer
	if _, err := parseOptions([]string{"--strategies", "crf"}, &out); err == nil {
		t.Error("a strategy that needs ways is taken")
	}
	o, err := parseOptions([]string{"--suite", "real", "--seeds", "1"}, &out)
	if err != nil {
		t.Fatal(err)
	}
	s, err := o.suite()
	if err != nil || len(s.Tasks) == 0 {
		t.Fatal(s, err)
	}
	for _, task := range s.Tasks {
		if !task.LookedAt || len(task.Seeds) != 1 {
			t.Errorf("%s with seeds %v", task.Name, task.Seeds)
		}
	}
}
