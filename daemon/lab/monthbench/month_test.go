package main

import (
	"bytes"
	"errors"
	"io"
	"os"
	"strings"
	"testing"

	"nightjar/daemon/lab/devtool"
)

// TestMonth: nights that go on read hardly a page twice and meet about the useful pages of one night of the same budget; nights that
// begin anew mostly read what they read before.
func TestMonth(t *testing.T) {
	if os.Getenv("NIGHTJAR_CORPORA") == "" || testing.Short() {
		t.Skip("NIGHTJAR_CORPORA is not set, or -short")
	}
	o, err := parseOptions([]string{"--tasks", "course-texas", "--nights", "3", "--pages", "20"}, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	webs, err := open(t.Context(), o, 1)
	if err != nil || len(webs) != 1 {
		t.Fatalf("%d webs, %v", len(webs), err)
	}
	lived := map[string]*month{}
	for _, way := range ways {
		if lived[way.name], err = webs[0].live(t.Context(), o, way, 1); err != nil {
			t.Fatalf("nights that %s: %v", way.name, err)
		}
	}
	for name, m := range lived {
		if len(m.read)+m.again > 60 || m.met < len(m.useful) || m.shown < m.right || len(m.useful) == 0 {
			t.Errorf("nights that %s: %d pages read and %d again, %d useful ones met, %d found, %d shown, %d right", name, len(m.read), m.again, m.met, len(m.useful), m.shown, m.right)
		}
	}
	goOn, one, anew := lived["go on, without marks"], lived["are one"], lived["begin anew"]
	if goOn.again > 6 || anew.again < 15 {
		t.Errorf("nights that go on read %d pages again, nights that begin anew %d", goOn.again, anew.again)
	}
	if 10*goOn.met < 8*one.met || len(goOn.each) != 3 || len(one.each) != 1 { // how often hosts were asked counts for a night
		t.Errorf("nights that go on met %d useful pages, one night %d", goOn.met, one.met)
	}
}

func TestOptions(t *testing.T) {
	t.Setenv("NIGHTJAR_CORPORA", "")
	for _, args := range [][]string{{}, {"--corpora", ".", "--nights", "0"}, {"--corpora", ".", "--pages", "-1"}, {"--corpora", ".", "rest"}, {"--corpora", ".", "--seeds", "1,x"}} {
		var says bytes.Buffer
		if _, err := parseOptions(args, &says); !errors.Is(err, devtool.ErrUsage) {
			t.Errorf("%s: %v", strings.Join(args, " "), err)
		}
	}
}
