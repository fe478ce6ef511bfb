package cli

import (
	"bytes"
	"flag"
	"os"
	"slices"
	"strings"
	"testing"
)

func mustRun(t *testing.T, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	var out, errs bytes.Buffer
	code = run(t.Context(), &environment{stdin: strings.NewReader(""), stdout: &out, stderr: &errs, getenv: os.Getenv}, args)
	return code, out.String(), errs.String()
}

func TestEveryCommandHasHelp(t *testing.T) {
	_, overview, _ := mustRun(t, "--help")
	for _, c := range commands() {
		if c.summary == "" { // not for people: a part of the program runs it
			if strings.Contains(overview, c.name) {
				t.Errorf("the overview tells people of %s", c.name)
			}
			continue
		}
		code, out, _ := mustRun(t, c.name, "--help")
		if code != 0 || !strings.HasPrefix(out, "usage: nightjar "+c.name+" ") || len(out) < 100 {
			t.Errorf("%s --help: code %d, output %q", c.name, code, out)
		}
		if !strings.Contains(overview, c.summary) {
			t.Errorf("the overview lacks %s", c.name)
		}
	}
}

func TestWrongUsageIsToldWithTheNextStep(t *testing.T) {
	for _, args := range [][]string{
		{"frobnicate"}, {"serve", "--no-such-flag"}, {"serve", "surplus"}, {"import"}, {"export", "--model"},
		{"serve", "--listen", "0.0.0.0:4774"}, {"serve", "--listen", "nonsense"}, {"serve", "--listen", "192.168.1.1:80"},
	} {
		code, out, errs := mustRun(t, args...)
		if code != 2 || out != "" || !strings.HasPrefix(errs, "nightjar: error: ") || !strings.Contains(errs, "nightjar: hint: ") {
			t.Errorf("%v: code %d, stdout %q, stderr %q", args, code, out, errs)
		}
	}
}

func TestListFlag(t *testing.T) {
	for _, test := range []struct {
		urls bool
		args []string
		want []string
	}{
		{false, []string{"--x", "a,b", "--x", "c"}, []string{"a", "b", "c"}},
		{false, []string{"--x=a,,b,"}, []string{"a", "b"}},
		{true, []string{"--x", "http://a.test/1,2,https://b.test/"}, []string{"http://a.test/1,2", "https://b.test/"}},
		{true, []string{"--x", "http://a.test/?q=1,http://b.test/"}, []string{"http://a.test/?q=1", "http://b.test/"}},
	} {
		var got []string
		_, err := parse("test", test.args, func(f *flag.FlagSet) { f.Var(listFlag{values: &got, urls: test.urls}, "x", "") })
		if err != nil || !slices.Equal(got, test.want) {
			t.Errorf("%v: got %q, %v, want %q", test.args, got, err, test.want)
		}
	}
}

func TestFlagsMayFollowArguments(t *testing.T) {
	var on bool
	rest, err := parse("test", []string{"one", "--on", "two"}, func(f *flag.FlagSet) { f.BoolVar(&on, "on", false, "") })
	if err != nil || !on || !slices.Equal(rest, []string{"one", "two"}) {
		t.Errorf("got %v, %v, %v", rest, on, err)
	}
}
