//go:build measure

package e2e

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// startPlainChromium starts a Chromium without the extension.
func startPlainChromium(t *testing.T, webAddr string) browser {
	t.Helper()
	profile := profileDir(t)
	startProcess(t, chromiumCommand(needChromium(t), profile, "--host-resolver-rules=MAP *.test "+webAddr))
	w, err := dialChromium(profile)
	if err != nil {
		t.Fatal(err)
	}
	return &chromium{wire: w}
}

// traceEvent is one entry of a trace, in the format that chrome://tracing reads.
type traceEvent struct {
	Name string  `json:"name"`
	Ph   string  `json:"ph"`
	PID  int     `json:"pid"`
	TID  int     `json:"tid"`
	TS   float64 `json:"ts"`  // µs
	Dur  float64 `json:"dur"` // µs
	Args struct {
		Name string `json:"name"`
		Data struct {
			URL string `json:"url"`
		} `json:"data"`
	} `json:"args"`
}

// mainThread measures how long the extension's scripts keep the pages' main threads busy, per page and while idle.
func (j *job) mainThread(docs *documentation) {
	j.t.Helper()
	c, ok := j.b.(*chromium)
	if !ok {
		fmt.Println("time on the main thread: measured in Chromium only")
		return
	}
	var perPage, answers []float64
	for _, url := range docs.URLs {
		events := c.trace(j.t, func() {
			j.reader.load(url)
			time.Sleep(1500 * time.Millisecond)
		})
		perPage = append(perPage, ownTime(events, c.id))
		answers = append(answers, microtasks(events))
	}
	fmt.Printf("what runs when a promise is settled, mostly after an answer of the extension's background: median %.1f ms, 95 %% %.1f ms, most %.1f ms\n",
		percentile(answers, .5), percentile(answers, .95), percentile(answers, 1))
	idle := c.trace(j.t, func() { time.Sleep(10 * time.Second) })
	fmt.Printf("extension's scripts on the main thread, per page: median %.1f ms, 95 %% %.1f ms, most %.1f ms; in 10 s of idleness: %.2f ms\n",
		percentile(perPage, .5), percentile(perPage, .95), percentile(perPage, 1), ownTime(idle, c.id))
}

// trace records what the browser does meanwhile.
func (c *chromium) trace(t *testing.T, meanwhile func()) []traceEvent {
	t.Helper()
	done := make(chan struct{})
	var all []traceEvent
	c.wire.listen(func(e event) {
		switch e.Method {
		case "Tracing.dataCollected":
			var part struct{ Value []traceEvent }
			if err := json.Unmarshal(e.Params, &part); err == nil {
				all = append(all, part.Value...)
			}
		case "Tracing.tracingComplete":
			close(done)
		}
	})
	defer c.wire.listen(nil)
	params := map[string]any{"categories": "devtools.timeline,v8", "transferMode": "ReportEvents"}
	if err := c.call("", "Tracing.start", params, nil); err != nil {
		t.Fatal(err)
	}
	meanwhile()
	if err := c.call("", "Tracing.end", nil, nil); err != nil {
		t.Fatal(err)
	}
	select {
	case <-done:
	case <-time.After(patience):
		t.Fatal("the trace did not end")
	}
	return all
}

// ownTime is the time in ms that scripts of the extension ran on renderers' main threads; what they call counts once.
func ownTime(events []traceEvent, id string) (ms float64) {
	return spent(events, func(e traceEvent) bool {
		ours := strings.HasPrefix(e.Args.Data.URL, "chrome-extension://"+id+"/") && !strings.Contains(e.Args.Data.URL, "/popup/")
		return ours && (e.Name == "FunctionCall" || e.Name == "EvaluateScript")
	})
}

// microtasks is the time in ms that renderers' main threads spent on microtasks outside of any other script. The trace does not
// say whose they were; the pages that are measured have hardly any.
func microtasks(events []traceEvent) (ms float64) {
	all := spent(events, func(e traceEvent) bool {
		return e.Name == "RunMicrotasks" || e.Name == "FunctionCall" || e.Name == "EvaluateScript"
	})
	return all - spent(events, func(e traceEvent) bool { return e.Name == "FunctionCall" || e.Name == "EvaluateScript" })
}

// spent is the time in ms that renderers' main threads spent on some events; those within others count once.
func spent(events []traceEvent, counts func(traceEvent) bool) (ms float64) {
	main := map[[2]int]bool{}
	for _, e := range events {
		if e.Ph == "M" && e.Name == "thread_name" && e.Args.Name == "CrRendererMain" {
			main[[2]int{e.PID, e.TID}] = true
		}
	}
	slices.SortStableFunc(events, func(a, b traceEvent) int { return cmp.Or(cmp.Compare(a.TS, b.TS), cmp.Compare(b.Dur, a.Dur)) })
	until := map[[2]int]float64{}
	for _, e := range events {
		thread := [2]int{e.PID, e.TID}
		if e.Ph != "X" || !main[thread] || e.TS < until[thread] || !counts(e) {
			continue
		}
		until[thread] = e.TS + e.Dur
		ms += e.Dur / 1000
	}
	return ms
}

// memory measures the extension's process while a session is open and none of its pages is.
func (j *job) memory() {
	j.t.Helper()
	for _, page := range []string{"popup/", "options/", "welcome/"} {
		if u, err := j.b.OpenTab(j.b.ExtensionPage(page)); err == nil {
			j.reader.must(closeTab(u), "close "+page)
		}
	}
	time.Sleep(45 * time.Second) // the browser collects garbage
	for what, marker := range map[string]string{"Chromium": "--extension-process", "Firefox": "-contentproc .* extension$"} {
		if mb := memoryOf(j.t, marker); mb > 0 {
			fmt.Printf("memory of the extension's process in %s, session open, idle: %.0f MB (proportional set size)\n", what, mb)
		}
	}
}

func closeTab(u tab) error {
	switch p := u.(type) {
	case *chromiumTab:
		return p.browser.call("", "Target.closeTarget", map[string]any{"targetId": p.id}, nil)
	case *firefoxTab:
		return p.call("browsingContext.close", map[string]any{}, nil)
	}
	return nil
}

// memoryOf sums the proportional set sizes in MB of the processes whose command line matches a pattern.
func memoryOf(t *testing.T, pattern string) (mb float64) {
	t.Helper()
	out, err := exec.Command("pgrep", "-f", "--", pattern).Output()
	if err != nil {
		return 0 // there is none
	}
	for pid := range strings.FieldsSeq(string(out)) {
		text, err := os.ReadFile(filepath.Join("/proc", pid, "smaps_rollup"))
		if err != nil {
			continue // it ended
		}
		for line := range strings.Lines(string(text)) {
			if rest, ok := strings.CutPrefix(line, "Pss:"); ok {
				kb, err := strconv.ParseFloat(strings.Fields(rest)[0], 64)
				if err != nil {
					t.Fatal(err)
				}
				mb += kb / 1024
			}
		}
	}
	return mb
}

// TestMeasureScripts is the part of TestMeasureChromium about the pages' main threads.
func TestMeasureScripts(t *testing.T) {
	docs := readDocumentation(t, measuredPages, rand.New(rand.NewPCG(1, 17)))
	j := docs.record(t, "scripts", "documentation")
	j.popup.must(closeTab(j.popup.tab), "close the popup, whose work is none of the pages'")
	j.mainThread(docs)
}
