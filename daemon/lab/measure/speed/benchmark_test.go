package speed

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"nightjar/daemon/lab/farm"
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
	r := mustRun(t, append(small, "--rounds=2", "--queued=0", "--polite=0", "--only=nightjar,bare")...)
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

// TestFrontierAndPoliteness measures a frontier of few links, and a crawl with delays that the server must find kept.
func TestFrontierAndPoliteness(t *testing.T) {
	r := mustRun(t, append(small, "--only=", "--queued=2000", "--polite=500ms", "--delay=250ms")...)
	if f := r.Frontier; f == nil || f.Queued != 2000 || f.Hosts != 20 || f.PopP50 <= 0 || f.PopP99 < f.PopP50 || f.PopMax < f.PopP99 || f.NoteAvg <= 0 || f.Peak < 1<<20 {
		t.Errorf("the frontier: %+v", f)
	}
	if p := r.Polite; p == nil || p.Hosts != 4 || p.Pages == 0 || p.Possible != 16 || p.Sooner != 0 || p.Overlapped != 0 || p.MinGap < .25 {
		t.Errorf("the polite crawl: %+v", p)
	}
	if len(r.Aims) != 4 {
		t.Errorf("aims are %+v", r.Aims)
	}
}

// TestCrew crawls with workers in processes of their own, which tell what they used when the time of the crawl is over.
func TestCrew(t *testing.T) {
	web := farm.Options{Hosts: 4, Pages: 60, Seed: 1}
	bundle := filepath.Join(t.TempDir(), "model.bundle")
	if _, err := train(t.Context(), &trainSpec{web, bundle}); err != nil {
		t.Fatal(err)
	}
	f, err := farm.Open(web)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	spec := &crawlSpec{Addrs: map[string]string{}, Starts: f.Starts(), Pages: 60, Workers: 4, Millis: 100, Window: 700, Bundle: bundle, Dir: t.TempDir(), Crew: 2, Timed: true}
	for _, r := range f.Resolve() {
		spec.Addrs[r.Pattern] = r.Addr
	}
	c, err := crawlPipeline(t.Context(), spec)
	if err != nil {
		t.Fatal(err)
	}
	if c.Pages == 0 || c.Stopped == "" || c.Added <= 0 || c.CPU <= 0 || c.HandCPU <= 0 || c.HandPeak < 1<<20 {
		t.Errorf("got %+v", c)
	}
	if saw := f.Stats(); saw.Sooner != 0 || saw.Overlapped != 0 {
		t.Errorf("the farm saw %+v", saw)
	}
}

// TestColly builds the separate module and crawls with it.
func TestColly(t *testing.T) {
	if testing.Short() {
		t.Skip("builds another module")
	}
	r := mustRun(t, append(small, "--rounds=1", "--queued=0", "--polite=0", "--only=colly,bare")...)
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
	r.Frontier = &frontierResult{Peak: 513 << 20, PopP99: .5}
	r.Polite = &politeResult{Share: .94, Sooner: 1}
	var met []bool
	for _, a := range r.aims() {
		met = append(met, a.Met)
	}
	if want := []bool{true, true, false, true, false, false}; len(met) != len(want) {
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
