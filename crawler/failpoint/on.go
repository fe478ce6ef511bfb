//go:build failpoints

package failpoint

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"
)

// Names of the environment variables.
const (
	planVariable  = "NIGHTJAR_FAILPOINT"
	afterVariable = "NIGHTJAR_FAILPOINT_AFTER"
	goVariable    = "NIGHTJAR_FAILPOINT_GO"
	logVariable   = "NIGHTJAR_FAILPOINT_LOG"
	spansVariable = "NIGHTJAR_SPANS"
)

// plan says at which place, and at which pass, the process ends.
type plan struct {
	name string
	pass int64
	how  string // "" to end at once, term to ask to stop instead, wait to wait
}

var (
	chosen = mustParse(os.Getenv(planVariable))
	after  = os.Getenv(afterVariable)
	log    = mustOpen(os.Getenv(logVariable))
	spans  = mustParseSpans(os.Getenv(spansVariable))

	mu     sync.Mutex
	passes int64 // of chosen.name
)

// Passes is called at each place, unless it is nil. A simulation, which has the program in its own process, sets it before that begins.
var Passes func(name string)

// Here marks a place at which tests end the program; see the package.
func Here(name string) {
	if Passes != nil {
		Passes(name)
	}
	if log != nil {
		fmt.Fprintln(log, name) // one write, which O_APPEND keeps whole
	}
	if name != chosen.name {
		return
	}
	mu.Lock()
	defer mu.Unlock()
	if after != "" {
		if _, err := os.Stat(after); err != nil {
			return
		}
		after = ""
	}
	if passes++; passes != chosen.pass {
		return
	}
	switch chosen.how {
	case "wait":
		for _, err := os.Stat(os.Getenv(goVariable)); err != nil; _, err = os.Stat(os.Getenv(goVariable)) {
			time.Sleep(5 * time.Millisecond)
		}
		return
	case "term":
		if err := stop(); err != nil {
			panic("failpoint: " + err.Error())
		}
		return
	}
	self, err := os.FindProcess(os.Getpid())
	if err == nil {
		err = self.Kill()
	}
	if err != nil {
		panic("failpoint: " + err.Error())
	}
	select {} // until the signal arrives
}

// mustParse reads NAME:N, NAME:N:term or NAME:N:wait; "" names no place.
func mustParse(text string) plan {
	if text == "" {
		return plan{}
	}
	name, rest, _ := strings.Cut(text, ":")
	number, how, more := strings.Cut(rest, ":")
	if !more || how == "term" || how == "wait" {
		if n, err := strconv.ParseInt(number, 10, 64); err == nil && n > 0 && name != "" {
			return plan{name: name, pass: n, how: how}
		}
	}
	panic(planVariable + " must be NAME:N, NAME:N:term or NAME:N:wait, with N from 1 on, but is " + strconv.Quote(text))
}

// mustOpen opens the file to add names to; "" is none.
func mustOpen(name string) *os.File {
	if name == "" {
		return nil
	}
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		panic(logVariable + ": " + err.Error())
	}
	return f
}

// Span is how long something takes: usual, or what NIGHTJAR_SPANS says for its name.
func Span(name string, usual time.Duration) time.Duration {
	if d, ok := spans[name]; ok {
		return d
	}
	return usual
}

// mustParseSpans reads NAME=DURATION,…; "" is none.
func mustParseSpans(text string) map[string]time.Duration {
	all := map[string]time.Duration{}
	for part := range strings.SplitSeq(text, ",") {
		if part == "" {
			continue
		}
		name, span, _ := strings.Cut(part, "=")
		d, err := time.ParseDuration(span)
		if err != nil || d <= 0 {
			panic(spansVariable + " must be NAME=DURATION,… but has " + strconv.Quote(part))
		}
		all[name] = d
	}
	return all
}
