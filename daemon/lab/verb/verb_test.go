package verb

import (
	"context"
	"flag"
	"fmt"
	"slices"
	"strings"
	"testing"

	"nightjar/daemon/base/command"
)

func TestLists(t *testing.T) {
	seeds, names := []uint64{7}, []string{"default"}
	for text, want := range map[string]string{"1": "[1]", " 4, 5": "[4 5]", "18446744073709551615": "[18446744073709551615]"} {
		if err := Numbers(&seeds, 0)(text); err != nil || fmt.Sprint(seeds) != want {
			t.Errorf("%q: %v, %v", text, seeds, err)
		}
	}
	var sizes []int
	for _, text := range []string{"", "x", "3,", "-1", "19", "20,1", "18446744073709551615"} {
		if err := Numbers(&sizes, 20)(text); err == nil {
			t.Errorf("%q: %v", text, sizes)
		}
	}
	for text, want := range map[string][]string{"a": {"a"}, "b,a": {"b", "a"}, "": {}} {
		if err := Names(&names, "a", "b")(text); err != nil || !slices.Equal(names, want) {
			t.Errorf("%q: %v, %v", text, names, err)
		}
	}
	if err := Names(&names, "a", "b")("a,c"); err == nil || !strings.Contains(err.Error(), `"c" is none of a, b`) {
		t.Error(err)
	}
	if err := Names(&names)("anything"); err != nil {
		t.Error(err)
	}
}

func TestLine(t *testing.T) {
	for _, c := range []struct {
		args          []string
		corpora, want string
	}{
		{nil, "", "go run ./daemon/lab month"},
		{[]string{"--seed", "1,2"}, "/home/me/corpora", "go run ./daemon/lab month --corpora DIR --seed 1,2"},
		{[]string{"--corpora", "/c", "--seed=1"}, "/c", "go run ./daemon/lab month --corpora DIR --seed=1"},
		{[]string{"-corpora=/c", "--data=/d"}, "/c", "go run ./daemon/lab month -corpora=DIR --data=DIR"},
	} {
		if got := Line(&command.Env{Args: c.args}, "month", c.corpora, "/d"); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}

type none struct{ Output }

func (n *none) Define(f *flag.FlagSet) { n.Flags(f, "") }

func (n *none) Run(ctx context.Context, env *command.Env, _ []string) error {
	return n.Print(env, map[string]int{"pages": 3}, "Three pages", nil)
}

// TestJob: a job reads its specification and prints what it returns; no list names it.
func TestJob(t *testing.T) {
	type numbers struct{ A, B int }
	sum := func(_ context.Context, n *numbers) (int, error) {
		if n.A < 0 {
			return 0, fmt.Errorf("%d is negative", n.A)
		}
		return n.A + n.B, nil
	}
	c := command.Command{Name: "measure", Verb: command.Of[none], Below: []command.Command{Job("measure sum", Answer(sum))}}
	for _, test := range []struct {
		args []string
		code int
		said string
	}{
		{[]string{"sum", `{"A": 2, "B": 3}`}, 0, "5\n"},
		{[]string{"sum", `{"A": -2}`}, 1, "-2 is negative"},
		{[]string{"sum", "2"}, 1, "cannot unmarshal"},
		{[]string{"sum"}, 2, "one specification"},
		{nil, 0, "Three pages\n"},
		{[]string{"--json"}, 0, "{\n  \"pages\": 3\n}\n"},
		{[]string{"--report"}, 2, "report"},
	} {
		code, stdout, stderr := Call(t.Context(), c, nil, test.args...)
		if code != test.code || !strings.Contains(stdout+stderr, test.said) {
			t.Errorf("%v: exit code %d, %q, %q", test.args, code, stdout, stderr)
		}
	}
	if _, help, _ := Call(t.Context(), c, nil, "--help"); strings.Contains(help, "sum") || strings.Contains(help, "verbs") {
		t.Errorf("the help names a job:\n%s", help)
	}
}

// TestHelpFaults: a command for people needs help that says how it is used; a job needs none, and no list names it.
func TestHelpFaults(t *testing.T) {
	good := command.Command{Name: "measure", Args: "[FLAGS]", Summary: "how long it takes", Help: strings.Repeat("It measures. ", 10), Verb: command.Of[none]}
	p := &command.Program{Name: "lab", Verbs: []command.Command{good, {Name: "part", Help: "A part.", Verb: command.Of[none]}}}
	if faults := HelpFaults(t.Context(), p); len(faults) > 0 {
		t.Error(faults)
	}
	good.Help = ""
	p.Verbs[0] = good
	if faults := HelpFaults(t.Context(), p); len(faults) == 0 {
		t.Error("a command without help has no fault")
	}
}
