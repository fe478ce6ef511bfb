package month

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"nightjar/daemon/base/command"
	"nightjar/daemon/lab/corpus"
	"nightjar/daemon/lab/verb"
)

// TestMonth: nights that go on read few pages twice and meet about the useful pages of one night of the same budget; nights that
// begin anew mostly read what they read before.
func TestMonth(t *testing.T) {
	if os.Getenv("NIGHTJAR_CORPORA") == "" || testing.Short() {
		t.Skip("NIGHTJAR_CORPORA is not set, or -short")
	}
	o := &options{}
	if _, err := command.Parse("month", []string{"--tasks", "course-texas", "--nights", "4", "--pages", "20", "--still"}, o.Define); err != nil {
		t.Fatal(err)
	}
	webs, err := open(t.Context(), o, 1)
	if err != nil || len(webs) != 1 {
		t.Fatalf("%d webs, %v", len(webs), err)
	}
	lived := map[string]*month{}
	for _, way := range ways {
		if lived[way.name], err = webs[0].live(t.Context(), o, way); err != nil {
			t.Fatalf("nights that %s: %v", way.name, err)
		}
	}
	for name, m := range lived {
		if len(m.read)+m.unchanged > 80 || len(m.met) < len(m.useful) || m.shown < m.right || len(m.useful) == 0 {
			t.Errorf("nights that %s: %d pages read and %d again, %d useful ones met, %d found, %d shown, %d right", name, len(m.read), m.unchanged, len(m.met), len(m.useful), m.shown, m.right)
		}
	}
	goOn, one, anew := lived["go on, without marks"], lived["are one"], lived["begin anew"]
	if goOn.unchanged > 8+80/10 || anew.unchanged < 20 { // a tenth are looks
		t.Errorf("nights that go on read %d pages again, nights that begin anew %d", goOn.unchanged, anew.unchanged)
	}
	if 10*len(goOn.met) < 8*len(one.met) || len(goOn.each) != 4 || len(one.each) != 4 { // how often hosts were asked counts for a night
		t.Errorf("nights that go on met %d useful pages, one night %d", len(goOn.met), len(one.met))
	}
}

// TestNights lives nights on a small web: nights that begin anew read pages again.
func TestNights(t *testing.T) {
	w := madeWeb(t)
	var lines strings.Builder
	for url, useful := range w.useful {
		if useful {
			fmt.Fprintf(&lines, "%s\tgardens\n", url)
		}
	}
	file := filepath.Join(t.TempDir(), "labels.tsv")
	if err := os.WriteFile(file, []byte(lines.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	labels, err := corpus.ReadLabels([]string{file})
	if err != nil {
		t.Fatal(err)
	}
	w.events, _, err = corpus.Walk(t.Context(), w.change.replay, labels, corpus.WalkOptions{Relevant: "gardens", Starts: w.Starts, Pages: 30, Targets: 5, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	o := &options{Nights: madeDays, Pages: 40, Looks: 10, unguarded: true}
	if w.second, _, err = corpus.Walk(t.Context(), w.change.replay, labels, corpus.WalkOptions{Relevant: "gardens", Starts: w.Starts, Pages: 20, Targets: 3, Seed: 2}); err != nil {
		t.Fatal(err)
	}
	w.again = 2
	for _, way := range ways[1:3] { // without marks, and anew
		m, err := w.live(t.Context(), o, way)
		if err != nil {
			t.Fatalf("nights that %s: %v", way.name, err)
		}
		if m.requests == 0 || m.requests > o.Nights*o.Pages || len(m.each) != o.Nights || len(m.useful) == 0 || way.anew && m.unchanged == 0 {
			t.Errorf("nights that %s: %d requests, %d of them again, new ones each night %v, %d useful", way.name, m.requests, m.unchanged, m.each, len(m.useful))
		}
		if days := m.clock.Now().Sub(begin).Hours() / 24; days < madeDays || days > madeDays+1 {
			t.Errorf("nights that %s: %.1f days passed", way.name, days)
		}
	}
}

func TestOptions(t *testing.T) {
	t.Setenv("NIGHTJAR_CORPORA", "")
	for _, args := range [][]string{{}, {"--corpora", ".", "--nights", "3"}, {"--corpora", ".", "--pages", "-1"}, {"--corpora", ".", "rest"}, {"--corpora", ".", "--seed", "1,x"}} {
		if code, _, said := verb.Call(t.Context(), Command, nil, args...); code != 2 {
			t.Errorf("%v: exit code %d, %s", args, code, said)
		}
	}
}
