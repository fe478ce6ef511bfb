package bench

import (
	"os"
	"testing"

	"nightjar/model"
)

// TestHMMAllData: its model has more pages than that of the sessions, the same targets and more links; it crawls beside hmm.
func TestHMMAllData(t *testing.T) {
	dir := madeUp(t)
	task := evenings(1)
	task.Strategies, task.Budget = []string{"hmm", HMMAllData}, 30
	r := runner(t, dir)
	if err := r.open(); err != nil {
		t.Fatal(err)
	}
	defer r.close()
	if err := task.complete(); err != nil {
		t.Fatal(err)
	}
	trials, err := r.prepare(t.Context(), &task)
	if err != nil {
		t.Fatal(err)
	}
	read := func(file string) *model.Bundle {
		t.Helper()
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		b, err := model.Decode(data)
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	some, all := read(trials[0].Model), read(trials[0].AllData)
	if len(all.Pages) <= len(some.Pages) || len(all.Edges) <= len(some.Edges) || all.Facts.Targets != some.Facts.Targets {
		t.Errorf("of the sessions %+v, of all data %+v", some.Facts, all.Facts)
	}
	for i, p := range some.Pages {
		if all.Pages[i].URL != p.URL || all.Pages[i].Target != p.Target {
			t.Fatalf("page %d is %+v, want %+v", i, all.Pages[i], p)
		}
	}
	runs, err := r.measure(t.Context(), &task, trials, Free, nil)
	if err != nil {
		t.Fatal(err)
	}
	if n := len(runs[HMMAllData][0].Found); n < 10 || n > 30 {
		t.Errorf("it fetched %d pages", n)
	}
}
