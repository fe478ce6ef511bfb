package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"nightjar/crawler/strategy"
	"nightjar/daemon/cli/demo/demoweb"
	"nightjar/daemon/lab/effort"
)

// mustDemo runs the demonstration of a seed and returns its result and the JSON it printed.
func mustDemo(t *testing.T, seed uint64) (demoResult, string) {
	t.Helper()
	t.Setenv("TMPDIR", t.TempDir())
	code, out, errs := mustRun(t, "demo", "--headless", "--json", "--seed", strconv.FormatUint(seed, 10))
	if code != 0 {
		t.Fatalf("code %d: %s", code, errs)
	}
	if left, err := filepath.Glob(filepath.Join(os.TempDir(), "nightjar-demo-*")); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v (%v)", left, err)
	}
	var r demoResult
	if err := json.Unmarshal([]byte(out), &r); err != nil {
		t.Fatalf("%v in %.200s", err, out)
	}
	return r, out
}

// printedOfTwo is what TestDemo printed for seed 2, "" if it did not run.
var printedOfTwo string

// TestDemo goes from the first click to the finds with every real part: socket, store, trainer, scheduler, fetcher.
func TestDemo(t *testing.T) {
	r, out := mustDemo(t, 2)
	printedOfTwo = out
	web := demoweb.Generate(2)
	if s := r.Session; s.Pages < 40 || s.Targets != 6 || s.Edges < s.Pages {
		t.Errorf("session %+v", s)
	}
	if m := r.Model; m.States != 4 || m.Clusters < 3 || m.Gamma < 0.3 || m.Gamma > 0.95 {
		t.Errorf("model %+v", m)
	}
	budget := len(web.Pages()) * 2 / 5
	for _, c := range []demoCrawl{r.Crawl, r.Baseline} {
		if c.Fetched != budget {
			t.Errorf("%s fetched %d of %d pages", c.Strategy, c.Fetched, budget)
		}
	}
	if r.Crawl.Strategy != strategy.Best || !strings.Contains(r.Crawl.StopReason, "budget") || r.Baseline.Strategy != "breadth-first" {
		t.Errorf("crawl %+v, baseline %+v", r.Crawl, r.Baseline)
	}
	if r.Crawl.Relevant <= r.Baseline.Relevant || len(r.Finds) == 0 {
		t.Errorf("%s found %d, breadth-first %d, finds %d", r.Crawl.Strategy, r.Crawl.Relevant, r.Baseline.Relevant, len(r.Finds))
	}
	pages := web.Pages()
	for _, f := range r.Finds {
		last := f.Trail[len(f.Trail)-1]
		if last.URL != f.URL || len(f.Trail) < 2 || f.Trail[0].Anchor != "" || f.Similarity < r.Model.Gamma && f.Useful == 0 {
			t.Errorf("find %+v", f)
		}
		for _, step := range f.Trail {
			if _, ok := slices.BinarySearch(pages, step.URL); !ok || len(step.States) != 4 || step.Hops == nil || *step.Hops > 3 {
				t.Errorf("step %+v", step)
			}
		}
	}
	if m := r.Map; m.Fetched != budget || len(m.Communities) != 5 {
		t.Errorf("map %+v", m)
	}
	checkDemoKeys(t, out)
}

// checkDemoKeys checks that the JSON has exactly the documented fields.
func checkDemoKeys(t *testing.T, out string) {
	t.Helper()
	var r map[string]json.RawMessage
	if err := json.Unmarshal([]byte(out), &r); err != nil {
		t.Fatal(err)
	}
	keys := map[string]json.RawMessage{"": json.RawMessage(out)}
	maps.Copy(keys, r)
	for name, want := range map[string]string{
		"": "baseline crawl finds map model session", "map": "communities fetched id", "session": "edges pages targets", "model": "clusters gamma states",
		"crawl": "fetched relevant stop_reason strategy", "baseline": "fetched relevant strategy",
	} {
		var fields map[string]json.RawMessage
		if err := json.Unmarshal(keys[name], &fields); err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(slices.Sorted(maps.Keys(fields)), " "); got != want {
			t.Errorf("%q has the fields %s, want %s", name, got, want)
		}
	}
}

