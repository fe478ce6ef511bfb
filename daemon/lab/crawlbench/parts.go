package main

import (
	"bufio"
	"context"
	"fmt"
	"os/exec"
	"slices"
	"strings"
	"time"
)

// part is the processor time that one part of the crawl took.
type part struct {
	Part  string  `json:"part"`
	Share float64 `json:"share"`
	CPU   float64 `json:"cpu_ms_per_page"`
}

// parts are the parts of a crawl, each with what the names of its functions begin with. A sample belongs to the first part
// that has a function anywhere in its stack: what the judge calls to count words is the judge's.
var parts = []struct {
	name      string
	functions []string
}{
	{"garbage collection", []string{"runtime.gcBgMark", "runtime.gcAssist", "runtime.gcStart", "runtime.gcMark", "runtime.bgsweep", "runtime.bgscavenge",
		"runtime.wbBufFlush", "runtime.sweepone", "runtime.deductSweep"}},
	{"copies of what was learned", []string{"nightjar/crawler.(*learning).learned", "nightjar/crawler/strategy.(*linkValue).Snapshot"}},
	{"broker", []string{"github.com/nats-io/", "nightjar/daemon/broker."}},
	{"results of workers", []string{"nightjar/crawler/work.Decode"}},
	{"leases", []string{"nightjar/daemon/leases."}},
	{"learning", []string{"nightjar/model/online.(*Judge).Retrain", "nightjar/model/online.(*Regression).Fit", "nightjar/model/logistic.", "gonum.org/v1/gonum/optimize."}},
	{"traps", []string{"nightjar/crawler/trap."}},
	{"journal", []string{"nightjar/daemon/store.", "nightjar/crawler.(*recorder)", "database/sql."}},
	{"archive", []string{"nightjar/crawler/archive.", "nightjar/crawler/warc."}},
	{"fetch", []string{"nightjar/crawler/fetch.", "net/http."}},
	{"parse", []string{"nightjar/crawler/page.", "nightjar/crawler/neardup."}},
	{"frontier", []string{"nightjar/crawler/frontier."}},
	{"judge", []string{"nightjar/crawler/strategy.", "nightjar/model"}},
	{"rest of the crawl", []string{"nightjar/crawler.", "nightjar/crawler/", "main."}},
}

// rest is the part of samples without a function of ours: mostly waking goroutines.
const rest = "runtime"

// partsOf says where the time of a profile went; cost is the processor time of a page in milliseconds.
func partsOf(ctx context.Context, profile string, cost float64) ([]part, error) {
	cmd := exec.CommandContext(ctx, "go", "tool", "pprof", "-traces", profile)
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("read the profile %s: %w", profile, err)
	}
	return share(string(out), cost)
}

// share adds up the samples that pprof -traces lists, the largest part first.
func share(traces string, cost float64) (all []part, err error) {
	spent, total := map[string]time.Duration{}, time.Duration(0)
	var stack []string
	var took time.Duration
	end := func() {
		if len(stack) > 0 {
			spent[partOf(stack)] += took
			total += took
		}
		stack = nil
	}
	lines := bufio.NewScanner(strings.NewReader(traces))
	for began := false; lines.Scan(); {
		line := strings.TrimSpace(lines.Text())
		switch {
		case strings.HasPrefix(line, "-----------+"):
			end()
			began = true
		case !began || line == "":
		case len(stack) == 0:
			value, name, _ := strings.Cut(line, " ")
			if strings.HasSuffix(value, ":") {
				continue // a label of the goroutine
			}
			if took, err = time.ParseDuration(value); err != nil {
				return nil, fmt.Errorf("a sample of the profile: %w", err)
			}
			stack = append(stack, strings.TrimSpace(name))
		default:
			stack = append(stack, line)
		}
	}
	end()
	for name, d := range spent {
		s := float64(d) / float64(total)
		all = append(all, part{name, s, s * cost})
	}
	slices.SortFunc(all, func(a, b part) int {
		if a.Share != b.Share {
			return map[bool]int{true: -1, false: 1}[a.Share > b.Share]
		}
		return strings.Compare(a.Part, b.Part)
	})
	return all, lines.Err()
}

func partOf(stack []string) string {
	for _, p := range parts {
		for _, function := range stack {
			if slices.ContainsFunc(p.functions, func(begin string) bool { return strings.HasPrefix(function, begin) }) {
				return p.name
			}
		}
	}
	return rest
}
