package speed

import (
	"encoding/json"
	"math"
	"os"
	"strings"
	"testing"

	"nightjar/daemon/lab/verb"
)

func TestMain(m *testing.M) { os.Exit(verb.Tests(m, Command)) }

// mustRun runs the verb and reads the JSON that it prints.
func mustRun(t *testing.T, args ...string) *result {
	t.Helper()
	code, stdout, stderr := verb.Call(t.Context(), Command, nil, append(args, "--json")...)
	if code != 0 {
		t.Fatalf("%v: %s", args, stderr)
	}
	dec := json.NewDecoder(strings.NewReader(stdout))
	dec.DisallowUnknownFields()
	r := new(result)
	if err := dec.Decode(r); err != nil {
		t.Fatal(err)
	}
	return r
}

var small = []string{"--corpora=", "--hosts=4", "--pages=24", "--workers=3", "--cores=2"}

// TestContenders crawls a small farm and compares what the contenders report.
func TestContenders(t *testing.T) {
	r := mustRun(t, append(small, "--rounds=2", "--polite=0", "--only=nightjar,bare")...)
	if r.Hosts != 4 || r.Pages != 24 || r.Source != "generated" || r.PageBytes < 10_000 || len(r.Contenders) != 2 || len(r.Aims) != 2 {
		t.Fatalf("got %+v", r)
	}
	ours, least := r.contender(pipeline), r.contender(bare)
	if least.Pages != 24 || least.Links < 24*20 || least.Kept != 0 || least.OfBare != 1 {
		t.Errorf("the bare loop: %+v", least)
	}
	// The trap guard may skip pages, and links of a page to itself do not count.
	if run := ours.Runs[0]; ours.Pages < 12 || ours.Links < ours.Pages*20 || ours.Kept < 100_000 || run.Stopped == "" || run.Failed["network"] > 0 {
		t.Errorf("the pipeline: %+v, %+v", ours, run)
	}
	for _, c := range r.Contenders {
		if len(c.Runs) != 2 || c.Rate <= 0 || c.CPU <= 0 || c.Peak < 1<<20 || c.CPUBare <= 0 {
			t.Errorf("%+v", c)
		}
	}
}

// TestPoliteness measures a crawl with delays that the server must find kept.
func TestPoliteness(t *testing.T) {
	r := mustRun(t, append(small, "--only=", "--polite=500ms", "--delay=250ms")...)
	if p := r.Polite; p == nil || p.Hosts != 4 || p.Pages == 0 || p.Possible != 16 || p.Sooner != 0 || p.Overlapped != 0 || p.MinGap < .25 {
		t.Errorf("the polite crawl: %+v", p)
	}
	if len(r.Aims) != 2 {
		t.Errorf("aims are %+v", r.Aims)
	}
}

// TestColly builds the separate module and crawls with it.
func TestColly(t *testing.T) {
	if testing.Short() {
		t.Skip("builds another module")
	}
	r := mustRun(t, append(small, "--rounds=1", "--polite=0", "--only=colly,bare")...)
	theirs, least := r.contender(colly), r.contender(bare)
	// Which page is the last depends on the order of the answers, and pages differ in a few links.
	if theirs.Pages != 24 || math.Abs(float64(theirs.Links-least.Links)) > .02*float64(least.Links) || theirs.Peak < 1<<20 || theirs.CPUBare <= 0 {
		t.Errorf("colly: %+v, the bare loop: %+v", theirs, least)
	}
}

func TestUsage(t *testing.T) {
	for _, args := range [][]string{{"--pages=5"}, {"--only=curl"}, {"stray"}, {"--rounds=0"}, {"--no-such-flag"}, {"--delay=1ms"}} {
		if code, stdout, stderr := verb.Call(t.Context(), Command, nil, args...); code != 2 || stdout != "" || !strings.Contains(stderr, "lab: error: ") {
			t.Errorf("%v: exit %d, %q, %q", args, code, stdout, stderr)
		}
	}
}

// TestMedians checks how runs are summed up: median time, largest memory, and the median of the rounds' ratios.
func TestMedians(t *testing.T) {
	r := &result{Contenders: []*contender{
		middle(pipeline, []*crawled{{Pages: 10, Seconds: 1, CPU: 1, Peak: 5}, {Pages: 10, Seconds: 2, CPU: 4, Peak: 9}, {Pages: 10, Seconds: 10, CPU: 2, Peak: 7}}),
		middle(bare, []*crawled{{Pages: 10, Seconds: .5, CPU: .5}, {Pages: 10, Seconds: 1, CPU: 1}, {Pages: 10, Seconds: 1, CPU: .5}}),
	}}
	r.compare()
	ours := r.Contenders[0]
	if ours.Rate != 5 || ours.CPU != 200 || ours.Peak != 9 || ours.OfBare != .5 || ours.CPUBare != 4 || ours.OfColly != 0 {
		t.Errorf("got %+v", ours)
	}
	r.Polite = &politeResult{Share: .94, Sooner: 1}
	var met []bool
	for _, a := range r.aims() {
		met = append(met, a.Met)
	}
	if want := []bool{true, true, false, false}; len(met) != len(want) {
		t.Errorf("aims %v", r.aims())
	} else {
		for i := range want {
			if met[i] != want[i] {
				t.Errorf("aim %+v", r.aims()[i])
			}
		}
	}
	r.Aims = r.aims()
	text := string(r.markdown())
	for _, want := range []string{"# How fast the crawl is", "| nightjar | 5 |", "## Aims", "missed"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing in\n%s", want, text)
		}
	}
}