// builtIn is the temporary folder of the program.
var builtIn string

// build builds the program without the race detector, once for all tests.
var build = sync.OnceValue(func() (err error) {
	if builtIn, err = os.MkdirTemp("", "nightjar-built"); err != nil {
		return err
	}
	if out, err := exec.Command("go", "build", "-ldflags=-s -w", "-o", filepath.Join(builtIn, "nightjar"), "nightjar/daemon").CombinedOutput(); err != nil {
		return fmt.Errorf("build: %w\n%s", err, out)
	}
	return nil
})

// mustBuild returns the path of the built program.
func mustBuild(t *testing.T) string {
	t.Helper()
	if err := build(); err != nil {
		t.Fatal(err)
	}
	return filepath.Join(builtIn, "nightjar")
}

// TestDemoAsBuilt runs the built program: so many demonstrations would take minutes under the race detector, where TestDemo
// runs.
func TestDemoAsBuilt(t *testing.T) {
	if testing.Short() {
		t.Skip("a dozen demonstrations")
	}
	t.Parallel()
	program := mustBuild(t)
	demo := func(t *testing.T, args ...string) (code int, out, errs string) {
		t.Helper()
		cmd := exec.Command(program, append([]string{"demo"}, args...)...)
		cmd.Env = append(os.Environ(), "TMPDIR="+t.TempDir())
		var said, complained strings.Builder
		cmd.Stdout, cmd.Stderr = &said, &complained
		var exit *exec.ExitError
		if err := cmd.Run(); err != nil && !errors.As(err, &exit) {
			t.Fatal(err)
		}
		return cmd.ProcessState.ExitCode(), said.String(), complained.String()
	}
	t.Run("learns", func(t *testing.T) {
		demoLearns(t, func(seed int) string {
			code, out, errs := demo(t, "--headless", "--json", "--seed", strconv.Itoa(seed))
			if code != 0 {
				t.Fatalf("seed %d: code %d\n%s", seed, code, errs)
			}
			return out
		})
	})
	t.Run("for people", func(t *testing.T) {
		code, out, errs := demo(t, "--headless")
		if code != 0 || !strings.Contains(out, "reached") || !strings.Contains(out, "Finds for the morning: ") {
			t.Errorf("code %d\n%s\n%s", code, out, errs)
		}
		if code, _, _ := demo(t, "surplus"); code != 2 {
			t.Errorf("a surplus argument ends with %d", code)
		}
	})
}

// demoLearns checks that the learned strategy finds more than breadth-first on at least three of four made-up webs, at night on
// eight of ten, and that the same seed gives the same result.
func demoLearns(t *testing.T, demo func(seed int) string) {
	better := 0
	seeds := effort.Seeds()
	for seed := 1; seed <= seeds; seed++ {
		out := demo(seed)
		var r demoResult
		if err := json.Unmarshal([]byte(out), &r); err != nil {
			t.Fatalf("seed %d: %v in %.200s", seed, err, out)
		}
		t.Logf("seed %d: %s %d, breadth-first %d of %d pages", seed, r.Crawl.Strategy, r.Crawl.Relevant, r.Baseline.Relevant, r.Crawl.Fetched)
		if r.Crawl.Relevant > r.Baseline.Relevant {
			better++
		}
		if seed == 2 {
			again := printedOfTwo
			if again == "" {
				again = demo(2)
			}
			if again != out {
				t.Error("the same seed gives another result")
			}
		}
	}
	if better < seeds*8/10 {
		t.Errorf("the learned strategy found more on %d of %d seeds", better, seeds)
	}
}
